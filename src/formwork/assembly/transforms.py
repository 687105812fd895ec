"""What an engine's macros need of the service: snippets from its S3, and functions."""

from formwork.aws.scope import Scope
from formwork.durable import Database
from formwork.object_store.errors import S3Error
from formwork.object_store.store import ObjectStore
from formwork.object_store.urls import parse_object_url
from formwork.preparation.transforms.include import ReadSnippet, SnippetError
from formwork.preparation.transforms.macros import Macros
from formwork.preparation.transforms.named import NamedTransforms
from formwork.provisioning.functions.finding import InvokeFunction

# A snippet is a part of a template, which has 1 MB at most.
_MAX_SNIPPET_BYTES = 1024 * 1024


def make_transforms(database: Database, objects: ObjectStore, functions: InvokeFunction) -> NamedTransforms:
    """The macros of an engine, which `functions` runs."""
    return NamedTransforms(Macros(database, functions), _snippets(objects))


def _snippets(objects: ObjectStore) -> ReadSnippet:
    def read(scope: Scope, location: str) -> bytes:
        place = parse_object_url(location)
        if place is None:
            raise SnippetError("The location parameter is not a valid S3 uri.")
        bucket, key = place
        try:
            return objects.read(objects.expect_bucket(bucket, account=scope.account), key, limit=_MAX_SNIPPET_BYTES)
        except S3Error as error:
            raise SnippetError(_refusal(error, bucket, key)) from error

    return read


def _refusal(error: S3Error, bucket: str, key: str) -> str:
    match error.code:
        case "NoSuchBucket":
            return f"S3 bucket [{bucket}] does not exist."
        case "NoSuchKey":
            return f"S3 object [{key}] does not exist in bucket [{bucket}]."
        case _:
            return f"S3 error: {error.message}"
