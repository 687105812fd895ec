"""A hook's targets from a registry that runs: registered with boto3, fetched, kept, packaged; and modules there."""

import json
import shutil
import zipfile

import pytest

from formwork.package.hook_targets import package_targets
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
    packaged = {each.name: each.content for each in package_targets(project, schema).members}
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


BOX = {"typeName": "Acme::Store::Box", "properties": {"Name": {"type": "string"}}, "description": "A box."}


def uncommitted(guard):
    """The project as a repository has it that ignores what the incumbent fetches."""
    shutil.rmtree(guard / "target-schemas", ignore_errors=True)


def packaged(guard):
    with zipfile.ZipFile(guard / "acme-store-guard.zip") as archive:
        schemas = [name for name in archive.namelist() if name.startswith("target-schemas/")]
        return json.loads(archive.read("target-info.json")), schemas


def test_a_package_finds_the_schemas_that_the_project_lacks(desk, guard):
    uncommitted(guard)
    ended = desk.cfn("package", cwd=guard)
    assert ended.code == 0, str(ended)
    assert (
        "target schemas of this machine (`cfn generate` would keep them in the project): AWS::S3::Bucket" in ended.err
    )
    infos, schemas = packaged(guard)
    assert (list(infos), schemas) == (["AWS::S3::Bucket"], ["target-schemas/aws-s3-bucket.json"])
    assert "BucketName" in infos["AWS::S3::Bucket"]["Schema"]["properties"]


def test_a_wildcard_means_the_types_on_this_machine(desk, guard, tmp_path):
    uncommitted(guard)
    aim(guard, "Acme::Sto*::*")
    refused = desk.cfn("package", cwd=guard)
    assert refused.code == 1, str(refused)
    assert 'no type in the project or on this machine matches the target "Acme::Sto*::*"' in refused.err
    folder = tmp_path / "schemas"
    folder.mkdir()
    (folder / "box.json").write_text(json.dumps(BOX), encoding="utf-8")
    ended = desk.cfn("package", "--schemas", str(folder), cwd=guard)
    assert ended.code == 0, str(ended)
    assert packaged(guard)[1] == ["target-schemas/acme-store-box.json"]
    made = desk.cfn("generate", "--local-only", "--schemas", str(folder), cwd=guard)
    assert (made.code, "fetched: target-schemas/acme-store-box.json" in made.err) == (0, True), str(made)
    assert desk.cfn("package", cwd=guard).code == 0


def test_what_target_schemas_brings_is_kept_for_the_other_commands(desk, guard, tmp_path):
    uncommitted(guard)
    aim(guard, "Acme::Store::Box")
    (tmp_path / "box.json").write_text(json.dumps(BOX), encoding="utf-8")
    ended = desk.cfn("generate", "--target-schemas", str(tmp_path / "box.json"), cwd=guard)
    assert ended.code == 0, str(ended)
    assert json.loads((guard / "target-schemas" / "acme-store-box.json").read_text(encoding="utf-8")) == BOX
    assert desk.cfn("package", cwd=guard).code == 0
    assert packaged(guard)[1] == ["target-schemas/acme-store-box.json"]
    (tmp_path / "box.json").write_text(json.dumps(BOX | {"description": "Another."}), encoding="utf-8")
    other = desk.cfn("generate", "--target-schemas", str(tmp_path / "box.json"), cwd=guard)
    assert other.code == 1, str(other)
    assert "delete the one in target-schemas/" in other.err


def test_the_registry_of_this_machine_describes_and_lists_awss_types(desk, server, guard):
    env, where = at(server)
    uncommitted(guard)
    aim(guard, "AWS::SNS::Topic*")
    ended = desk.cfn("generate", *where, cwd=guard, env=env)
    assert ended.code == 0, str(ended)
    kept = sorted(each.name for each in (guard / "target-schemas").iterdir())
    # Of every provisioning type: the policy has no read handler.
    assert kept == ["aws-sns-topic.json", "aws-sns-topicinlinepolicy.json", "aws-sns-topicpolicy.json"]


def test_the_contract_tests_ask_about_targets_on_this_machine(desk, guard):
    uncommitted(guard)
    shutil.rmtree(guard / "inputs", ignore_errors=True)
    aim(guard, "AWS::SNS::TopicPolicy")
    ended = desk.cfn("test", "--report", "json", cwd=guard)
    assert "nothing is known of the target" not in ended.err, str(ended)
    assert json.loads(ended.out)["clauses"], str(ended)


def test_a_submission_finds_the_schemas_in_the_registry_it_goes_to(desk, server, guard):
    env, where = at(server)
    uncommitted(guard)
    aim(guard, THING)
    ended = desk.cfn("submit", *where, cwd=guard, env=env)
    assert ended.code == 0, str(ended)
    assert f"would keep them in the project): {THING}" in ended.err
