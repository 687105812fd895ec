"""Builds requests for stacks: the template, and parameters and tags from the command line and from files."""

import argparse
import contextlib
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from formwork.aws.errors import aws_errors
from formwork.command_context.registry_target import RegistryTarget
from formwork.diagnostics import BadInputError, Severity, UsageError
from formwork.documents import load_document
from formwork.template import Template, read_template

_MOST_BYTES = 51_200  # of a template in a request; a larger one is put into S3
_MEMBERS = frozenset({"Parameters", "Tags", "StackPolicy"})  # the last one for others
_HIDDEN = "****"  # the service shows this for the value of a parameter with NoEcho
_FORMS = '{"Name": "value"}, {"Parameters": {…}, "Tags": {…}}, or a list as the AWS CLI takes it'


# What the service says is missing, and the option that gives it.
_MISSING = (
    (re.compile(r"Requires capabilities : \[(.+?)\]"), "--capabilities {}"),
    (re.compile(r"Parameters: \[(.+?)\] must have values"), "--parameter {}=VALUE"),
)


@contextlib.contextmanager
def request_errors(doing: str) -> Iterator[None]:
    """Report errors of a request for a stack, with how to fix them.

    Raises:
        BadInputError: the service refuses the request itself.
        EnvironmentProblemError: it can't be reached, or refuses the caller.
    """
    try:
        with aws_errors(doing):
            yield
    except BadInputError as error:
        for pattern, option in _MISSING:
            if (found := pattern.search(str(error))) is not None:
                names = [each.strip() for each in found[1].split(",")]
                hint = " ".join(option.format(each) for each in names)
                raise BadInputError.of("aws.refused", str(error), hint=hint) from error
        raise


def stack_request(
    target: RegistryTarget, arguments: argparse.Namespace, known: Mapping[str, Any] | None
) -> dict[str, Any]:
    """Return the members of a request for a stack; parameters without a value keep those of the `known` stack.

    Of a stack whose creation was rolled back they are given as values: it is deleted before the request is sent.

    The template is read here first, so that what is wrong with it has a place.

    Raises:
        BadInputError: the template or a file has errors.
        UsageError: an option is not a pair.
    """
    document = load_document(Path(arguments.template), short_tags=True)
    read = read_template(document)
    if errors := [each for each in read.diagnostics if each.severity is Severity.ERROR]:
        raise BadInputError(errors)
    files = [_read_file(Path(each)) for each in arguments.parameter_file]
    parameters = given_parameters(arguments)
    tags = _merged((each["Tags"] for each in files), arguments.tag, "--tag")
    request: dict[str, Any] = {
        "StackName": arguments.stack,
        "Parameters": [{"ParameterKey": key, "ParameterValue": value} for key, value in parameters.items()]
        + (_restated if was_rolled_back(known) else _previous)(read.template, parameters, known),
        "Capabilities": arguments.capabilities,
        **_template_member(target, arguments, document.text),
    }
    if tags:
        request["Tags"] = [{"Key": key, "Value": value} for key, value in tags.items()]
    if arguments.role_arn:
        request["RoleARN"] = arguments.role_arn
    return request


def was_rolled_back(stack: Mapping[str, Any] | None) -> bool:
    """Return whether the creation of a stack was rolled back: all that can be done with it is to delete it."""
    return stack is not None and stack["StackStatus"] == "ROLLBACK_COMPLETE"


def given_parameters(arguments: argparse.Namespace) -> dict[str, str]:
    """Return the parameters that files and options give, by name.

    Raises:
        BadInputError: a file has errors.
        UsageError: an option is not a pair.
    """
    files = [_read_file(Path(each)) for each in arguments.parameter_file]
    return _merged((each["Parameters"] for each in files), arguments.parameter, "--parameter")


def _previous(
    template: Template | None, given: Mapping[str, str], known: Mapping[str, Any] | None
) -> list[dict[str, Any]]:
    """Return the template's parameters that only the stack has a value for, as `aws cloudformation deploy` does."""
    if template is None or known is None:
        return []
    kept = {each["ParameterKey"] for each in known.get("Parameters", ())}
    names = [name for name in template.parameters if name in kept and name not in given]
    return [{"ParameterKey": name, "UsePreviousValue": True} for name in names]


def _restated(
    template: Template | None, given: Mapping[str, str], known: Mapping[str, Any] | None
) -> list[dict[str, Any]]:
    """Return the template's parameters that the stack has values for, with these.

    Raises:
        UsageError: one has no value, or one that is not shown.
    """
    if template is None or known is None:
        return []
    values = {each["ParameterKey"]: each["ParameterValue"] for each in known.get("Parameters", ())}
    asked = {name: each for name, each in template.parameters.items() if name not in given}
    lacking = [
        name for name, each in asked.items() if (values[name] == _HIDDEN if name in values else not each.has_default)
    ]
    if lacking:
        raise UsageError(
            f"parameters without a value: {', '.join(lacking)}; {known['StackName']} was rolled back, and shows none",
            hint=" ".join(f"--parameter {name}=VALUE" for name in lacking),
        )
    return [{"ParameterKey": name, "ParameterValue": values[name]} for name in asked if name in values]


def _template_member(target: RegistryTarget, arguments: argparse.Namespace, text: str) -> dict[str, Any]:
    """Return the template in the request, or as an object of S3 where it is too large for that."""
    content = text.encode()
    if len(content) <= _MOST_BYTES:
        return {"TemplateBody": text}
    if arguments.s3_bucket is None and not target.local:
        message = f"{arguments.template} is {len(content)} bytes long, more than the {_MOST_BYTES} of a request"
        raise UsageError(message, hint="upload it: --s3-bucket NAME")
    client = target.client("s3")
    bucket = arguments.s3_bucket or f"cfn-stack-templates-{client.meta.region_name}"
    key = f"{arguments.stack}/{Path(arguments.template).name}"
    with aws_errors(f"uploading {arguments.template}"):
        if arguments.s3_bucket is None:
            _make_bucket(client, bucket)
        client.put_object(Bucket=bucket, Key=key, Body=content)
    return {"TemplateURL": f"https://{bucket}.s3.amazonaws.com/{key}"}


def _make_bucket(client: Any, bucket: str) -> None:
    """Make a bucket of the service on this machine, unless it is there."""
    from botocore.exceptions import ClientError

    with contextlib.suppress(ClientError):
        client.create_bucket(Bucket=bucket)


def _merged(files: Iterable[Mapping[str, str]], given: Iterable[str], option: str) -> dict[str, str]:
    """Pairs from files, the later ones first, and from options before all of them."""
    pairs: dict[str, str] = {}
    for file in files:
        pairs |= file
    for text in given:
        key, equals, value = text.partition("=")
        if not equals or not key:
            raise UsageError(f'invalid {option} "{text}"', hint="NAME=VALUE")
        pairs[key] = value
    return pairs


def _read_file(path: Path) -> dict[str, dict[str, str]]:
    """Parameters and tags of a file, in each of the forms that tools of CloudFormation know.

    Raises:
        BadInputError: it can't be read, or holds something else.
    """
    document = load_document(path)
    found = _sections(document.value)
    plain = [] if found is None else [each for section in found for each in section.values()]
    if found is None or not all(isinstance(each, str | int | float | list) for each in plain):
        raise BadInputError.of(
            "stack.parameter-file", f"{path} does not contain parameters", location=document.locate(()), expected=_FORMS
        )
    return {"Parameters": _texts(found[0]), "Tags": _texts(found[1])}


def _sections(value: Any) -> tuple[dict[str, Any], dict[str, Any]] | None:
    """Parameters and tags as they stand in a file; None where it has another form."""
    match value:
        case list() if all(isinstance(each, dict) for each in value):
            parameters = {each["ParameterKey"]: each.get("ParameterValue") for each in value if "ParameterKey" in each}
            tags = {each["Key"]: each.get("Value") for each in value if "Key" in each}
            return (parameters, tags) if len(parameters) + len(tags) == len(value) else None
        case dict() if value.keys() & {"Parameters", "Tags"}:
            parameters, tags = value.get("Parameters", {}), value.get("Tags", {})
            whole = isinstance(parameters, dict) and isinstance(tags, dict) and value.keys() <= _MEMBERS
            return (parameters, tags) if whole else None
        case dict():
            return value, {}
        case _:
            return None


def _texts(values: Mapping[str, Any]) -> dict[str, str]:
    return {name: _text(each) for name, each in values.items()}


def _text(value: Any) -> str:
    """Return a value as CloudFormation takes it: lists with commas, truth values as JSON writes them."""
    match value:
        case bool():
            return "true" if value else "false"
        case list():
            return ",".join(_text(each) for each in value)
        case _:
            return str(value)
