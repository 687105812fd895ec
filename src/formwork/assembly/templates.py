"""Templates that requests and nested stacks name by the URL of an object."""

from formwork.aws.scope import Scope
from formwork.diagnostics import BadInputError
from formwork.object_store.errors import S3Error
from formwork.object_store.store import ObjectStore
from formwork.object_store.urls import fetch_object, parse_object_url
from formwork.stacks.errors import StackError
from formwork.template.bounds import MAX_TEMPLATE_BYTES, TOO_LARGE


class TemplateReader:
    """Reads templates from the objects of this service; raises StackError where there is none."""

    def __init__(self, objects: ObjectStore) -> None:
        self._objects = objects

    def fetch(self, scope: Scope, url: str) -> bytes:
        """Return the template of a request; the service reads none by an `s3://` URL."""
        if url.startswith("s3://"):
            bucket = url.removeprefix("s3://").partition("/")[0]
            raise StackError(f"S3 error: Domain name specified in {bucket} is not a valid S3 domain")
        try:
            return fetch_object(self._objects, account=scope.account, url=url)
        except BadInputError as error:
            if isinstance(error.__cause__, S3Error):
                raise StackError(f"S3 error: {error.__cause__.message}") from error
            raise StackError("TemplateURL must be a supported URL.") from error

    def fetch_nested(self, scope: Scope, url: str) -> str:
        """Return the template of a nested stack; errors are reported in its parent's events."""
        if parse_object_url(url) is None:
            raise StackError("TemplateURL must be a supported URL.")
        try:
            content = fetch_object(self._objects, account=scope.account, url=url)
            if len(content) > MAX_TEMPLATE_BYTES:
                raise StackError(TOO_LARGE)
            return content.decode()
        except (BadInputError, UnicodeDecodeError) as error:
            raise StackError("TemplateURL must reference a valid S3 object to which you have access.") from error
