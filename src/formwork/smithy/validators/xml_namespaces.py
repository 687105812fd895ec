"""XmlNamespaceTrait: the namespace is a URI."""

import re
from collections.abc import Iterator

from formwork.smithy.events import Event
from formwork.smithy.nodes import expect_object
from formwork.smithy.validators.context import Validation, described, error

# RFC 2396 with the additions of RFC 2732, and any character beyond ASCII other than blanks and controls: what the
# reference's platform takes for a URI.
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*", re.ASCII)
_OTHER = r"[^\x00-\x7f\s\u0080-\u009f]"
_CHARACTER = rf"(?:[A-Za-z0-9_.!~*'();:@&=+$,-]|%[0-9A-Fa-f]{{2}}|{_OTHER})"
_PATH = re.compile(rf"(?:{_CHARACTER}|/)*")
_LOOSE = re.compile(rf"(?:{_CHARACTER}|[/?\[\]])*")
_AUTHORITY = re.compile(rf"(?:[^@\[\]]*@)?\[[0-9A-Fa-f:.]+(?:%[^\[\]]+)?\](?::\d*)?|{_CHARACTER}*", re.ASCII)


def xml_namespaces(validation: Validation) -> Iterator[Event]:
    """Check every shape and member with a namespace."""
    for shape in validation.model.with_trait("xmlNamespace"):
        uri = expect_object(shape.trait("xmlNamespace")).get("uri")
        if isinstance(uri, str) and not is_uri(uri):
            message = f"An `xmlNamespace` trait is applied to the {described(shape)} shape with an invalid uri: {uri}"
            yield error("XmlNamespaceTrait", shape, message)


def is_uri(text: str) -> bool:
    """Return whether `text` is a URI or a relative reference."""
    rest, fragment_mark, fragment = text.partition("#")
    if fragment_mark and not _LOOSE.fullmatch(fragment):
        return False
    scheme, colon, after = rest.partition(":")
    if colon and not set("/?") & set(scheme):
        if not _SCHEME.fullmatch(scheme) or not after:
            return False
        if not after.startswith("/"):
            return _LOOSE.fullmatch(after) is not None
        rest = after
    return _is_hierarchical(rest)


def _is_hierarchical(text: str) -> bool:
    path, _, query = text.partition("?")
    if not _LOOSE.fullmatch(query):
        return False
    if path.startswith("//"):
        authority, slash, path = path[2:].partition("/")
        if not authority and not slash:
            return False
        if not _AUTHORITY.fullmatch(authority):
            return False
    return _PATH.fullmatch(path) is not None
