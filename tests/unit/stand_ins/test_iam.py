"""Roles as boto3 sees them."""

import json

import pytest
from botocore.exceptions import ClientError

from support.api import serve_api

TRUST = {"Version": "2012-10-17", "Statement": []}


def test_roles_and_their_policies(tmp_path):
    with serve_api(tmp_path) as served:
        iam = served.client("iam", account="111111111111")
        made = iam.create_role(RoleName="Handlers", AssumeRolePolicyDocument=json.dumps(TRUST), Path="/mine/")["Role"]
        assert made["Arn"] == "arn:aws:iam::111111111111:role/mine/Handlers"
        iam.put_role_policy(RoleName="Handlers", PolicyName="p", PolicyDocument='{"Statement": []}')
        assert iam.get_role_policy(RoleName="Handlers", PolicyName="p")["PolicyDocument"] == {"Statement": []}
        assert iam.get_role(RoleName="Handlers")["Role"]["AssumeRolePolicyDocument"] == TRUST
        assert iam.list_role_policies(RoleName="Handlers")["PolicyNames"] == ["p"]
        for call, code in [
            (lambda: iam.create_role(RoleName="Handlers", AssumeRolePolicyDocument="{}"), "EntityAlreadyExists"),
            (lambda: iam.create_role(RoleName="Other", AssumeRolePolicyDocument="{"), "MalformedPolicyDocument"),
            (lambda: iam.delete_role(RoleName="Handlers"), "DeleteConflict"),
            (lambda: iam.get_role(RoleName="Other"), "NoSuchEntity"),
            (lambda: iam.get_role_policy(RoleName="Handlers", PolicyName="other"), "NoSuchEntity"),
            (lambda: iam.delete_role_policy(RoleName="Handlers", PolicyName="other"), "NoSuchEntity"),
            (iam.list_users, "InvalidAction"),
        ]:
            with pytest.raises(ClientError) as caught:
                call()
            assert caught.value.response["Error"]["Code"] == code
        assert served.client("iam", account="222222222222").list_roles()["Roles"] == []
        for number in range(5):
            iam.create_role(RoleName=f"Role{number}", AssumeRolePolicyDocument="{}")
        pages = iam.get_paginator("list_roles").paginate(PaginationConfig={"PageSize": 2})
        assert [each["RoleName"] for page in pages for each in page["Roles"]][:2] == ["Handlers", "Role0"]
    with serve_api(tmp_path) as served:
        iam = served.client("iam", account="111111111111")
        iam.update_assume_role_policy(RoleName="Handlers", PolicyDocument="{}")
        iam.delete_role_policy(RoleName="Handlers", PolicyName="p")
        iam.delete_role(RoleName="Handlers")
        assert len(iam.list_roles()["Roles"]) == 5
