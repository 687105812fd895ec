"""A TypeScript project from start to proof, as an author works on it."""

import json
import os
import subprocess
import time
import zipfile

import pytest

from support.commands import refuses
from support.serving import register, serving
from support.toolchains import needs_node
from support.typescript import CACHE, NPM

pytestmark = needs_node


class TypeScriptDesk:
    """Runs `cfn` with the cache that all tests of TypeScript share."""

    def __init__(self, desk):
        self._desk = desk

    def cfn(self, *words, cwd, env=None):
        return self._desk.cfn(*words, cwd=cwd, env={"FORMWORK_CACHE": str(CACHE), **NPM, **(env or {})}, timeout=300)

    def start(self, root, kind, *options):
        root.mkdir()
        name = "Acme::Store::Hook" if kind == "HOOK" else "Acme::Store::Thing"
        ended = self.cfn("init", "-a", kind, "-t", name, "typescript", "--no-docker", *options, cwd=root)
        assert ended.code == 0, str(ended)
        return root


@pytest.fixture
def ts(desk):
    return TypeScriptDesk(desk)


@pytest.fixture
def thing(ts, tmp_path):
    return ts.start(tmp_path / "thing", "RESOURCE", "--sample")


def npm(*words, cwd):
    environment = {**os.environ, **NPM}
    done = subprocess.run(["npm", *words], cwd=cwd, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def clauses(ended):
    report = json.loads(ended.out)
    return {each["id"]: each["state"] for each in report["clauses"]}


def test_a_sample_resource_is_proved_and_packaged(ts, thing):
    ended = ts.cfn("test", "--report", "json", cwd=thing)
    assert ended.code == 0, str(ended)
    verdicts = clauses(ended)
    assert sum(each == "proved" for each in verdicts.values()) > 50
    assert not [name for name, each in verdicts.items() if each == "violated"]
    assert not (thing / "node_modules").exists(), "the project's folder stays as it is"
    assert not (thing / "dist").exists()

    archives = []
    for _ in range(2):
        assert ts.cfn("package", cwd=thing).code == 0
        archives.append((thing / "acme-store-thing.zip").read_bytes())
    assert archives[0] == archives[1]
    with zipfile.ZipFile(thing / "acme-store-thing.zip") as archive:
        names = archive.namelist()
        assert {"schema.json", ".rpdk-config", "ResourceProvider.zip", "src/handlers.ts", ".cfn_metadata.json"} <= {
            *names
        }
        archive.extract("ResourceProvider.zip", thing)
    with zipfile.ZipFile(thing / "ResourceProvider.zip") as provider:
        names = provider.namelist()
        assert "dist/handlers.js" in names
        assert not [each for each in names if each.endswith(".ts") or each.startswith("node_modules/")]


@pytest.mark.acceptance  # its handlers share a folder with those of the Go sample, which must not run beside it
def test_the_registry_tests_what_is_submitted(ts, thing, tmp_path):
    """TestType runs the contract tests of a package in TypeScript, compiled, as it was registered."""
    ended = ts.cfn("submit", "--dry-run", cwd=thing)
    assert ended.code == 0, str(ended)
    content = (thing / "acme-store-thing.zip").read_bytes()
    with serving(tmp_path, "--ephemeral", forked=True) as server:
        client = server.client("cloudformation")
        arn = register(server, content=content)
        client.test_type(Arn=arn)
        end = time.monotonic() + 90
        while (found := client.describe_type(Arn=arn))["TypeTestsStatus"] == "IN_PROGRESS":
            assert time.monotonic() < end
            time.sleep(0.2)
        assert found["TypeTestsStatus"] == "PASSED", found["TypeTestsStatusDescription"]
        assert "clauses: " in found["TypeTestsStatusDescription"]


def test_a_sample_hook_is_proved(ts, tmp_path):
    ended = ts.cfn("test", "--report", "json", cwd=ts.start(tmp_path / "hook", "HOOK", "--sample"))
    assert ended.code == 0, str(ended)
    assert not [name for name, each in clauses(ended).items() if each == "violated"]


@pytest.mark.acceptance
def test_the_unit_tests_of_new_projects(ts, thing, tmp_path):
    npm("ci", "--no-audit", "--no-fund", cwd=thing)
    for number, (kind, options) in enumerate([("RESOURCE", ()), ("HOOK", ("--sample",))]):
        root = ts.start(tmp_path / str(number), kind, *options)
        (root / "node_modules").symlink_to(thing / "node_modules")
        assert "# fail 0" in npm("test", cwd=root)
    assert "# fail 0" in npm("test", cwd=thing)


def test_an_invocation_and_what_a_compiler_says(ts, thing):
    request = thing / "request.json"
    request.write_text(json.dumps({"desiredResourceState": {"Name": "none"}, "previousResourceState": None}))
    ended = ts.cfn("invoke", "resource", "READ", "request.json", cwd=thing)
    assert '"NotFound"' in ended.out, str(ended)
    ended = ts.cfn("invoke", "--function-name", "TestEntrypoint", "resource", "READ", "request.json", cwd=thing)
    assert "Traceback" not in ended.said

    handlers = thing / "src" / "handlers.ts"
    handlers.write_text(handlers.read_text().replace("Action.READ", "Action.REED"))
    ended = ts.cfn("invoke", "resource", "READ", "request.json", cwd=thing)
    refuses(ended, 1, "the TypeScript compiler failed", "src/handlers.ts(", "error TS2339", "REED")


def test_a_machine_without_node(ts, thing):
    ended = ts.cfn("test", cwd=thing, env={"FORMWORK_WITHOUT_TOOLCHAINS": "1"})
    refuses(ended, 3, "Node.js is not installed", "install Node.js")
    ended = ts.cfn("package", cwd=thing, env={"FORMWORK_WITHOUT_TOOLCHAINS": "1"})
    refuses(ended, 3, "Node.js is not installed")
    assert ts.cfn("generate", cwd=thing, env={"FORMWORK_WITHOUT_TOOLCHAINS": "1"}).code == 0


def test_no_network(ts, thing, tmp_path):
    env = {"FORMWORK_CACHE": str(tmp_path / "cache"), "npm_config_offline": "true"}
    env["npm_config_cache"] = str(tmp_path / "npm")
    refuses(ts.cfn("test", cwd=thing, env=env), 3, "npm can't install the packages", "needs the network")
