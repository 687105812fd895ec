"""AWS::Include: a snippet from the embedded S3 in the place of the call.

Source: CloudFormation template reference, "AWS::Include transform"; the texts of its refusals as recorded, and as
users report them.
"""

from collections.abc import Callable
from typing import Any

from formwork.aws.scope import Scope
from formwork.diagnostics import BadInputError
from formwork.documents import DocumentFormat, parse_document
from formwork.preparation.transforms.call import TransformCall
from formwork.preparation.transforms.processing import INCLUDE
from formwork.stacks.errors import TransformError

# Reads an object by its `s3://` URL; raises SnippetError where it can't be had.
ReadSnippet = Callable[[Scope, str], bytes]


class SnippetError(Exception):
    """The object can't be had; the message is the service's."""


def include(scope: Scope, call: TransformCall, read: ReadSnippet) -> Any:
    """The content of the object at the call's Location.

    Raises:
        TransformError: it is not there, or no snippet.
    """
    location = call.parameters.get("Location")
    if not isinstance(location, str) or not location.startswith("s3://"):
        raise TransformError(INCLUDE, "The location parameter is not a valid S3 uri.")
    try:
        content = read(scope, location)
    except SnippetError as error:
        raise TransformError(INCLUDE, str(error)) from error
    return _parsed(content)


def _parsed(content: bytes) -> Any:
    refused = "The specified S3 object's content should be valid Yaml/JSON."
    try:
        text = content.decode()
        as_json = text.lstrip("\ufeff \t\r\n").startswith(("{", "["))
        kind = DocumentFormat.JSON if as_json else DocumentFormat.YAML
        # In a snippet the service knows the long names of functions only: `Fn::Sub`, not `!Sub`.
        value = parse_document(text, name="snippet", format=kind).value
    except (UnicodeDecodeError, BadInputError) as error:
        raise TransformError(INCLUDE, refused) from error
    if _includes_more(value):
        raise TransformError(INCLUDE, refused)
    return value


def _includes_more(value: Any) -> bool:
    match value:
        case dict():
            return "Fn::Transform" in value or any(map(_includes_more, value.values()))
        case list():
            return any(map(_includes_more, value))
        case _:
            return False
