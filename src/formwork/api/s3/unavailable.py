"""Refusals of what a request to S3 asks for that is not available here, named as in the API's model."""

from collections.abc import Iterable, Mapping

from formwork.api.s3.request import S3Request
from formwork.object_store.errors import S3Error

_NONE: frozenset[str] = frozenset()

# Header → the member that it carries, and its values that ask for what is done anyway.
_HEADERS: Mapping[str, tuple[str, frozenset[str]]] = {
    "x-amz-acl": ("ACL", frozenset({"private", "bucket-owner-full-control"})),
    "x-amz-bucket-namespace": ("BucketNamespace", frozenset({"global"})),
    "x-amz-bucket-object-lock-enabled": ("ObjectLockEnabledForBucket", frozenset({"false"})),
    "x-amz-bypass-governance-retention": ("BypassGovernanceRetention", frozenset({"false"})),
    "x-amz-copy-source-server-side-encryption-customer-algorithm": ("CopySourceSSECustomerAlgorithm", _NONE),
    "x-amz-copy-source-server-side-encryption-customer-key": ("CopySourceSSECustomerKey", _NONE),
    "x-amz-copy-source-server-side-encryption-customer-key-md5": ("CopySourceSSECustomerKeyMD5", _NONE),
    "x-amz-grant-full-control": ("GrantFullControl", _NONE),
    "x-amz-grant-read": ("GrantRead", _NONE),
    "x-amz-grant-read-acp": ("GrantReadACP", _NONE),
    "x-amz-grant-write": ("GrantWrite", _NONE),
    "x-amz-grant-write-acp": ("GrantWriteACP", _NONE),
    "x-amz-if-match-initiated-time": ("IfMatchInitiatedTime", _NONE),
    "x-amz-if-match-last-modified-time": ("IfMatchLastModifiedTime", _NONE),
    "x-amz-if-match-size": ("IfMatchSize", _NONE),
    "x-amz-mfa": ("MFA", _NONE),
    "x-amz-object-annotation-directive": ("AnnotationDirective", _NONE),
    "x-amz-object-lock-event-hold": ("ObjectLockEventHold", _NONE),
    "x-amz-object-lock-event-hold-duration-days": ("ObjectLockEventHoldDurationDays", _NONE),
    "x-amz-object-lock-event-hold-duration-years": ("ObjectLockEventHoldDurationYears", _NONE),
    "x-amz-object-lock-legal-hold": ("ObjectLockLegalHoldStatus", frozenset({"OFF"})),
    "x-amz-object-lock-mode": ("ObjectLockMode", _NONE),
    "x-amz-object-lock-retain-until-date": ("ObjectLockRetainUntilDate", _NONE),
    "x-amz-object-ownership": ("ObjectOwnership", frozenset({"BucketOwnerEnforced"})),
    "x-amz-optional-object-attributes": ("OptionalObjectAttributes", _NONE),
    "x-amz-request-payer": ("RequestPayer", _NONE),
    "x-amz-server-side-encryption-context": ("SSEKMSEncryptionContext", _NONE),
    "x-amz-server-side-encryption-customer-algorithm": ("SSECustomerAlgorithm", _NONE),
    "x-amz-server-side-encryption-customer-key": ("SSECustomerKey", _NONE),
    "x-amz-server-side-encryption-customer-key-md5": ("SSECustomerKeyMD5", _NONE),
    "x-amz-write-offset-bytes": ("WriteOffsetBytes", _NONE),
}


def refuse_unavailable(request: S3Request) -> None:
    """Refuse a request with a header that has no effect here.

    Raises:
        S3Error: it has one (NotImplemented); the message names the member.
    """
    for name, (member, harmless) in _HEADERS.items():
        if name in request.headers and request.headers[name] not in harmless:
            raise not_implemented(f"{member} ({name})")


def refuse_elements(found: Iterable[tuple[list[str], str]], names: tuple[str, ...]) -> None:
    """Refuse a document with an element of one of these names below its first.

    Raises:
        S3Error: it has one (NotImplemented); the message names it.
    """
    for path, _ in found:
        if len(path) > 1 and path[-1] in names:
            raise not_implemented(".".join(path[1:]))


def not_implemented(what: str) -> S3Error:
    """Return the error for an operation or feature that is not available."""
    return S3Error("NotImplemented", f"{what} is not available here: this is a small S3", status=501)
