"""AWS::Hooks::LambdaHook as AWS documents it, with boto3 and the AWS CLI; and Guard hooks with the AWS CLI."""

import json
import signal
import time

import pytest
from botocore.exceptions import ClientError, WaiterError

from support.aws_cli import AwsCli, AwsCliError
from support.serving import serving

ALIAS = "Private::Lambda::MyTestHook"
ROLE = "arn:aws:iam::111111111111:role/hooks"
TEMPLATE = "Resources:\n  Topic:\n    Type: AWS::SNS::Topic\n    Properties: {DisplayName: %s}\n"
# Refuses what is black, and ends in other ways where the target says so; each call is a line of a file.
CODE = """
import json, os, time, urllib.request

def handler(event, context):
    data, answer = event["requestData"], {"clientRequestToken": event["clientRequestToken"]}
    with open(os.environ["CALLS"], "a") as file:
        file.write(json.dumps(event) + "\\n")
    seen = json.dumps(data.get("targetModel"))
    if data.get("payload"):
        with urllib.request.urlopen(data["payload"]) as response:
            seen = response.read().decode()
    if "raises" in seen:
        raise RuntimeError("this function does not know what to do")
    if "exits" in seen:
        os._exit(3)
    if "hangs" in seen:
        time.sleep(60)
    if "garbage" in seen:
        return "<html>"
    if "slowly" in seen:
        time.sleep(2)
    if "forever" in seen:
        return {**answer, "hookStatus": "IN_PROGRESS", "callbackContext": {"n": event["requestContext"]["invocation"]}}
    if "black" in seen:
        note = {"annotationName": "COLOUR", "status": "FAILED", "remediationMessage": "paint it"}
        return {**answer, "hookStatus": "FAILED", "errorCode": "NonCompliant", "message": "nothing black",
                "annotations": [note]}
    return {**answer, "hookStatus": "SUCCESS", "message": "fine"}
"""


def functions(calls):
    resources = {
        name: {"Type": "AWS::Lambda::Function", "Properties": function(name, seconds, calls)}
        for name, seconds in (("Policy", 4), ("Impatient", 1))
    }
    return json.dumps({"Resources": resources})


def function(name, seconds, calls):
    return {
        "FunctionName": name,
        "Code": {"ZipFile": CODE},
        "Handler": "index.handler",
        "Runtime": "python3.11",
        "Role": ROLE,
        "Timeout": seconds,
        "Environment": {"Variables": {"CALLS": str(calls)}},
    }


def configuration(operations, *, mode="FAIL", status="ENABLED", function="Policy", **more):
    settings = {
        "HookInvocationStatus": status,
        "TargetOperations": operations,
        "FailureMode": mode,
        "Properties": {"LambdaFunction": function},
        "TargetFilters": {"Actions": ["CREATE", "UPDATE", "DELETE"]},
        **more,
    }
    return json.dumps({"CloudFormationConfiguration": {"HookConfiguration": settings}})


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    folder = tmp_path_factory.mktemp("lambda-hooks")
    with serving(folder, forked=True) as running:
        client = running.client("cloudformation")
        (folder / "calls").touch()
        create(client, "functions", body=functions(folder / "calls"))
        client.activate_type(
            Type="HOOK",
            TypeName="AWS::Hooks::LambdaHook",
            PublisherId="aws-hooks",
            TypeNameAlias=ALIAS,
            ExecutionRoleArn=ROLE,
        )
        yield running


@pytest.fixture
def client(server):
    return server.client("cloudformation")


@pytest.fixture
def configure(client):
    def change(operations, **more):
        client.set_type_configuration(Type="HOOK", TypeName=ALIAS, Configuration=configuration(operations, **more))

    yield change
    change(["RESOURCE"], status="DISABLED")


def create(client, name, colour="red", *, body=None):
    """Create a stack; whether that succeeded."""
    client.create_stack(StackName=name, TemplateBody=body or TEMPLATE % colour, OnFailure="DELETE")
    waiter = client.get_waiter("stack_create_complete")
    try:
        waiter.wait(StackName=name, WaiterConfig={"Delay": 0.2, "MaxAttempts": 200})
    except WaiterError:
        return False
    return True


def results(client, status):
    arn = client.describe_type(Type="HOOK", TypeName=ALIAS)["Arn"].rpartition("/")[0]
    return client.list_hook_results(Status=status, TypeArn=arn)["HookResults"]


def test_a_resource_is_refused_and_the_result_has_the_annotations(server, client, configure):
    configure(["RESOURCE"])
    assert create(client, "fine")
    assert not create(client, "refused", "black")
    found = results(client, "HOOK_COMPLETE_FAILED")[0]
    assert found["HookStatusReason"] == "Hook failed with message: nothing black"
    result = client.get_hook_result(HookResultId=found["HookResultId"])
    assert result["OriginalTypeName"] == "AWS::Hooks::LambdaHook"
    assert result["Annotations"] == [{"AnnotationName": "COLOUR", "Status": "FAILED", "RemediationMessage": "paint it"}]
    sent = json.loads((server.folder / "calls").read_text().splitlines()[-1])
    assert sent["clientRequestToken"] == found["HookResultId"]
    arn = "arn:aws:lambda:us-east-1:111111111111:function:Policy"
    assert sent["hookModel"] == {"LambdaFunction": arn}


@pytest.mark.parametrize("function", ["Policy", "arn:aws:lambda:us-east-1:111111111111:function:Policy"])
def test_a_stack_is_refused(client, configure, function):
    configure(["STACK"], function=function)
    name = f"stack-{len(function)}"
    assert not create(client, name, "black")
    assert create(client, f"{name}-fine")


def test_a_change_set_is_refused(client, configure):
    configure(["CHANGE_SET"])
    made = client.create_change_set(
        StackName="changes", ChangeSetName="next", ChangeSetType="CREATE", TemplateBody=TEMPLATE % "black"
    )
    with pytest.raises(WaiterError):
        client.get_waiter("change_set_create_complete").wait(ChangeSetName=made["Id"], WaiterConfig={"Delay": 0.2})
    found = client.describe_change_set(ChangeSetName=made["Id"])
    assert found["StatusReason"] == f"Change set creation failed. The following hook(s) failed: [{ALIAS}]"


def test_a_request_of_cloud_control_is_refused_and_warned_about(server, client, configure):
    control = server.client("cloudcontrol")

    def ask():
        state = json.dumps({"DisplayName": "black"})
        token = control.create_resource(TypeName="AWS::SNS::Topic", DesiredState=state)["ProgressEvent"]["RequestToken"]
        for _ in range(100):
            found = control.get_resource_request_status(RequestToken=token)
            if found["ProgressEvent"]["OperationStatus"] not in {"PENDING", "IN_PROGRESS"}:
                return found
            time.sleep(0.1)
        raise AssertionError(found)

    configure(["CLOUD_CONTROL"])
    assert ask()["ProgressEvent"]["OperationStatus"] == "FAILED"
    configure(["CLOUD_CONTROL"], mode="WARN")
    warned = ask()
    assert warned["ProgressEvent"]["OperationStatus"] == "SUCCESS"
    assert warned["HooksProgressEvent"][0]["HookStatus"] == "HOOK_COMPLETE_FAILED"


@pytest.mark.parametrize(
    ("colour", "said"),
    [
        ("raises", "the Lambda function failed: this function does not know what to do"),
        ("exits", "Runtime exited with error: exit status 3"),
        ("hangs", "Task timed out after 1.00 seconds"),
        ("garbage", "the Lambda function's response is not valid: not a JSON object"),
        ("forever", "the hook was still in progress after 2 retries"),
    ],
)
def test_a_function_that_gives_no_verdict_is_judged_by_the_failure_mode(client, configure, colour, said):
    function = "Impatient" if colour == "hangs" else "Policy"
    configure(["RESOURCE"], function=function)
    assert not create(client, f"no-verdict-{colour}", colour)
    assert said in results(client, "HOOK_FAILED")[0]["HookStatusReason"]
    configure(["RESOURCE"], function=function, mode="WARN")
    assert create(client, f"warned-{colour}", colour)


def test_a_function_that_is_not_there(client, configure):
    configure(["RESOURCE"], function="Nowhere")
    assert not create(client, "nowhere")
    assert "the Lambda function Nowhere was not found" in results(client, "HOOK_FAILED")[0]["HookStatusReason"]


def test_the_resource_type_activates_and_configures(client):
    alias = "Acme::Policy::Declared"
    properties = {
        "Alias": alias,
        "LambdaFunction": "Policy",
        "ExecutionRole": ROLE,
        "HookStatus": "ENABLED",
        "TargetOperations": ["RESOURCE"],
        "FailureMode": "FAIL",
        "TargetFilters": {"TargetNames": ["AWS::SNS::Topic"]},
    }
    body = json.dumps({"Resources": {"Hook": {"Type": "AWS::CloudFormation::LambdaHook", "Properties": properties}}})
    assert create(client, "declared", body=body)
    assert not create(client, "refused-by-declared", "black")
    client.delete_stack(StackName="declared")
    client.get_waiter("stack_delete_complete").wait(StackName="declared", WaiterConfig={"Delay": 0.2})
    assert create(client, "after-declared", "black")


def test_a_configuration_that_names_no_function_is_refused(client):
    with pytest.raises(ClientError, match="LambdaFunction"):
        client.set_type_configuration(
            Type="HOOK", TypeName=ALIAS, Configuration=configuration(["RESOURCE"]).replace("LambdaFunction", "Function")
        )


@pytest.mark.parametrize("operations", [["RESOURCE"], ["STACK"]])
def test_a_dry_run_invokes_the_function(desk, server, configure, tmp_path, operations):
    configure(operations)
    (tmp_path / "black.yaml").write_text(TEMPLATE % "black")
    keys = {"AWS_ACCESS_KEY_ID": "111111111111", "AWS_SECRET_ACCESS_KEY": "x", "AWS_DEFAULT_REGION": "us-east-1"}
    words = ("hook", "try", "black.yaml", "--hook", ALIAS, "--endpoint-url", server.url)
    ended = desk.cfn(*words, cwd=tmp_path, env=keys)
    assert ended.code == 1, str(ended)
    assert "nothing black" in ended.out or "COLOUR" in ended.out


@pytest.fixture
def aws(server, tmp_path):
    cli = AwsCli(server.url, tmp_path, region="us-west-2")
    yield lambda *words: cli.run(*words, "--region", "us-west-2", account="123456789012")
    cli.close()


def test_the_guides_set_up_with_the_aws_cli(server, aws, tmp_path):
    """Both hooks as the guide sets them up, up to a refused stack."""
    (tmp_path / "functions.json").write_text(functions(tmp_path / "calls"))
    aws(
        "cloudformation",
        "create-stack",
        "--stack-name",
        "functions",
        "--template-body",
        f"file://{tmp_path}/functions.json",
    )
    aws("cloudformation", "wait", "stack-create-complete", "--stack-name", "functions")
    rules = tmp_path / "rules.guard"
    rules.write_text("rule NOT_BLACK when Resources exists { Resources.*.Properties.DisplayName != /black/ }\n")
    aws(
        "s3api",
        "create-bucket",
        "--bucket",
        "guard-rules",
        "--create-bucket-configuration",
        "LocationConstraint=us-west-2",
    )
    aws("s3api", "put-object", "--bucket", "guard-rules", "--key", "rules.guard", "--body", str(rules))
    (tmp_path / "black.yaml").write_text(TEMPLATE % "black")
    hooks = [("AWS::Hooks::LambdaHook", "Private::Lambda::MyTestHook", {"LambdaFunction": "Policy"})]
    if _has_guard():
        hooks.append(
            ("AWS::Hooks::GuardHook", "Private::Guard::MyTestHook", {"ruleLocation": "s3://guard-rules/rules.guard"})
        )
    for name, alias, properties in hooks:
        arn = aws(
            *("cloudformation", "activate-type", "--type", "HOOK", "--type-name", name, "--publisher-id", "aws-hooks"),
            *("--execution-role-arn", "arn:aws:iam::123456789012:role/my-execution-role", "--type-name-alias", alias),
        )["Arn"]
        stack = alias.replace("::", "-")
        for operations, refused in ((["STACK"], f"{stack}-stack"), (["RESOURCE"], f"{stack}-resource")):
            given = configuration(operations, Properties=properties)
            (tmp_path / "config.json").write_text(given)
            aws(
                "cloudformation",
                "set-type-configuration",
                "--configuration",
                f"file://{tmp_path}/config.json",
                "--type-arn",
                arn,
            )
            aws(
                "cloudformation",
                "create-stack",
                "--stack-name",
                refused,
                "--template-body",
                f"file://{tmp_path}/black.yaml",
            )
            with pytest.raises(AwsCliError, match="terminal failure state"):
                aws("cloudformation", "wait", "stack-create-complete", "--stack-name", refused)
            events = aws("cloudformation", "describe-stack-events", "--stack-name", refused)["StackEvents"]
            assert any(alias in each.get("ResourceStatusReason", "") for each in events)
        aws("cloudformation", "deactivate-type", "--type", "HOOK", "--type-name", alias)


def _has_guard():
    try:
        import cloudformation_validate  # noqa: F401 - an extra
    except ImportError:
        return False
    return True


def test_a_killed_server_asks_again_and_there_is_one_result(server, client):
    """The last test: it ends the server."""
    client.set_type_configuration(Type="HOOK", TypeName=ALIAS, Configuration=configuration(["RESOURCE"]))
    calls = server.folder / "calls"
    before = len(calls.read_text().splitlines())
    client.create_stack(StackName="killed", TemplateBody=TEMPLATE % "slowly")
    for _ in range(200):
        if len(calls.read_text().splitlines()) > before:
            break
        time.sleep(0.05)
    server.stop(signal.SIGKILL)
    with serving(server.folder, forked=True) as again:
        client = again.client("cloudformation")
        client.get_waiter("stack_create_complete").wait(StackName="killed", WaiterConfig={"Delay": 0.2})
        events = client.describe_stack_events(StackName="killed")["StackEvents"]
        stack = events[0]["StackId"]
        listed = results(client, "HOOK_COMPLETE_SUCCEEDED")
    told = sorted(each["HookStatus"] for each in events if "HookStatus" in each)
    assert told == ["HOOK_COMPLETE_SUCCEEDED", "HOOK_IN_PROGRESS"]
    sent = [json.loads(line) for line in calls.read_text().splitlines()[before:]]
    assert len(sent) >= 2
    assert len({each["clientRequestToken"] for each in sent}) == 1
    assert sum(each["HookExecutionTarget"] == stack for each in listed) == 1
