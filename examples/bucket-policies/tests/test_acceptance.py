"""The policies in stacks: a hook refuses what breaks a rule. Formwork's extras `serve` and `guard` are needed."""

from pathlib import Path

import pytest

pytest.importorskip("starlette", reason="needs formwork-cfn[serve]")
pytest.importorskip("cloudformation_validate")
TEMPLATE = """
Parameters: {Algorithm: {Type: String, Default: "aws:kms"}, Private: {Type: String, Default: "true"}}
Resources:
  Books:
    Type: AWS::S3::Bucket
    Properties:
      BucketEncryption:
        ServerSideEncryptionConfiguration: [{ServerSideEncryptionByDefault: {SSEAlgorithm: !Ref Algorithm}}]
      PublicAccessBlockConfiguration: {BlockPublicAcls: !Ref Private, BlockPublicPolicy: !Ref Private}
"""


def test_buckets_are_encrypted_and_private(cloudformation):
    policies = cloudformation.register(Path(__file__).parents[1] / "buckets.guard")
    cloudformation.expect_refused(by=policies, match="BUCKETS_ENCRYPTED")
    cloudformation.deploy(TEMPLATE, stack="plain", parameters={"Algorithm": "AES256"})
    shop = cloudformation.deploy(TEMPLATE, stack="shop")
    shop.expect_refused(by=policies, match="BUCKETS_PRIVATE")
    shop.update(parameters={"Private": "false"})
    shop.delete()
