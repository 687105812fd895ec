"""AWS::Hooks::GuardHook as AWS documents it, with boto3: activated, configured, up to refusals and warnings."""

import io
import json
import tarfile
import zipfile

import pytest
from botocore.exceptions import ClientError, WaiterError

from support.serving import serving

pytest.importorskip("cloudformation_validate")

ALIAS = "Private::Guard::MyTestHook"
ROLE = "arn:aws:iam::123456789012:role/hooks"
TEMPLATE = "Resources:\n  Topic:\n    Type: AWS::SNS::Topic\n    Properties: {DisplayName: !Sub '%s'}\n"
RULES = """
let topics = Resources.*[ Type == 'AWS::SNS::Topic' ]

rule NO_BLACK_TOPICS when %topics !empty {
  %topics.Properties.DisplayName != /black/
  <<
    Violation: a topic must not be black.
    Fix: choose another colour.
  >>
}

rule NAMED when %topics !empty { %topics.Properties.DisplayName exists }
"""
FOR_TEMPLATES = """
let topics = Resources.*[ Type == 'AWS::SNS::Topic' ]
rule NO_BLACK_TEMPLATES when HookContext.TargetType == 'STACK' {
  %topics.Properties.DisplayName.'Fn::Sub' != /black/
}
let changed = Changes[ resourceType == 'AWS::SNS::Topic' ]
rule NO_BLACK_CHANGES when HookContext.TargetType == 'CHANGE_SET' {
  %changed.afterContext != /black/
}
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("folder")


@pytest.fixture(scope="module")
def server(tmp_path_factory, folder):
    with serving(tmp_path_factory.mktemp("guard"), "--rules", f"local-rules={folder}", forked=True) as running:
        s3 = running.client("s3")
        for bucket in ("rules", "reports"):
            s3.create_bucket(Bucket=bucket)
        running.client("cloudformation").activate_type(
            Type="HOOK",
            TypeName="AWS::Hooks::GuardHook",
            PublisherId="aws-hooks",
            TypeNameAlias=ALIAS,
            ExecutionRoleArn=ROLE,
        )
        yield running


@pytest.fixture
def client(server):
    return server.client("cloudformation")


@pytest.fixture
def configure(server, client):
    def change(operations, rules, *, key="rules.guard", mode="FAIL", properties=None, **more):
        server.client("s3").put_object(Bucket="rules", Key=key, Body=rules)
        settings = {
            "HookInvocationStatus": "ENABLED",
            "TargetOperations": operations,
            "FailureMode": mode,
            "Properties": {"ruleLocation": f"s3://rules/{key}", "logBucket": "reports", **(properties or {})},
            **more,
        }
        configuration = {"CloudFormationConfiguration": {"HookConfiguration": settings}}
        client.set_type_configuration(Type="HOOK", TypeName=ALIAS, Configuration=json.dumps(configuration))

    yield change
    off = {
        "HookInvocationStatus": "DISABLED",
        "FailureMode": "WARN",
        "Properties": {"ruleLocation": "s3://rules/x.guard"},
    }
    configuration = {"CloudFormationConfiguration": {"HookConfiguration": off}}
    client.set_type_configuration(Type="HOOK", TypeName=ALIAS, Configuration=json.dumps(configuration))


def create(client, name, colour="black"):
    client.create_stack(StackName=name, TemplateBody=TEMPLATE % colour)
    try:
        client.get_waiter("stack_create_complete").wait(StackName=name, WaiterConfig={"Delay": 1})
    except WaiterError:
        return False
    return True


def hook_events(client, name):
    events = client.describe_stack_events(StackName=name)["StackEvents"]
    return [each for each in reversed(events) if each.get("HookStatus", "HOOK_IN_PROGRESS") != "HOOK_IN_PROGRESS"]


def test_the_type_is_listed_and_described(client):
    public = client.list_types(Visibility="PUBLIC", Type="HOOK")["TypeSummaries"]
    assert [(each["TypeName"], each["PublisherId"], each["IsActivated"]) for each in public] == [
        ("AWS::Hooks::GuardHook", "aws-hooks", True),
        ("AWS::Hooks::LambdaHook", "aws-hooks", False),
    ]
    found = client.describe_type(Type="HOOK", TypeName=ALIAS)
    assert (found["OriginalTypeName"], found["PublisherId"]) == ("AWS::Hooks::GuardHook", "aws-hooks")
    assert found["ExecutionRoleArn"] == ROLE
    by_arn = client.describe_type(Arn=found["OriginalTypeArn"])
    assert by_arn["TypeName"] == "AWS::Hooks::GuardHook"


def test_a_refused_resource_and_its_report(server, client, configure):
    configure(["RESOURCE"], RULES)
    assert not create(client, "refused")
    (event,) = hook_events(client, "refused")
    assert event["HookStatus"] == "HOOK_COMPLETE_FAILED"
    failed = "Hook failed with message: Template failed validation, the following rule(s) failed: NO_BLACK_TOPICS."
    text, _, url = event["HookStatusReason"].partition(" Full output was written to s3://reports/")
    assert text == failed
    report = json.loads(server.client("s3").get_object(Bucket="reports", Key=url)["Body"].read())
    assert (report["status"], report["compliant"]) == ("FAIL", ["NAMED"])
    result = client.get_hook_result(HookResultId=event["HookInvocationId"])
    assert result["OriginalTypeName"] == "AWS::Hooks::GuardHook"
    assert result["Annotations"] == [
        {"AnnotationName": "NAMED", "Status": "PASSED"},
        {
            "AnnotationName": "NO_BLACK_TOPICS",
            "Status": "FAILED",
            "StatusMessage": "a topic must not be black.",
            "RemediationMessage": "choose another colour.",
        },
    ]
    (listed,) = client.list_hook_results(TypeArn=result["TypeArn"], Status="HOOK_COMPLETE_FAILED")["HookResults"]
    assert listed["HookResultId"] == event["HookInvocationId"]


def test_what_passes_and_what_only_warns(client, configure):
    configure(["RESOURCE"], RULES)
    assert create(client, "fine", "green")
    configure(["RESOURCE"], RULES, mode="WARN")
    assert create(client, "warned")
    (event,) = hook_events(client, "warned")
    assert event["HookStatus"] == "HOOK_COMPLETE_FAILED"
    assert event["HookStatusReason"].endswith("Failure was ignored under WARN mode.")


def test_stacks_and_change_sets(client, configure):
    configure(["STACK", "CHANGE_SET"], FOR_TEMPLATES)
    assert not create(client, "template")
    (event,) = hook_events(client, "template")
    assert "NO_BLACK_TEMPLATES" in event["HookStatusReason"]
    assert create(client, "changing", "green")
    client.create_change_set(StackName="changing", ChangeSetName="black", TemplateBody=TEMPLATE % "black")
    with pytest.raises(WaiterError):
        client.get_waiter("change_set_create_complete").wait(
            StackName="changing", ChangeSetName="black", WaiterConfig={"Delay": 1}
        )
    reason = client.describe_change_set(StackName="changing", ChangeSetName="black")["StatusReason"]
    assert reason == f"Change set creation failed. The following hook(s) failed: [{ALIAS}]"


def test_a_request_of_cloud_control(server, client, configure):
    configure(["CLOUD_CONTROL"], RULES)
    control = server.client("cloudcontrol")
    desired = json.dumps({"TopicName": "t", "DisplayName": "black"})
    token = control.create_resource(TypeName="AWS::SNS::Topic", DesiredState=desired)["ProgressEvent"]["RequestToken"]
    with pytest.raises(WaiterError):
        control.get_waiter("resource_request_success").wait(RequestToken=token, WaiterConfig={"Delay": 1})
    status = control.get_resource_request_status(RequestToken=token)
    assert status["HooksProgressEvent"][0]["FailureMode"] == "FAIL"
    assert "NO_BLACK_TOPICS" in status["HooksProgressEvent"][0]["HookStatusMessage"]


def bundle(kind, members):
    packed = io.BytesIO()
    if kind == "zip":
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, text in members.items():
                archive.writestr(name, text)
    else:
        with tarfile.open(fileobj=packed, mode="w:gz") as archive:
            for name, text in members.items():
                member = tarfile.TarInfo(name)
                member.size = len(text)
                archive.addfile(member, io.BytesIO(text.encode()))
    return packed.getvalue()


@pytest.mark.parametrize("kind", ["zip", "tar.gz"])
def test_archives_of_rules_and_input_parameters(server, client, configure, kind):
    server.client("s3").put_object(Bucket="rules", Key="params.yaml", Body="Settings:\n  Colours: [black, grey]\n")
    topics = "Resources.*[ Type == 'AWS::SNS::Topic' ].Properties.DisplayName"
    members = {"a/one.guard": f"rule ONE {{ {topics} not in Settings.Colours }}", "two.guard": RULES, "README": "x"}
    configure(
        ["RESOURCE"],
        bundle(kind, members),
        key=f"bundle.{kind}",
        properties={"options": {"inputParams": "s3://rules/params.yaml"}},
    )
    name = f"bundle-{kind.replace('.', '-')}"
    assert not create(client, name)
    (event,) = hook_events(client, name)
    assert "rule(s) failed: NO_BLACK_TOPICS, ONE." in event["HookStatusReason"]
    assert create(client, f"{name}-green", "green")


@pytest.mark.parametrize(
    ("key", "content", "told"),
    [
        ("bad.guard", b"rule a {\n  Resources.* ===  1\n}", "bad.guard:2:17: syntax error"),
        ("up.zip", bundle("zip", {"../up.guard": "rule a { Resources exists }"}), "../up.guard"),
        ("up.tar.gz", bundle("tar.gz", {"/up.guard": "rule a { Resources exists }"}), "/up.guard"),
        ("bomb.zip", bundle("zip", {"a.guard": "#" * (17 << 20)}), "unpacks to more than"),
        ("bomb.tar.gz", bundle("tar.gz", {"a.guard": "#" * (17 << 20)}), "unpacks to more than"),
        ("no.zip", b"nonsense", "can't be unpacked"),
        ("rules.txt", b"rule a { Resources exists }", "extensions"),
    ],
)
def test_rules_that_cannot_be_used(client, configure, key, content, told):
    configure(["RESOURCE"], content, key=key, properties={"logBucket": "reports"})
    name = key.replace(".", "-")
    assert not create(client, name)
    (event,) = hook_events(client, name)
    assert (event["HookStatus"], told in event["HookStatusReason"]) == ("HOOK_FAILED", True), event


@pytest.fixture(scope="module")
def put_version(server):
    """Put an object into a bucket with versions; return the version's location."""
    s3 = server.client("s3")
    s3.create_bucket(Bucket="versions")
    s3.put_bucket_versioning(Bucket="versions", VersioningConfiguration={"Status": "Enabled"})

    def put(key, content):
        made = s3.put_object(Bucket="versions", Key=key, Body=content)
        return {"uri": f"s3://versions/{key}", "versionId": made["VersionId"]}

    return put


GREEN_ONLY = RULES.replace("/black/", "/black|green/")


@pytest.mark.parametrize("kind", ["guard", "zip", "tar.gz"])
def test_versions_of_rules(client, configure, put_version, kind):
    def content(rules):
        return rules if kind == "guard" else bundle(kind, {"of/topics.guard": rules, "README": "x"})

    key, name = f"topics.{kind}", kind.replace(".", "-")
    strict, lax = (put_version(key, content(each)) for each in (GREEN_ONLY, RULES))
    configure(["RESOURCE"], RULES, properties={"ruleLocation": strict})
    assert not create(client, f"strict-{name}", "green")
    (event,) = hook_events(client, f"strict-{name}")
    assert "NO_BLACK_TOPICS" in event["HookStatusReason"]
    for number, location in enumerate((lax, lax["uri"])):
        configure(["RESOURCE"], RULES, properties={"ruleLocation": location})
        assert create(client, f"lax-{name}-{number}", "green")


def test_versions_of_input_parameters(client, configure, put_version):
    topics = "Resources.*[ Type == 'AWS::SNS::Topic' ].Properties.DisplayName"
    first, second = (put_version("params.json", json.dumps({"Settings": [each]})) for each in ("green", "grey"))
    for number, (location, passes) in enumerate([(first, False), (second, True), ([second], True)]):
        properties = {"options": {"inputParams": location}}
        configure(["RESOURCE"], f"rule ONE {{ {topics} not in Settings }}", properties=properties)
        assert create(client, f"parameters-{number}", "green") is passes


def test_versions_that_do_not_exist(server, client, configure, put_version):
    location = put_version("gone.guard", RULES)
    server.client("s3").delete_object(Bucket="versions", Key="gone.guard", VersionId=location["versionId"])
    unknown = {**location, "versionId": "of-yesterday"}
    marker = server.client("s3").delete_object(Bucket="versions", Key="gone.guard")["VersionId"]
    for name, given, told in (
        ("gone", location, "NoSuchVersion: The specified version does not exist."),
        ("unknown", unknown, "InvalidArgument: Invalid version id specified"),
        ("marker", {**location, "versionId": marker}, "MethodNotAllowed"),
        ("deleted", location["uri"], "NoSuchKey: The specified key does not exist."),
    ):
        configure(["RESOURCE"], RULES, properties={"ruleLocation": given})
        assert not create(client, f"version-{name}")
        (event,) = hook_events(client, f"version-{name}")
        assert (event["HookStatus"], told in event["HookStatusReason"]) == ("HOOK_FAILED", True), event


def test_rules_of_a_folder_are_used_as_they_are_then(client, configure, folder):
    topics = "Resources.*[ Type == 'AWS::SNS::Topic' ].Properties.DisplayName"
    (folder / "colours.json").write_text('{"Settings": ["black"]}')
    (folder / "all").mkdir()
    properties = {
        "ruleLocation": "s3://local-rules/all.zip",
        "options": {"inputParams": "s3://local-rules/colours.json"},
    }
    configure(["RESOURCE"], RULES, properties=properties)
    (folder / "all/one.guard").write_text(f"rule ONE {{ {topics} not in Settings }}")
    assert not create(client, "of-folder")
    (event,) = hook_events(client, "of-folder")
    assert "rule(s) failed: ONE." in event["HookStatusReason"]
    (folder / "colours.json").write_text('{"Settings": ["grey"]}')
    assert create(client, "of-folder-parameters")
    (folder / "all/one.guard").write_text(f"rule ONE {{ {topics} == 'green' }}")
    assert not create(client, "of-folder-rules")
    (folder / "all/one.guard").unlink()
    assert not create(client, "of-empty-folder", "green")
    (event,) = hook_events(client, "of-empty-folder")
    assert (event["HookStatus"], "has no file of the extension" in event["HookStatusReason"]) == ("HOOK_FAILED", True)


def test_configurations_that_are_refused(client, configure):
    for properties in ({"ruleLocation": "rules.guard"}, {"nonsense": 1}):
        with pytest.raises(ClientError, match="does not match the schema"):
            configure(["RESOURCE"], RULES, properties=properties)


def test_hooks_of_control_tower_are_refused_by_name(client):
    name = "AWS::ControlTower::Hook"
    of_public = "arn:aws:cloudformation:us-east-1::type/hook/aws-hooks/AWS-ControlTower-Hook"
    named = {"Type": "HOOK", "TypeName": name}
    calls = [
        lambda: client.activate_type(**named, PublisherId="aws-hooks", ExecutionRoleArn=ROLE),
        lambda: client.activate_type(PublicTypeArn=of_public, TypeNameAlias="Private::Tower::Hook"),
        lambda: client.describe_type(**named),
        lambda: client.describe_type(Arn=of_public),
        lambda: client.set_type_configuration(**named, Configuration="{}"),
    ]
    for call in calls:
        with pytest.raises(ClientError, match=f"{name} is not available here: .* Activate AWS::Hooks::GuardHook"):
            call()


def test_as_a_resource_of_a_template(client, put_version):
    location = put_version("own.guard", RULES)
    put_version("own.guard", "rule a { Resources empty }")
    properties = {
        "Alias": "Private::Guard::OfStack",
        "ExecutionRole": ROLE,
        "FailureMode": "FAIL",
        "HookStatus": "ENABLED",
        "RuleLocation": {"Uri": location["uri"], "VersionId": location["versionId"]},
        "LogBucket": "reports",
        "TargetOperations": ["RESOURCE"],
        "TargetFilters": {"Actions": ["CREATE"]},
        "StackFilters": {"FilteringCriteria": "ALL", "StackNames": {"Include": ["filtered"]}},
    }
    body = {
        "Resources": {"Hook": {"Type": "AWS::CloudFormation::GuardHook", "Properties": properties}},
        "Outputs": {"Arn": {"Value": {"Fn::GetAtt": ["Hook", "HookArn"]}}},
    }
    client.create_stack(StackName="hook", TemplateBody=json.dumps(body))
    client.get_waiter("stack_create_complete").wait(StackName="hook", WaiterConfig={"Delay": 1})
    (output,) = client.describe_stacks(StackName="hook")["Stacks"][0]["Outputs"]
    assert output["OutputValue"].endswith(":type/hook/Private-Guard-OfStack")
    assert create(client, "others")
    assert not create(client, "filtered")
    properties["FailureMode"] = "WARN"
    client.update_stack(StackName="hook", TemplateBody=json.dumps(body))
    client.get_waiter("stack_update_complete").wait(StackName="hook", WaiterConfig={"Delay": 1})
    client.delete_stack(StackName="filtered")
    client.get_waiter("stack_delete_complete").wait(StackName="filtered", WaiterConfig={"Delay": 1})
    assert create(client, "filtered")
    client.delete_stack(StackName="hook")
    client.get_waiter("stack_delete_complete").wait(StackName="hook", WaiterConfig={"Delay": 1})
    assert client.describe_type(Arn=output["OutputValue"])["IsActivated"] is False
