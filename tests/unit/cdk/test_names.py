"""Names as the CDK's own generator makes them; each example is from a class of aws-cdk-lib."""

import pytest

from formwork.cdk.names import attribute_name, class_name, member_names, property_name, snake_case


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("BucketName", "bucketName"),
        ("DBInstanceIdentifier", "dbInstanceIdentifier"),
        ("VPCZoneIdentifier", "vpcZoneIdentifier"),
        ("SSESpecification", "sseSpecification"),
        ("TargetGroupARNs", "targetGroupArns"),
        ("VolumeSizeInMBs", "volumeSizeInMBs"),
        ("Ipv4CidrBlock", "ipv4CidrBlock"),
        ("S3BucketName", "s3BucketName"),
        ("Ec2SecurityGroupIds", "ec2SecurityGroupIds"),
        ("x", "x"),
    ],
)
def test_properties(name, expected):
    assert property_name(name) == expected


def test_attributes():
    assert attribute_name("Endpoint.Address") == "attrEndpointAddress"
    assert attribute_name("DBClusterArn") == "attrDbClusterArn"


@pytest.mark.parametrize(
    ("type_name", "expected"),
    [
        ("AWS::S3::Bucket", "CfnBucket"),
        ("AWS::EC2::VPC", "CfnVPC"),
        ("Acme::Store::thing", "CfnThing"),
        ("Acme::Store::Depot::MODULE", "CfnDepotModule"),
    ],
)
def test_classes(type_name, expected):
    assert class_name(type_name) == expected


def test_members_are_distinct_and_hide_nothing_of_a_resource():
    assert member_names(["Name", "name", "Stack", "9lives"], of_class=True) == {
        "Name": "name",
        "name": "name_",
        "Stack": "stack_",
        "9lives": "_9Lives",
    }


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("bucketName", "bucket_name"),
        ("s3BucketName", "s3_bucket_name"),
        ("from", "from_"),
        ("volumeSizeInMBs", "volume_size_in_m_bs"),
    ],
)
def test_python(name, expected):
    assert snake_case(name) == expected
