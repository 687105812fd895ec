"""The table of real projects: what is read of checkouts, how failures are judged, what the page says."""

import json

import pytest
from bench.real_projects.made_up import exports, setup_template, template, type_configuration
from bench.real_projects.maven import maven_options
from bench.real_projects.page import write_page
from bench.real_projects.projects import LIST, listed_projects
from bench.real_projects.running import run
from bench.real_projects.verdicts import OPEN, judge

SCHEMA = {
    "typeName": "Acme::Store::Thing",
    "description": "A thing.",
    "properties": {"Name": {"type": "string"}},
    "primaryIdentifier": ["/properties/Name"],
    "additionalProperties": False,
    "typeConfiguration": {
        "type": "object",
        "properties": {"Key": {"type": "string"}},
        "required": ["Key"],
        "additionalProperties": False,
    },
}
COMMIT = "0" * 40


@pytest.fixture
def project(tmp_path):
    root = tmp_path / "acme+things" / "thing"
    (root / "inputs").mkdir(parents=True)
    config = {"artifact_type": "RESOURCE", "typeName": "Acme::Store::Thing", "language": "python39"}
    (root / ".rpdk-config").write_text(json.dumps(config))
    (root / "acme-store-thing.json").write_text(json.dumps(SCHEMA))
    (root / "inputs" / "inputs_1_create.json").write_text('{"Name": "{{Table}}"}')
    (found,) = listed_projects(tmp_path, f"# them\nacme/things {COMMIT} thing\nacme/absent {COMMIT} .\n")
    return found


def test_a_project_is_read_as_it_is(project):
    assert (project.id, project.owner, project.kind, project.language) == (
        "acme/things/thing",
        "acme",
        "RESOURCE",
        "python",
    )
    assert exports(project) == {"Table": "made-up-0"}
    assert isinstance(type_configuration(project)["Key"], str)
    text, _ = template(project)
    assert json.loads(text)["Resources"]["It"] == {"Type": "Acme::Store::Thing", "Properties": {"Name": "made-up-0"}}
    (project.root / "inputs" / "inputs_2_create.json").write_text('{"Name": "{{PublicKeyOfTests}}"}')
    assert exports(project)["PublicKeyOfTests"].startswith("ssh-ed25519 ")


def test_what_a_project_shows_of_its_configuration_and_set_up_is_taken(project):
    assert setup_template(project) is None
    config = json.loads((project.root / ".rpdk-config").read_text())
    (project.root / ".rpdk-config").write_text(json.dumps({**config, "artifact_type": "HOOK"}))
    (project.root / "test").mkdir()
    (project.root / "test" / "setup.yml").write_text("Resources: {}\n")
    (hook,) = listed_projects(project.checkout.parent, f"acme/things {COMMIT} thing\n")
    assert setup_template(hook) == project.root / "test" / "setup.yml"
    assert _of_hook(type_configuration(hook)) == {}
    shown = {
        "CloudFormationConfiguration": {"HookConfiguration": {"TargetStacks": "ALL", "Properties": {"Least": "1"}}}
    }
    (project.root / "README.md").write_text(f"For example:\n```\n{json.dumps(shown, indent=2)}\n```\n")
    assert _of_hook(type_configuration(hook)) == {"Least": "1"}


def _of_hook(configuration):
    return configuration["CloudFormationConfiguration"]["HookConfiguration"]["Properties"]


def test_the_list_names_enough_projects_and_owners():
    lines = [each.split() for each in LIST.read_text().splitlines() if not each.startswith("#")]
    assert all(len(commit) == 40 for _, commit, _ in lines)
    assert len(lines) >= 60
    assert len({repository.partition("/")[0] for repository, _, _ in lines}) >= 15


def test_maven_is_told_where_the_library_on_jitpack_is_otherwise(tmp_path):
    assert maven_options(tmp_path).startswith(f"-Dmaven.repo.local={tmp_path / 'm2'} --add-opens")
    folder = tmp_path / "m2/com/github/everit-org/json-schema/org.everit.json.schema/1.11.0"
    assert "<artifactId>everit-json-schema</artifactId>" in (folder / "org.everit.json.schema-1.11.0.pom").read_text()


def test_a_command_ends_with_what_it_started(tmp_path):
    ran = run(["sh", "-c", "sleep 60 & echo said; sleep 60"], cwd=tmp_path, env={}, seconds=0.5, log=tmp_path / "log")
    assert ran.code is None
    assert ran.text == "said\n"


def record(passed=True, text="", code=0, **more):
    return {"passed": passed, "code": code, "seconds": 1, "text": text, **more}


def test_failures_without_a_verdict_stay_open():
    known = judge("acme/things", "package", record(False, "git clone https://github.com/x/y did not run", 1))
    assert known.whose == "machine"
    assert judge("acme/things", "package", record(False, "something new", 1)).whose == OPEN
    assert judge("acme/things", "package", record(False, "", None)).whose == "machine"


def test_the_page_tells_what_generate_changed(project, tmp_path):
    found = [{"clause": "create.applied", "message": "failed with 0123-abcd"}]
    other = [{"clause": "create.applied", "message": "a dict was expected"}]
    same = [{"clause": "create.applied", "message": "failed with 4567-ef01"}]
    results = tmp_path / "results"
    results.mkdir()
    steps = {each: record() for each in ("validate", "generate", "package", "submit", "stack")}
    for after, expected in (
        (same, "| ok | ok | - | - | failed (1) |"),
        (other, "| ok | failed (1) | - | - | failed (2) |"),
    ):
        steps["test"] = record(False, violated=["create.applied"], findings=found, code=1)
        steps["test-after"] = record(False, violated=["create.applied"], findings=after, code=1)
        (results / f"{project.key}.json").write_text(json.dumps({"steps": steps}))
        assert write_page([project], results, tmp_path / "page.md") == 1
        assert expected in (tmp_path / "page.md").read_text()
