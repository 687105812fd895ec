"""AWS::Include: a snippet from the embedded S3 in the place of the call.

Source: CloudFormation template reference, "AWS::Include transform"; the texts of its refusals as recorded, and as
users report them.
"""

from typing import Any

from formwork.aws.scope import Scope
from formwork.diagnostics import BadInputError
from formwork.documents import DocumentFormat, parse_document
from formwork.object_store.errors import S3Error
from formwork.object_store.store import ObjectStore
from formwork.object_store.urls import parse_object_url
from formwork.preparation.dependencies import TransformCall
from formwork.preparation.transforms.processing import INCLUDE
from formwork.stacks.errors import MacroError

# A snippet is a part of a template, which has 1 MB at most.
_MAX_SNIPPET_BYTES = 1024 * 1024


def include(scope: Scope, call: TransformCall, objects: ObjectStore) -> Any:
    """Return the parsed content of the object at the call's Location.

    Raises:
        MacroError: the object is unavailable, or not a snippet.
    """
    location = call.parameters.get("Location")
    is_url = isinstance(location, str) and location.startswith("s3://")
    place = parse_object_url(str(location)) if is_url else None
    if place is None:
        raise MacroError(INCLUDE, "The location parameter is not a valid S3 uri.")
    bucket, key = place
    try:
        content = objects.read(objects.expect_bucket(bucket, account=scope.account), key, limit=_MAX_SNIPPET_BYTES)
    except S3Error as error:
        raise MacroError(INCLUDE, _refusal(error, bucket, key)) from error
    return _parsed(content)


def _refusal(error: S3Error, bucket: str, key: str) -> str:
    match error.code:
        case "NoSuchBucket":
            return f"S3 bucket [{bucket}] does not exist."
        case "NoSuchKey":
            return f"S3 object [{key}] does not exist in bucket [{bucket}]."
        case _:
            return f"S3 error: {error.message}"


def _parsed(content: bytes) -> Any:
    refused = "The specified S3 object's content should be valid Yaml/JSON."
    try:
        text = content.decode()
        as_json = text.lstrip("\ufeff \t\r\n").startswith(("{", "["))
        kind = DocumentFormat.JSON if as_json else DocumentFormat.YAML
        # In a snippet the service knows the long names of functions only: `Fn::Sub`, not `!Sub`.
        value = parse_document(text, name="snippet", format=kind).value
    except (UnicodeDecodeError, BadInputError) as error:
        raise MacroError(INCLUDE, refused) from error
    if _includes_more(value):
        raise MacroError(INCLUDE, refused)
    return value


def _includes_more(value: Any) -> bool:
    match value:
        case dict():
            return "Fn::Transform" in value or any(map(_includes_more, value.values()))
        case list():
            return any(map(_includes_more, value))
        case _:
            return False
