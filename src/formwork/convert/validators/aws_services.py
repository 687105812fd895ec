"""SigV4Traits, CloudWatchNamespace and ErrorRename: names of AWS services agree and follow conventions."""

import re
from collections.abc import Iterator

from formwork.smithy.events import Event, EventSeverity
from formwork.smithy.nodes import Node, expect_object
from formwork.smithy.shape_ids import name_of
from formwork.smithy.shapes import ServiceShape
from formwork.smithy.validators.context import Validation, error, event, warning

_SERVICE = "aws.api#service"
_SIGV4, _SIGV4A = "aws.auth#sigv4", "aws.auth#sigv4a"
_PASCAL_CASE = re.compile(r"(?:[A-Z]{1,2}[a-z0-9]*)+|[A-Z0-9]+")
_CLOUD_WATCH = "AWS/"
# Protocols that put the name of an error on the wire.
_NAMED_ERRORS = tuple(f"aws.protocols#{name}" for name in ("awsJson1_0", "awsJson1_1", "restJson1", "restXml"))


def signing_names(validation: Validation) -> Iterator[Event]:
    """Check the namespace of ARNs and the names of both versions of signing."""
    for service in validation.model.services:
        names = {
            "aws.api#service$arnNamespace": _arn_namespace(service),
            "aws.auth#sigv4$name": expect_object(service.trait(_SIGV4)).get("name"),
            "aws.auth#sigv4a$name": expect_object(service.trait(_SIGV4A)).get("name"),
        }
        known = [(path, name) for path, name in names.items() if name is not None]
        for index, (path, name) in enumerate(known):
            for other_path, other in known[index + 1 :]:
                if name != other:
                    message = f'Value for `{path}` "{name}" and value for `{other_path}` "{other}" SHOULD match.'
                    yield warning("SigV4Traits", service, message, trait=other_path.partition("$")[0])


def _arn_namespace(service: ServiceShape) -> Node:
    if not service.has_trait(_SERVICE):
        return None
    return expect_object(service.trait(_SERVICE)).get("arnNamespace") or service.name.lower()


def cloud_watch_namespaces(validation: Validation) -> Iterator[Event]:
    """Check that CloudWatch namespaces have the form `AWS/PascalCase`."""
    for service in validation.model.with_trait(_SERVICE):
        namespace = expect_object(service.trait(_SERVICE)).get("cloudWatchNamespace")
        if not isinstance(namespace, str):
            continue
        component = namespace.removeprefix(_CLOUD_WATCH)
        problems = []
        if not namespace.startswith(_CLOUD_WATCH):
            problems.append(f"The namespace should start with the `{_CLOUD_WATCH}` prefix.")
        if not _PASCAL_CASE.fullmatch(component):
            problems.append(f"The namespace's service component `{component}` should be PascalCase.")
        if problems:
            subject = f"The service's CloudWatch metric namespace `{namespace}` does not follow convention."
            message = " ".join((subject, *problems))
            yield event("CloudWatchNamespace", EventSeverity.DANGER, service, message, trait=_SERVICE)


def error_renames(validation: Validation) -> Iterator[Event]:
    """Check that errors keep their names where a protocol sends them."""
    for service in validation.model.services:
        protocols = [name_of(each) for each in service.traits if each in _NAMED_ERRORS]
        for shape_id, name in service.rename.items() if protocols else ():
            shape = validation.model.get(shape_id)
            if shape is not None and shape.has_trait("error"):
                message = (
                    f'Service attempts to rename an error shape from `{shape_id}` to "{name}"; Service protocols '
                    f"[{', '.join(sorted(protocols, reverse=True))}] do not support error renaming."
                )
                yield error("ErrorRename", service, message)
