"""What `cfn init` writes: every kind of project is whole, valid, and works from the first minute."""

import ast
import json
import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from msgspec.structs import replace

import cloudformation_cli_python_lib
from formwork.diagnostics import BadInputError, UsageError
from formwork.documents import load_document, parse_document
from formwork.extensions import ExtensionKind
from formwork.generate.plan import Policy
from formwork.generate.scaffold import ScaffoldRequest
from formwork.generate.write import write_plan
from formwork.lambda_host.template import find_template, read_template
from formwork.languages.catalogue import language_names
from formwork.project import load_project
from formwork.schema import load_hook_schema, load_resource_schema
from support.plans import plan_new_project

REQUESTS = {
    "resource": ScaffoldRequest(kind=ExtensionKind.RESOURCE, type_name="Acme::Store::Thing", language="python311"),
    "resource-sample": ScaffoldRequest(
        kind=ExtensionKind.RESOURCE, type_name="Acme::Store::Thing", language="python39", sample=True
    ),
    "hook": ScaffoldRequest(kind=ExtensionKind.HOOK, type_name="Acme::Guard::Hook", language="python312"),
    "hook-sample": ScaffoldRequest(
        kind=ExtensionKind.HOOK, type_name="Acme::Guard::Hook", language="python314", sample=True
    ),
    "odd-name": ScaffoldRequest(
        kind=ExtensionKind.RESOURCE, type_name="1Acme::Class::None", language="python313", sample=True
    ),
    "module": ScaffoldRequest(kind=ExtensionKind.MODULE, type_name="Acme::Store::Thing::MODULE"),
}
CODE = [each for each in REQUESTS if each != "module"]
LIBRARY = Path(cloudformation_cli_python_lib.__file__).parents[1]


@pytest.mark.parametrize("case", REQUESTS)
def test_files(case, golden):
    plan = plan_new_project(REQUESTS[case])
    golden(f"generate-scaffold/{case}.txt", "".join(f"{file.policy:8}{name}\n" for name, file in sorted(plan.items())))
    for name in (".rpdk-config", "README.md", "template.yml"):
        if name in plan:
            golden(f"generate-scaffold/{case}/{name}", plan[name].text)
    assert plan == plan_new_project(REQUESTS[case])


@pytest.mark.parametrize("case", REQUESTS)
def test_written_again_changes_nothing(case, tmp_path):
    plan = plan_new_project(REQUESTS[case])
    assert set(write_plan(plan, tmp_path).created) == set(plan)
    assert set(write_plan(plan, tmp_path, force=True).unchanged) == set(plan)


@pytest.mark.parametrize("case", REQUESTS)
def test_the_project_loads(case, tmp_path):
    write_plan(plan_new_project(REQUESTS[case]), tmp_path)
    project = load_project(tmp_path)
    assert (project.type_name, project.kind, project.diagnostics) == (REQUESTS[case].type_name, REQUESTS[case].kind, ())
    if case in CODE:
        template = read_template(load_document(find_template(tmp_path)))
        assert template.diagnostics == ()
        assert [each.name for each in template.functions] == ["TypeFunction", "TestEntrypoint"]
        assert [each.handler for each in template.functions] == [project.entrypoint, project.test_entrypoint]
        assert {(each.timeout, each.memory_mb, each.runtime) for each in template.functions} == {
            (180, 256, project.runtime)
        }


@pytest.mark.parametrize("case", CODE)
def test_sources_are_valid(case):
    for name, file in plan_new_project(REQUESTS[case]).items():
        if name.endswith(".py"):
            ast.parse(file.text, feature_version=(3, 9))
        elif name.endswith(".json"):
            json.loads(file.text)
        assert file.text.endswith("\n"), name
        assert not file.text.endswith("\n\n"), name


@pytest.mark.parametrize("case", ["resource", "resource-sample"])
def test_the_example_schema_has_no_faults_and_its_inputs_are_what_they_say(case):
    plan = plan_new_project(REQUESTS[case])
    loaded = load_resource_schema(parse_document(plan["acme-store-thing.json"].text, name="schema.json"))
    assert loaded.diagnostics == []
    inputs = {name: json.loads(file.text) for name, file in plan.items() if name.startswith("inputs/")}
    assert len(inputs) == 9
    for name, value in inputs.items():
        assert bool(loaded.schema.validate_model(value)) == ("invalid" in name), name
    identifiers = [value["Name"] for name, value in inputs.items() if "create" in name]
    assert len(set(identifiers)) == 3


def test_the_example_hook_has_no_faults():
    plan = plan_new_project(REQUESTS["hook"])
    assert load_hook_schema(parse_document(plan["acme-guard-hook.json"].text, name="schema.json")).diagnostics == []


@pytest.mark.parametrize("case", CODE)
def test_its_own_unit_tests_pass(case, tmp_path):
    write_plan(plan_new_project(REQUESTS[case]), tmp_path)
    environment = {**os.environ, "PYTHONPATH": str(LIBRARY), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [
            sys.executable,
            "-W",
            "error",
            "-m",
            "pytest",
            "-p",
            "formwork.testing.plugin",
            "-q",
            "-p",
            "no:cacheprovider",
            "-p",
            "no:hypothesispytest",
        ],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


# A comment that is not needed is an error: so each of these lines is refused for what it says.
ENUMS = """
from .models import ResourceModel

model = ResourceModel(Kind="Standard")
model.Kind = "Archive"
model.Kind = None
model.Kind = "Archived"  # type: ignore[assignment]
ResourceModel(Kind="standard")  # type: ignore[arg-type]
"""


def test_handlers_and_models_type_check(tmp_path):
    cases = [each for each in CODE if each != "odd-name"]
    for case in cases:
        write_plan(plan_new_project(REQUESTS[case]), tmp_path / case)
        source = next((tmp_path / case / "src").iterdir())
        if case == "resource":
            (source / "enums.py").write_text(ENUMS, encoding="utf-8")
        source.rename(tmp_path / f"package_{cases.index(case)}")
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--python-version=3.10", "--cache-dir=cache"]
        + [f"--package=package_{number}" for number in range(len(cases))],
        cwd=tmp_path,
        env={"MYPYPATH": f"{LIBRARY}:{tmp_path}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_generated_files_are_managed_and_the_rest_is_the_authors():
    plan = plan_new_project(REQUESTS["resource"])
    managed = {name for name, file in plan.items() if file.policy is Policy.MANAGED}
    assert {
        each for each in managed if not each.startswith((".formwork/", "docs/")) and "/formwork_models/" not in each
    } == {
        "src/acme_store_thing/models.py",
        "resource-role.yaml",
    }


def test_a_schema_that_is_there_already_is_used():
    schema = {
        "typeName": "Acme::Store::Thing",
        "description": "Mine.",
        "properties": {"Code": {"type": "string"}},
        "additionalProperties": False,
        "primaryIdentifier": ["/properties/Code"],
        "handlers": {"create": {"permissions": []}, "list": {"permissions": []}},
    }
    document = parse_document(json.dumps(schema), name="acme-store-thing.json")
    request = ScaffoldRequest(
        kind=ExtensionKind.RESOURCE, type_name="Acme::Store::Thing", language="python312", schema=document
    )
    plan = plan_new_project(request)
    assert "acme-store-thing.json" not in plan
    handlers = plan["src/acme_store_thing/handlers.py"].text
    assert [each for each in ("create", "read", "update", "delete", "list") if f"def {each}_handler" in handlers] == [
        "create",
        "list",
    ]
    assert "model.Code" in handlers
    assert "Code: Optional[str] = None" in plan["src/acme_store_thing/models.py"].text
    assert {name for name in plan if name.startswith("inputs/")} == {
        f"inputs/inputs_{number}_{kind}.json" for number in (1, 2, 3) for kind in ("create", "update", "invalid")
    }
    known = load_resource_schema(document).schema
    for name, file in plan.items():
        if name.startswith("inputs/"):
            assert bool(known.validate_model(json.loads(file.text))) == ("invalid" in name), name
    with pytest.raises(UsageError, match="belong to the example schema"):
        plan_new_project(
            ScaffoldRequest(**{**{name: getattr(request, name) for name in request.__slots__}, "sample": True})
        )


def test_a_hook_that_is_there_already_is_asked_about_its_targets():
    schema = {
        "typeName": "Acme::Guard::Hook",
        "description": "Mine.",
        "typeConfiguration": {"properties": {}, "additionalProperties": False},
        "handlers": {
            "preUpdate": {"targetNames": ["AWS::SQS::Queue"], "permissions": []},
            "preDelete": {"targetNames": ["AWS::SQS::Queue", "AWS::S3::Bucket"], "permissions": []},
        },
        "additionalProperties": False,
    }
    target = {
        "typeName": "AWS::SQS::Queue",
        "description": "",
        "properties": {"QueueName": {"type": "string", "maxLength": 80}, "Arn": {"type": "string"}},
        "readOnlyProperties": ["/properties/Arn"],
        "primaryIdentifier": ["/properties/QueueName"],
        "additionalProperties": False,
    }
    plan = plan_new_project(
        ScaffoldRequest(
            kind=ExtensionKind.HOOK,
            type_name="Acme::Guard::Hook",
            language="python312",
            schema=parse_document(json.dumps(schema), name="acme-guard-hook.json"),
            targets={"AWS::SQS::Queue": target},
        )
    )
    asked = {
        name: json.loads(file.text)["AWS::SQS::Queue"] for name, file in plan.items() if name.startswith("inputs/")
    }
    assert {name: set(each) for name, each in asked.items()} == {
        "inputs/inputs_1_pre_update.json": {"resourceProperties", "previousResourceProperties"},
        "inputs/inputs_1_pre_delete.json": {"resourceProperties"},
    }
    assert "Arn" not in asked["inputs/inputs_1_pre_delete.json"]["resourceProperties"]
    assert "target-schemas/aws-sqs-queue.json" in plan
    assert "src/acme_guard_hook/target_models/aws_sqs_queue.py" in plan


def test_a_schema_that_is_unusable():
    document = parse_document("[]", name="acme-store-thing.json")
    with pytest.raises(BadInputError):
        plan_new_project(
            ScaffoldRequest(
                kind=ExtensionKind.RESOURCE, type_name="Acme::Store::Thing", language="python312", schema=document
            )
        )


@pytest.mark.parametrize("language", ["python38", "cobol", "", None, "python3.11", "python"])
def test_languages_that_are_none(language):
    with pytest.raises(UsageError, match="no language"):
        plan_new_project(
            ScaffoldRequest(kind=ExtensionKind.RESOURCE, type_name="Acme::Store::Thing", language=language)
        )
    assert language not in language_names()


@pytest.mark.parametrize(
    "name", ["Acme::Store", "Acme::Store::Thing::MODULE", "A::B::C", 'Acme::Store::"""', "a\n::b::c"]
)
def test_names_that_are_none(name):
    with pytest.raises(UsageError, match="not a valid name of a resource type"):
        plan_new_project(ScaffoldRequest(kind=ExtensionKind.RESOURCE, type_name=name, language="python312"))


def test_a_schema_in_yaml_says_what_the_one_in_json_does(tmp_path):
    request = replace(REQUESTS["resource"], yaml=True)
    plan = plan_new_project(request)
    in_json = json.loads(plan_new_project(REQUESTS["resource"])["acme-store-thing.json"].text)
    assert parse_document(plan["acme-store-thing.yaml"].text, name="x.yaml").value == in_json
    assert plan["acme-store-thing.yaml"].policy is Policy.SEED
    write_plan(plan, tmp_path)
    project = load_project(tmp_path)
    assert (project.schema_path.name, project.diagnostics) == ("acme-store-thing.yaml", ())
    assert {name: json.loads(plan["acme-store-thing.json"].text)[name] for name in in_json} == in_json
    module = plan_new_project(replace(REQUESTS["module"], yaml=True))
    assert [name for name in module if name.startswith("fragments/")] == ["fragments/sample.yaml"]


@pytest.mark.parametrize("case", ["resource", "hook"])
def test_editors_know_the_schema_of_each_file_that_authors_write(case, tmp_path):
    plan = plan_new_project(REQUESTS[case])
    write_plan(plan, tmp_path)
    settings = json.loads(plan[".vscode/settings.json"].text)
    rows = [(each["fileMatch"], each["url"]) for each in settings["json.schemas"]]
    rows += [(files, url) for url, files in settings["yaml.schemas"].items()]
    matched = {file for files, _ in rows for file in files}
    stem = next(name for name in plan if name.endswith(".json") and "/" not in name).removesuffix(".json")
    assert {f"/{stem}.json", f"/{stem}.yaml", "/inputs/*.json", "/overrides.json", "/configuration.json"} <= matched
    for _, url in rows:
        schema = json.loads((tmp_path / url).read_text())
        reference, _, pointer = schema.get("$ref", "").partition("#")
        target = json.loads((tmp_path / ".formwork" / reference).read_text()) if reference else {}
        assert not pointer or case == "resource" or pointer.removeprefix("/") in target
        assert f'"{url.removeprefix("./")}"' in plan[".idea/jsonSchemas.xml"].text
    ET.fromstring(plan[".idea/jsonSchemas.xml"].text)
