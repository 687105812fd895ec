"""S3's errors."""


class S3Error(Exception):
    """An error of S3: `code` as clients know it, `status` the HTTP status."""

    def __init__(self, code: str, message: str, *, status: int = 400) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.status = status


def no_such_bucket() -> S3Error:
    """Return the error for a bucket that does not exist."""
    return S3Error("NoSuchBucket", "The specified bucket does not exist", status=404)


def no_such_key() -> S3Error:
    """Return the error for an object that does not exist."""
    return S3Error("NoSuchKey", "The specified key does not exist.", status=404)


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
