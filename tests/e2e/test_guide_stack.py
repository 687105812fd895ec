"""The guide's "Provision the resource in a CloudFormation stack" and "activating a hook", with its templates and commands.

The clients are boto3 and the AWS CLI. The guide's type is written in Java there (see test_guide_java.py); here its
handlers are a few lines of Python, which keep sites in a file.
"""

import json
import re

import pytest

from support.aws_cli import AwsCli, AwsCliError
from support.guide_wordpress import guide_template
from support.registry import hook_package, hook_schema, resource_package
from support.seeds import chapter, code_blocks, guide, needs_guide
from support.serving import register, serving

pytestmark = needs_guide
REGION, ACCOUNT = "us-west-2", "111111111111"
SITE, HOOK = "Example::Testing::WordPress", "MyCompany::Testing::MyTestHook"
HANDLERS = """
import json, pathlib
STORE = pathlib.Path(%r)

def resource(event, context):
    model = event["requestData"]["resourceProperties"]
    sites = json.loads(STORE.read_text()) if STORE.exists() else {}
    if event["action"] == "CREATE":
        model = {**model, "InstanceId": "i-0167b19dd4c1efbf3", "PublicIp": "192.0.2.1"}
        sites[model["InstanceId"]] = model
    elif model["InstanceId"] not in sites:
        return {"status": "FAILED", "errorCode": "NotFound", "message": "no such site"}
    elif event["action"] == "DELETE":
        if missing := {"Name", "SubnetId"} - set(model):  # AWS's runtime for Java validates what deletes get, too
            return {"status": "FAILED", "errorCode": "InvalidRequest", "message": f"without {missing}"}
        del sites[model["InstanceId"]]
        model = None
    else:
        model = sites[model["InstanceId"]]
    STORE.write_text(json.dumps(sites))
    return {"status": "SUCCESS", "resourceModel": model}
"""
REFUSES = """
def resource(event, context):
    return {"hookStatus": "FAILED", "errorCode": "NonCompliant", "message": "encrypt it"}
"""


def guide_schema():
    text = "".join(code_blocks(chapter("Model the resource type", "Implement the Resource handler"))[:2])
    return json.loads(text.replace("userguide/\n", "userguide/"))


def guide_configuration(stacks):
    """What a command of the guide's gives a hook that looks at `stacks`, ALL or NONE; not all of them are JSON."""
    commands = re.findall(r"--configuration '(.*?)'", guide(), re.DOTALL)
    return next(text for each in commands if f'{{"TargetStacks":"{stacks}",' in (text := "".join(each.split())))


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    folder = tmp_path_factory.mktemp("guide")
    with serving(folder, forked=True) as running:
        running.sites = folder / "sites.json"
        handlers = HANDLERS % str(running.sites)
        package = resource_package(SITE, schema=guide_schema(), handlers=handlers)
        register(running, SITE, content=package, region=REGION)
        yield running


@pytest.fixture(scope="module")
def aws(server, tmp_path_factory):
    cli = AwsCli(server.url, tmp_path_factory.mktemp("home"), region=REGION)
    yield lambda *words: cli.run("cloudformation", *words, "--region", REGION, account=ACCOUNT)
    cli.close()


def test_the_stack_with_the_aws_cli(server, aws, tmp_path):
    (tmp_path / "stack.json").write_text(guide_template())
    aws("create-stack", "--template-body", f"file://{tmp_path}/stack.json", "--stack-name", "wordpress")
    aws("wait", "stack-create-complete", "--stack-name", "wordpress")
    (site,) = json.loads(server.sites.read_text()).values()
    assert (site["Name"], site["SubnetId"]) == ("MyWebsite", "subnet-0bc6136e")
    (resource,) = aws("describe-stack-resources", "--stack-name", "wordpress")["StackResources"]
    identifier = f"{site['PublicIp']}|{site['InstanceId']}"  # the schema's, of two properties
    assert (resource["PhysicalResourceId"], resource["LogicalResourceId"]) == (identifier, "MyWordPressSite")
    aws("delete-stack", "--stack-name", "wordpress")
    aws("wait", "stack-delete-complete", "--stack-name", "wordpress")
    assert json.loads(server.sites.read_text()) == {}


def test_the_stack_with_boto3(server):
    client = server.client("cloudformation", region=REGION)
    client.create_stack(StackName="wordpress-3", TemplateBody=guide_template())
    client.get_waiter("stack_create_complete").wait(StackName="wordpress-3")
    assert client.describe_stacks(StackName="wordpress-3")["Stacks"][0]["Description"] == "WordPress stack"
    client.delete_stack(StackName="wordpress-3")
    client.get_waiter("stack_delete_complete").wait(StackName="wordpress-3")
    assert json.loads(server.sites.read_text()) == {}


def test_a_hook_activated_with_the_aws_cli(server, aws, tmp_path):
    schema = hook_schema(HOOK, handlers={"preCreate": {"targetNames": ["AWS::S3::Bucket"], "permissions": []}})
    package = tmp_path / "hook.zip"
    package.write_bytes(hook_package(HOOK, schema=schema, handlers=REFUSES))
    server.client("s3", region=REGION).upload_file(str(package), f"packages-{REGION}", "hook.zip")
    url = f"s3://packages-{REGION}/hook.zip"
    token = aws("register-type", "--type", "HOOK", "--type-name", HOOK, "--schema-handler-package", url)
    aws("wait", "type-registration-complete", "--registration-token", token["RegistrationToken"])
    arn = aws("describe-type-registration", "--registration-token", token["RegistrationToken"])["TypeArn"]
    (tmp_path / "bucket.json").write_text(json.dumps({"Resources": {"Bucket": {"Type": "AWS::S3::Bucket"}}}))
    body = ("--template-body", f"file://{tmp_path}/bucket.json")
    aws("create-stack", *body, "--stack-name", "before")
    aws("wait", "stack-create-complete", "--stack-name", "before")  # not activated yet, it looks at nothing
    aws("set-type-configuration", "--configuration", guide_configuration("ALL"), "--type-arn", arn)
    aws("create-stack", *body, "--stack-name", "after")
    with pytest.raises(AwsCliError, match="terminal failure state"):
        aws("wait", "stack-create-complete", "--stack-name", "after")
    events = aws("describe-stack-events", "--stack-name", "after")["StackEvents"]
    assert f"The following hook(s) failed: [{HOOK}]" in {each.get("ResourceStatusReason") for each in events}
    assert "Hook failed with message: encrypt it" in {each.get("HookStatusReason") for each in events}
    aws("set-type-configuration", "--configuration", guide_configuration("NONE"), "--type-arn", arn)
    aws("create-stack", *body, "--stack-name", "turned-off")
    aws("wait", "stack-create-complete", "--stack-name", "turned-off")
