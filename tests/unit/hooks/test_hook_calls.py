"""One call of a hook: the request, and what its answer means."""

import pytest
from msgspec.structs import replace

from formwork.hooks import ActiveHook, HookCall, HookFailed, HookSettings, HookTarget, TargetKind
from formwork.invoke import Answer, HandlerSession
from formwork.invoke.answer import error_body
from formwork.invoke.fake import FakeTransport
from formwork.schema.configuration_secrets import configuration_secrets


def active_hook(answer, **settings):
    transport = FakeTransport([answer])
    session = HandlerSession(transport, "Acme::Web::Guard", type_configuration={"ApiKey": "key-of-the-hook-1"})
    return transport, ActiveHook(
        type_name="Acme::Web::Guard",
        type_arn="arn",
        version="00000001",
        configuration_version="1",
        settings=HookSettings(enabled=True, **settings),
        targets={"CREATE": ["Acme::*"]},
        open_session=lambda: session,
    )


def question(**more):
    target = HookTarget(
        kind=TargetKind.RESOURCE, action="CREATE", name="Acme::Web::Thing", identifier="A", execution="arn:stack"
    )
    return HookCall(target=target, token="t", model={"resourceProperties": {"Secret": "hush-hush"}}, **more)


def test_secrets_in_what_a_hook_says_are_masked():
    words = "hush-hush, key-of-the-hook-1 and from-a-parameter"
    answer = {
        "hookStatus": "FAILED",
        "errorCode": "NonCompliant",
        "message": words,
        "annotations": [{"annotationName": "N", "status": "FAILED", "statusMessage": words, "more": 1}, "nonsense"],
    }
    _, hook = active_hook(answer)
    found = hook.invoke(question(write_only=[("Secret",)], secrets=["from-a-parameter"]))
    masked = "********, ******** and ********"
    assert found == HookFailed(
        masked, refused=True, annotations=[{"annotationName": "N", "status": "FAILED", "statusMessage": masked}]
    )


def test_requests_about_stacks_and_about_cloud_control():
    transport, hook = active_hook({"hookStatus": "SUCCESS", "message": ""})
    stack = HookTarget(kind=TargetKind.STACK, action="UPDATE", name="STACK", identifier="shop", execution="arn:stack")
    hook.invoke(HookCall(target=stack, model={}, token="t", invocation=2, payload_url="http://here"))
    request = transport.requests[0]
    assert request["stackId"] == "arn:stack"
    assert request["actionInvocationPoint"] == "UPDATE_PRE_PROVISION"
    assert request["requestContext"]["invocation"] == 2
    data = {name: value for name, value in request["requestData"].items() if name != "callerCredentials"}
    assert data == {
        "targetName": "STACK",
        "targetType": "STACK",
        "targetLogicalId": "shop",
        "targetModel": {},
        "payload": "http://here",
    }


@pytest.mark.parametrize(
    ("error_type", "message", "told"),
    [
        ("RuntimeError", "boom with hush-hush", "boom with ********"),
        ("Sandbox.Timedout", "", "Hook execution timed out"),
    ],
)
def test_a_crash_and_a_timeout_are_failures_of_the_hook(error_type, message, told):
    _, hook = active_hook(Answer(error_body(error_type, message), function_error="Unhandled"))
    outcome = hook.invoke(question(write_only=[("Secret",)]))
    assert (outcome.refused, told in outcome.message) == (False, True)


def test_a_hooks_schema_decides_which_of_its_settings_are_masked():
    _, hook = active_hook({"hookStatus": "FAILED", "message": "key-of-the-hook-1 is public"})
    properties = {"ApiKey": {"type": "string"}, "Phrase": {"type": "string", "format": "password"}}
    hook = replace(hook, configured=configuration_secrets({"typeConfiguration": {"properties": properties}}))
    assert hook.invoke(question()).message == "key-of-the-hook-1 is public"
