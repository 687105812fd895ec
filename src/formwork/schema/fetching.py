"""Fetching one document: in a bounded time, of a bounded size, and from nowhere else than was asked."""

from typing import Any
from urllib.error import HTTPError
from urllib.request import HTTPRedirectHandler, Request, build_opener

from formwork.documents.bounds import MAX_BYTES

SECONDS = 20.0


class _NoRedirect(HTTPRedirectHandler):
    """A host that is allowed must not lead to one that is not."""

    def redirect_request(self, *_arguments: Any) -> None:
        """Never: the answer is then the redirect itself, which is an error."""


def fetch_document(url: str, *, seconds: float = SECONDS) -> bytes:
    """Return the bytes at `url`, which the caller has found to be allowed.

    Raises:
        OSError: no answer, or one that is not the document; the text says what.
    """
    request = Request(url, headers={"Accept": "application/json", "User-Agent": "formwork-cfn"})  # noqa: S310 - http only where a user names it
    try:
        with build_opener(_NoRedirect).open(request, timeout=seconds) as answer:
            data: bytes = answer.read(MAX_BYTES + 1)
    except HTTPError as error:
        with error:
            to = error.headers.get("Location")
            raise OSError(f"it answers {error.code}" + (f" and leads to {to}" if to else "")) from None
    if len(data) > MAX_BYTES:
        raise OSError(f"it is larger than {MAX_BYTES // 1_000_000} MB")
    return data
