"""A project in a folder as subjects: its inputs, its overrides, and the targets of a hook."""

import json

import pytest

from formwork.contract.project_subjects import expect_schema, load_subjects
from formwork.contract_results.coverage import FileCoverage, HandlerCoverage
from formwork.contract_results.report.coverage import coverage_line, coverage_to_json
from formwork.diagnostics import BadInputError
from formwork.documents import DocumentFormat, parse_document
from formwork.invoke import HandlerSession
from formwork.project import load_project
from formwork.schema.hook import build_hook_schema
from formwork.schema.resource import build_resource_schema

RESOURCE = {
    "typeName": "Acme::Input::Thing",
    "description": "d",
    "properties": {"Id": {"type": "string"}, "Name": {"type": "string"}},
    "readOnlyProperties": ["/properties/Id"],
    "primaryIdentifier": ["/properties/Id"],
    "additionalProperties": False,
    "handlers": {name: {"permissions": []} for name in ("create", "read", "update", "delete", "list")},
}
TARGETS = ["Acme::Known::Thing", "Acme::Given::Thing", "Acme::Strange::Thing", "Acme::*::Wild", "Acme::W?ld::Thing"]
HOOK = {
    "typeName": "Acme::Input::Guard",
    "description": "d",
    "typeConfiguration": {"properties": {}, "additionalProperties": False},
    "handlers": {"preCreate": {"targetNames": TARGETS, "permissions": []}},
    "additionalProperties": False,
}


@pytest.fixture
def load(tmp_path):
    """Loads a project of a schema, with files by their path."""

    def make(schema, files, **options):
        hook = "typeConfiguration" in schema
        kind, name = ("HOOK", "guard") if hook else ("RESOURCE", "thing")
        settings = {"artifact_type": kind, "typeName": schema["typeName"], "language": "python311"}
        settings |= {"runtime": "python3.11", "entrypoint": f"{name}.run", "testEntrypoint": f"{name}.test"}
        contents = {".rpdk-config": {**settings, "settings": {}}, f"acme-input-{name}.json": schema, **files}
        for path, value in contents.items():
            (tmp_path / path).parent.mkdir(exist_ok=True)
            (tmp_path / path).write_text(json.dumps(value))
        document = parse_document(json.dumps(schema), name="schema.json", format=DocumentFormat.JSON)
        built = build_hook_schema(document) if hook else build_resource_schema(document)
        return load_subjects(load_project(tmp_path), built, HandlerSession(None, schema["typeName"]), **options)

    return make


def codes(loaded):
    return [(str(each.severity), each.code) for each in loaded.diagnostics]


def test_each_input_set_is_a_subject(load):
    files = {
        f"inputs/inputs_{number}_{kind}.json": {"Name": f"n{number}"} if kind != "invalid" else {"Name": 5}
        for number in (1, 2)
        for kind in ("create", "update", "invalid")
    }
    loaded = load(RESOURCE, files, examples=7, seed=5)
    assert [name for name, _ in loaded.subjects] == ["inputs_1", "inputs_2"]
    assert [subject.examples for _, subject in loaded.subjects] == [7, 7]
    assert {subject.seed for _, subject in loaded.subjects} == {5}
    assert len({id(subject.memory) for _, subject in loaded.subjects}) == 1
    assert codes(loaded) == []


def test_without_inputs_they_are_generated_with_the_overrides(load):
    loaded = load(RESOURCE, {"overrides.json": {"CREATE": {"/Name": "chosen"}}})
    ((name, subject),) = loaded.subjects
    assert (name, codes(loaded)) == ("generated", [])
    assert subject.schema.type_name == "Acme::Input::Thing"
    assert subject.seed == 0


def test_overrides_beside_inputs_are_not_read_and_that_is_said(load):
    files = {"inputs/inputs_1_create.json": {"Name": "n"}, "overrides.json": {"CREATE": {"/Name": "chosen"}}}
    assert ("warning", "contract.overrides-ignored") in codes(load(RESOURCE, files))


def test_targets_of_a_hook_are_known_by_schema_or_by_input(load):
    known = {**RESOURCE, "typeName": "Acme::Known::Thing"}
    files = {
        "target-schemas/acme-known-thing.json": known,
        "inputs/inputs_1_pre_create.json": {"Acme::Given::Thing": {"resourceProperties": {"Name": "n"}}},
    }
    loaded = load(HOOK, files)
    ((name, subject),) = loaded.subjects
    assert name == "inputs_1"
    assert list(subject.known) == ["Acme::Known::Thing"]
    found = [each for each in loaded.diagnostics if each.code == "contract.hook-target"]
    assert [(str(each.severity), each.message) for each in found] == [
        ("warning", "nothing is known of the target Acme::Strange::Thing")
    ]
    assert found[0].location.pointer == "/handlers"


def test_many_unknown_targets_are_counted(load):
    handlers = {"preCreate": {"targetNames": [f"Acme::Thing::T{n}" for n in range(5)], "permissions": []}}
    (found,) = load({**HOOK, "handlers": handlers}, {}).diagnostics
    text = "nothing is known of the targets Acme::Thing::T0, Acme::Thing::T1, Acme::Thing::T2 and 2 more"
    assert found.message == text


@pytest.mark.parametrize(
    ("files", "code", "refused"),
    [
        ({"inputs/inputs_1_create.json": {"Acme::Given::Thing": {}}}, "contract.hook-input-kind", False),
        ({"inputs/inputs_1_pre_create.json": {"Acme::Given::Thing": "x"}}, "contract.hook-input", True),
        ({"inputs/inputs_1_pre_create.json": {"Acme::Given::Thing": {"Name": "n"}}}, "contract.hook-input", True),
    ],
)
def test_inputs_that_are_not_a_hooks(load, files, code, refused):
    if refused:
        with pytest.raises(BadInputError) as raised:
            load(HOOK, files)
        assert [each.code for each in raised.value.diagnostics if str(each.severity) == "error"] == [code]
    else:
        assert code in {each.code for each in load(HOOK, files).diagnostics}


def test_an_input_that_is_not_an_object_has_its_place(load):
    files = {f"inputs/inputs_1_{kind}.json": {"Name": "n"} for kind in ("update", "invalid")}
    with pytest.raises(BadInputError) as raised:
        load(RESOURCE, {**files, "inputs/inputs_1_create.json": ["n"]})
    found = next(each for each in raised.value.diagnostics if str(each.severity) == "error")
    assert found.code == "project.input-not-an-object"
    assert found.location.file.endswith("inputs_1_create.json")
    assert found.location.start.line == 1


def test_a_schema_without_an_identifier_cannot_be_tested(load, tmp_path):
    load(RESOURCE, {})
    schema = {**RESOURCE, "primaryIdentifier": []}
    (tmp_path / "acme-input-thing.json").write_text(json.dumps(schema))
    with pytest.raises(BadInputError):
        expect_schema(load_project(tmp_path))
    (tmp_path / "acme-input-thing.json").write_text(json.dumps(RESOURCE))
    assert expect_schema(load_project(tmp_path)).type_name == "Acme::Input::Thing"


def test_coverage_of_handlers_as_text_and_as_json():
    lines = frozenset(range(1, 11))
    files = (
        FileCoverage("src/acme_thing/handlers.py", lines, lines - {4, 5, 8}),
        FileCoverage("src/acme_thing/client.py", lines, lines),
    )
    assert coverage_to_json(HandlerCoverage(files)) == {
        "unmeasured": None,
        "percent": 85,
        "files": [
            {"file": "src/acme_thing/handlers.py", "percent": 70, "lines": 10, "run": 7, "neverRun": [[4, 5], [8, 8]]},
            {"file": "src/acme_thing/client.py", "percent": 100, "lines": 10, "run": 10, "neverRun": []},
        ],
    }
    assert coverage_line(HandlerCoverage(files)) == (
        "handler coverage: 85 % of 2 files; handlers.py 70 %, not run: 4-5, 8"
    )
    assert coverage_line(HandlerCoverage(files[:1])) == "handler coverage: 70 % of handlers.py, not run: 4-5, 8"
    unmeasured = HandlerCoverage(unmeasured="another language")
    assert coverage_to_json(unmeasured) == {"unmeasured": "another language", "percent": None, "files": []}
    assert coverage_line(unmeasured) == "handler coverage: not measured: another language"
