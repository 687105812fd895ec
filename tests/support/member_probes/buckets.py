"""Probes of the small S3's buckets and of what is in them."""

from support.member_probes.objects import GRANTS, OTHER_OWNER, PAYER, bucket, filled, objects, other, text
from support.member_probes.probe import Probe, Refusal


def versioned(world):
    """Arrange two buckets, the first with versions."""
    filled(world)
    world("PutBucketVersioning", Bucket=bucket(world), VersioningConfiguration={"Status": "Enabled"})
    for content in b"1", b"2":
        world("PutObject", Bucket=bucket(world), Key="k", Body=content)


def statuses(world):
    """The versioning of both buckets."""
    return [world.tried("GetBucketVersioning", Bucket=each(world)) for each in (bucket, other)]


PROBES = [
    Probe(
        operation="ListBuckets",
        arrange=filled,
        changes={"MaxBuckets": 1, "ContinuationToken": bucket, "Prefix": "c", "BucketRegion": "eu-west-1"},
    ),
    Probe(operation="CreateBucket", base={"Bucket": bucket}, look=objects, changes={"Bucket": other}),
    Probe(
        operation="CreateBucket",
        base={"Bucket": bucket, "CreateBucketConfiguration": {}},
        look=objects,
        changes={"CreateBucketConfiguration.LocationConstraint": "eu-west-1"},
    ),
    Refusal(
        operation="CreateBucket",
        base={"Bucket": bucket, "CreateBucketConfiguration": {}},
        changes={
            "ACL": "public-read",
            **GRANTS,
            "GrantWrite": "id=1",
            "ObjectLockEnabledForBucket": True,
            "ObjectOwnership": "ObjectWriter",
            "BucketNamespace": "account-regional",
            "CreateBucketConfiguration.Location": {"Type": "AvailabilityZone", "Name": "use1-az4"},
            "CreateBucketConfiguration.Bucket": {"DataRedundancy": "SingleAvailabilityZone", "Type": "Directory"},
            "CreateBucketConfiguration.Tags": [{"Key": "a", "Value": "b"}],
        },
    ),
    *(
        Probe(
            operation=name,
            arrange=filled,
            base={"Bucket": other},
            look=objects,
            changes={"Bucket": lambda world: bucket(world, "z"), **OTHER_OWNER},
        )
        for name in ("HeadBucket", "DeleteBucket", "GetBucketLocation")
    ),
    Probe(
        operation="ListObjects",
        arrange=filled,
        base={"Bucket": bucket},
        changes={
            "Bucket": other,
            "Delimiter": "/",
            "EncodingType": "url",
            "Marker": "dir/one",
            "MaxKeys": 1,
            "Prefix": "dir/",
            **OTHER_OWNER,
        },
    ),
    Probe(
        operation="ListObjectsV2",
        arrange=filled,
        base={"Bucket": bucket},
        changes={
            "Bucket": other,
            "Delimiter": "/",
            "EncodingType": "url",
            "MaxKeys": 1,
            "Prefix": "dir/",
            "ContinuationToken": "ZGlyL29uZQ==",
            "FetchOwner": True,
            "StartAfter": "dir/one",
            **OTHER_OWNER,
        },
    ),
    *(
        Refusal(
            operation=name,
            arrange=filled,
            base={"Bucket": bucket},
            changes={**PAYER, "OptionalObjectAttributes": ["RestoreStatus"]},
        )
        for name in ("ListObjects", "ListObjectsV2")
    ),
    Probe(
        operation="GetBucketVersioning",
        arrange=versioned,
        base={"Bucket": bucket},
        changes={"Bucket": other, **OTHER_OWNER},
    ),
    Probe(
        operation="PutBucketVersioning",
        arrange=filled,
        base={"Bucket": bucket, "VersioningConfiguration": {"Status": "Enabled"}},
        look=statuses,
        changes={
            "Bucket": other,
            "ContentMD5": text(bytes(16)),
            "ChecksumAlgorithm": "CRC32",
            "VersioningConfiguration.Status": "Suspended",
            **OTHER_OWNER,
        },
    ),
    Refusal(
        operation="PutBucketVersioning",
        arrange=filled,
        base={"Bucket": bucket, "VersioningConfiguration": {"Status": "Enabled"}},
        changes={"MFA": "device 123456", "VersioningConfiguration.MFADelete": "Enabled"},
    ),
    Probe(
        operation="ListObjectVersions",
        arrange=versioned,
        base={"Bucket": bucket},
        changes={
            "Bucket": other,
            "Delimiter": "/",
            "EncodingType": "url",
            "KeyMarker": "dir/one",
            "MaxKeys": 1,
            "Prefix": "dir/",
            **OTHER_OWNER,
        },
    ),
    Probe(
        operation="ListObjectVersions",
        arrange=versioned,
        base={"Bucket": bucket, "KeyMarker": "k"},
        changes={"VersionIdMarker": "null"},
    ),
    Refusal(
        operation="ListObjectVersions",
        arrange=versioned,
        base={"Bucket": bucket},
        changes={**PAYER, "OptionalObjectAttributes": ["RestoreStatus"]},
    ),
]
