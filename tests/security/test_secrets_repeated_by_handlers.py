"""Secrets are planted at every place that takes one, handlers repeat all they know, and everything is searched.

What is found must be on the list of what is legal, `ALLOWED`, with the reason.
"""

import contextlib
import json
import time

import pytest
from botocore.exceptions import ClientError, WaiterError

from support.api_sweep import sweep
from support.canaries import Canaries, Leaks
from support.registry import module_package
from support.serving import serving, upload
from support.stored_secrets import stored_secrets
from support.telltales import CUSTOM, VAULT, WARDEN, vault_package, vault_properties, warden_package

SHELF = "Acme::Secret::Shelf::MODULE"
# Where (a pattern of the place), what (a pattern of where it was planted), and why it is no leak.
ALLOWED = (
    (r"^cloudformation:GetTemplate ", r"^literal:", "the template's text, as its author wrote it"),
    (r"^cloudformation:DescribeStacks ", r"^NoEcho parameter in Output$", "the service shows Outputs in clear, too"),
)


class World:
    """A server with everything in it that can hold a secret."""

    def __init__(self, server, canaries, folder):
        self.server, self.canaries, self.folder = server, canaries, folder
        self.cloudformation, self.control = server.client("cloudformation"), server.client("cloudcontrol")
        self.stacks, self.change_sets, self.tokens = [], [], []

    def register(self, kind, name, content):
        url = upload(self.server, content, key=f"{name.replace('::', '-')}.zip")
        token = self.cloudformation.register_type(Type=kind, TypeName=name, SchemaHandlerPackage=url)
        self.cloudformation.get_waiter("type_registration_complete").wait(RegistrationToken=token["RegistrationToken"])

    def configure(self, kind, name, value):
        self.cloudformation.set_type_configuration(Type=kind, TypeName=name, Configuration=json.dumps(value))

    def stack(self, name, resources, *, parameters=None, outputs=None, **more):
        """Create a stack, whatever comes of it; NoEcho parameters by name and value."""
        body = template(resources, parameters, outputs)
        given = [{"ParameterKey": key, "ParameterValue": value} for key, value in (parameters or {}).items()]
        arn = self.cloudformation.create_stack(
            StackName=name, TemplateBody=body, Parameters=given, DisableRollback=True, **more
        )["StackId"]
        self.stacks.append(arn)
        self.wait("stack_create_complete", arn)
        return arn

    def update(self, arn, resources, *, parameters=None, outputs=None):
        body = template(resources, parameters, outputs)
        given = [{"ParameterKey": key, "ParameterValue": value} for key, value in (parameters or {}).items()]
        self.cloudformation.update_stack(StackName=arn, TemplateBody=body, Parameters=given)
        self.wait("stack_update_complete", arn)

    def wait(self, waiter, name):
        with contextlib.suppress(WaiterError):
            self.cloudformation.get_waiter(waiter).wait(StackName=name)

    def request(self, operation, **given):
        """A request of Cloud Control to its end."""
        given = {"TypeName": VAULT, **given}
        try:
            event = getattr(self.control, f"{operation}_resource")(**given)["ProgressEvent"]
        except ClientError as error:
            return error.response
        self.tokens.append(event["RequestToken"])
        with contextlib.suppress(WaiterError):
            self.control.get_waiter("resource_request_success").wait(RequestToken=event["RequestToken"])
        return event


def template(resources, parameters=None, outputs=None):
    value = {"Resources": resources}
    if parameters:
        value["Parameters"] = {name: {"Type": "String", "NoEcho": True} for name in parameters}
    if outputs:
        value["Outputs"] = {name: {"Value": each} for name, each in outputs.items()}
    return json.dumps(value)


def vault(properties):
    return {"Vault": {"Type": VAULT, "Properties": properties}}


def given_vault(canaries, about, **more):
    """A vault whose secrets are NoEcho parameters, and these."""
    properties = vault_properties(canaries, about, **more)
    parameters = {}

    def taken(value):
        if not canaries.found(str(value)):
            return value
        name = f"P{len(parameters)}"
        parameters[name] = str(value)
        return {"Ref": name}

    def walk(value):
        if isinstance(value, dict) and "Fn::" not in "".join(value) and "Ref" not in value:
            return {key: walk(each) for key, each in value.items()}
        return [walk(each) for each in value] if isinstance(value, list) else taken(value)

    return vault(walk(properties)), parameters


MODES = ("fail-create", "raise-create", "locals-create", "code-create", "status-create", "wait-create", "fail-read")
SOME = (MODES[0], MODES[-2])


def play_stacks(world, modes=MODES):
    canaries = world.canaries
    for mode in modes:
        resources, parameters = given_vault(canaries, f"stack {mode}", Mode=mode)
        world.stack(mode, resources, parameters=parameters)
    for hook in ("fail", "raise")[: len(modes) // 2]:
        resources, parameters = given_vault(canaries, f"hook {hook}", Hook=hook)
        world.stack(f"hook-{hook}", resources, parameters=parameters)
    properties = vault_properties(canaries, "literal: create", Mode="fail-create")
    world.stack("literals", vault(properties))


def play_parameters(world):
    canaries = world.canaries
    parameters = {
        name: canaries.plant(f"NoEcho parameter in {name}", shape)
        for name, shape in (("Sub", "plain"), ("Join", "quoted"), ("Base64", "quoted"), ("Output", "plain"))
    }
    label = {
        "Fn::Join": [
            "-",
            [
                {"Fn::Sub": "a ${Sub} b"},
                {"Fn::Join": ["+", ["x", {"Ref": "Join"}]]},
                {"Fn::Base64": {"Fn::Sub": "1${Base64}"}},
            ],
        ]
    }
    properties = vault_properties(canaries, "literal: updated", Name="updated", Label=label)
    arn = world.stack("updated", vault(properties), parameters=parameters, outputs={"Told": {"Ref": "Output"}})
    detection = world.cloudformation.detect_stack_drift(StackName=arn)["StackDriftDetectionId"]
    while world.cloudformation.describe_stack_drift_detection_status(StackDriftDetectionId=detection)[
        "DetectionStatus"
    ].endswith("PROGRESS"):
        time.sleep(0.05)
    for mode in ("drift", "fail-update"):
        changed = {
            **vault_properties(canaries, f"literal: update {mode}", Label=label),
            "Mode": mode,
            "Name": "updated",
        }
        parameters["Sub"] = canaries.plant(f"NoEcho parameter at the update {mode}")
        world.update(arn, vault(changed), parameters=parameters, outputs={"Told": {"Ref": "Output"}})
        if mode == "drift":
            detection = world.cloudformation.detect_stack_drift(StackName=arn)["StackDriftDetectionId"]
            time.sleep(0.5)
            with contextlib.suppress(ClientError):
                world.cloudformation.detect_stack_resource_drift(StackName=arn, LogicalResourceId="Vault")
    body = template(vault({**properties, "Label": {"Ref": "Sub"}, "Mode": "fail-delete"}), parameters)
    parameters["Sub"] = canaries.plant("NoEcho parameter of a change set")
    given = [{"ParameterKey": key, "ParameterValue": value} for key, value in parameters.items()]
    made = world.cloudformation.create_change_set(
        StackName=arn, ChangeSetName="kept", TemplateBody=body, Parameters=given, IncludeNestedStacks=True
    )
    world.change_sets.append(made["Id"])
    with contextlib.suppress(WaiterError):
        world.cloudformation.get_waiter("change_set_create_complete").wait(StackName=arn, ChangeSetName="kept")
    deleted = vault_properties(canaries, "literal: delete", Mode="fail-delete")
    doomed = world.stack("doomed", vault(deleted))
    world.cloudformation.delete_stack(StackName=doomed)
    world.wait("stack_delete_complete", doomed)


def play_custom_resources(world, dos=("", "fail", "raise")):
    canaries = world.canaries
    function = {
        "Type": "AWS::Lambda::Function",
        "Properties": {
            "Code": {"ZipFile": CUSTOM},
            "Handler": "index.handler",
            "Runtime": "python3.11",
            "Role": "arn:aws:iam::111111111111:role/maker",
        },
    }
    token = {"Fn::GetAtt": ["Maker", "Arn"]}
    for do in dos:
        parameters = {
            "Given": canaries.plant(f"custom resource {do}: NoEcho parameter", "quoted"),
            "Answer": canaries.plant(f"custom resource {do}: NoEcho answer"),
        }
        properties = {
            "ServiceToken": token,
            "ServiceTimeout": 8,
            "Do": do,
            "Given": {"Ref": "Given"},
            "Answer": {"Ref": "Answer"},
        }
        properties["Stored"] = "{{resolve:secretsmanager:custom}}"
        resources = {"Maker": function, "Made": {"Type": "Custom::Made", "Properties": properties}}
        hidden = {"Hidden": {"Fn::GetAtt": ["Made", "Hidden"]}}
        world.stack(f"custom-{do or 'fine'}", resources, parameters=parameters, outputs=hidden)


def play_modules_and_sets(world):
    canaries = world.canaries
    fragment = {
        "Parameters": {"Key": {"Type": "String", "NoEcho": True}, "Name": {"Type": "String"}},
        "Resources": vault(
            {
                "Name": {"Ref": "Name"},
                "Password": {"Ref": "Key"},
                "Label": {"Fn::Sub": "k ${Key}"},
                "Mode": "fail-create",
            }
        ),
    }
    world.register("MODULE", SHELF, module_package(SHELF, fragment=fragment))
    resources = {"Shelf": {"Type": SHELF, "Properties": {"Name": "module", "Key": {"Ref": "Key"}}}}
    parameters = {"Key": canaries.plant("module's parameter")}
    world.stack("module", resources, parameters=parameters, Capabilities=["CAPABILITY_AUTO_EXPAND"])
    child = template(
        vault({"Name": "child", "Password": {"Ref": "Key"}, "Label": {"Ref": "Key"}, "Mode": "fail-create"}),
        {"Key": ""},
    )
    s3 = world.server.client("s3")
    s3.create_bucket(Bucket="templates")
    s3.put_object(Bucket="templates", Key="child.json", Body=child.encode())
    nested = {
        "Type": "AWS::CloudFormation::Stack",
        "Properties": {
            "TemplateURL": "https://templates.s3.amazonaws.com/child.json",
            "Parameters": {"Key": {"Ref": "Key"}},
        },
    }
    world.stack("nesting", {"Child": nested}, parameters={"Key": canaries.plant("nested stack's parameter")})
    body = template(
        vault({"Name": "set", "Password": {"Ref": "Key"}, "Label": {"Ref": "Key"}, "Mode": "fail-create"}), {"Key": ""}
    )
    cloudformation = world.cloudformation
    given = [{"ParameterKey": "Key", "ParameterValue": canaries.plant("stack set's parameter")}]
    cloudformation.create_stack_set(StackSetName="set", TemplateBody=body, Parameters=given)
    override = [{"ParameterKey": "Key", "ParameterValue": canaries.plant("stack set's parameter override")}]
    operation = cloudformation.create_stack_instances(
        StackSetName="set", Accounts=["111111111111"], Regions=["us-east-1"], ParameterOverrides=override
    )["OperationId"]
    for _ in range(200):
        found = cloudformation.describe_stack_set_operation(StackSetName="set", OperationId=operation)
        if found["StackSetOperation"]["Status"] not in ("RUNNING", "QUEUED"):
            break
        time.sleep(0.05)


def play_cloud_control(world, modes=("fail-update", "raise-update", "wait-update", "")):
    canaries = world.canaries
    for mode in ("", *MODES)[: 2 * len(modes)]:
        world.request("create", DesiredState=json.dumps(vault_properties(canaries, f"desired state {mode}", Mode=mode)))
    name = "desired-state-"
    for mode in modes:
        changed = vault_properties(canaries, f"patch document {mode}", Mode=mode)
        patch = [{"op": "add", "path": f"/{key}", "value": value} for key, value in changed.items() if key != "Name"]
        world.request("update", Identifier=name, PatchDocument=json.dumps(patch))
    wrong = vault_properties(
        canaries, "desired state that is not valid", Pin=canaries.plant("a text where a number belongs")
    )
    world.request(
        "create", DesiredState=json.dumps({**wrong, "Unknown": canaries.plant("a property that is not declared")})
    )
    world.request("delete", Identifier=name)


@contextlib.contextmanager
def world_of(folder, monkeypatch, **options):
    canaries = Canaries()
    temporary = folder / "temporary"
    temporary.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    parameters = {
        "/secure": canaries.plant("type configuration: ssm-secure"),
        "/hook": canaries.plant("hook configuration: ssm-secure"),
    }
    document = json.dumps({"user": "someone", "password": canaries.plant("type configuration: a member of a secret")})
    secrets = {
        "managed": document,
        "whole": canaries.plant("type configuration: a whole secret", "document"),
        "custom": canaries.plant("custom resource: a secret", "quoted"),
    }
    home = folder / "home"
    home.mkdir()
    with (
        stored_secrets(parameters, secrets) as aws,
        serving(home, "--aws", aws, "--events", str(folder / "home/events.jsonl"), forked=True) as server,
    ):
        world = World(server, canaries, home)
        world.store = folder / "store.json"
        world.register("RESOURCE", VAULT, vault_package(world.store))
        stored = {
            "Secure": "{{resolve:ssm-secure:/secure}}",
            "Managed": "{{resolve:secretsmanager:managed:SecretString:password}}",
            "Whole": "x{{resolve:secretsmanager:whole}}y",
        }
        access = {
            "Secret": canaries.plant("type configuration: nested"),
            "Token": canaries.plant("type configuration: escaped", "quoted"),
        }
        world.configure(
            "RESOURCE", VAULT, {"ApiKey": canaries.plant("type configuration"), "Access": access, "Stored": stored}
        )
        world.register("HOOK", WARDEN, warden_package())
        properties = {
            "ApiKey": canaries.plant("hook configuration"),
            "Stored": {"Secure": "{{resolve:ssm-secure:/hook}}"},
        }
        settings = {"HookInvocationStatus": "ENABLED", "FailureMode": "FAIL", "Properties": properties}
        settings["TargetOperations"] = ["RESOURCE", "CLOUD_CONTROL"]
        world.configure("HOOK", WARDEN, {"CloudFormationConfiguration": {"HookConfiguration": settings}})
        yield world


def search(world, leaks):
    """Search in every answer, then in everything that is written."""
    cloudformation = world.cloudformation
    summaries = cloudformation.list_stacks()["StackSummaries"]
    stacks = [each["StackId"] for each in summaries]
    known = {
        "always": {"StackName", "Type", "TypeName", "RegistrationToken", "TypeConfigurationIdentifiers"},
        "StackName": stacks,
        "ChangeSetName": world.change_sets,
        "LogicalResourceId": ["Vault", "Made", "Child"],
        "StackSetName": ["set"],
        "Type": ["RESOURCE", "HOOK"],
        "TypeName": [VAULT],
        "TypeConfigurationIdentifiers": [
            [{"Type": "RESOURCE", "TypeName": VAULT}],
            [{"Type": "HOOK", "TypeName": WARDEN}],
        ],
        "RequestToken": world.tokens,
        "Identifier": [f"desired-state-{mode}" for mode in ("", *MODES)],
        "StackInstanceAccount": ["111111111111"],
        "StackInstanceRegion": ["us-east-1"],
        "OperationId": [
            each["OperationId"] for each in cloudformation.list_stack_set_operations(StackSetName="set")["Summaries"]
        ],
    }
    for client in (cloudformation, world.control):
        for where, answer in sweep(client, known):
            leaks.search(where, answer)
    logs = world.server.client("logs")
    with contextlib.suppress(ClientError):
        for group in logs.describe_log_groups()["logGroups"]:
            name = group["logGroupName"]
            for stream in logs.describe_log_streams(logGroupName=name)["logStreams"]:
                events = logs.get_log_events(logGroupName=name, logStreamName=stream["logStreamName"])
                leaks.search(f"logs {name} {stream['logStreamName']}", json.dumps(events, ensure_ascii=False))
    leaks.search_files(world.folder)
    leaks.search_files(world.folder.parent / "temporary")
    code, said = world.server.stop()
    assert code == 0, said
    leaks.search("stderr", said)
    leaks.search("stdout", world.server.process.stdout.read())
    leaks.search_files(world.folder)


def judge(leaks, canaries):
    assert len(canaries) >= 60
    assert leaks.searched > 100
    assert not leaks, f"{leaks}"


def test_nothing_that_handlers_repeat_is_found(tmp_path, monkeypatch):
    with world_of(tmp_path, monkeypatch) as world:
        play_stacks(world, SOME)
        play_parameters(world)
        play_custom_resources(world, ("", "fail"))
        play_modules_and_sets(world)
        play_cloud_control(world, ("fail-update", ""))
        leaks = Leaks(world.canaries, ALLOWED)
        search(world, leaks)
    judge(leaks, world.canaries)


@pytest.mark.slow
def test_nothing_that_handlers_repeat_in_any_way_is_found(tmp_path, monkeypatch):
    with world_of(tmp_path, monkeypatch) as world:
        play_stacks(world)
        play_parameters(world)
        play_custom_resources(world)
        play_modules_and_sets(world)
        play_cloud_control(world)
        leaks = Leaks(world.canaries, ALLOWED)
        search(world, leaks)
    judge(leaks, world.canaries)
