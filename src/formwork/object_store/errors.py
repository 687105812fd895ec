"""S3's errors."""

from collections.abc import Mapping, Sequence


class S3Error(Exception):
    """An error of S3: `code` as clients know it, `status` the HTTP status.

    `details` are further elements of its document, `headers` are those of the response.
    """

    def __init__(
        self,
        code: str,
        message: str,
        *,
        status: int = 400,
        details: Sequence[tuple[str, str]] = (),
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.status = status
        self.details = details
        self.headers = headers or {}


def no_such_bucket() -> S3Error:
    """Return the error for a bucket that does not exist."""
    return S3Error("NoSuchBucket", "The specified bucket does not exist", status=404)


def no_such_key(marker: str | None = None) -> S3Error:
    """Return the error for an object that does not exist; `marker` is the version of the delete marker in its place."""
    headers = {} if marker is None else {"x-amz-delete-marker": "true", "x-amz-version-id": marker}
    return S3Error("NoSuchKey", "The specified key does not exist.", status=404, headers=headers)


def no_such_version(key: str, version: str) -> S3Error:
    """Return the error for a version that does not exist, or does not any more."""
    details = [("Key", key), ("VersionId", version)]
    return S3Error("NoSuchVersion", "The specified version does not exist.", status=404, details=details)


def invalid_argument(name: str, value: str, message: str) -> S3Error:
    """Return the error for an invalid request parameter, with the parameter in the error document."""
    return S3Error("InvalidArgument", message, details=[("ArgumentName", name), ("ArgumentValue", value)])


def invalid_version(version: str, argument: str = "versionId") -> S3Error:
    """Return the error for a text that is not the id of a version of the object."""
    message = "Invalid version id specified" if version else "Version id cannot be the empty string"
    return invalid_argument(argument, version, message)


def delete_marker(version: str, modified: str) -> S3Error:
    """Return the error for reading the version that is a delete marker; `modified` is the date of the marker."""
    return S3Error(
        "MethodNotAllowed",
        "The specified method is not allowed against this resource.",
        status=405,
        details=[("ResourceType", "DeleteMarker")],
        headers={
            "x-amz-delete-marker": "true",
            "x-amz-version-id": version,
            "Last-Modified": modified,
            "Allow": "DELETE",
        },
    )


def no_such_upload() -> S3Error:
    """Return the error for a multipart upload that does not exist."""
    return S3Error(
        "NoSuchUpload",
        "The specified upload does not exist. The upload ID may be invalid, or the upload may have been aborted or"
        " completed.",
        status=404,
    )


def access_denied() -> S3Error:
    """Return the error for a bucket of another account."""
    return S3Error("AccessDenied", "Access Denied", status=403)
