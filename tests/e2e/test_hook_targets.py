"""A hook's targets from a registry that runs: registered with boto3, fetched, kept, packaged; and modules there."""

import json

import pytest

from formwork.package.hook_targets import hook_target_members
from formwork.project import load_project
from formwork.project.schema_file import expect_project_schema
from support.registry import SHELF, THING, module_package
from support.serving import register, serving


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("targets"), forked=True) as found:
        register(found, account="000000000000")
        yield found


def at(server):
    """How the commands reach it, as the account that registered."""
    return {"AWS_ACCESS_KEY_ID": "000000000000", "AWS_SECRET_ACCESS_KEY": "x", "AWS_REGION": "us-east-1"}, (
        "--endpoint-url",
        server.url,
    )


@pytest.fixture
def guard(desk, tmp_path):
    root = tmp_path / "guard"
    root.mkdir()
    ended = desk.cfn("init", "-a", "HOOK", "-t", "Acme::Store::Guard", "python311", "--no-docker", cwd=root)
    assert ended.code == 0, str(ended)
    return root


def aim(guard, target):
    path = guard / "acme-store-guard.json"
    path.write_text(path.read_text(encoding="utf-8").replace("AWS::S3::Bucket", target), encoding="utf-8")


@pytest.mark.parametrize("target", [THING, "Acme::St*::Thin?"])
def test_a_registered_target(desk, server, guard, target):
    env, where = at(server)
    aim(guard, target)
    ended = desk.cfn("generate", *where, cwd=guard, env=env)
    assert ended.code == 0, str(ended)
    assert "fetched: target-schemas/acme-store-thing.json" in ended.err
    kept = guard / "target-schemas" / "acme-store-thing.json"
    described = server.client("cloudformation", account="000000000000").describe_type(Type="RESOURCE", TypeName=THING)
    assert json.loads(kept.read_text(encoding="utf-8")) == json.loads(described["Schema"])
    project = load_project(guard)
    schema, _ = expect_project_schema(project)
    packaged = {each.name: each.content for each in hook_target_members(project, schema)}
    assert json.loads(packaged["target-schemas/acme-store-thing.json"]) == json.loads(described["Schema"])
    model = guard / "src" / "acme_store_guard" / "target_models" / "acme_store_thing.py"
    first = model.read_text(encoding="utf-8")
    assert "class AcmeStoreThing" in first
    again = desk.cfn("generate", cwd=guard)  # nobody to ask, and no need
    assert (again.code, again.err) == (0, ""), str(again)
    assert model.read_text(encoding="utf-8") == first


def test_a_target_in_s3(desk, server, guard):
    env, where = at(server)
    schema = {"typeName": "Acme::Store::Box", "properties": {"Name": {"type": "string"}}, "description": "A box."}
    s3 = server.client("s3", account="000000000000")
    s3.create_bucket(Bucket="schemas")
    s3.put_object(Bucket="schemas", Key="a/box.json", Body=json.dumps(schema).encode())
    ended = desk.cfn("generate", *where, "--target-schemas", "s3://schemas/a/box.json", cwd=guard, env=env)
    assert ended.code == 0, str(ended)
    assert (guard / "src" / "acme_store_guard" / "target_models" / "acme_store_box.py").is_file()
    refused = desk.cfn("generate", "--target-schemas", "http://127.0.0.1:1/box.json", cwd=guard)
    assert (refused.code, "is not fetched" in refused.err) == (2, True), str(refused)


def test_targets_that_nobody_gives(desk, server, guard):
    env, where = at(server)
    aim(guard, "Acme::Store::Nothing")
    alone = desk.cfn("generate", cwd=guard)
    assert alone.code == 0, str(alone)
    assert "no model is written for the target Acme::Store::Nothing" in alone.err
    assert "--target-schemas" in alone.err
    asked = desk.cfn("generate", *where, cwd=guard, env=env)
    assert asked.code == 1, str(asked)
    assert "Acme::Store::Nothing" in asked.err
    for ended in (alone, asked):
        assert "Traceback" not in ended.err


def test_a_registered_module_is_expanded_by_the_service(desk, server, tmp_path):
    env, where = at(server)
    s3, cloudformation = (server.client(each, account="000000000000") for each in ("s3", "cloudformation"))
    s3.create_bucket(Bucket="modules")
    s3.put_object(Bucket="modules", Key="shelf.zip", Body=module_package())
    token = cloudformation.register_type(Type="MODULE", TypeName=SHELF, SchemaHandlerPackage="s3://modules/shelf.zip")
    cloudformation.get_waiter("type_registration_complete").wait(RegistrationToken=token["RegistrationToken"])
    template = {
        "Parameters": {"Label": {"Type": "String", "MinLength": 3}},
        "Resources": {"Shelf": {"Type": SHELF, "Properties": {"Label": {"Ref": "Label"}}}},
    }

    def expand():
        (tmp_path / "template.json").write_text(json.dumps(template), encoding="utf-8")
        return desk.cfn("module", "expand", "template.json", *where, cwd=tmp_path, env=env)

    ended = expand()
    assert ended.code == 0, str(ended)
    assert json.loads(ended.out)["Resources"]["ShelfBucket"]["Properties"] == {"BucketName": {"Ref": "Label"}}
    assert cloudformation.list_stacks(StackStatusFilter=["REVIEW_IN_PROGRESS"])["StackSummaries"] == []
    template["Resources"]["Other"] = {"Type": "Acme::Store::Other::MODULE"}
    refused = expand()
    assert refused.code == 1, str(refused)
    assert "Acme::Store::Other::MODULE" in refused.err
