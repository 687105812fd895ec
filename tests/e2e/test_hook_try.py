"""`cfn hook try` as policy writers use it: rules, a hook project, registered hooks, stacks and change sets."""

import json

import pytest
from botocore.exceptions import WaiterError

from support.serving import serving

pytest.importorskip("cloudformation_validate")

RULES = """
let buckets = Resources.*[ Type == 'AWS::S3::Bucket' ]
rule VERSIONED when %buckets !empty {
  %buckets.Properties.VersioningConfiguration.Status == 'Enabled' <<
    Violation: the bucket keeps no versions
    Fix: set VersioningConfiguration.Status to Enabled
  >>
}
rule QUEUED when %buckets !empty { %buckets.Properties.Tags[*].Value == /^arn:aws:sqs/ }
"""
TEMPLATE = """\
Parameters:
  Status: {Type: String, Default: Suspended}
Resources:
  Queue: {Type: AWS::SQS::Queue}
  Logs:
    Type: AWS::S3::Bucket
    Properties:
      VersioningConfiguration: {Status: !Ref Status}
      Tags: [{Key: queue, Value: !GetAtt Queue.Arn}]
"""
HOOK = "Acme::Guard::Buckets"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    root = tmp_path_factory.mktemp("policies")
    (root / "rules").mkdir()
    (root / "rules" / "s3.guard").write_text(RULES, encoding="utf-8")
    (root / "t.yaml").write_text(TEMPLATE, encoding="utf-8")
    return root


@pytest.fixture(scope="module")
def service(folder, desk, tmp_path_factory):
    """A service with the rules as a hook that warns, and a stack of the template."""
    with serving(tmp_path_factory.mktemp("hooks"), forked=True) as running:
        s3, client = running.client("s3"), running.client("cloudformation")
        s3.create_bucket(Bucket="rules")
        s3.put_object(Bucket="rules", Key="s3.guard", Body=RULES)
        client.activate_type(
            Type="HOOK",
            TypeName="AWS::Hooks::GuardHook",
            PublisherId="aws-hooks",
            TypeNameAlias=HOOK,
            ExecutionRoleArn="arn:aws:iam::123456789012:role/hooks",
        )
        settings = {
            "HookInvocationStatus": "ENABLED",
            "TargetOperations": ["RESOURCE", "STACK"],
            "FailureMode": "WARN",
            "Properties": {"ruleLocation": "s3://rules/s3.guard"},
        }
        configuration = json.dumps({"CloudFormationConfiguration": {"HookConfiguration": settings}})
        client.set_type_configuration(Type="HOOK", TypeName=HOOK, Configuration=configuration)
        client.create_stack(StackName="shop", TemplateBody=TEMPLATE)
        client.get_waiter("stack_create_complete").wait(StackName="shop", WaiterConfig={"Delay": 0.2})
        yield running


@pytest.fixture
def dry_run(desk, folder):
    def ask(*words, service=None):
        keys = {"AWS_ACCESS_KEY_ID": "111111111111", "AWS_SECRET_ACCESS_KEY": "x", "AWS_DEFAULT_REGION": "us-east-1"}
        where = [] if service is None else ["--endpoint-url", service.url]
        return desk.cfn("hook", "try", *words, *where, cwd=folder, **({} if service is None else {"env": keys}))

    return ask


def codes(ended):
    return sorted(each["code"] for each in json.loads(ended.out)["diagnostics"])


def test_rules_refuse_with_the_place_and_the_fix(dry_run):
    ended = dry_run("t.yaml", "--rules", "rules")
    assert ended.code == 1, str(ended)
    assert "t.yaml:8:33" in ended.out
    assert "set VersioningConfiguration.Status to Enabled" in ended.out
    assert "warning[hook.undecided]" in ended.out


def test_the_formats_agree(dry_run):
    ended = dry_run("t.yaml", "--rules", "rules", "--format", "json")
    assert codes(ended) == ["hook.refused", "hook.undecided"]
    verdicts = {each["target"]["identifier"]: each["verdict"] for each in json.loads(ended.out)["dryRuns"]}
    assert verdicts == {"Queue": "SKIPPED", "Logs": "REFUSED"}
    sarif = json.loads(dry_run("t.yaml", "--rules", "rules", "--format", "sarif").out)
    assert sorted(each["ruleId"] for each in sarif["runs"][0]["results"]) == ["hook.refused", "hook.undecided"]
    lines = dry_run("t.yaml", "--rules", "rules", "--format", "github").out.splitlines()
    assert [each.partition(" ")[0] for each in lines] == ["::error", "::warning"]


def test_a_parameter_makes_it_pass(dry_run):
    ended = dry_run("t.yaml", "--rules", "rules", "--parameter", "Status=Enabled")
    assert (ended.code, "1 undecided" in ended.out) == (0, True), str(ended)


def test_what_cannot_be_asked_is_refused(dry_run, folder):
    assert "no hook is named" in dry_run("t.yaml").err
    assert "no template is named" in dry_run("--rules", "rules").err
    assert "need a service" in dry_run("--stack", "shop", "--rules", "rules").err
    (folder / "broken.guard").write_text("rule A {\n  Resources.* ~~ 5\n}\n", encoding="utf-8")
    ended = dry_run("t.yaml", "--rules", "broken.guard")
    assert ended.code == 1
    assert "broken.guard:2:" in ended.err


@pytest.mark.parametrize(
    ("words", "option"),
    [
        (("t.yaml", "--hook", HOOK, "--input-parameters", "t.yaml"), "--input-parameters"),
        (("--stack", "shop", "--rules", "rules", "--parameter", "Status=Enabled"), "--parameter"),
        (("t.yaml", "--stack", "shop", "--rules", "rules", "--action", "DELETE"), "--action"),
        (("--stack", "shop", "--change-set", "next", "--rules", "rules", "--modules", "."), "--modules"),
        (("t.yaml", "--rules", "rules", "--aws", "moto"), "--aws"),
        (("t.yaml", "--hook", HOOK, "--mode", "WARN"), "--mode"),
    ],
)
def test_options_without_effect_are_refused(dry_run, service, words, option):
    ended = dry_run(*words, service=service)
    assert (ended.code, option in ended.err) == (2, True), str(ended)


def test_a_registered_hook_is_asked_as_it_is_configured(dry_run, service):
    ended = dry_run("t.yaml", "--hook", HOOK, "--format", "json", service=service)
    assert ended.code == 0, str(ended)  # it warns
    kinds = {each["target"]["kind"] for each in json.loads(ended.out)["dryRuns"]}
    assert kinds == {"RESOURCE", "STACK"}
    assert "hook.refused" in codes(ended)


def test_all_hooks_of_a_service_are_asked_where_none_is_named(dry_run, service):
    ended = dry_run("t.yaml", "--format", "json", service=service)
    assert {each["hook"] for each in json.loads(ended.out)["dryRuns"]} == {HOOK}


def test_a_stack_has_its_values(dry_run, service):
    ended = dry_run("--stack", "shop", "--rules", "rules", "--format", "json", service=service)
    assert codes(ended) == ["hook.refused"]  # the queue's ARN is known


def test_an_update_of_a_stack_is_asked_about_and_nothing_is_left(dry_run, service):
    words = ("t.yaml", "--stack", "shop", "--parameter", "Status=Enabled")
    ended = dry_run(*words, "--rules", "rules", "--format", "json", service=service)
    assert ended.code == 0, str(ended)
    (run,) = json.loads(ended.out)["dryRuns"]
    assert (run["target"]["action"], run["verdict"]) == ("UPDATE", "PASSED")
    assert service.client("cloudformation").list_change_sets(StackName="shop")["Summaries"] == []


def test_a_change_set_is_asked_about(dry_run, service):
    client = service.client("cloudformation")
    text = TEMPLATE.replace("Key: queue", "Key: other")
    made = client.create_change_set(StackName="shop", ChangeSetName="next", TemplateBody=text)
    words = ("--stack", "shop", "--change-set", "next", "--rules", "rules")
    ended = dry_run(*words, "--target", "RESOURCE", "--target", "CHANGE_SET", "--format", "json", service=service)
    assert ended.code == 1, str(ended)
    found = {each["target"]["kind"]: each["verdict"] for each in json.loads(ended.out)["dryRuns"]}
    assert found == {"RESOURCE": "REFUSED", "CHANGE_SET": "REFUSED"}
    client.delete_change_set(ChangeSetName=made["Id"])


@pytest.fixture
def hook(desk, folder, service):
    def run(*words):
        keys = {"AWS_ACCESS_KEY_ID": "111111111111", "AWS_SECRET_ACCESS_KEY": "x", "AWS_DEFAULT_REGION": "us-east-1"}
        return desk.cfn("hook", *words, "--endpoint-url", service.url, cwd=folder, env=keys)

    return run


def test_a_guard_hook_is_set_up_asked_about_and_taken_away(hook, service):
    name = "Acme::Policy::Versions"
    words = ("--rules", "rules", "--report-bucket", "rules", "--target-name", "AWS::S3::*", "--action", "CREATE")
    ended = hook("activate", name, *words)
    assert ended.code == 0, str(ended)
    listed = {each["name"]: each for each in json.loads(hook("list", "--format", "json").out)}
    assert set(listed) == {HOOK, name}
    assert listed[name] == {
        "name": name,
        "enabled": True,
        "failureMode": "FAIL",
        "targetOperations": ["RESOURCE"],
        "source": "s3://cfn-hook-rules-us-east-1/Acme-Policy-Versions/rules.zip",
    }
    client = service.client("cloudformation")
    client.create_stack(StackName="by-hand", TemplateBody=TEMPLATE, OnFailure="DO_NOTHING")
    with pytest.raises(WaiterError):
        client.get_waiter("stack_create_complete").wait(StackName="by-hand", WaiterConfig={"Delay": 0.2})
    ended = hook("results", "--stack", "by-hand")
    assert ended.code == 1, str(ended)
    assert f"{name}: HOOK_COMPLETE_FAILED (FAIL): CREATE of Logs (AWS::S3::Bucket)" in ended.out
    assert "VERSIONED: FAILED: the bucket keeps no versions: set VersioningConfiguration.Status to Enabled" in ended.out
    assert hook("activate", name, *words, "--mode", "WARN").code == 0  # configured anew
    assert hook("deactivate", name).code == 0
    assert name not in hook("list").out


def test_a_lambda_hook_is_set_up(hook):
    ended = hook("activate", "Acme::Policy::Names", "--function", "check", "--disabled")
    assert ended.code == 0, str(ended)
    assert "check" in hook("list").out
    assert hook("deactivate", "Acme::Policy::Names").code == 0


def test_rules_that_do_not_compile_are_not_activated(hook, folder):
    (folder / "broken.guard").write_text("rule A {\n  Resources.* ~~ 5\n}\n", encoding="utf-8")
    ended = hook("activate", "Acme::Policy::Broken", "--rules", "broken.guard")
    assert (ended.code, "broken.guard:2:" in ended.err) == (1, True), str(ended)
    assert "Broken" not in hook("list").out


def test_a_hook_project_is_asked_with_its_handlers(desk, tmp_path, folder):
    root = tmp_path / "guard"
    root.mkdir()
    ended = desk.cfn("init", "-a", "HOOK", "-t", "Acme::Store::Guard", "--sample", "python311", "--no-docker", cwd=root)
    assert ended.code == 0, str(ended)
    ended = desk.cfn("hook", "try", str(folder / "t.yaml"), "--format", "json", cwd=root)
    assert ended.code == 1, str(ended)
    (run,) = json.loads(ended.out)["dryRuns"]
    assert (run["hook"], run["verdict"], run["target"]["identifier"]) == ("Acme::Store::Guard", "REFUSED", "Logs")
    assert "must be encrypted with AES256" in run["message"]
    ended = desk.cfn("hook", "try", str(folder / "t.yaml"), "--mode", "WARN", "--format", "json", cwd=root)
    assert ended.code == 0, str(ended)
    assert json.loads(ended.out)["dryRuns"][0]["message"] == run["message"]
