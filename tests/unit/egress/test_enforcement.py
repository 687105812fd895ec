"""What the permissions of the calling handler do not contain is denied in the words of IAM."""

import pytest

from formwork.aws.credentials import handler_access_key, local_credentials
from formwork.egress.enforcement import EnforcedPermissions
from support.egress_calls import Scripted, json_reply, outgoing

PERMISSIONS = {"create": ("ssm:Put*", "iam:PassRole"), "read": (), "preCreate": ("*",)}


def call(operation, key, host="ssm.us-east-1.amazonaws.com", service="ssm", body=None):
    signed = f"AWS4-HMAC-SHA256 Credential={key}/20260101/us-east-1/{service}/aws4_request, Signature=a"
    return outgoing("POST", f"https://{host}/", body or {}, authorization=signed, x_amz_target=f"AmazonSSM.{operation}")


@pytest.mark.parametrize(
    ("handler", "operation", "status"),
    [
        ("create", "PutParameter", 200),
        ("create", "GetParameter", 400),
        ("read", "PutParameter", 400),
        ("preCreate", "GetParameter", 200),
    ],
)
def test_a_handler_has_its_own_permissions(handler, operation, status):
    answer = EnforcedPermissions(PERMISSIONS, "123456789012").around(Scripted(json_reply({})))
    reply = answer(call(operation, handler_access_key(handler)))
    assert (reply.status == 200) == (status == 200)
    if status != 200:
        told = reply.body.decode()
        assert "AccessDeniedException" in told
        assert f"assumed-role/formwork-execution-role/{handler} is not authorized to perform: ssm:{operation}" in told


def test_the_credentials_of_the_process_have_no_permissions():
    answer = EnforcedPermissions(PERMISSIONS, "123456789012").around(Scripted())
    assert b"role/process is not authorized" in answer(call("PutParameter", local_credentials().access_key_id)).body


@pytest.mark.parametrize(
    "request_",
    [
        call("PutParameter", "ASIAOFANOTHERROLE000"),
        call("GetCallerIdentity", handler_access_key("read"), "sts.us-east-1.amazonaws.com", "sts"),
        outgoing("GET", "https://api.example.com/things"),
    ],
)
def test_what_no_permission_is_for_is_answered(request_):
    assert EnforcedPermissions(PERMISSIONS, "123456789012").around(Scripted(json_reply({})))(request_).status == 200


def test_keys_of_handlers_differ():
    names = ["create", "read", "update", "delete", "list", "preCreate", "preUpdate", "preDelete"]
    keys = {handler_access_key(name) for name in names}
    assert len(keys) == len(names)
    assert {len(key) for key in keys} == {20}
