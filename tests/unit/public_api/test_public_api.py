"""The public names from outside: every kind of input, no output, no environment; and the examples of their pages."""

import ast
import doctest
import importlib
import json
import re
import subprocess
import sys

import pytest

from formwork import schema, smithy
from support.corpus import REPOSITORY

PAGES = sorted((REPOSITORY / "docs/reference/api").glob("*.md"))
# A name that is removed here is an incompatible change: announce it in CHANGELOG.md.
NAMES = {
    "formwork.contract": """BadInputError ClauseResult ClauseState ContractFinding ContractReport Diagnostic DocumentSource
        Effort EnvironmentProblemError UsageError prove_handlers prove_project""",
    "formwork.generate": """BadInputError Diagnostic DocumentSource EnvironmentProblemError ExtensionKind GeneratedFiles
        Plan PlannedFile Policy UsageError WriteReport plan_models plan_new_project plan_project write_plan""",
    "formwork.package": """Architecture BadInputError Diagnostic Document EnvironmentProblemError ExtensionKind LeftOut
        PackageContents PackageReport UsageError build_package read_package""",
    "formwork.registry": """BadInputError Diagnostic EnvironmentProblemError ExtensionKind LocalRegistry RegisteredExtension
        RequestRefusedError UsageError open_registry""",
    "formwork.stacks": """BadInputError DeployedStack Diagnostic DocumentSource EnvironmentProblemError LocalRegistry
        LocalStacks PlannedChange PropertyChange RequestRefusedError StackEvent StackResource UsageError open_stacks""",
    "formwork.testing": """AcceptanceFailure Checks CloudFormation CloudFormationTestCase HandlerFailure HookFailure
        InProgress LocalServer PlannedChange Stack StackEvent StackResource""",
    "formwork.schema": """BadInputError Diagnostic Document DocumentSource ExtensionKind HandlerInfo HookHandler HookSchema
        LoadedHook LoadedModuleSchema LoadedSchema ModuleParameter ModuleSchema Mutability PropertyPath ResourceSchema
        Severity Tagging detect_kind load_hook_schema load_module_schema load_resource_schema validate_schema""",
    "formwork.smithy": "Model ModelSource ParsedModel format_model load_model render_model select_shapes",
}
SCHEMA = {
    "typeName": "Acme::Store::Thing",
    "description": "A thing.",
    "properties": {"Name": {"type": "string"}},
    "primaryIdentifier": ["/properties/Name"],
    "additionalProperties": False,
}
MODEL = '$version: "2"\nnamespace acme\nstring Name\n'


@pytest.mark.parametrize("module", NAMES)
def test_the_names_are_there_and_on_the_modules_page(module):
    imported = importlib.import_module(module)
    assert sorted(imported.__all__) == sorted(NAMES[module].split())
    page = (REPOSITORY / "docs/reference/api" / f"{module.partition('.')[2]}.md").read_text(encoding="utf-8")
    for name in imported.__all__:
        assert getattr(imported, name) is not None
        assert f"`{name}`" in page, name
    with pytest.raises(AttributeError):
        _ = imported.no_such_name


def sources(folder):
    text = json.dumps(SCHEMA)
    (folder / "thing.json").write_text(text)
    return [SCHEMA, text, text.encode(), folder / "thing.json"]


def test_a_schema_is_given_in_every_form(tmp_path, silent):
    for source in sources(tmp_path):
        assert [each for each in schema.validate_schema(source) if each.severity is schema.Severity.ERROR] == []
        assert schema.load_resource_schema(source).schema.type_name == "Acme::Store::Thing"
        assert schema.load_hook_schema(source).schema is None
        assert schema.load_module_schema(source).diagnostics
        assert schema.detect_kind(source) is schema.ExtensionKind.RESOURCE


def test_a_str_is_never_a_path(tmp_path, silent):
    sources(tmp_path)
    assert schema.validate_schema(str(tmp_path / "thing.json"))
    assert schema.validate_schema("x" * 10_000)


@pytest.mark.parametrize("source", [7, None, {"a": {1, 2}}, {"a": b"x"}])
def test_what_is_not_a_document_is_refused(source):
    with pytest.raises(TypeError):
        schema.validate_schema(source)


def test_a_value_that_contains_itself_is_refused():
    value = {}
    value["itself"] = value
    with pytest.raises(TypeError):
        schema.validate_schema(value)


def test_a_model_is_given_in_every_form(tmp_path, silent):
    (tmp_path / "names.smithy").write_text(MODEL)
    rendered = smithy.render_model(smithy.load_model(MODEL).model)
    assert list(rendered["shapes"]) == ["acme#Name"]
    for source in [MODEL, MODEL.encode(), rendered, json.dumps(rendered), tmp_path, tmp_path / "names.smithy"]:
        parsed = smithy.load_model(source)
        assert parsed.valid
        assert smithy.select_shapes(parsed.model, "[id|namespace = acme]") == ["acme#Name"]
    for source in [MODEL, MODEL.encode(), tmp_path / "names.smithy"]:
        assert smithy.format_model(source).endswith("string Name\n")


def test_models_that_cannot_be_read(silent):
    assert not smithy.load_model('$version: "2"\nnamespace acme\nstructure').valid
    with pytest.raises(schema.BadInputError):
        smithy.load_model(b"\xff")
    with pytest.raises(schema.BadInputError):
        smithy.format_model("structure {")
    with pytest.raises(ValueError, match="selector"):
        smithy.select_shapes(smithy.load_model(MODEL).model, "[")
    with pytest.raises(TypeError):
        smithy.load_model(7)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_examples_of_a_page(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = "\n".join(re.findall(r"^```python\n(.*?)^```$", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE))
    test = doctest.DocTestParser().get_doctest(text, {}, page.name, str(page), 0)
    assert test.examples
    said = []
    doctest.DocTestRunner().run(test, out=said.append)
    assert not said, "".join(said)


def test_python_runs_the_package():
    done = subprocess.run([sys.executable, "-m", "formwork", "--version"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("module", NAMES)
def test_importing_a_package_imports_no_part_of_it(module):
    code = f"import sys, {module}; print(len([each for each in sys.modules if each.startswith('formwork')]))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert int(done.stdout) <= (60 if module == "formwork.schema" else 2)


def test_the_tests_notice_that_the_environment_is_read(silent):
    from formwork.command_context.places import cache_folder, home_folder

    for read in (cache_folder, home_folder):
        with pytest.raises(AssertionError, match="reads the environment"):
            read()


def test_every_name_is_there_without_the_extras():
    missing = ("alembic", "boto3", "botocore", "cryptography", "moto", "sqlalchemy", "starlette", "uvicorn")
    code = f"""
import importlib, sys
sys.modules.update(dict.fromkeys({missing}))
for module in {tuple(NAMES)}:
    imported = importlib.import_module(module)
    for name in imported.__all__:
        getattr(imported, name)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_missing_extra_is_named(monkeypatch):
    from formwork import registry, stacks
    from formwork.testing import server

    monkeypatch.setattr(server, "missing_module", lambda: "uvicorn")
    for start in (registry.open_registry, stacks.open_stacks):
        with pytest.raises(stacks.EnvironmentProblemError, match="uvicorn"):
            start()


def test_formwork_itself_imports_no_name_from_a_package_that_leads_upwards():
    """Else modules would depend on each other in a circle, which the listed exceptions of the import contract hide."""
    upwards = ("contract", "generate", "package", "registry", "stacks")
    found = []
    for path in (REPOSITORY / "src" / "formwork").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module in {f"formwork.{name}" for name in upwards}:
                exported = NAMES[node.module].split()
                found += [f"{path}: {each.name}" for each in node.names if each.name in exported]
    assert found == []
