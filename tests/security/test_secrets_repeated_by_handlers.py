"""Secrets are planted at every place that takes one, handlers repeat all they know, and everything is searched.

What is found must be on the list of what is legal, `ALLOWED`, with the reason.
"""

import contextlib
import json
import os
import time
from pathlib import Path

import pytest
from botocore.exceptions import ClientError, WaiterError

from support import golang
from support.awkward_projects import LANGUAGES, write_project
from support.canaries import Leaks
from support.proving import Prover
from support.registry import module_package
from support.secret_world import ALLOWED, given_vault, judge, search, template, vault, world_of
from support.telltales import CUSTOM, WARDEN, vault_properties, vault_schema, warden_schema
from support.toolchains import needs_go, needs_java, needs_node
from support.typescript import CACHE, NPM

SHELF = "Acme::Secret::Shelf::MODULE"
TELLING = Path(__file__).parent / "telling"  # handlers in other languages
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
    parameters = {"Key": canaries.plant("custom resource: NoEcho parameter in a URL", "quoted")}
    url = {"Fn::Sub": "http://127.0.0.1:1/${Key}"}  # no valid URL, and the error quotes it
    made = {"Type": "Custom::Made", "Properties": {"ServiceToken": url, "ServiceTimeout": 8}}
    world.stack("custom-url", {"Made": made}, parameters=parameters)


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


def play_cloud_control(world, modes=("fail-update", "raise-update", "wait-update", ""), creating=("", *MODES)):
    canaries = world.canaries
    for mode in creating[: 2 * len(modes)]:
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


@pytest.fixture
def database(request):
    """The URL of a database on PostgreSQL where the test asks for one, else None."""
    return request.getfixturevalue("make_database")() if request.param == "postgresql" else None


@pytest.mark.acceptance
@pytest.mark.parametrize("database", ["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)], indirect=True)
def test_nothing_that_handlers_repeat_is_found(database, tmp_path, monkeypatch):
    with world_of(tmp_path, monkeypatch, *_options(database)) as world:
        play_stacks(world, SOME)
        play_parameters(world)
        play_custom_resources(world, ("", "fail"))
        play_modules_and_sets(world)
        play_cloud_control(world, ("fail-update", ""))
        leaks = Leaks(world.canaries, ALLOWED)
        search(world, leaks, database=database)
    judge(leaks, world.canaries)


@pytest.mark.slow
@pytest.mark.parametrize("database", ["sqlite", "postgresql"], indirect=True)
def test_nothing_that_handlers_repeat_in_any_way_is_found(database, tmp_path, monkeypatch):
    with world_of(tmp_path, monkeypatch, *_options(database)) as world:
        play_stacks(world)
        play_parameters(world)
        play_custom_resources(world)
        play_modules_and_sets(world)
        play_cloud_control(world)
        leaks = Leaks(world.canaries, ALLOWED)
        search(world, leaks, database=database)
    judge(leaks, world.canaries)


def _options(database):
    return () if database is None else ("--database", database)


@pytest.fixture
def programs(tmp_path):
    """The package of the type with handlers in a language, as `cfn` makes it."""

    def package(language):
        home = tmp_path / "author"
        home.mkdir()
        environment = {**os.environ, **NPM, **golang.caches(), "GOPROXY": "off", "HOME": str(home)}
        prover = Prover({**environment, "FORMWORK_CACHE": str(CACHE)})
        root = write_project(LANGUAGES[language], vault_schema(), tmp_path / "project", prover.expect, programs=TELLING)
        prover.expect("package", cwd=root)
        return (root / "acme-secret-vault.zip").read_bytes()

    return package


@pytest.mark.parametrize(
    ("language", "ways"),
    [
        pytest.param("typescript", ("raise", "crash", "code", "wait"), marks=needs_node),
        pytest.param("go", ("raise", "panic", "crash", "code", "wait"), marks=[needs_go, pytest.mark.slow]),
        pytest.param("java", ("raise", "throw", "trace", "crash", "wait"), marks=[needs_java, pytest.mark.slow]),
    ],
)
def test_nothing_that_handlers_in_other_languages_repeat_is_found(language, ways, programs, tmp_path, monkeypatch):
    content = programs(language)
    with world_of(tmp_path, monkeypatch, package=lambda _store: content, hook=None) as world:
        canaries = world.canaries

        def given(about, **more):
            resources, parameters = given_vault(canaries, about, **more)
            return {"resources": resources, "parameters": parameters}

        for way in ways:
            world.stack(way, **given(f"stack {way}", Mode=f"{way}-create"))
        arn = world.stack("fine", **given("stack"))
        for mode in ("none", "fail-update", "fail-delete"):
            world.update(arn, **given(f"update {mode}", Mode=mode, Name="stack"))
        world.cloudformation.delete_stack(StackName=arn)
        world.wait("stack_delete_complete", arn)
        play_cloud_control(world, ("fail-update", ""), creating=("", *(f"{way}-create" for way in ways[:2])))
        statuses = world.statuses()
        leaks = Leaks(canaries, ALLOWED)
        search(world, leaks)
    judge(leaks, canaries)
    assert {"CREATE_FAILED", "CREATE_COMPLETE", "UPDATE_COMPLETE", "UPDATE_FAILED", "DELETE_FAILED"} <= statuses


@needs_node
@pytest.mark.slow
def test_nothing_that_a_hook_in_typescript_repeats_is_found(tmp_path, monkeypatch):
    home, root = tmp_path / "author", tmp_path / "project"
    for each in (home, root):
        each.mkdir()
    prover = Prover({**os.environ, **NPM, "HOME": str(home), "FORMWORK_CACHE": str(CACHE)})
    prover.expect("init", "-a", "HOOK", "-t", WARDEN, "--no-docker", "typescript", cwd=root)
    (root / "acme-secret-warden.json").write_text(json.dumps(warden_schema()))
    program = (TELLING / "hook.ts").read_text().replace("$type_name", WARDEN)
    (root / "src" / "handlers.ts").write_text(program)
    prover.expect("generate", cwd=root)
    prover.expect("package", cwd=root)
    content = (root / "acme-secret-warden.zip").read_bytes()
    with world_of(tmp_path, monkeypatch, hook=lambda: content) as world:
        reasons = []
        for way in ("pass", "fail", "raise"):
            resources, parameters = given_vault(world.canaries, f"hook {way}", Hook=way)
            arn = world.stack(f"hook-{way}", resources, parameters=parameters)
            events = world.cloudformation.describe_stack_events(StackName=arn)["StackEvents"]
            reasons += [each.get("HookStatusReason", "") for each in events if "HookType" in each]
        for way in ("fail", ""):
            properties = vault_properties(world.canaries, f"desired state {way}", Hook=way)
            world.request("create", DesiredState=json.dumps(properties))
        leaks = Leaks(world.canaries, ALLOWED)
        search(world, leaks)
    assert any("*****" in each for each in reasons), reasons
    judge(leaks, world.canaries)
