"""Every project of the corpus loads."""

import json

from formwork.diagnostics import Severity
from formwork.documents import parse_document
from formwork.project import load_project, parse_config, render_config
from formwork.project.inputs import InputKind, load_input_sets
from formwork.project.overrides import load_overrides
from support.corpus import corpus_projects, needs_fixtures

PROJECTS = corpus_projects()


@needs_fixtures
def test_all_projects_load():
    for each in PROJECTS:
        project = load_project(each.root)
        assert (project.kind, project.type_name, project.language) == (each.kind, each.type_name, each.language)
        assert not [one for one in project.diagnostics if one.severity is Severity.ERROR]
    assert len(PROJECTS) >= 300


@needs_fixtures
def test_all_inputs_and_overrides_load():
    sets = values = 0
    broken = set()
    for each in PROJECTS:
        project = load_project(each.root)
        inputs = load_input_sets(project)
        overrides = load_overrides(project)
        found = (*inputs.diagnostics, *overrides.diagnostics)
        faults = [one for one in found if one.code != "project.export-unknown"]  # there are no stacks here to ask
        broken |= {each.root.name for one in faults if one.severity is Severity.ERROR}
        sets += len(inputs.sets)
        values += len(overrides.values)
    # These two hold `<name>` without quotes for the author to fill in: no JSON, and said so.
    assert broken == {"NewRelic-Alert-PolicyChannelAssociation", "NewRelic-Dashboard-Dashboard"}
    assert sets > 100
    assert values > 50


@needs_fixtures
def test_every_input_file_has_a_kind():
    for each in PROJECTS:
        for input_set in load_input_sets(load_project(each.root)).sets:
            assert input_set.documents.keys() <= set(InputKind)
            assert all(isinstance(one.value, dict) for one in input_set.documents.values())


@needs_fixtures
def test_configs_survive_being_written_again(tmp_path):
    for each in PROJECTS:
        project = load_project(each.root)
        text = render_config(project.config)
        config, _ = parse_config(parse_document(text, name=".rpdk-config"))
        assert config == project.config
        original = json.loads((each.root / ".rpdk-config").read_text(encoding="utf-8"))
        expected = {"artifact_type": "RESOURCE"} | original
        if not original.get("canarySettings", True):
            del expected["canarySettings"]
        assert json.loads(text) == expected
