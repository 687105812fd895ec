"""The CDK's command line and the waiters of AWS's SDK for JavaScript, unmodified, against `cfn serve`."""

import json

import pytest

from support.node_clients import install, run
from support.registry import GUARD, THING, hook_package, hook_schema
from support.serving import upload
from support.things import serving_things
from support.toolchains import needs_node

pytestmark = needs_node
WAIT = """
const { CloudFormationClient, CreateStackCommand, waitUntilStackCreateComplete } =
  require(process.argv[2] + "/@aws-sdk/client-cloudformation");
(async () => {
  const client = new CloudFormationClient({});
  await client.send(new CreateStackCommand({ StackName: process.argv[3], TemplateBody: process.argv[4] }));
  const limits = { client, maxWaitTime: 60, minDelay: 1, maxDelay: 2 };
  const ended = await waitUntilStackCreateComplete(limits, { StackName: process.argv[3] });
  console.log(ended.state);
})();
"""


REFUSES = """
def resource(event, context):
    return {"hookStatus": "FAILED", "errorCode": "NonCompliant", "message": "never on a Sunday"}
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with serving_things(tmp_path_factory.mktemp("node")) as running:
        yield running


@pytest.fixture(scope="module")
def packages(tmp_path_factory):
    return install(tmp_path_factory.mktemp("packages"))


@pytest.fixture
def cdk(server, packages, tmp_path):
    """Run a command on an app of one stack, as it was synthesized: `cdk(template, "deploy", …)`."""
    assembly = tmp_path / "cdk.out"
    assembly.mkdir()
    properties = {"templateFile": "Shop.template.json", "validateOnSynth": False}
    stack = {
        "type": "aws:cloudformation:stack",
        "environment": "aws://111111111111/us-east-1",
        "properties": properties,
    }
    manifest = {"version": "36.0.0", "artifacts": {"Shop": {**stack, "displayName": "Shop"}}}
    (assembly / "manifest.json").write_text(json.dumps(manifest))

    def command(template, *words):
        (assembly / "Shop.template.json").write_text(json.dumps(template))
        program = packages / "aws-cdk" / "bin" / "cdk"
        return run(server, tmp_path, program, "--app", assembly, "--no-notices", "--no-color", *words)

    return command


def template(name="one", label="red"):
    return {
        "Resources": {
            "Thing": {"Type": THING, "Properties": {"Name": name, "Label": label}},
            "Topic": {"Type": "AWS::SNS::Topic", "Properties": {"DisplayName": {"Ref": "Thing"}}},
        },
        "Outputs": {"Made": {"Value": {"Ref": "Thing"}}},
    }


def deploy(cdk, *arguments, **values):
    return cdk(template(**values), "deploy", "--require-approval", "never", "--progress", "events", *arguments, "Shop")


@pytest.mark.acceptance
def test_the_cdk_deploys_compares_replaces_rolls_back_and_destroys(server, cdk):
    code, said = deploy(cdk)
    assert code == 0, said
    assert "Shop.Made = one" in said
    assert "CREATE_COMPLETE" in said
    assert server.things() == {"one": {"Name": "one", "Label": "red"}}

    code, said = deploy(cdk)
    assert (code, "(no changes)" in said) == (0, True), said

    code, said = cdk(template(label="blue"), "diff", "Shop")
    assert code == 0, said
    assert "[~] Acme::Store::Thing Thing" in said
    assert "[-] red" in said
    assert "[+] blue" in said
    code, said = deploy(cdk, label="blue")
    assert code == 0, said
    assert server.things()["one"]["Label"] == "blue"

    code, said = cdk(template(name="two"), "diff", "Shop")
    assert (code, "replacement" in said) == (0, True), said
    code, said = deploy(cdk, name="two")
    assert (code, list(server.things())) == (0, ["two"]), said

    server.change("two", Label="green")
    code, said = cdk(template(name="two"), "drift", "Shop")
    assert code == 0, said
    assert "[-] red" in said
    assert "[+] green" in said

    code, said = deploy(cdk, name="two", label="stuck")
    assert code == 1, said
    assert "it is stuck" in said
    assert "UPDATE_ROLLBACK_COMPLET " in said, said  # the column ends there
    assert server.things()["two"]["Label"] == "red"

    code, said = deploy(cdk, "--no-rollback", name="two", label="stuck")
    assert (code, "UPDATE_FAILED" in said) == (1, True), said
    code, said = cdk(template(name="two"), "bootstrap", "aws://111111111111/us-east-1")  # `rollback` asks for it
    assert code == 0, said
    code, said = cdk(template(name="two"), "rollback", "Shop")
    assert code == 0, said
    code, said = deploy(cdk, "--method", "direct", name="two", label="gold")
    assert code == 0, said
    assert server.things()["two"]["Label"] == "gold"

    code, said = cdk(template(name="two"), "destroy", "--force", "Shop")
    assert code == 0, said
    assert server.things() == {}


def test_the_cdk_shows_what_a_hook_says(server, cdk):
    cloudformation = server.client("cloudformation")
    schema = hook_schema(handlers={"preCreate": {"targetNames": [THING], "permissions": []}})
    url = upload(server, hook_package(schema=schema, handlers=REFUSES), key="guard.zip")
    token = cloudformation.register_type(Type="HOOK", TypeName=GUARD, SchemaHandlerPackage=url)["RegistrationToken"]
    cloudformation.get_waiter("type_registration_complete").wait(RegistrationToken=token)
    settings = {"HookConfiguration": {"TargetStacks": "ALL", "FailureMode": "FAIL", "Properties": {}}}
    configuration = json.dumps({"CloudFormationConfiguration": settings})
    cloudformation.set_type_configuration(Type="HOOK", TypeName=GUARD, Configuration=configuration)
    code, said = deploy(cdk, name="guarded")
    assert code == 1, said
    assert f"The following hook(s) failed: [{GUARD}]" in said
    assert server.things() == {}
    settings["HookConfiguration"]["TargetStacks"] = "NONE"
    configuration = json.dumps({"CloudFormationConfiguration": settings})
    cloudformation.set_type_configuration(Type="HOOK", TypeName=GUARD, Configuration=configuration)


def test_the_javascript_sdks_waiters(server, packages, tmp_path):
    (tmp_path / "wait.js").write_text(WAIT)
    body = json.dumps(template(name="waited"))
    code, said = run(server, tmp_path, "wait.js", packages, "waits", body)
    assert (code, said.strip()) == (0, "SUCCESS"), said
