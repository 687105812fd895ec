"""Probes of the small S3."""

import base64
import zlib
from datetime import UTC, datetime

from support.member_probes.probe import Probe, Refusal

PAST, FUTURE = datetime(2000, 1, 1, tzinfo=UTC), datetime(2100, 1, 1, tzinfo=UTC)
BODY = b"hello"
OTHER_OWNER = {"ExpectedBucketOwner": "999999999901"}
PAYER = {"RequestPayer": "requester"}
CUSTOMER = {"SSECustomerAlgorithm": "AES256", "SSECustomerKey": "a2V5", "SSECustomerKeyMD5": "a2V5"}


def text(digest):
    """A checksum as S3 has it."""
    return base64.b64encode(digest).decode()


# Those that are computed are refused where they are wrong, the others come back with the object.
WRONG = {
    "ChecksumCRC32": text(bytes(4)),
    "ChecksumCRC32C": text(bytes(4)),
    "ChecksumCRC64NVME": text(bytes(8)),
    "ChecksumSHA1": text(bytes(20)),
    "ChecksumSHA256": text(bytes(32)),
    "ChecksumSHA512": text(bytes(64)),
    "ChecksumMD5": text(bytes(16)),
    "ChecksumXXHASH64": text(bytes(8)),
    "ChecksumXXHASH3": text(bytes(8)),
    "ChecksumXXHASH128": text(bytes(16)),
}
CRC32 = text(zlib.crc32(BODY).to_bytes(4, "big"))
LOCKS = {
    "ObjectLockMode": "GOVERNANCE",
    "ObjectLockRetainUntilDate": FUTURE,
    "ObjectLockLegalHoldStatus": "ON",
    "ObjectLockEventHold": "ON",
    "ObjectLockEventHoldDurationDays": 1,
    "ObjectLockEventHoldDurationYears": 1,
}
GRANTS = dict.fromkeys(("GrantFullControl", "GrantRead", "GrantReadACP", "GrantWriteACP"), "id=1")
KEPT = {
    "CacheControl": "no-store",
    "ContentDisposition": "inline",
    "ContentEncoding": "gzip",
    "ContentLanguage": "en",
    "ContentType": "text/plain",
    "Expires": FUTURE,
    "Metadata": {"a": "b"},
    "ServerSideEncryption": "aws:kms",
    "StorageClass": "GLACIER",
    "WebsiteRedirectLocation": "/other",
    "SSEKMSKeyId": "key",
    "BucketKeyEnabled": True,
    "Tagging": "a=b",
}
RESPONSES = {
    "ResponseCacheControl": "no-store",
    "ResponseContentDisposition": "inline",
    "ResponseContentEncoding": "gzip",
    "ResponseContentLanguage": "en",
    "ResponseContentType": "text/plain",
    "ResponseExpires": FUTURE,
}


def bucket(world, name="b"):
    """The account's bucket."""
    return f"{name}-{world.account}"


def other(world):
    """Its other bucket."""
    return bucket(world, "c")


def filled(world):
    """Arrange two buckets, the first with objects."""
    for name in "b", "c":
        world("CreateBucket", Bucket=bucket(world, name))
    for key in "k", "dir/one", "dir/two":
        content = BODY + key.encode()
        crc = text(zlib.crc32(content).to_bytes(4, "big"))
        world("PutObject", Bucket=bucket(world), Key=key, Body=content, ChecksumCRC32=crc)


def uploading(world):
    """Arrange an upload of one part."""
    filled(world)
    made = world("CreateMultipartUpload", Bucket=bucket(world), Key="k")
    world.saved["upload"] = made["UploadId"]
    part = world(
        "UploadPart",
        Bucket=bucket(world),
        Key="k",
        UploadId=made["UploadId"],
        PartNumber=1,
        Body=BODY,
        ChecksumCRC32=CRC32,
    )
    world.saved["etag"] = part["ETag"]


def upload(world):
    """The upload's id."""
    return world.saved["upload"]


def etag(world):
    """The part's ETag."""
    return world.saved["etag"]


def objects(world):
    """What there is in the account's buckets."""
    found = []
    for name in ("b", "c"):
        listed = world.tried("ListObjectsV2", Bucket=bucket(world, name)).get("Contents", ())
        found += [
            (
                each["Key"],
                world.tried("HeadObject", Bucket=bucket(world, name), Key=each["Key"], ChecksumMode="ENABLED"),
            )
            for each in listed
        ]
    return found, world("ListBuckets").get("Buckets")


def completed(world):
    """What there is once the upload is complete."""
    parts = {"Parts": [{"PartNumber": 1, "ETag": etag(world)}]}
    answer = world.saved["answer"]
    number = answer.get("UploadId", upload(world)) if "upload" in world.saved else answer.get("UploadId")
    if number is None:
        return objects(world)
    if "etag" in answer:
        parts["Parts"][0]["ETag"] = answer["ETag"]
    world.tried("CompleteMultipartUpload", Bucket=bucket(world), Key="k", UploadId=number, MultipartUpload=parts)
    return objects(world)


def begun(world):
    """What the object of a new upload comes to."""
    number = world.saved["answer"].pop("UploadId", None)
    if number is None:
        return objects(world)
    asked = {"Bucket": bucket(world), "Key": "k", "UploadId": number}
    made = world.tried("UploadPart", **asked, PartNumber=1, Body=BODY)
    parts = {"Parts": [{"PartNumber": 1, "ETag": made.get("ETag", "")}]}
    world.tried("CompleteMultipartUpload", **asked, MultipartUpload=parts)
    return objects(world)


OF_KEY = {"Bucket": bucket, "Key": "k"}
WHOLE = {**OF_KEY, "UploadId": upload, "MultipartUpload": {"Parts": [{"PartNumber": 1, "ETag": etag}]}}
STATED = {f"MultipartUpload.Parts.{name}": value for name, value in WRONG.items()}


def source_path(world):
    """The source of a copy."""
    return f"{bucket(world)}/k"


COPIED = {"Bucket": other, "Key": "copy", "CopySource": source_path}
REPLACED = {**COPIED, "MetadataDirective": "REPLACE", "TaggingDirective": "REPLACE"}

WRITES = [
    Probe(
        operation="CopyObject",
        arrange=filled,
        base=REPLACED,
        look=objects,
        changes={
            "Bucket": bucket,
            "Key": "another",
            "CopySource": lambda world: f"{bucket(world)}/dir/one",
            "CopySourceIfMatch": "other",
            "CopySourceIfModifiedSince": FUTURE,
            "CopySourceIfNoneMatch": "*",
            "CopySourceIfUnmodifiedSince": PAST,
            "ChecksumAlgorithm": "SHA256",
            "IfMatch": "other",
            "ExpectedSourceBucketOwner": "999999999901",
            **KEPT,
            **OTHER_OWNER,
        },
    ),
    Probe(
        operation="CopyObject",
        arrange=filled,
        base={"Bucket": bucket, "Key": "k", "CopySource": lambda world: f"{bucket(world)}/dir/one"},
        look=objects,
        changes={"IfNoneMatch": "*", "MetadataDirective": "OTHER", "TaggingDirective": "OTHER"},
    ),
    Refusal(
        operation="CopyObject",
        arrange=filled,
        base=COPIED,
        changes={
            "ACL": "public-read",
            **GRANTS,
            "AnnotationDirective": "EXCLUDE",
            "SSEKMSEncryptionContext": "e30=",
            **CUSTOMER,
            **{f"CopySource{name}": value for name, value in CUSTOMER.items()},
            **LOCKS,
            **PAYER,
        },
    ),
    Probe(
        operation="DeleteObjects",
        arrange=filled,
        base={"Bucket": bucket, "Delete": {"Objects": [{"Key": "k"}]}},
        look=objects,
        changes={
            "Bucket": other,
            "Delete.Objects.Key": "dir/one",
            "Delete.Objects.VersionId": "v",
            "Delete.Quiet": True,
            "ChecksumAlgorithm": "CRC32",
            **OTHER_OWNER,
        },
    ),
    Refusal(
        operation="DeleteObjects",
        arrange=filled,
        base={"Bucket": bucket, "Delete": {"Objects": [{"Key": "k"}]}},
        changes={
            "Delete.Objects.ETag": "e",
            "Delete.Objects.LastModifiedTime": PAST,
            "Delete.Objects.Size": 1,
            "MFA": "device 123456",
            "BypassGovernanceRetention": True,
            **PAYER,
        },
    ),
    Probe(
        operation="DeleteObject",
        arrange=filled,
        base=OF_KEY,
        look=objects,
        changes={"Bucket": other, "Key": "dir/one", "VersionId": "v", "IfMatch": "other", **OTHER_OWNER},
    ),
    Refusal(
        operation="DeleteObject",
        arrange=filled,
        base=OF_KEY,
        changes={
            "MFA": "device 123456",
            "BypassGovernanceRetention": True,
            "IfMatchLastModifiedTime": PAST,
            "IfMatchSize": 1,
            **PAYER,
        },
    ),
    Probe(
        operation="PutObject",
        arrange=filled,
        base={**OF_KEY, "Body": BODY},
        look=objects,
        changes={
            "Bucket": other,
            "Key": "new",
            "Body": b"another",
            "ContentLength": 9,
            "ContentMD5": text(bytes(16)),
            "ChecksumAlgorithm": "CRC32",
            "IfMatch": "other",
            "IfNoneMatch": "*",
            **WRONG,
            **KEPT,
            **OTHER_OWNER,
        },
    ),
    Refusal(
        operation="PutObject",
        arrange=filled,
        base={**OF_KEY, "Body": BODY},
        changes={
            "ACL": "public-read",
            **GRANTS,
            "WriteOffsetBytes": 1,
            "SSEKMSEncryptionContext": "e30=",
            **CUSTOMER,
            **LOCKS,
            **PAYER,
        },
    ),
    Probe(
        operation="CreateMultipartUpload",
        arrange=filled,
        base=OF_KEY,
        look=begun,
        changes={
            "Bucket": other,
            "Key": "new",
            "ChecksumAlgorithm": "CRC32",
            "ChecksumType": "COMPOSITE",
            **KEPT,
            **OTHER_OWNER,
        },
    ),
    Refusal(
        operation="CreateMultipartUpload",
        arrange=filled,
        base=OF_KEY,
        look=begun,
        changes={"ACL": "public-read", **GRANTS, "SSEKMSEncryptionContext": "e30=", **CUSTOMER, **LOCKS, **PAYER},
    ),
    Probe(
        operation="UploadPart",
        arrange=uploading,
        base={**OF_KEY, "UploadId": upload, "PartNumber": 1, "Body": BODY},
        look=completed,
        changes={
            "Bucket": other,
            "UploadId": "0" * 32,
            "PartNumber": 10_001,
            "Body": b"another",
            "ContentLength": 9,
            "ContentMD5": text(bytes(16)),
            "ChecksumAlgorithm": "CRC32",
            "Key": "new",
            **WRONG,
            **OTHER_OWNER,
        },
    ),
    Refusal(
        operation="UploadPart",
        arrange=uploading,
        base={**OF_KEY, "UploadId": upload, "PartNumber": 1, "Body": BODY},
        changes={**CUSTOMER, **PAYER},
    ),
    Probe(
        operation="CompleteMultipartUpload",
        arrange=uploading,
        base=WHOLE,
        look=objects,
        changes={
            "Bucket": other,
            "Key": "new",
            "UploadId": "0" * 32,
            "MultipartUpload.Parts.PartNumber": 2,
            "MultipartUpload.Parts.ETag": "other",
            **STATED,
            **WRONG,
            "ChecksumType": "COMPOSITE",
            "MpuObjectSize": 7,
            "IfMatch": "other",
            "IfNoneMatch": "*",
            **OTHER_OWNER,
        },
    ),
    Refusal(operation="CompleteMultipartUpload", arrange=uploading, base=WHOLE, changes={**CUSTOMER, **PAYER}),
    Probe(
        operation="AbortMultipartUpload",
        arrange=uploading,
        base={**OF_KEY, "UploadId": upload},
        changes={"Bucket": lambda world: bucket(world, "z"), "Key": "new", "UploadId": "0" * 32, **OTHER_OWNER},
    ),
    Refusal(
        operation="AbortMultipartUpload",
        arrange=uploading,
        base={**OF_KEY, "UploadId": upload},
        changes={"IfMatchInitiatedTime": PAST, **PAYER},
    ),
]

READS = [
    *(
        Probe(
            operation=name,
            arrange=filled,
            base=OF_KEY,
            changes={
                "Bucket": other,
                "Key": "dir/one",
                "IfMatch": "other",
                "IfModifiedSince": FUTURE,
                "IfNoneMatch": "*",
                "IfUnmodifiedSince": PAST,
                "Range": "bytes=1-2",
                "PartNumber": 2,
                "VersionId": "v",
                "ChecksumMode": "ENABLED",
                **RESPONSES,
                **OTHER_OWNER,
            },
        )
        for name in ("GetObject", "HeadObject")
    ),
    *(
        Refusal(operation=name, arrange=filled, base=OF_KEY, changes={**CUSTOMER, **PAYER})
        for name in ("GetObject", "HeadObject")
    ),
]

PROBES = [*WRITES, *READS]
