"""The hook projects of the corpus: they validate, generate, test and package, and their configurations are judged."""

import ast
import json
import shutil
import zipfile
from collections import defaultdict
from fnmatch import fnmatchcase

import pytest
from bench.corpora import provider_schemas

from formwork.contract.patience import Patience
from formwork.contract.project_subjects import load_subjects
from formwork.contract.suite import run_suite
from formwork.contract_results.findings import ClauseState
from formwork.documents import load_document
from formwork.extensions import ExtensionKind
from formwork.generate.handlers import Handlers
from formwork.invoke import HandlerSession
from formwork.invoke.wire_form import as_wire
from formwork.languages.java.generate.generator import JavaGenerator
from formwork.languages.java.generate.naming import target_class
from formwork.model import build_type_model
from formwork.project import load_project
from formwork.project.check import check_path
from formwork.project.inputs import load_input_sets
from formwork.project.schema_file import expect_project_schema
from support.commands import Desk
from support.contract_subjects import Transport
from support.corpus import corpus_projects, needs_fixtures
from support.java import compile_java, generate_all
from support.toolchains import needs_java

PROJECTS = corpus_projects("HOOK")
JAVA = [each for each in PROJECTS if each.language == "java"]
PYTHON = [each for each in PROJECTS if each.language.startswith("python")]
# The one file of the corpus whose values are not those of the hook's schema: a text where it asks for true or false.
WRONG = {"packages__cfn_guard_rs_hook__example": "model.wrong-type"}
REPRESENTATIVE = {"hooks__python-hooks__s3-bucket-encryption", "hooks__Lambda_Invoker"}

pytestmark = needs_fixtures


def in_id(each):
    return each.id


def some(projects):
    """Each in the conformance run, a few in every run."""
    return [
        pytest.param(each, id=each.id, marks=() if each.root.name in REPRESENTATIVE else pytest.mark.slow)
        for each in projects
    ]


def test_all_of_them_are_there():
    assert len(PROJECTS) == 17
    assert len(PYTHON) == 10


@pytest.mark.parametrize("project", PROJECTS, ids=in_id)
def test_a_hook_validates(project):
    checked = check_path(project.root)
    assert checked.valid, checked.diagnostics
    assert checked.type_name == project.type_name


@pytest.mark.parametrize("project", PROJECTS, ids=in_id)
def test_configurations_are_those_of_the_hook(project):
    schema, _ = expect_project_schema(load_project(project.root))
    named = [project.root / each for each in project.files if each.endswith(".json")]
    files = [each for each in named if "CloudFormationConfiguration" in load_document(each).value]
    for each in files:
        found = [one.code for one in schema.validate_configuration(load_document(each)) if one.severity == "error"]
        assert found == ([WRONG[project.root.name]] if project.root.name in WRONG else []), each


def obedient(project):
    """A handler that passes and refuses what the project's inputs say."""
    refused = defaultdict(list)
    for each in load_input_sets(project).sets:
        for kind, document in each.documents.items():
            for name, model in document.value.items() if "invalid" in kind.value else ():
                refused[name].append((kind.value, as_wire(model)))

    def handler(event, context):
        data, point = event["requestData"], event["actionInvocationPoint"]
        word = "pre_" + point.partition("_")[0].lower()
        unnamed = "Unheard" in data["targetName"] or "Unnamed" in data["targetName"]
        # An input of no point has no previous properties, which the suite adds for updates.
        bad = any(
            model.items() <= data["targetModel"].items() and (kind == "invalid" or kind.endswith(word))
            for kind, model in refused[data["targetName"]]
        )
        if bad or unnamed:
            return {"hookStatus": "FAILED", "errorCode": "NonCompliant", "message": "refused"}
        return {"hookStatus": "SUCCESS", "message": ""}

    return handler


@pytest.mark.parametrize("project", PROJECTS, ids=in_id)
def test_its_inputs_prove_a_hook_that_obeys_them(project):
    loaded = load_project(project.root)
    schema, _ = expect_project_schema(loaded)
    patience = Patience(0)
    session = HandlerSession(Transport(obedient(loaded)), schema.type_name, sleep=patience.sleep, clock=patience.clock)
    subjects = load_subjects(loaded, schema, session, patience=patience).subjects
    assert subjects
    for _, subject in subjects:
        result = run_suite(subject)
        assert [f"{each.clause}: {each.message}" for each in result.findings] == []
        states = {each.clause: each.state for each in result.clauses}
        proved = {"hook.success", "hook.failed", "hook.targets", "hook.time"}
        assert {clause for clause in proved if states[clause] is not ClauseState.PROVED} == set()


def stub_targets(root, schema):
    """The schemas of the types that the hook names, as far as a package needs them."""
    names = {name for each in schema.handlers.values() for name in each.target_names}
    (root / "target-schemas").mkdir()
    stub = {"description": "A stub.", "properties": {"Name": {"type": "string"}}, "additionalProperties": False}
    schemas = [
        {"typeName": name.replace("*", "Some1"), **stub, "primaryIdentifier": ["/properties/Name"]}
        for name in sorted(names)
    ]
    (root / "target-schemas" / "stubs.json").write_text(json.dumps(schemas), encoding="utf-8")


@pytest.mark.parametrize("project", some(PYTHON))
def test_a_python_hook_generates_and_packages(project, tmp_path):
    root = tmp_path / "project"
    shutil.copytree(project.root, root)
    loaded = load_project(root)
    schema, _ = expect_project_schema(loaded)
    stub_targets(root, schema)
    package = root / "src" / loaded.entrypoint.partition(".")[0]
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("", encoding="utf-8")
    (package / "handlers.py").write_text("from .models import TypeConfigurationModel\n", encoding="utf-8")
    (root / "requirements.txt").write_text("cloudformation-cli-python-lib\n", encoding="utf-8")
    desk = Desk(tmp_path)
    generated = desk.cfn("generate", "--local-only", cwd=root)
    assert (generated.code, generated.out) == (0, f"Generated files for {project.type_name}\n"), str(generated)
    for each in package.rglob("*.py"):
        ast.parse(each.read_text(encoding="utf-8"))
    packaged = desk.cfn("package", cwd=root, env={"PIP_NO_INDEX": "1"})
    assert packaged.code == 0, str(packaged)
    name = project.type_name.lower().replace("::", "-")
    with zipfile.ZipFile(root / f"{name}.zip") as archive:
        members = archive.namelist()
        targets = json.loads(archive.read("target-info.json"))
        assert json.loads(archive.read("schema.json"))["typeName"] == project.type_name
    assert members[:3] == ["configuration-schema.json", ".rpdk-config", "schema.json"]
    assert "ResourceProvider.zip" in members
    assert ".cfn_metadata.json" in members
    assert {f"inputs/{each.name}" for each in (root / "inputs").iterdir()} <= set(members)
    assert {f"target-schemas/{each.lower().replace('::', '-')}.json" for each in targets} <= set(members)


def real_targets(schema):
    """The real schemas of the types that the hook names."""
    names = {name for each in schema.handlers.values() for name in each.target_names}
    return {
        name: json.loads(text) for name, text in provider_schemas() if any(fnmatchcase(name, each) for each in names)
    }


@needs_java
@pytest.mark.parametrize("projects", [JAVA[:2], pytest.param(JAVA, marks=pytest.mark.slow)], ids=["some", "all"])
def test_java_hooks_compile_with_the_models_of_their_targets(projects, tmp_path):
    schemas = {each.id: expect_project_schema(load_project(each.root))[0] for each in projects}
    documents = {name: schema.value for name, schema in schemas.items()}
    targets = {name: real_targets(schema) for name, schema in schemas.items()}
    assert all(targets.values())
    generated = generate_all(documents, tmp_path / "sources", kind=ExtensionKind.HOOK, targets=targets)
    compile_java(generated.sources, tmp_path / "classes")
    made = {path.stem for path in (tmp_path / "classes").rglob("*TargetModel.class")}
    assert {f"{target_class(each)}TargetModel" for found in targets.values() for each in found} == made


@needs_java
@pytest.mark.parametrize("project", some(JAVA))
def test_a_java_hook_generates_is_tested_and_packages(project, tmp_path):
    root = tmp_path / "project"
    shutil.copytree(project.root, root)
    loaded = load_project(root)
    schema, _ = expect_project_schema(loaded)
    (root / "target-schemas").mkdir()
    targets = real_targets(schema)
    for name, document in targets.items():
        path = root / "target-schemas" / f"{name.replace('::', '-').lower()}.json"
        path.write_text(json.dumps(document), encoding="utf-8")
    types = build_type_model(schema.value, kind=ExtensionKind.HOOK, reserved=JavaGenerator().reserved_model_names)
    handlers = Handlers(
        type_name=project.type_name,
        schema=schema.value,
        types=types,
        targets=targets,
        sample=False,
        settings=loaded.settings,
    )
    for name, file in JavaGenerator().plan_handlers(handlers).items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(file.text, encoding="utf-8")
    desk = Desk(tmp_path)
    generated = desk.cfn("generate", "--local-only", cwd=root)
    assert (generated.code, generated.out) == (0, f"Generated files for {project.type_name}\n"), str(generated)
    tested = desk.cfn("test", "--report", "json", cwd=root, timeout=500)
    assert tested.code == 1, str(tested)  # stubs say that they are not written yet
    found = json.loads(tested.out)["findings"]
    assert {each["clause"] for each in found if each["severity"] == "violation"} <= {
        "hook.success",
        "hook.failed",
        "hook.targets",
    }
    assert all("not written yet" in each["message"] for each in found if each["severity"] == "violation"), found
    packaged = desk.cfn("package", cwd=root, timeout=500)
    assert packaged.code == 0, str(packaged)
    name = project.type_name.lower().replace("::", "-")
    with zipfile.ZipFile(root / f"{name}.zip") as archive:
        members = set(archive.namelist())
        assert set(json.loads(archive.read("target-info.json"))) >= set(targets)
    assert {f"target/{name}-handler-1.0-SNAPSHOT.jar", "pom.xml", "configuration-schema.json"} <= members
    assert {f"target-schemas/{each.lower().replace('::', '-')}.json" for each in targets} <= members
