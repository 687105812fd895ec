"""A project in plain JavaScript, which needs Node and nothing else, on the local service."""

import json
import os
import time

import pytest

from formwork.diagnostics import BadInputError
from formwork.invoke.project_host.host import open_project_host
from formwork.invoke.project_host.settings import ProjectHostSettings
from formwork.languages.projects import ProjectRuntimes
from formwork.project import load_project
from support.toolchains import needs_node

pytestmark = needs_node

CONFIG = {
    "artifact_type": "RESOURCE",
    "typeName": "Acme::Store::Thing",
    "language": "typescript",
    "runtime": "nodejs99.x",
    "entrypoint": "src/handlers.entrypoint",
    "testEntrypoint": "src/handlers.testEntrypoint",
    "settings": {"protocolVersion": "2.0.0", "handler_library": "formwork"},
}
HANDLERS = "exports.entrypoint = async () => 1;\nexports.testEntrypoint = async () => process.env.LAMBDA_TASK_ROOT;\n"


@pytest.fixture
def root(tmp_path):
    root = tmp_path / "project"
    (root / "src").mkdir(parents=True)
    (root / ".rpdk-config").write_text(json.dumps(CONFIG))
    (root / "src" / "handlers.js").write_text(HANDLERS)
    return root


def open_host(root, said):
    settings = ProjectHostSettings(
        root.parent / "cache", root.parent, user_environment=dict(os.environ), note=said.append
    )
    return open_project_host(load_project(root), settings, ProjectRuntimes)


def test_a_change_of_the_sources_is_run_at_once(root):
    said = []
    with open_host(root, said) as host:
        assert host.invoke("TypeFunction", b"{}").body == b"1"
        folder = json.loads(host.invoke("TestEntrypoint", b"{}").body)
        assert not folder.startswith(str(root)), "the project's folder stays as it is"
        (root / "src" / "handlers.js").write_text(HANDLERS.replace("=> 1", "=> 22"))
        deadline = time.monotonic() + 10  # sources are looked at every now and then
        while host.invoke("TypeFunction", b"{}").body != b"22":
            assert time.monotonic() < deadline
            time.sleep(0.05)
    assert sum("nodejs99.x is not installed here" in line for line in said) == 1


def test_a_handler_that_the_build_does_not_have(root):
    (root / "src" / "handlers.js").rename(root / "src" / "others.js")
    with open_host(root, []) as host, pytest.raises(BadInputError, match=r"names src/handlers\.js"):
        host.invoke("TypeFunction", b"{}")
