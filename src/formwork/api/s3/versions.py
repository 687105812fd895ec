"""Versions of objects on the wire: what deletions and writes answer, and ListObjectVersions."""

from collections.abc import Mapping, Sequence
from urllib.parse import quote

from msgspec import Struct

from formwork.api.s3.documents import Element, parse_deleted_objects, time_text
from formwork.api.s3.listing import object_elements, owner_element, page_size
from formwork.object_store.errors import S3Error, invalid_argument, invalid_version
from formwork.object_store.object_file import ObjectMetadata
from formwork.object_store.store import Bucket, Deletion, ObjectStore
from formwork.object_store.version_ids import NULL_VERSION, is_version_id


def new_version_headers(metadata: ObjectMetadata) -> dict[str, str]:
    """Return the headers about the version of an object that was written; S3 does not name the version "null"."""
    return {} if metadata.version == NULL_VERSION else {"x-amz-version-id": metadata.version}


def deletion_headers(deleted: Deletion) -> dict[str, str]:
    """Return the headers of an answer to DeleteObject."""
    headers = {} if deleted.version is None else {"x-amz-version-id": deleted.version}
    return headers | {"x-amz-delete-marker": "true"} if deleted.marker else headers


def delete_objects(store: ObjectStore, bucket: Bucket, body: bytes) -> list[Element]:
    """Delete what a DeleteObjects names; the elements of its DeleteResult.

    Raises:
        S3Error: the document is malformed.
    """
    done: list[Element] = []
    failed: list[Element] = []
    for key, version in parse_deleted_objects(body):
        named: list[Element] = [("Key", key), *([] if version is None else [("VersionId", version)])]
        try:
            deleted = store.delete(bucket, key, version)
        except S3Error as error:
            # AWS has this code for one of several objects, InvalidArgument for a single one.
            unknown = version is not None and not is_version_id(bucket.name, key, version)
            code, message = ("NoSuchVersion", _NO_SUCH) if unknown else (error.code, error.message)
            failed.append(("Error", [*named, ("Code", code), ("Message", message)]))
        else:
            marker: list[Element] = []
            if deleted.marker:
                marker = [("DeleteMarker", "true"), ("DeleteMarkerVersionId", deleted.version or NULL_VERSION)]
            done.append(("Deleted", [*named, *marker]))
    return failed if b"<Quiet>true</Quiet>" in body else [*done, *failed]


_NO_SUCH = "The specified version does not exist."


class _Entry(Struct, frozen=True):
    """A version, or a common prefix, which has no `version`."""

    name: str
    version: ObjectMetadata | None = None
    latest: bool = False


def list_versions(store: ObjectStore, bucket: Bucket, query: Mapping[str, str]) -> list[Element]:
    """Return the elements of a ListVersionsResult: keys in their order, of each the current version first.

    Raises:
        S3Error: max-keys, a marker or the encoding is not valid.
    """
    prefix, delimiter = query.get("prefix", ""), query.get("delimiter", "")
    most = page_size(query)
    key_marker, version_marker = _markers(bucket, query)
    url = query.get("encoding-type") == "url"
    if not url and "encoding-type" in query:
        raise invalid_argument("encoding-type", query["encoding-type"], "Invalid Encoding Method specified in Request")

    def text(key: str) -> str:
        return quote(key, safe="/-_.~") if url else key

    left = _after(_entries(store.versions(bucket), prefix, delimiter), key_marker, version_marker)
    page, more = left[:most], 0 < most < len(left)
    found: list[Element] = [("Name", bucket.name), ("Prefix", text(prefix)), ("KeyMarker", text(key_marker))]
    found.append(("VersionIdMarker", version_marker or ""))
    if more:
        found.append(("NextKeyMarker", text(page[-1].name)))
        found += [] if page[-1].version is None else [("NextVersionIdMarker", page[-1].version.version)]
    found += [("MaxKeys", str(most)), *([("Delimiter", text(delimiter))] if delimiter else [])]
    found += [("EncodingType", "url")] if url else []
    found.append(("IsTruncated", "true" if more else "false"))
    for entry in page:
        if entry.version is not None:
            found.append(_version(entry.version, text(entry.name), bucket.account, latest=entry.latest))
    found += [("CommonPrefixes", [("Prefix", text(entry.name))]) for entry in page if entry.version is None]
    return found


def _markers(bucket: Bucket, query: Mapping[str, str]) -> tuple[str, str | None]:
    key, version = query.get("key-marker", ""), query.get("version-id-marker")
    if version is None:
        return key, None
    if not key:
        message = "A version-id marker cannot be specified without a key marker."
        raise invalid_argument("version-id-marker", version, message)
    if not version:
        raise invalid_argument("version-id-marker", version, "A version-id marker cannot be empty.")
    if not is_version_id(bucket.name, key, version):
        raise invalid_version(version, "version-id-marker")
    return key, version


def _entries(versions: Mapping[str, Sequence[ObjectMetadata]], prefix: str, delimiter: str) -> list[_Entry]:
    found: list[_Entry] = []
    for key in sorted(each for each in versions if each.startswith(prefix)):
        head, cut, _ = key[len(prefix) :].partition(delimiter) if delimiter else (key, "", "")
        if cut:
            common = _Entry(prefix + head + cut)
            found += [] if found and found[-1] == common else [common]
        else:
            found += [_Entry(key, each, latest=each is versions[key][0]) for each in versions[key]]
    return found


def _after(entries: Sequence[_Entry], key: str, version: str | None) -> list[_Entry]:
    """Return the entries after the markers; the version of the marker may have been deleted, with all of its key."""
    here = [each.version.version for each in entries if each.name == key and each.version is not None]
    passed = here.index(version) + 1 if version in here else len(here)
    of_key = [each for each in entries if each.name == key and each.version is not None]
    return [*of_key[passed:], *(each for each in entries if each.name > key)]


def _version(metadata: ObjectMetadata, key: str, owner: str, *, latest: bool) -> Element:
    about: list[Element] = [("VersionId", metadata.version), ("IsLatest", "true" if latest else "false")]
    if not metadata.deleted:
        return "Version", [*object_elements(metadata, key, owner), *about]
    modified: Element = ("LastModified", time_text(metadata.modified))
    return "DeleteMarker", [("Key", key), *about, modified, owner_element(owner)]
