"""What S3 answers when it cannot do what it was asked."""

from formwork.api.wire.errors import ApiError


class S3Error(ApiError):
    """An error of S3: `code` as clients know it, `status` the HTTP status."""


def no_such_bucket() -> S3Error:
    """There is no such bucket."""
    return S3Error("NoSuchBucket", "The specified bucket does not exist", status=404)


def no_such_key() -> S3Error:
    """There is no such object."""
    return S3Error("NoSuchKey", "The specified key does not exist.", status=404)


def no_such_upload() -> S3Error:
    """There is no such multipart upload."""
    return S3Error(
        "NoSuchUpload",
        "The specified upload does not exist. The upload ID may be invalid, or the upload may have been aborted or"
        " completed.",
        status=404,
    )


def access_denied() -> S3Error:
    """It belongs to somebody else."""
    return S3Error("AccessDenied", "Access Denied", status=403)


def not_implemented(what: str) -> S3Error:
    """A part of S3 that is not here."""
    return S3Error("NotImplemented", f"{what} is not available here: this is a small S3", status=501)
