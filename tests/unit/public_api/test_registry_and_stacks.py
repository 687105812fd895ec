"""`formwork.registry` and `formwork.stacks` from outside."""

import json

import pytest

from formwork import generate, package, registry, stacks

NAME = "Acme::Store::Thing"
SCHEMA = {
    "typeName": NAME,
    "description": "A thing.",
    "properties": {"Name": {"type": "string"}, "Size": {"type": "integer"}},
    "required": ["Name"],
    "primaryIdentifier": ["/properties/Name"],
    "createOnlyProperties": ["/properties/Name"],
    "additionalProperties": False,
}
TEMPLATE = {
    "Parameters": {"Name": {"Type": "String", "Default": "one"}, "Size": {"Type": "Number", "Default": 1}},
    "Resources": {"Thing": {"Type": NAME, "Properties": {"Name": {"Ref": "Name"}, "Size": {"Ref": "Size"}}}},
    "Outputs": {"Name": {"Value": {"Ref": "Thing"}}},
}


class Guard:
    """Refuses large things."""

    type_name = "Acme::Store::Guard"
    targets = (NAME,)
    configuration = {"Most": {"type": "string"}}  # noqa: RUF012 - as users write it

    def pre_create(self, call):
        from formwork.testing import HookFailure

        if int(call.properties["Size"]) > int(call.configuration["Most"]):
            raise HookFailure("too large")


@pytest.fixture(scope="module")
def opened():
    with stacks.open_stacks() as found:
        found.registry.register(SCHEMA)
        yield found


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    root = tmp_path_factory.mktemp("project") / "thing"
    generate.write_plan(
        generate.plan_new_project("Acme::Store::Entry", language="python312", schema=None, sample=True), root
    )
    return root


def test_what_is_registered(opened, project, tmp_path, capfd):
    (tmp_path / "box.json").write_text(json.dumps({**SCHEMA, "typeName": "Acme::Store::Box"}))
    archive = package.build_package(project, tmp_path / "entry.zip", cache=tmp_path / "cache").path
    given = {
        "text": json.dumps({**SCHEMA, "typeName": "Acme::Store::Text"}),
        "path": tmp_path / "box.json",
        "bytes": archive.read_bytes(),
        "package": archive,
        "project": project,
    }
    found = {name: opened.registry.register(each) for name, each in given.items()}
    assert {name: each.type_name.rpartition(":")[2] for name, each in found.items()} == {
        "text": "Text",
        "path": "Box",
        "bytes": "Entry",
        "package": "Entry",
        "project": "Entry",
    }
    assert all(each.is_default and each.kind is registry.ExtensionKind.RESOURCE for each in found.values())
    assert [each.is_default for each in opened.registry.versions("Acme::Store::Entry")] == [False, False, True]
    assert {NAME, "Acme::Store::Box"} <= {each.type_name for each in opened.registry.types()}
    assert capfd.readouterr() == ("", "")


def test_handlers_of_a_project_run(opened, project):
    opened.registry.register(project)
    template = {"Resources": {"Entry": {"Type": "Acme::Store::Entry", "Properties": {"Name": "first"}}}}
    deployed = opened.deploy(template, stack="entries")
    assert deployed.succeeded, deployed.failures
    assert deployed.resources["Entry"].properties["Name"] == "first"
    assert opened.delete("entries").status == "DELETE_COMPLETE"


def test_an_entry_point_of_this_process(opened):
    called = []

    def handle(event, _context):
        called.append(event["action"])
        return {"status": "SUCCESS", "resourceModel": event["requestData"]["resourceProperties"]}

    handlers = {name: {"permissions": []} for name in ("create", "read", "delete")}
    schema = {**SCHEMA, "typeName": "Acme::Store::Own", "handlers": handlers}
    opened.registry.register(handle, schema=schema)
    template = {"Resources": {"Own": {"Type": "Acme::Store::Own", "Properties": {"Name": "one"}}}}
    assert opened.deploy(template, stack="own").succeeded
    assert called[0] == "CREATE"


def test_versions(opened):
    name = "Acme::Store::Versioned"
    for text in ("First.", "Second."):
        opened.registry.register({**SCHEMA, "typeName": name, "description": text})
    opened.registry.set_default(name, "00000001")
    assert opened.registry.describe(name).schema["description"] == "First."
    assert opened.registry.describe(name, version="00000002").is_default is False
    opened.registry.deregister(name, version="00000002")
    assert [each.version for each in opened.registry.versions(name)] == ["00000001"]
    opened.registry.deregister(name)
    assert not opened.registry.describe(name).live
    assert all(each.live and each.type_name != name for each in opened.registry.types())
    with pytest.raises(registry.RequestRefusedError) as raised:
        opened.registry.describe("Acme::Store::Never")
    assert raised.value.code == "TypeNotFoundException"
    assert raised.value.diagnostics


def test_a_type_configuration(opened):
    schema = {
        **SCHEMA,
        "typeName": "Acme::Store::Configured",
        "typeConfiguration": {"properties": {"Url": {"type": "string"}}, "additionalProperties": False},
    }
    opened.registry.register(schema, configuration={"Url": "x"})
    with pytest.raises(registry.RequestRefusedError):
        opened.registry.configure("Acme::Store::Configured", {"Uri": "x"})


def test_what_cannot_be_registered(opened, tmp_path):
    for bad in (b"no package", {**SCHEMA, "primaryIdentifier": []}, "{", tmp_path / "missing", object()):
        with pytest.raises((registry.BadInputError, registry.UsageError)):
            opened.registry.register(bad)


def test_a_template_in_every_form(opened, tmp_path):
    (tmp_path / "shop.json").write_text(json.dumps(TEMPLATE))
    forms = [TEMPLATE, json.dumps(TEMPLATE), json.dumps(TEMPLATE).encode(), tmp_path / "shop.json"]
    for number, template in enumerate(forms):
        assert opened.deploy(template, stack="forms", parameters={"Name": "form", "Size": number}).succeeded
    with pytest.raises(TypeError):
        opened.deploy(7, stack="forms")
    opened.delete("forms")


def test_a_large_template(opened):
    large = {**TEMPLATE, "Metadata": {"Text": "x" * 60_000}}
    assert opened.deploy(large, stack="large", parameters={"Name": "large"}).succeeded
    opened.delete("large")


def test_the_life_of_a_stack(opened):
    created = opened.deploy(TEMPLATE, stack="shop", parameters={"Size": 3}, tags={"team": "books"})
    assert (created.name, created.status, created.outputs) == ("shop", "CREATE_COMPLETE", {"Name": "one"})
    assert created.parameters == {"Name": "one", "Size": "3"}
    assert created.tags == {"team": "books"}
    assert created.resources["Thing"].properties == {"Name": "one", "Size": 3}
    assert opened.deploy(TEMPLATE, stack="shop") == created
    (change,) = opened.plan(TEMPLATE, stack="shop", parameters={"Name": "two"})
    assert (change.action, change.replacement) == ("Modify", "True")
    assert opened.plan(TEMPLATE, stack="shop") == ()
    updated = opened.deploy(TEMPLATE, stack="shop", parameters={"Name": "two"})
    assert (updated.status, updated.parameters["Size"], updated.tags) == ("UPDATE_COMPLETE", "3", {"team": "books"})
    assert updated.events[: len(created.events)] == created.events
    deleted = opened.delete("shop")
    assert (deleted.status, deleted.id, deleted.resources) == ("DELETE_COMPLETE", created.id, {})
    assert all(each.name != "shop" for each in opened.list())
    with pytest.raises(stacks.RequestRefusedError, match="does not exist"):
        opened.describe("shop")
    assert opened.describe(created.id).status == "DELETE_COMPLETE"


def test_the_plan_of_a_new_stack_leaves_nothing(opened):
    (change,) = opened.plan(TEMPLATE, stack="planned")
    assert (change.action, change.logical_id) == ("Add", "Thing")
    assert all(each.name != "planned" for each in opened.list())
    with pytest.raises(stacks.RequestRefusedError):
        opened.plan({"Resources": {"Thing": {"Type": "Acme::Store::Unknown"}}}, stack="planned")


def test_a_failure_is_a_result(opened):
    hook = opened.registry.register(Guard, configuration={"Most": "5"})
    assert hook.kind is registry.ExtensionKind.HOOK
    refused = opened.deploy(TEMPLATE, stack="refused", parameters={"Size": 6, "Name": "refused"})
    assert (refused.succeeded, refused.status) == (False, "ROLLBACK_COMPLETE")
    assert any("too large" in each.hook_reason for each in refused.failures)
    opened.delete("refused")
    opened.registry.deregister(hook.type_name)


def test_clients_reach_the_same_stacks(opened):
    import boto3

    opened.deploy(TEMPLATE, stack="reached", parameters={"Name": "reached"})
    variables = opened.variables
    assert variables["AWS_ENDPOINT_URL"] == opened.endpoint_url
    client = boto3.client(
        "cloudformation",
        endpoint_url=opened.endpoint_url,
        region_name=variables["AWS_REGION"],
        aws_access_key_id=variables["AWS_ACCESS_KEY_ID"],
        aws_secret_access_key=variables["AWS_SECRET_ACCESS_KEY"],
        aws_session_token=variables["AWS_SESSION_TOKEN"],
    )
    assert client.describe_stacks(StackName="reached")["Stacks"][0]["StackStatus"] == "CREATE_COMPLETE"
    opened.delete("reached")


def test_a_folder_keeps_everything(tmp_path, silent):
    with stacks.open_stacks(tmp_path / "state", account="111122223333", region="eu-central-1") as first:
        first.registry.register(SCHEMA)
        made = first.deploy(TEMPLATE, stack="kept")
        with pytest.raises(stacks.EnvironmentProblemError):
            registry.open_registry(tmp_path / "state")
    first.close()
    assert ":eu-central-1:111122223333:" in made.id
    with stacks.open_stacks(tmp_path / "state", account="111122223333", region="eu-central-1") as again:
        assert again.describe("kept") == made
    with registry.open_registry(tmp_path / "state", account="111122223333", region="eu-central-1") as types:
        assert [each.type_name for each in types.types()] == [NAME]
    with registry.open_registry(tmp_path / "state") as other:
        assert other.types() == ()


@pytest.mark.parametrize("settings", [{"account": "1"}, {"region": "nowhere"}, {"aws": "real"}])
def test_settings_that_are_not_valid(settings):
    with pytest.raises(stacks.UsageError):
        stacks.open_stacks(**settings)
