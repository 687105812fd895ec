"""The type in stacks, its S3 and Parameter Store made by moto: Formwork's extras `serve` and `moto` are needed."""

from pathlib import Path

import boto3
import pytest

pytest.importorskip("starlette", reason="needs formwork-cfn[serve]")
pytestmark = pytest.mark.cloudformation(aws="moto")
TEMPLATE = """
Parameters: {Content: {Type: String, Default: retries=3}, Storage: {Type: String, Default: STANDARD}}
Resources:
  Checkout:
    Type: Acme::Config::Bundle
    Properties: {BundleName: checkout, Content: !Ref Content, StorageClass: !Ref Storage, Secret: correct horse battery}
Outputs:
  Location: {Value: !GetAtt Checkout.Location}
"""


def test_a_bundle_lives_in_a_stack(cloudformation):
    cloudformation.register(Path(__file__).parents[1])
    shop = cloudformation.deploy(TEMPLATE)
    shop.expect_in_place("Checkout")
    shop.update(parameters={"Content": "retries=5"})
    bucket, _, key = shop.outputs["Location"].removeprefix("s3://").partition("/")
    assert boto3.client("s3").get_object(Bucket=bucket, Key=key)["Body"].read() == b"retries=5"
    shop.disappears("Checkout")
    shop.delete()
