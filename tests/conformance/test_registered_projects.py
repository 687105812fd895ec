"""Every project of the corpus, packaged with its own schema: what AWS's registry takes, ours takes too."""

import pytest

from formwork.extensions import ExtensionKind
from formwork.registry.proofs import Proof
from support.corpus import corpus_projects, needs_fixtures
from support.registry import HERE, open_desk, zipped

EVERY = 10


def package(project):
    """The project's config and schema, or fragment, with handlers that nobody runs."""
    members = {".rpdk-config": (project.root / ".rpdk-config").read_bytes()}
    if project.kind == "MODULE":
        members["schema.json"] = (project.root / "schema.json").read_bytes()
        found = [each for each in (project.root / "fragments").rglob("*") if each.is_file()]
        return members | {each.relative_to(project.root).as_posix(): each.read_bytes() for each in found}
    members["ResourceProvider.zip"] = zipped({"handlers": ""})
    members["schema.json"] = project.schema_path.read_bytes()
    return members


def refused(tmp_path, projects):
    """The descriptions of those that are refused, by project; how many were registered."""
    desk = open_desk(tmp_path / "state", prove=lambda _request: Proof(passed=True, summary="not run"))
    found, count = {}, 0
    for project in projects:
        try:
            content = zipped(package(project))
        except FileNotFoundError:  # a project whose generated files are not committed
            continue
        token = desk.submit(content, project.type_name, ExtensionKind(project.kind))
        status = desk.registry.describe_type_registration(HERE, token)
        count += 1
        if status.status != "COMPLETE":
            found[project.id] = status.description
    desk.close()
    return found, count


@needs_fixtures
def test_some_projects_are_registered(tmp_path):
    found, count = refused(tmp_path, corpus_projects()[::EVERY])
    assert found == {}
    assert count >= 25


@needs_fixtures
@pytest.mark.slow
def test_all_projects_are_registered(tmp_path):
    found, count = refused(tmp_path, corpus_projects())
    assert found == {}
    assert count >= 290
