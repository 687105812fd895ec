"""The user guide's walkthroughs of a hook in Python and of a module, with the real commands and the guide's own code."""

import ast
import json
import re
import zipfile

import pytest
from botocore.exceptions import WaiterError

from support.seeds import chapter, code_blocks, indent, join_wrapped, needs_guide
from support.serving import serving, upload

pytestmark = needs_guide

# Where a page break cut the first handler in two, the second half lost its indentation: here is what it must be.
AFTER_THE_BREAK = (24, 28, 32, 32, 28, 32, 32, 24, 28, 28, 20, 24, 24, 0, 20, 24, 12, 16, 16, 8, 12, 12, 16, 12)
TYPE = "MyCompany::Testing::MyTestHook"
BUCKET, QUEUE = "AWS::S3::Bucket", "AWS::SQS::Queue"


def guide_schema():
    text = chapter("Modeling hooks", "Implementing hook handlers for your hook project")
    return json.loads("".join(code_blocks(text)))


def guide_handlers():
    blocks = [join_wrapped(each) for each in code_blocks(chapter("Coding the handlers", "Registering hooks"))]
    first, second, *others = blocks
    code = "".join([first, indent(second, AFTER_THE_BREAK), *(re.sub(r"\A\)\n", "", each) for each in others)])
    ast.parse(code)
    return code


def bucket(algorithm="AES256", *, key=True):
    rule = {"BucketKeyEnabled": key, "ServerSideEncryptionByDefault": {"SSEAlgorithm": algorithm}}
    return {"BucketName": "walk", "BucketEncryption": {"ServerSideEncryptionConfiguration": [rule]}}


def bucket_without_its_key():
    """As in the guide's invalid input: the rule lacks BucketKeyEnabled."""
    rule = {"ServerSideEncryptionByDefault": {"SSEAlgorithm": "AES256"}}
    return {"BucketName": "walk", "BucketEncryption": {"ServerSideEncryptionConfiguration": [rule]}}


INPUTS = {
    "pre_create": {BUCKET: {"resourceProperties": bucket()}, QUEUE: {"resourceProperties": {"KmsMasterKeyId": "k"}}},
    "invalid_pre_create": {
        BUCKET: {"resourceProperties": bucket_without_its_key()},
        QUEUE: {"resourceProperties": {"QueueName": "open"}},
    },
    "pre_update": {
        BUCKET: {"resourceProperties": bucket(), "previousResourceProperties": bucket()},
        QUEUE: {"resourceProperties": {"QueueName": "q"}, "previousResourceProperties": {"QueueName": "p"}},
    },
    "invalid_pre_update": {
        BUCKET: {"resourceProperties": bucket(), "previousResourceProperties": bucket("aws:kms")},
        QUEUE: {"resourceProperties": {"QueueName": "q"}, "previousResourceProperties": {"KmsMasterKeyId": "k"}},
    },
}


def write(path, value):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")


@pytest.fixture(scope="module")
def hook(desk, tmp_path_factory):
    """The project of the hook's walkthrough: initiated, modelled, generated, its handlers coded."""
    root = tmp_path_factory.mktemp("walk") / "mycompany-testing-mytesthook"
    root.mkdir()
    ended = desk.cfn("init", "-a", "HOOK", "-t", TYPE, "python311", "--no-docker", cwd=root)
    assert ended.code == 0, str(ended)
    schema = guide_schema()
    assert schema["typeName"] == TYPE
    del schema["handlers"]["preDelete"]  # what is not implemented is removed, says the guide; its code has no such one
    write(root / "mycompany-testing-mytesthook.json", schema)
    ended = desk.cfn("generate", "--offline", cwd=root)
    assert (ended.code, ended.out) == (0, f"Generated files for {TYPE}\n"), str(ended)
    package = root / "src" / "mycompany_testing_mytesthook"
    assert {each.name for each in (package / "target_models").iterdir()} >= {"aws_s3_bucket.py", "aws_sqs_queue.py"}
    write(package / "handlers.py", guide_handlers())
    for each in (root / "inputs").iterdir():
        each.unlink()
    for kind, value in INPUTS.items():
        write(root / "inputs" / f"inputs_1_{kind}.json", value)
    return root


# The guide's own: a property that the queue does not have, beside a bucket whose key is not enabled.
GUIDES_INVALID = {
    BUCKET: {
        "resourceProperties": {
            "AccessControl": "BucketOwnerFullControl",
            "AnalyticsConfigurations": [],
            "BucketEncryption": {
                "ServerSideEncryptionConfiguration": [{"ServerSideEncryptionByDefault": {"SSEAlgorithm": "AES256"}}]
            },
            "BucketName": "encryptedbucket-us-west-2",
        }
    },
    QUEUE: {"resourceProperties": {"NotValid": "The property of this resource is not valid."}},
}


def test_the_guides_invalid_input_is_refused_and_accuses_no_handler(desk, hook):
    inputs = {
        "inputs_2_invalid.json": GUIDES_INVALID,  # under the guide's name for it, and under the one that says when
        "inputs_2_pre_create.json": INPUTS["pre_create"],
        "inputs_3_invalid_pre_create.json": GUIDES_INVALID,
        "inputs_3_pre_create.json": INPUTS["pre_create"],
    }
    for name, value in inputs.items():
        write(hook / "inputs" / name, value)
    try:
        tested = desk.cfn("test", cwd=hook)
    finally:
        for name in inputs:
            (hook / "inputs" / name).unlink()
    assert tested.code == 0, str(tested)


def test_the_guides_hook_is_valid_and_passes_its_tests(desk, hook):
    valid = desk.cfn("validate", cwd=hook)
    assert (valid.code, "Hook schema is valid." in valid.out) == (0, True), str(valid)
    tested = desk.cfn("test", cwd=hook)
    assert tested.code == 0, str(tested)
    for clause in ("hook.success", "hook.failed", "hook.targets", "hook.time", "hook.unknown"):
        assert re.search(rf"✓ {clause} +proved", tested.out), str(tested)


def test_a_key_that_is_switched_off_passes_the_guides_hook_as_it_would_on_aws(desk, hook):
    """The target's model has it as the text "false", and the guide's code asks whether there is something."""
    off = {BUCKET: {"resourceProperties": bucket(key=False)}, QUEUE: {"resourceProperties": {"QueueName": "open"}}}
    inputs = {"inputs_2_pre_create.json": INPUTS["pre_create"], "inputs_2_invalid_pre_create.json": off}
    for name, value in inputs.items():
        write(hook / "inputs" / name, value)
    try:
        tested = desk.cfn("test", "--report", "json", "--", "-k", "contract_pre_create_failed", cwd=hook)
    finally:
        for name in inputs:
            (hook / "inputs" / name).unlink()
    assert tested.code == 1, str(tested)
    (finding,) = [each for each in json.loads(tested.out)["findings"] if each["severity"] == "violation"]
    assert (finding["clause"], finding["targets"]) == ("hook.failed", [BUCKET])
    assert '"BucketKeyEnabled": "false"' in tested.out


def test_a_configuration_changes_what_the_hook_demands(desk, hook, tmp_path):
    settings = {"TargetStacks": "ALL", "FailureMode": "FAIL", "Properties": {"encryptionAlgorithm": "aws:kms"}}
    file = tmp_path / "configuration.json"
    write(file, {"CloudFormationConfiguration": {"HookConfiguration": settings}})
    tested = desk.cfn("test", "--typeconfig", file, "--report", "json", "--", "-k", "contract_pre_create", cwd=hook)
    assert tested.code == 1, str(tested)
    (finding,) = [each for each in json.loads(tested.out)["findings"] if each["severity"] == "violation"]
    assert finding["clause"] == "hook.success"
    assert "SSE Encryption Algorithm is incorrect" in finding["message"]
    write(file, {"CloudFormationConfiguration": {"HookConfiguration": {"TargetStacks": "SOME", "Properties": {}}}})
    refused = desk.cfn("test", "--typeconfig", file, cwd=hook)
    assert refused.code == 1, str(refused)
    assert "/CloudFormationConfiguration/HookConfiguration/TargetStacks" in refused.err


@pytest.mark.parametrize(
    "asked",
    [
        (BUCKET, bucket(), "SUCCESS"),
        (BUCKET, {"BucketName": "walk"}, "FAILED"),
        (QUEUE, {"KmsMasterKeyId": "k"}, "SUCCESS"),
        (QUEUE, {"QueueName": "open"}, "FAILED"),
    ],
)
def test_one_handler_is_invoked(desk, hook, tmp_path, asked):
    name, properties, status = asked
    write(tmp_path / "request.json", {"targetName": name, "targetModel": {"resourceProperties": properties}})
    ended = desk.cfn("invoke", "hook", "CREATE_PRE_PROVISION", tmp_path / "request.json", cwd=hook)
    assert ended.code == (status == "FAILED"), str(ended)
    assert f'"hookStatus": "{status}"' in ended.out, str(ended)


def test_the_guides_hook_packages(desk, hook):
    ended = desk.cfn("submit", "--dry-run", "--set-default", cwd=hook)
    assert ended.code == 0, str(ended)
    with zipfile.ZipFile(hook / "mycompany-testing-mytesthook.zip") as archive:
        members = set(archive.namelist())
        assert json.loads(archive.read("schema.json"))["typeName"] == TYPE
        assert set(json.loads(archive.read("target-info.json"))) == {BUCKET, QUEUE}
    assert {"configuration-schema.json", "target-schemas/aws-s3-bucket.json", "ResourceProvider.zip"} <= members
    assert "src/mycompany_testing_mytesthook/handlers.py" in members


MODULE = "My::Sample::SampleBucket::MODULE"


def test_the_guides_module(desk, tmp_path):
    """`init`, a fragment, `validate` (which writes the schema anew), `submit`."""
    root = tmp_path / "module"
    root.mkdir()
    ended = desk.cfn("init", "-a", "MODULE", "-t", MODULE, cwd=root)
    assert ended.code == 0, str(ended)
    (sample,) = (root / "fragments").iterdir()
    assert sample.name == "sample.json"
    (fragment, *_) = [json.loads(each) for each in code_blocks(chapter("Developing modules", "Developing hooks"))
                      if '"AWSTemplateFormatVersion"' in each]  # fmt: skip
    resources = fragment["Resources"]
    # In the guide's print the policy slipped out of the resource that the text before it gives it to.
    resources["S3BucketName"]["DeletionPolicy"] = resources.pop("DeletionPolicy")
    write(sample, fragment)
    valid = desk.cfn("validate", cwd=root)
    assert (valid.code, "Module fragment is valid." in valid.out) == (0, True), str(valid)
    schema = json.loads((root / "schema.json").read_text(encoding="utf-8"))
    assert schema["typeName"] == MODULE
    assert list(schema["properties"]["Parameters"]["properties"]) == ["VersioningConfigurationParam"]
    assert schema["properties"]["Resources"]["properties"]["S3BucketName"]["properties"]["Type"]["const"] == BUCKET
    ended = desk.cfn("submit", "--dry-run", cwd=root)
    assert ended.code == 0, str(ended)
    with zipfile.ZipFile(root / "my-sample-samplebucket-module.zip") as archive:
        assert archive.namelist() == [".rpdk-config", "schema.json", "fragments/sample.json"]
        assert json.loads(archive.read("schema.json")) == schema


@pytest.mark.slow
def test_the_guides_hook_looks_at_stacks(desk, hook, tmp_path):
    """The chapter "Testing hooks in your AWS account", with the texts that the guide shows."""
    ended = desk.cfn("submit", "--dry-run", cwd=hook)
    assert ended.code == 0, str(ended)
    with serving(tmp_path) as server:
        client = server.client("cloudformation")
        url = upload(server, (hook / "mycompany-testing-mytesthook.zip").read_bytes(), key="hook.zip")
        token = client.register_type(Type="HOOK", TypeName=TYPE, SchemaHandlerPackage=url)["RegistrationToken"]
        client.get_waiter("type_registration_complete").wait(RegistrationToken=token)
        settings = {"TargetStacks": "ALL", "FailureMode": "FAIL", "Properties": {}}
        configuration = json.dumps({"CloudFormationConfiguration": {"HookConfiguration": settings}})
        client.set_type_configuration(Type="HOOK", TypeName=TYPE, Configuration=configuration)

        def create(name, properties):
            resources = {"S3Bucket": {"Type": BUCKET, "Properties": properties}}
            client.create_stack(StackName=name, TemplateBody=json.dumps({"Resources": resources}))

        create("my-hook-stack", {})
        with pytest.raises(WaiterError):
            client.get_waiter("stack_create_complete").wait(StackName="my-hook-stack")
        events = client.describe_stack_events(StackName="my-hook-stack")["StackEvents"]
        (failed,) = [each for each in events if each["ResourceStatus"] == "CREATE_FAILED"]
        assert failed["ResourceStatusReason"] == f"The following hook(s) failed: [{TYPE}]"
        assert (failed["PhysicalResourceId"], failed["ResourceProperties"]) == ("", "{}")

        encryption = {"ServerSideEncryptionByDefault": {"SSEAlgorithm": "AES256"}, "BucketKeyEnabled": True}
        create("my-encrypted", {"BucketEncryption": {"ServerSideEncryptionConfiguration": [encryption]}})
        client.get_waiter("stack_create_complete").wait(StackName="my-encrypted")
        reasons = [
            each.get("ResourceStatusReason")
            for each in reversed(client.describe_stack_events(StackName="my-encrypted")["StackEvents"])
            if each["LogicalResourceId"] == "S3Bucket"
        ]
        complete = "Hook invocations complete. Resource creation initiated"
        assert reasons.index(complete) < reasons.index("Resource creation Initiated")
