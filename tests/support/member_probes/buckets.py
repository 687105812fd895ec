"""Probes of the small S3's buckets and of what is in them."""

from support.member_probes.objects import GRANTS, OTHER_OWNER, PAYER, bucket, filled, objects, other
from support.member_probes.probe import Probe, Refusal

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
]
