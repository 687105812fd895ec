"""`egress.yml`: the rules of a project for what leaves its handlers, and what editors check the file with."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from formwork.diagnostics import BadInputError, Diagnostic, Severity
from formwork.documents import Document
from formwork.egress.rules import (
    ANY,
    AWS_EXPECTED,
    AWS_PATTERN,
    HOST_EXPECTED,
    HOST_PATTERN,
    SERVICE_EXPECTED,
    SERVICE_PATTERN,
    Allow,
    Cassette,
    EgressRules,
    HostRule,
    Refuse,
    ServiceRule,
    Stub,
    Treatment,
    split_host,
)

EGRESS_FILES = ("egress.yml", "egress.yaml")
_KEYS = ("aws", "services", "hosts")
_WORDS: dict[str, Treatment] = {"allow": Allow(), "refuse": Refuse()}
_PATHS: dict[str, type[Stub | Cassette]] = {"stub": Stub, "cassette": Cassette}
_TREATMENT_EXPECTED = '"allow", "refuse", {stub: openapi.yaml} or {cassette: FOLDER}; with a stub, exists: [/PATH, …]'


def read_egress(document: Document) -> EgressRules:
    """Return the rules in `document`; paths in it are relative to the folder of the file that it is named after.

    Raises:
        BadInputError: with everything that is wrong, when anything is.
    """
    value = document.value
    problems = [*_shape_problems(document)]
    rows = [*_services(document), *_hosts(document)] if isinstance(value, dict) else []
    problems += [row for row in rows if isinstance(row, Diagnostic)]
    if problems:
        raise BadInputError(problems)
    return EgressRules(
        hosts=tuple(row for row in rows if isinstance(row, HostRule)),
        aws=value.get("aws"),
        services=tuple(row for row in rows if isinstance(row, ServiceRule)),
    )


def egress_schema() -> dict[str, Any]:
    """Return the JSON schema of the file, draft 7: it accepts what `read_egress` does, and malformed IPv6 addresses."""
    aws = {"type": "string", "pattern": AWS_PATTERN}
    exists = {"type": "array", "items": {"type": "string", "pattern": "^/[^\\u0000]*$"}}
    more = {"stub": {"exists": {**exists, "description": "The paths of items that the service has from the beginning"}}}
    paths = [
        {
            "type": "object",
            "properties": {key: _TEXT, **more.get(key, {})},
            "required": [key],
            "additionalProperties": False,
        }
        for key in _PATHS
    ]
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "description": "Who answers what the handlers of this project send: for each host, and for AWS",
        "type": "object",
        "properties": {
            "aws": {**aws, "description": f"Who stands for AWS: {AWS_EXPECTED}"},
            "services": {
                "description": f"Who stands for services of AWS: {SERVICE_EXPECTED}",
                "type": "object",
                "propertyNames": {"pattern": SERVICE_PATTERN},
                "additionalProperties": aws,
            },
            "hosts": {
                "description": f"Who answers for {HOST_EXPECTED}; hosts without a rule are refused",
                "type": "object",
                "propertyNames": {"pattern": HOST_PATTERN},
                "additionalProperties": {"anyOf": [{"enum": [*_WORDS]}, *paths]},
            },
        },
        "additionalProperties": False,
    }


_TEXT = {"type": "string", "pattern": r"^[^\u0000]+$"}


def _shape_problems(document: Document) -> Iterator[Diagnostic]:
    value = document.value
    if not isinstance(value, dict):
        yield _problem(document, (), "not-an-object", "the rules are not an object", "an object")
        return
    for key in value:
        if key not in _KEYS:
            message = f'"{key}" is not a part of the rules'
            yield _problem(document, (key,), "unknown-key", message, ", ".join(_KEYS), key=True)
    for key in ("services", "hosts"):
        if key in value and not isinstance(value[key], dict):
            yield _problem(document, (key,), "not-an-object", f'"{key}" is not an object', "an object")
    if "aws" in value and not _is_aws(value["aws"]):
        yield _problem(document, ("aws",), "aws", f"{_show(value['aws'])} does not stand for AWS", AWS_EXPECTED)


def _services(document: Document) -> Iterator[ServiceRule | Diagnostic]:
    for name, aws in _members(document.value, "services"):
        tokens = ("services", name)
        if not re.fullmatch(SERVICE_PATTERN[1:-1], name, re.ASCII):
            yield _problem(document, tokens, "service", f'"{name}" is not a service', SERVICE_EXPECTED, key=True)
        elif not _is_aws(aws):
            yield _problem(document, tokens, "aws", f"{_show(aws)} does not stand for AWS", AWS_EXPECTED)
        else:
            service, region, account = (*name.split("/"), ANY, ANY)[:3]
            yield ServiceRule(service, region, account, aws, document.locate(tokens, key=True))


def _hosts(document: Document) -> Iterator[HostRule | Diagnostic]:
    folder = Path(document.name).parent
    for name, value in _members(document.value, "hosts"):
        tokens = ("hosts", name)
        named, treatment = split_host(name), _treatment(value, folder)
        if named is None:
            yield _problem(document, tokens, "host", f'"{name}" is not a host', HOST_EXPECTED, key=True)
        elif treatment is None:
            message = f'{_show(value)} does not say who answers for "{name}"'
            yield _problem(document, tokens, "treatment", message, _TREATMENT_EXPECTED)
        else:
            yield HostRule(*named, treatment, document.locate(tokens, key=True))


def _members(value: dict[str, Any], key: str) -> list[tuple[str, Any]]:
    members = value.get(key)
    return list(members.items()) if isinstance(members, dict) else []


def _treatment(value: Any, folder: Path) -> Treatment | None:
    if isinstance(value, str):
        return _WORDS.get(value)
    if not isinstance(value, dict):
        return None
    if value.keys() == {"stub", "exists"}:
        stub, exists = _treatment({"stub": value["stub"]}, folder), value["exists"]
        return replace(stub, exists=tuple(exists)) if isinstance(stub, Stub) and _are_paths(exists) else None
    if len(value) != 1:
        return None
    ((key, path),) = value.items()
    made = _PATHS.get(key)
    return made(folder / path) if made and isinstance(path, str) and path and "\0" not in path else None


def _are_paths(value: Any) -> bool:
    return isinstance(value, list) and all(
        isinstance(each, str) and each.startswith("/") and "\0" not in each for each in value
    )


def _is_aws(value: Any) -> bool:
    return isinstance(value, str) and re.fullmatch(AWS_PATTERN[1:-1], value, re.ASCII) is not None


def _show(value: Any) -> str:
    text = f'"{value}"' if isinstance(value, str) else type(value).__name__ if value is not None else "null"
    return text if len(text) <= 80 else text[:77] + "…"


def _problem(  # noqa: PLR0913 - one argument a part of the diagnostic
    document: Document, tokens: tuple[str, ...], slug: str, message: str, expected: str, *, key: bool = False
) -> Diagnostic:
    return Diagnostic(f"egress.{slug}", Severity.ERROR, message, document.locate(tokens, key=key), expected)
