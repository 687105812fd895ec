"""`formwork.contract` from outside."""

import json

import pytest

from formwork import contract, generate
from formwork.schema import load_resource_schema
from formwork.simulate import Simulator
from support.corpus import REPOSITORY

NAME = "Acme::Store::Thing"
SOME = ["contract_create_read", "contract_delete_read"]
SCHEMA = {
    "typeName": NAME,
    "description": "A thing.",
    "properties": {"Name": {"type": "string"}, "Secret": {"type": "string", "minLength": 8}},
    "required": ["Name", "Secret"],
    "primaryIdentifier": ["/properties/Name"],
    "writeOnlyProperties": ["/properties/Secret"],
    "tagging": {"taggable": False},
    "additionalProperties": False,
    "handlers": {name: {"permissions": []} for name in ("create", "read", "delete", "list")},
}


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    root = tmp_path_factory.mktemp("project") / "thing"
    generate.write_plan(generate.plan_new_project(NAME, language="python312", sample=True), root)
    return root


def simulated():
    return Simulator(load_resource_schema(SCHEMA).schema)


def test_handlers_that_keep_the_contract(tmp_path, silent):
    path = tmp_path / "thing.json"
    path.write_text(json.dumps(SCHEMA))
    for source in (SCHEMA, json.dumps(SCHEMA), path):
        report = contract.prove_handlers(simulated(), source)
        assert (report.type_name, report.passed, report.findings, report.leftovers) == (NAME, True, (), ())
        assert any(each.state is contract.ClauseState.PROVED for each in report.clauses)
        assert "clauses: " in report.text
        assert report.to_json()["passed"] is True


def test_the_same_seed_sends_the_same(silent):
    sent = []
    for seed in (1, 1, 2):
        models = []
        handlers = simulated()

        def listening(event, context, handlers=handlers, models=models):
            models.append((event["action"], event["requestData"]["resourceProperties"]))
            return handlers(event, context)

        assert contract.prove_handlers(listening, SCHEMA, tests=SOME, seed=seed).seed == seed
        sent.append(models)
    assert sent[0] == sent[1] != sent[2]


def test_a_finding_without_secrets(silent):
    secrets = []
    handlers = simulated()

    def leaking(event, context):
        answer = handlers(event, context)
        model = event["requestData"]["resourceProperties"]
        if event["action"] == "CREATE" and "Secret" in model:
            secrets.append(model["Secret"])
            answer["resourceModel"]["Secret"] = model["Secret"]
        return answer

    report = contract.prove_handlers(leaking, SCHEMA, tests=SOME)
    assert not report.passed
    (finding,) = (each for each in report.findings if each.clause == "event.writeonly")
    assert finding.severity == "violation"
    assert set(finding.tests) <= set(SOME)
    assert finding.exchanges
    told = f"{report} {json.dumps(report.to_json())} {report.text}"
    assert secrets
    assert not any(json.dumps(each)[1:-1] in told for each in secrets)


def test_a_project_in_processes_and_in_this_one(project, tmp_path, silent):
    report = contract.prove_project(project, tests=SOME, cache=tmp_path)
    assert report.passed
    assert any("handler library" in each for each in report.notes)
    tests = {each["name"] for each in report.to_json()["tests"]}
    assert tests == {f"{name}[inputs_{number}]" for name in SOME for number in (1, 2, 3)}
    schema = load_resource_schema(project / "acme-store-thing.json").schema
    assert contract.prove_project(project, handlers=Simulator(schema), tests=SOME).passed


def test_a_hooks_project(tmp_path, silent):
    hook = generate.plan_new_project(
        "Acme::Store::Hook", language="python312", kind=generate.ExtensionKind.HOOK, sample=True
    )
    generate.write_plan(hook, tmp_path / "hook")
    report = contract.prove_project(tmp_path / "hook", cache=tmp_path / "cache")
    assert report.passed
    assert any(each.clause.startswith("hook.") for each in report.clauses)


def test_hosts_that_no_rule_allows_are_noted(tmp_path, silent):
    root = tmp_path / "thing"
    generate.write_plan(generate.plan_new_project(NAME, language="python312", sample=True), root)
    handlers = root / "src" / "acme_store_thing" / "handlers.py"
    call = "import urllib.request\ntry:\n    urllib.request.urlopen('http://api.example.com/')\nexcept OSError:\n    pass\n"
    handlers.write_text(handlers.read_text().replace("import logging\n", f"import logging\n{call}", 1) + f"\n{call}")
    report = contract.prove_project(root, tests=SOME[:1], cache=tmp_path / "cache")
    assert any("api.example.com" in each for each in report.notes)


def test_an_aws_that_only_a_command_starts(project, tmp_path, silent):
    import shutil

    shutil.copytree(project, tmp_path / "thing")
    (tmp_path / "thing" / "egress.yml").write_text("aws: moto\n")
    with pytest.raises(contract.UsageError, match="moto"):
        contract.prove_project(tmp_path / "thing", tests=SOME)


def test_configurations(silent):
    schema = {**SCHEMA, "typeConfiguration": {"properties": {"Url": {"type": "string"}}, "additionalProperties": False}}
    seen = []
    handlers = Simulator(load_resource_schema(schema).schema)

    def listening(event, context):
        seen.append(event["requestData"].get("typeConfiguration"))
        return handlers(event, context)

    assert contract.prove_handlers(listening, schema, configuration={"Url": "x"}, tests=SOME).passed
    assert {json.dumps(each) for each in seen} == {'{"Url": "x"}'}
    with pytest.raises(contract.BadInputError):
        contract.prove_handlers(listening, schema, configuration={"Uri": "x"})


def test_what_cannot_be_tested(project, tmp_path, silent):
    with pytest.raises(contract.UsageError, match="contract_nothing"):
        contract.prove_project(project, tests=["contract_nothing"])
    with pytest.raises(contract.BadInputError, match="not a project"):
        contract.prove_project(tmp_path)
    with pytest.raises(contract.BadInputError):
        contract.prove_handlers(simulated(), {"typeName": NAME})
    with pytest.raises(contract.UsageError, match="module"):
        contract.prove_project(REPOSITORY / "examples" / "log-table")
