"""`formwork.generate` and `formwork.package` from outside."""

import json

import pytest

from formwork import generate, package
from support.corpus import REPOSITORY

NAME = "Acme::Store::Thing"
SCHEMA = {
    "typeName": NAME,
    "description": "A thing.",
    "properties": {"Name": {"type": "string"}},
    "primaryIdentifier": ["/properties/Name"],
    "additionalProperties": False,
    "handlers": {"create": {"permissions": ["store:Create"]}},
}
HOOK = {
    "typeName": "Acme::Store::Hook",
    "description": "A hook.",
    "typeConfiguration": {"properties": {}, "additionalProperties": False},
    "handlers": {"preCreate": {"targetNames": [NAME], "permissions": []}},
    "additionalProperties": False,
}
YAML = f"""
typeName: {NAME}
description: A thing.
properties: {{Name: {{type: string}}}}
primaryIdentifier: [/properties/Name]
additionalProperties: false
"""


@pytest.mark.parametrize("language", ["python312", "typescript", "go", "java"])
def test_models_of_a_schema(language, silent):
    answers = {"import_path": "example.com/thing", "namespace": "com.acme.store.thing", "aws_runtime": False}
    planned = generate.plan_models(SCHEMA, language=language, settings=answers)
    assert "resource-role.yaml" in planned.files
    assert len(planned.files) > 2
    assert planned.files["resource-role.yaml"].policy is generate.Policy.MANAGED


def test_a_schema_in_every_form_gives_the_same(tmp_path, silent):
    (tmp_path / "thing.json").write_text(json.dumps(SCHEMA))
    forms = [SCHEMA, json.dumps(SCHEMA), json.dumps(SCHEMA).encode(), tmp_path / "thing.json"]
    first, *others = [dict(generate.plan_models(each, language="python312").files) for each in forms]
    assert all(each == first for each in others)


def test_models_of_a_hooks_targets(silent):
    planned = generate.plan_models(HOOK, language="python312", targets=[SCHEMA])
    assert any("target" in name for name in planned.files)
    with pytest.raises(generate.BadInputError, match="not a target schema"):
        generate.plan_models(HOOK, language="python312", targets=[{"description": "no name"}])


def test_what_has_no_models(silent):
    with pytest.raises(generate.BadInputError) as raised:
        generate.plan_models({**SCHEMA, "primaryIdentifier": []} | {"properties": {}}, language="python312")
    assert len(raised.value.diagnostics) > 1
    with pytest.raises(generate.BadInputError, match="cobol"):
        generate.plan_models(SCHEMA, language="cobol")
    with pytest.raises(generate.BadInputError, match="module"):
        generate.plan_models({"typeName": "Acme::Store::Thing::MODULE"}, language="python312")


@pytest.mark.parametrize("given", [SCHEMA, YAML])
def test_a_new_project_for_a_schema_generates_nothing_new(given, tmp_path, silent):
    plan = generate.plan_new_project(NAME, language="python312", schema=given)
    generate.write_plan(plan, tmp_path)
    again = generate.plan_project(tmp_path)
    assert again.diagnostics == ()
    report = generate.write_plan(again.files, tmp_path)
    assert report.unchanged
    assert (report.created, report.updated, report.removed) == ((), (), ())
    assert json.loads((tmp_path / "acme-store-thing.json").read_text())["typeName"] == NAME


def test_new_projects_of_every_kind(tmp_path, silent):
    kinds = generate.ExtensionKind
    hook = generate.plan_new_project("Acme::Store::Hook", language="typescript", kind=kinds.HOOK)
    assert "target-schemas/aws-s3-bucket.json" in hook
    module = generate.plan_new_project("Acme::Store::Thing::MODULE", kind=kinds.MODULE, yaml=True)
    generate.write_plan(module, tmp_path)
    assert list(generate.plan_project(tmp_path).files) == ["schema.json"]


@pytest.mark.parametrize(
    ("name", "arguments", "message"),
    [
        ("Thing", {"language": "python312"}, "not a valid name"),
        (NAME, {"language": "cobol"}, "cobol"),
        (NAME, {}, "no language"),
        (NAME, {"language": "python312", "schema": SCHEMA, "sample": True}, "sample"),
        ("Acme::Store::Box", {"language": "python312", "schema": SCHEMA}, "that of"),
    ],
)
def test_projects_that_cannot_be_started(name, arguments, message, silent):
    with pytest.raises(generate.UsageError, match=message):
        generate.plan_new_project(name, **arguments)


def test_what_is_not_a_project(tmp_path, silent):
    with pytest.raises(generate.BadInputError, match="not a project"):
        generate.plan_project(tmp_path)
    with pytest.raises(package.BadInputError, match="not a project"):
        package.build_package(tmp_path, tmp_path / "x.zip")
    with pytest.raises(package.EnvironmentProblemError):
        package.read_package(tmp_path / "x.zip")


def test_a_project_whose_schema_comes_from_smithy(tmp_path, silent):
    model = """$version: "2"
namespace acme
@aws.cloudformation#cfnResource(name: "Thing")
resource Thing { identifiers: {name: String}, create: Create }
operation Create { input := { @required description: String }, output := { @required name: String } }
"""
    (tmp_path / "model").mkdir()
    (tmp_path / "model" / "thing.smithy").write_text(model)
    build = {
        "version": "1.0",
        "sources": ["model"],
        "plugins": {"cloudformation": {"service": "acme#Store", "organizationName": "Acme", "serviceName": "Store"}},
    }
    (tmp_path / "model" / "store.smithy").write_text(
        '$version: "2"\nnamespace acme\nservice Store { version: "1", resources: [Thing] }\n'
    )
    (tmp_path / "smithy-build.json").write_text(json.dumps(build))
    config = generate.plan_new_project(NAME, language="python312")[".rpdk-config"]
    generate.write_plan({".rpdk-config": config}, tmp_path)
    planned = generate.plan_project(tmp_path)
    assert "acme-store-thing.json" in planned.files
    assert "src/acme_store_thing/models.py" in planned.files
    assert not (tmp_path / "acme-store-thing.json").exists()


def test_a_package_is_built_and_read(tmp_path, silent):
    generate.write_plan(generate.plan_new_project(NAME, language="python312", sample=True), tmp_path / "thing")
    first, second = (
        package.build_package(
            tmp_path / "thing", tmp_path / f"{cache}.zip", cache=cache and tmp_path / cache, architecture=architecture
        )
        for cache, architecture in (("kept", None), ("again", package.Architecture.X86_64))
    )
    assert first.path.read_bytes() == second.path.read_bytes()
    assert first.size == first.path.stat().st_size
    contents = package.read_package(first.path)
    assert contents == package.read_package(first.path.read_bytes())
    assert (contents.kind, contents.type_name, contents.runtime) == ("RESOURCE", NAME, "python3.12")
    assert contents.schema.value["typeName"] == NAME
    assert {".rpdk-config", "schema.json", "ResourceProvider.zip"} <= set(contents.files)


def test_the_package_of_an_examples_module(tmp_path, silent):
    project = REPOSITORY / "examples" / "log-table"
    contents = package.read_package(package.build_package(project, tmp_path / "module.zip").path)
    assert contents.kind is package.ExtensionKind.MODULE
    assert contents.entrypoint is None


def test_an_archive_that_is_not_a_package(tmp_path, silent):
    import io
    import zipfile

    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("README", "")
    with pytest.raises(package.BadInputError) as raised:
        package.read_package(buffer.getvalue())
    assert {each.code for each in raised.value.diagnostics} == {"package.missing-file", "package.missing-handlers"}
    with pytest.raises(package.BadInputError):
        package.read_package(b"no zip")
