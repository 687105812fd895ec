"""The contract tests in an author's own run: the project and its handlers are named by options, or in pytest.ini."""

import json
import sys

import pytest

from support.contract_pytest import SUITE, run_pytest
from support.hooks import hook_schema, target_schema
from support.shapes import generated

# The handlers keep the contract; `calls` is what they were asked.
RESOURCE = """
import json
from pathlib import Path
from formwork.documents import DocumentFormat, parse_document
from formwork.schema.resource import build_resource_schema
from formwork.simulate import Simulator

text = (Path(__file__).parents[1] / "acme-own-thing.json").read_text()
simulator = Simulator(build_resource_schema(parse_document(text, name="x.json", format=DocumentFormat.JSON)), seed=1)
calls = []

def resource(event, context):
    calls.append(event)
    return simulator(event, context)

run = resource
"""
HOOK = """
calls = []

def resource(event, context):
    calls.append(event)
    if not event["requestData"]["targetName"].startswith("Acme::"):
        return {"hookStatus": "FAILED", "errorCode": "UnsupportedTarget", "message": "unknown"}
    return {"hookStatus": "SUCCESS", "message": "fine", "clientRequestToken": event["clientRequestToken"]}
"""
CREATE = ("-k", "contract_create_read and not additional and not readonly")


@pytest.fixture
def project(tmp_path, request):
    """A project in a folder, and the name of a module that only this test imports."""
    module = f"handlers_of_{request.node.name.partition('[')[0]}"
    write(
        tmp_path,
        "RESOURCE",
        "thing",
        {**generated().value, "typeName": "Acme::Own::Thing"},
        module=module,
        source=RESOURCE,
    )
    path = list(sys.path)
    yield tmp_path, module
    sys.path[:] = path
    sys.modules.pop(module, None)


def write(folder, kind, name, schema, *, module, source):
    settings = {"artifact_type": kind, "typeName": schema["typeName"], "language": "python311", "settings": {}}
    settings |= {"runtime": "python3.11", "entrypoint": f"{name}.run", "testEntrypoint": f"{name}.test"}
    (folder / ".rpdk-config").write_text(json.dumps(settings))
    (folder / f"acme-own-{name}.json").write_text(json.dumps(schema))
    (folder / "src").mkdir(exist_ok=True)
    (folder / "src" / f"{module}.py").write_text(source)


def run(*words, **options):
    return run_pytest("-p", "formwork.contract.plugin", *words, **options)


def of_project(folder, handler, *words):
    return run("--contract-project", str(folder), "--contract-handler", handler, *words)


def sent(module):
    return [each["requestData"]["resourceProperties"] for each in sys.modules[module].calls]


def test_the_handlers_of_a_project_are_tested_and_reported_on_by_clause(project):
    folder, module = project
    done = of_project(folder, f"{module}:resource", *CREATE)
    assert done.code == 0, done.text
    assert "1 passed" in done.text
    assert "Acme::Own::Thing" in done.text
    assert "\u2713 create.applied" in done.text
    assert sent(module)


def test_a_handler_without_a_name_is_called_resource(project):
    folder, module = project
    assert of_project(folder, module, *CREATE).code == 0
    assert sent(module)


def test_the_seed_chooses_the_inputs(project):
    folder, module = project
    found = []
    for seed in ("1", "1", "2"):
        assert of_project(folder, f"{module}:run", "--contract-seed", seed, *CREATE).code == 0
        found.append(sent(module)[0])
        sys.modules[module].calls.clear()
    assert found[0] == found[1] != found[2]


def test_options_of_pytest_ini_are_as_good(project, tmp_path):
    folder, module = project
    own = (SUITE / "pytest.ini").read_text()
    (tmp_path / "pytest.ini").write_text(f"{own}contract_project = {folder}\ncontract_handler = {module}:run\n")
    done = run("-c", str(tmp_path / "pytest.ini"), *CREATE)
    assert done.code == 0, done.text
    assert sent(module)


def test_without_a_project_or_handlers_nothing_is_tested(project):
    folder, module = project
    for words in (("--contract-project", str(folder)), ("--contract-handler", f"{module}:run")):
        done = run(*words, "-p", "no:warnings", *CREATE)
        assert done.code != 0
        assert "\u2713" not in done.text
        assert module not in sys.modules


@pytest.mark.parametrize(
    ("handler", "why"), [("{}:nothing", "nothing"), ("no_such_module_of_handlers:run", "no_such_module_of_handlers")]
)
def test_handlers_that_are_not_found_are_an_error_of_usage(project, handler, why, capsys):
    folder, module = project
    named = handler.format(module)
    assert of_project(folder, named).code == pytest.ExitCode.USAGE_ERROR
    told = capsys.readouterr().err
    assert f"--contract-handler {named}: " in told
    assert why in told


def test_a_project_that_cannot_be_loaded_is_an_error_of_usage(project, capsys):
    folder, module = project
    (folder / "acme-own-thing.json").write_text('{"typeName": "Acme::Own::Thing", "properties": 3}')
    (folder / "src" / f"{module}.py").write_text("resource = print")
    assert of_project(folder, module).code == pytest.ExitCode.USAGE_ERROR
    assert "3 has the wrong type" in capsys.readouterr().err


def test_the_options_are_explained(project):
    text = " ".join(run("--help").text.split())
    for each in (
        *("handler contract:", "--contract-project=FOLDER", "--contract-handler=MODULE:NAME", "--contract-seed=N"),
        *("contract_project (string)", "contract_handler (string)"),
    ):
        assert each in text


def test_a_hook_is_tested_with_its_configuration_s_defaults(project):
    folder, module = project
    (folder / "acme-own-thing.json").unlink()
    schema = hook_schema(targets=["Acme::Store::Box"], Level={"type": "string", "default": "high"}).value
    write(folder, "HOOK", "guard", {**schema, "typeName": "Acme::Own::Guard"}, module=module, source=HOOK)
    (folder / "target-schemas").mkdir()
    (folder / "target-schemas" / "box.json").write_text(json.dumps(target_schema("Acme::Store::Box").value))
    done = of_project(folder, module, "-k", "contract_pre_create")
    assert done.code == 0, done.text
    assert "Acme::Own::Guard" in done.text
    calls = sys.modules[module].calls
    assert {each["requestData"]["targetName"] for each in calls} >= {"Acme::Store::Box"}
    assert {each["hookTypeName"] for each in calls} == {"Acme::Own::Guard"}
    assert all('"Level": "high"' in json.dumps(each) for each in calls)
