"""References into other documents: found, cached, and inlined under `remote`, as CloudFormation does.

A `$ref` is relative to its document's `$id`, or where that is not a URL to the folder that the document is in. Files
are read; documents elsewhere come from a cache, and are fetched only from allowed hosts and only where the caller gives
a way to fetch. `AWS::EC2::VPC#/properties/Id` means the file `aws-ec2-vpc.json`. What refers back is embedded once.

The reasons are in docs/decisions/0208.
"""

import contextlib
import os
import posixpath
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from fnmatch import fnmatch
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import unquote, urljoin, urlsplit

from formwork.diagnostics import BadInputError, PointerError, expect_at, parse_pointer
from formwork.documents import Document, load_document, parse_document
from formwork.documents.refs import SELF_REFERENCE, ReferenceError_
from formwork.extensions import ExtensionKind, is_type_name

DEFAULT_HOSTS = ("schema.cloudformation.*.amazonaws.com", "schema.cloudformation.*.amazonaws.com.cn")
MAX_DOCUMENTS = 50
# After this many seconds a document in the cache is fetched anew, where that can be done.
FRESH_SECONDS = 24 * 3600
_SUFFIXES = (".json", ".yaml", ".yml")
_VALUES = frozenset({"const", "default", "enum", "examples"})  # values of these are not schemas


class DocumentLoader(Protocol):
    """Finds the documents that a schema refers to; such as `References`."""

    def load(self, uri: str) -> Document:
        """Return the document at `uri`; raises ReferenceError_ where there is none."""
        ...


class RemoteDocumentError(ReferenceError_):
    """A document on another machine is unavailable; `hint` says what to do."""

    def __init__(self, message: str, *, hint: str) -> None:
        super().__init__(message)
        self.hint = hint


class ReferenceLoader:
    """Loads the documents that schemas in `folder` refer to.

    `cache` is a folder for fetched documents; `hosts` are the host names, with `*`, that may be fetched from by https,
    or whole origins such as `http://127.0.0.1:8080`; `fetch` gets a URL and answers the document's bytes, or raises
    OSError. Without `fetch` nothing leaves the machine, and the cache serves documents of any age.
    """

    def __init__(
        self,
        folder: Path,
        *,
        cache: Path | None = None,
        hosts: Sequence[str] = DEFAULT_HOSTS,
        fetch: Callable[[str], bytes] | None = None,
    ) -> None:
        self._folder = folder
        self._cache = cache
        self._hosts = tuple(hosts)
        self._fetch = fetch
        self._loaded: dict[str, Document] = {}

    def load(self, uri: str) -> Document:
        """Return the document at `uri`: an https URL, or a path relative to the folder.

        Raises:
            ReferenceError_: it is not there, not allowed, or no document; the message says which.
        """
        if uri not in self._loaded:
            if len(self._loaded) >= MAX_DOCUMENTS:
                raise ReferenceError_(f"more than {MAX_DOCUMENTS} documents are referred to")
            remote = urlsplit(uri).scheme in ("http", "https")
            self._loaded[uri] = self._load_remote(uri) if remote else self._load_file(uri)
        return self._loaded[uri]

    def _load_file(self, name: str) -> Document:
        if is_type_name(name, ExtensionKind.RESOURCE):
            name = name.lower().replace("::", "-") + ".json"
        if urlsplit(name).scheme or not name.endswith(_SUFFIXES):
            raise ReferenceError_(f'"{name}" is neither an https URL nor a JSON or YAML file')
        try:
            return load_document(self._folder / name, name=name)
        except BadInputError as error:
            code = error.diagnostics[0].code
            words = (
                "does not exist or cannot be read" if code == "document.unreadable" else f"is not a document ({code})"
            )
            raise ReferenceError_(f'"{name}" {words}') from None

    def _load_remote(self, url: str) -> Document:
        data = self._cached(url) if self._fetch is None else self._fetched(url, self._fetch)
        try:
            return parse_document(data.decode("utf-8-sig"), name=url)
        except (BadInputError, UnicodeDecodeError):
            raise ReferenceError_(f'"{url}" is not a document') from None

    def _expect_allowed(self, url: str) -> None:
        if not self._is_allowed(url):
            allowed = ", ".join(self._hosts)
            raise RemoteDocumentError(
                f'"{url}" is not on an allowed host ({allowed}, by https)', hint="--allow-host NAME allows another"
            )

    def _is_allowed(self, url: str) -> bool:
        parts = urlsplit(url)
        if f"{parts.scheme}://{parts.netloc}" in self._hosts:
            return True
        names = [each for each in self._hosts if "://" not in each]
        return parts.scheme == "https" and any(fnmatch(parts.hostname or "", each) for each in names)

    def _file(self, url: str) -> Path | None:
        if self._cache is None:
            return None
        import hashlib  # noqa: PLC0415 - 3 ms, only where a document elsewhere is referred to

        return self._cache / f"{hashlib.sha256(url.encode()).hexdigest()}.json"

    def _cached(self, url: str) -> bytes:
        file = self._file(url)
        if file is None or not file.is_file():
            self._expect_allowed(url)
            raise RemoteDocumentError(
                f'"{url}" is not in the cache, and nothing is fetched here',
                hint="`cfn validate` without --offline fetches it once",
            )
        return file.read_bytes()

    def _fetched(self, url: str, fetch: Callable[[str], bytes]) -> bytes:
        """Return the document from the cache while it is fresh, else fetched; a stale one where that fails."""
        self._expect_allowed(url)
        file = self._file(url)
        known = file is not None and file.is_file()
        if file is not None and known and time.time() - file.stat().st_mtime < FRESH_SECONDS:
            return file.read_bytes()
        try:
            data = fetch(url)
        except OSError as error:
            if file is not None and known:
                return file.read_bytes()
            why = getattr(error, "reason", None) or error
            hint = "is there a network? Put the document beside the schema and refer to the file"
            raise RemoteDocumentError(f'"{url}" cannot be fetched: {why}', hint=hint) from None
        if file is not None:
            _keep(file, data)
        return data


def _keep(file: Path, data: bytes) -> None:
    """Write `file` atomically, so that no process reads a part of it; errors are ignored, since it is a cache."""
    partial = file.with_suffix(f".{os.getpid()}")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        partial.write_bytes(data)
        partial.replace(file)
    except OSError:
        with contextlib.suppress(OSError):
            partial.unlink()


def resolve_reference(base: str, ref: str) -> tuple[str, tuple[str, ...]]:
    """The document and the tokens that `ref` means in the document `base`: its URL, or its path ("" for the main one).

    The document is "" where it is the same one.

    Raises:
        ReferenceError_: the part behind `#` is not a JSON pointer.
    """
    address, _, fragment = ref.partition("#")
    try:
        tokens = parse_pointer(unquote(fragment))
    except PointerError as error:
        raise ReferenceError_(str(error)) from None
    if address in ("", SELF_REFERENCE) or (base and address == base):
        return "", tokens
    return _beside(base, address), tokens


def _beside(base: str, address: str) -> str:
    """The document that `address` means in the document `base`: a URL, a path, or "" for one in the folder itself."""
    if urlsplit(base).scheme in ("http", "https"):
        return urljoin(base, address)
    folder = posixpath.dirname(base)
    if not folder or urlsplit(address).scheme or is_type_name(address, ExtensionKind.RESOURCE):
        return address
    return posixpath.normpath(posixpath.join(folder, address))


def list_external(value: Mapping[str, Any]) -> list[tuple[tuple[str | int, ...], str, tuple[str, ...]]]:
    """Each `$ref` of a schema into another document: the path of the node, the document's URI, the tokens in it."""
    base = document_base(value)
    found = []
    for path, ref in list_references(value):
        try:
            uri, tokens = resolve_reference(base, ref)
        except ReferenceError_:
            continue  # the rule for references reports it
        if uri:
            found.append((path, uri, tokens))
    return found


def inline_references(value: Mapping[str, Any], loader: DocumentLoader) -> dict[str, Any]:
    """Return a copy of the schema `value` with all references local: other documents are embedded under `remote`.

    What is wrong with them `find_reference_faults` has found before: a reference of another document that cannot be
    followed, in a part of it that nothing uses, allows any value.

    Raises:
        ReferenceError_: a document that `value` refers to cannot be loaded, or a reference leads nowhere in it.
    """
    numbers: dict[str, int] = {}
    embedded: dict[str, Any] = {}
    inlined: dict[str, Any] = _rewrite(dict(value), "", document_base(value), loader, numbers)
    done = 0
    while done < len(numbers):  # a document may name further ones
        uri = list(numbers)[done]
        document = loader.load(uri)
        base = document_base(document.value) or uri
        embedded[f"schema{done}"] = {"$comment": uri, **_rewrite(document.value, uri, base, loader, numbers)}
        done += 1
    return {**inlined, "remote": embedded} if embedded else inlined


def document_base(value: Any) -> str:
    """Return the URL that a document's `$id` gives it; "" where it gives none."""
    identifier = value.get("$id") if isinstance(value, dict) else None
    return identifier if isinstance(identifier, str) and urlsplit(identifier).scheme in ("http", "https") else ""


def list_references(value: Any) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Yield each `$ref` in `value` with the path of its node."""
    pending: list[tuple[tuple[str | int, ...], Any]] = [((), value)]
    while pending:
        path, each = pending.pop()
        if isinstance(each, dict):
            ref = each.get("$ref")
            if isinstance(ref, str):
                yield path, ref
            pending += [((*path, key), child) for key, child in each.items() if key not in _VALUES]
        elif isinstance(each, list):
            pending += [((*path, index), child) for index, child in enumerate(each)]


def _rewrite(value: Any, home: str, base: str, loader: DocumentLoader, numbers: dict[str, int]) -> Any:
    """`value`, from the document `home` ("" for the main one), with every reference pointing into the main document."""
    if isinstance(value, list):
        return [_rewrite(each, home, base, loader, numbers) for each in value]
    if not isinstance(value, dict):
        return value
    rewritten = {
        key: each if key in _VALUES else _rewrite(each, home, base, loader, numbers) for key, each in value.items()
    }
    ref = value.get("$ref")
    if isinstance(ref, str):
        try:
            target = _target(ref, home, base, loader, numbers)
        except ReferenceError_:
            if not home:
                raise
            del rewritten["$ref"]
        else:
            rewritten["$ref"] = target
    return rewritten


def _target(ref: str, home: str, base: str, loader: DocumentLoader, numbers: dict[str, int]) -> str:
    """Return the reference into the main document that `ref`, written in the document `home`, becomes."""
    uri, tokens = resolve_reference(base, ref)
    uri = uri or home
    if not uri:
        return ref
    _expect(loader.load(uri), tokens, ref)
    number = numbers.setdefault(uri, len(numbers))
    return "#" + "".join(f"/{_escape(each)}" for each in ("remote", f"schema{number}", *tokens))


def _expect(document: Document, tokens: tuple[str, ...], ref: str) -> None:
    try:
        expect_at(document.value, tokens)
    except PointerError:
        raise ReferenceError_(f'"{ref}" leads nowhere in "{document.name}"') from None


def _escape(token: str) -> str:
    return token.replace("~", "~0").replace("/", "~1")
