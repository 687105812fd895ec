"""A Go project from start to proof, as an author works on it."""

import json
import zipfile
from pathlib import Path

import pytest

from formwork.invoke.project_host.host import open_project_host
from formwork.invoke.project_host.settings import ProjectHostSettings
from formwork.languages.projects import ProjectRuntimes
from formwork.project import load_project
from support import golang
from support.commands import refuses
from support.toolchains import needs_go


class GoDesk:
    """Runs `cfn` with Go's own caches, and no network."""

    def __init__(self, desk, cache):
        self._desk = desk
        self._cache = cache

    def cfn(self, *words, cwd, **more):
        environment = {**golang.caches(), "GOPROXY": "off", "FORMWORK_CACHE": str(self._cache), **more}
        return self._desk.cfn(*words, cwd=cwd, env=environment, timeout=300)

    def start(self, root, kind, *options):
        root.mkdir()
        name = "Acme::Store::Hook" if kind == "HOOK" else "Acme::Store::Thing"
        ended = self.cfn("init", "-a", kind, "-t", name, *options, "go", cwd=root)
        assert ended.code == 0, str(ended)
        return root


@pytest.fixture
def go(desk, tmp_path):
    return GoDesk(desk, tmp_path / "cache")


@pytest.fixture
def thing(go, tmp_path):
    return go.start(tmp_path / "thing", "RESOURCE", "--sample", "--import-path", "example.com/acme/thing")


def clauses(ended):
    report = json.loads(ended.out)
    return {each["id"]: each["state"] for each in report["clauses"]}


@pytest.mark.acceptance
@needs_go
def test_a_sample_resource_is_proved_and_packaged(go, thing):
    before = {each for each in thing.rglob("*") if each.is_file()}
    ended = go.cfn("test", "--report", "json", cwd=thing)
    assert ended.code == 0, str(ended)
    verdicts = clauses(ended)
    assert sum(each == "proved" for each in verdicts.values()) > 50
    assert "violated" not in verdicts.values()
    assert {each for each in thing.rglob("*") if each.is_file()} == before, "the project's folder stays as it is"
    golang.go("vet", "./...", folder=thing)
    golang.go("test", "./...", folder=thing)

    archives = []
    for refresh in ((), ("--refresh",)):
        ended = go.cfn("package", *refresh, cwd=thing)
        assert ended.code == 0, str(ended)
        archives.append((thing / "acme-store-thing.zip").read_bytes())
    assert archives[0] == archives[1]
    check_package(thing)


def check_package(root):
    with zipfile.ZipFile(root / "acme-store-thing.zip") as archive:
        names = {*archive.namelist()}
        assert {"schema.json", ".rpdk-config", "handler.zip", "Makefile", "cmd/main.go", ".cfn_metadata.json"} <= names
        assert "internal/cfn/start.go" in names
        archive.extract("handler.zip", root)
    with zipfile.ZipFile(root / "handler.zip") as provider:
        (program,) = provider.infolist()
        assert program.filename == "bootstrap"
        assert program.external_attr >> 16 & 0o111, "Lambda starts it"
        assert provider.read(program)[:5] == b"\x7fELF\x02"
        assert str(root).encode() not in provider.read(program), "a path of this machine"


@needs_go
def test_a_sample_hook_is_proved(go, tmp_path):
    root = go.start(tmp_path / "hook", "HOOK", "--sample")
    ended = go.cfn("test", "--report", "json", cwd=root)
    assert ended.code == 0, str(ended)
    verdicts = clauses(ended)
    assert sum(each == "proved" for each in verdicts.values()) > 8
    assert "violated" not in verdicts.values()
    golang.go("vet", "./...", folder=root)
    golang.go("test", "./...", folder=root)


@needs_go
def test_stubs_compile_and_say_that_they_are_stubs(go, tmp_path):
    root = go.start(tmp_path / "stub", "RESOURCE")
    golang.go("vet", "./...", folder=root)
    golang.go("test", "./...", folder=root)
    assert golang.unformatted(root) == []
    (root / "request.json").write_text('{"desiredResourceState": {"Name": "x"}}')
    ended = go.cfn("invoke", "resource", "CREATE", "request.json", cwd=root)
    assert "the Create handler is not written yet" in ended.said, str(ended)
    hook = go.start(tmp_path / "hook", "HOOK")
    golang.go("vet", "./...", folder=hook)
    golang.go("test", "./...", folder=hook)
    assert golang.unformatted(hook) == []


@needs_go
def test_what_does_not_compile_is_said_in_the_compilers_words(go, thing):
    source = thing / "cmd" / "resource" / "resource.go"
    text = source.read_text()
    source.write_text(text + "\nfunc broken() int { return undefinedName }\n")
    refuses(go.cfn("test", cwd=thing), 1, "cmd/resource/resource.go:", "undefined: undefinedName")
    refuses(go.cfn("package", cwd=thing), 1, "undefined: undefinedName")
    (thing / "go.mod").unlink()
    refuses(go.cfn("test", cwd=thing), 1, "there is no go.mod")


@needs_go
def test_a_change_of_the_source_is_seen(go, thing):
    request = thing / "request.json"
    request.write_text('{"desiredResourceState": {"Name": "nowhere"}}')
    ended = go.cfn("invoke", "resource", "READ", "request.json", cwd=thing)
    assert "was not found" in ended.said, str(ended)
    source = thing / "cmd" / "resource" / "resource.go"
    source.write_text(
        source.read_text().replace("return cfn.NotFound(TypeName, name)", 'return cfn.InvalidRequest("now otherwise")')
    )
    ended = go.cfn("invoke", "resource", "READ", "request.json", cwd=thing)
    assert "now otherwise" in ended.said, str(ended)


@needs_go
def test_models_that_an_older_schema_made_are_told(go, thing):
    path = thing / "acme-store-thing.json"
    path.write_text(path.read_text().replace('"Title"', '"Heading"'))
    ended = go.cfn("test", "--", "-k", "nothing", cwd=thing)
    assert "cmd/resource/model.go is not what the schema makes of it" in ended.said, str(ended)


def test_without_go_it_is_said_what_to_install(go, thing):
    for command in ("test", "package"):
        refuses(go.cfn(command, cwd=thing, FORMWORK_WITHOUT_TOOLCHAINS="1"), 3, "Go is not installed", "install Go")


@needs_go
def test_the_test_entry_point_takes_requests_without_an_envelope(thing, tmp_path):
    settings = ProjectHostSettings(cache=tmp_path / "cache", home=tmp_path, user_environment=golang.environment())
    desired = {"action": "READ", "request": {"clientRequestToken": "t", "desiredResourceState": {"Name": "nowhere"}}}
    with open_project_host(load_project(thing), settings, ProjectRuntimes) as host:
        answer = json.loads(host.invoke("TestEntrypoint", json.dumps(desired).encode()).body)
        refused = json.loads(host.invoke("TypeFunction", json.dumps(desired).encode()).body)
    assert (answer["status"], answer["errorCode"]) == ("FAILED", "NotFound")
    assert refused["errorCode"] == "InvalidRequest"


@needs_go
def test_a_debugger_is_started_in_front(go, thing, tmp_path):
    (thing / "request.json").write_text('{"desiredResourceState": {"Name": "nowhere"}}')
    words = ("invoke", "-d", "56789", "resource", "READ", "request.json")
    refuses(go.cfn(*words, cwd=thing, PATH=str(Path(golang.executable()).parent)), 3, "Delve is not installed")
    delve = tmp_path / "bin" / "dlv"
    delve.parent.mkdir()
    delve.write_text('#!/bin/sh\necho "$@" >&2\nfor last; do :; done\nexec "$last"\n')
    delve.chmod(0o755)
    ended = go.cfn(*words, cwd=thing, PATH=f"{delve.parent}:{Path(golang.executable()).parent}:/usr/bin:/bin")
    assert "--listen=127.0.0.1:56789 exec /" in ended.said, str(ended)
    assert "was not found" in ended.said, str(ended)


# As aws-sdk-go v1 calls AWS: Go's own client, the service's own host.
OLD_SDK = """package resource

import (
	"log"
	"net/http"
)

func init() {
	answer, err := http.Post("https://sqs.us-east-1.amazonaws.com/?Action=ListQueues&Version=2012-11-05", "text/plain", nil)
	if err != nil {
		log.Fatal(err)
	}
	log.Print("AWS answered ", answer.Status)
}
"""


@needs_go
@pytest.mark.slow
def test_a_call_of_a_go_sdk_that_knows_no_endpoint_arrives_or_is_told(go, thing):
    (thing / "cmd" / "resource" / "old.go").write_text(OLD_SDK)
    (path,) = thing.glob("acme-*.json")
    schema = json.loads(path.read_text(encoding="utf-8"))
    schema["handlers"]["list"]["permissions"] = ["sqs:ListQueues"]
    path.write_text(json.dumps(schema), encoding="utf-8")
    words = ("test", "--report", "json", "--", "-k", "contract_create_read")
    ended = go.cfn(*words[:1], "--aws", "moto", *words[1:], cwd=thing)
    assert ended.code == 0, str(ended)
    assert "refused a call" not in ended.err, str(ended)
    ended = go.cfn(*words, cwd=thing)
    assert ended.code == 1, str(ended)
    assert ended.err.count("refused a call of the handlers to sqs.us-east-1.amazonaws.com") == 1, str(ended)


@needs_go
def test_an_import_path_that_ends_in_a_slash_is_generated_and_packaged(go, thing):
    config = thing / ".rpdk-config"
    value = json.loads(config.read_text(encoding="utf-8"))
    value["settings"]["import_path"] = value["settings"]["import_path"].rstrip("/") + "/"
    config.write_text(json.dumps(value), encoding="utf-8")
    before = {path: path.read_bytes() for path in thing.rglob("*.go")}
    made = go.cfn("generate", cwd=thing)
    assert made.code == 0, str(made)
    assert {path: path.read_bytes() for path in thing.rglob("*.go")} == before
    packaged = go.cfn("package", cwd=thing)
    assert packaged.code == 0, str(packaged)
