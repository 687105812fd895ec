"""`cfn submit` and `cfn registry` as a user runs them, against the registry on this machine."""

import io
import json
import socket

import pytest

from formwork.cli.main import main
from formwork.command_context.output import CommandOutput
from support.commands import Desk, Ended, copy_project, refuses
from support.handler_projects import write_json
from support.serving import serving

ARN = "arn:aws:cloudformation:us-east-1:123456789012:type/resource/Acme-Store-Thing"


class Office(Desk):
    """A desk whose registry is its own."""

    def __init__(self, home, state):
        super().__init__(home)
        self._state = state

    @property
    def environment(self):
        return {**super().environment, "FORMWORK_STATE": str(self._state)}


@pytest.fixture
def office(desk, tmp_path):
    return Office(desk.home, tmp_path / "state")


@pytest.fixture(scope="module")
def running(tmp_path_factory):
    """A server for the whole file."""
    with serving(tmp_path_factory.mktemp("registry"), forked=True) as server:
        yield server
        server.stop()


@pytest.fixture
def counter(desk, running, monkeypatch):
    """A desk at the running server's registry."""
    office = Office(desk.home, running.folder / "state")
    for name, value in office.environment.items():
        monkeypatch.setenv(name, value)
    return office


def cfn(monkeypatch, cwd, *words):
    """Run `cfn` in this process, which spares its start."""
    out, err = io.StringIO(), io.StringIO()
    monkeypatch.chdir(cwd)
    words = tuple(map(str, words))
    return Ended(
        words, main(words, CommandOutput(out, err, colour=False, interactive=False)), out.getvalue(), err.getvalue()
    )


@pytest.fixture
def thing(sample_project, tmp_path):
    return copy_project(sample_project, tmp_path / "thing")


def test_without_a_server_the_registry_is_there_all_the_same(office, thing):
    ended = office.cfn("submit", "--local", cwd=thing)
    assert ended.code == 0, str(ended)
    token, arn, version = ended.out.splitlines()
    assert token.startswith("Registration token: ")
    assert (arn, version) == (f"Type ARN: {ARN}", f"Version ARN: {ARN}/00000001")
    assert "uploaded: s3://formwork-packages-123456789012-us-east-1/acme-store-thing-" in ended.err
    described = office.cfn("registry", "describe", "--local", "--format", "json", cwd=thing)
    assert json.loads(described.out)["DefaultVersionId"] == "00000001", str(described)


def test_with_a_server(counter, running, thing, tmp_path, monkeypatch):
    """All verbs that need no long run, one after the other, in a project and by name."""
    ended = counter.cfn("submit", "--local", "--set-default", cwd=thing)
    assert ended.code == 0, str(ended)
    assert "version 00000001 is now the default version" in ended.err
    monkeypatch.setenv("AWS_ENDPOINT_URL", running.url)  # the same as --endpoint-url
    ended = cfn(monkeypatch, thing, "submit", "--region", "us-east-1", "--no-role")
    monkeypatch.delenv("AWS_ENDPOINT_URL")
    assert ended.code == 0, str(ended)
    assert "the default version is still 00000001; `cfn submit --set-default` makes it 00000002" in ended.err

    def registry(*words, cwd=tmp_path):
        done = cfn(monkeypatch, cwd, "registry", *words, "--local")
        assert done.code == 0, str(done)
        return done

    assert registry("set-default", "2", cwd=thing).err == "version 00000002 is now the default version\n"
    assert registry("list", "--kind", "resource").out.splitlines()[1].split()[:3] == [
        "Acme::Store::Thing",
        "resource",
        "00000002",
    ]
    assert registry("list", "--prefix", "Other::").err == "no types found\n"
    rows = registry("versions", "Acme::Store::Thing").out.splitlines()
    assert [row.split()[:2] for row in rows[2:]] == [["00000002", "default"]]
    assert json.loads(registry("describe", ARN, "--schema").out)["typeName"] == "Acme::Store::Thing"
    assert registry("deregister", ARN, "--all").err.splitlines() == ["deregistered version 00000001", "deregistered"]
    assert "DEPRECATED" in registry("describe", ARN).out
    absent = cfn(monkeypatch, tmp_path, "registry", "describe", "Acme::No::Such", "--local")
    refuses(absent, 1, "TypeNotFoundException")
    unwritten = cfn(monkeypatch, tmp_path, "registry", "logs", ARN, "--local")
    refuses(unwritten, 1, 'log group "acme-store-thing…" not found')


def test_configurations_are_shown_masked(counter, tmp_path, monkeypatch):
    root = tmp_path / "guard"
    root.mkdir()
    assert counter.cfn("init", "-a", "HOOK", "-t", "Acme::Store::Guard", "python311", "--no-docker", cwd=root).code == 0
    schema = json.loads((root / "acme-store-guard.json").read_text(encoding="utf-8"))
    schema["typeConfiguration"] = {"properties": {"ApiKey": {"type": "string"}}, "additionalProperties": False}
    write_json(root / "acme-store-guard.json", schema)
    for words in (["generate"], ["submit", "--local"]):
        ended = cfn(monkeypatch, root, *words)
        assert ended.code == 0, str(ended)
    hook = {"TargetStacks": "ALL", "FailureMode": "WARN", "Properties": {"ApiKey": "canary-4711"}}
    value = {"CloudFormationConfiguration": {"HookConfiguration": hook}}
    configure = ("registry", "configure", "--local")
    write_json(tmp_path / "configuration.json", value)
    ended = cfn(monkeypatch, root, *configure, "--file", tmp_path / "configuration.json")
    assert ended.code == 0, str(ended)
    assert ended.out.strip().endswith(":type-configuration/hook/Acme-Store-Guard/default")
    shown = cfn(monkeypatch, root, *configure, "--format", "json")
    assert shown.code == 0, str(shown)
    assert "canary" not in shown.said
    configuration = json.loads(shown.out)["Configuration"]["CloudFormationConfiguration"]["HookConfiguration"]
    assert (configuration["TargetStacks"], configuration["FailureMode"]) == ("ALL", "WARN")
    (tmp_path / "broken.json").write_text("{", encoding="utf-8")
    refuses(cfn(monkeypatch, root, *configure, "--file", tmp_path / "broken.json"), 1, "is not valid JSON")


def test_a_registration_that_fails(counter, thing, monkeypatch):
    handlers = thing / "src" / "acme_store_thing" / "handlers.py"
    handlers.write_text("import nothing_that_there_is\n", encoding="utf-8")
    ended = cfn(monkeypatch, thing, "submit", "--local", "--region", "eu-west-1")
    refuses(ended, 1, "the registration of Acme::Store::Thing failed", "nothing_that_there_is")
    assert ended.out.startswith("Registration token: ")


def test_a_module_s_schema_follows_its_fragment(counter, tmp_path, monkeypatch):
    root = tmp_path / "shelf"
    root.mkdir()
    assert cfn(monkeypatch, root, "init", "-a", "MODULE", "-t", "Acme::Store::Shelf::MODULE").code == 0
    [fragment] = (root / "fragments").iterdir()
    write_json(fragment, {"Resources": {"Queue": {"Type": "AWS::SQS::Queue", "Properties": {"DelaySeconds": 5}}}})
    ended = cfn(monkeypatch, root, "submit", "--local")
    assert ended.code == 0, str(ended)
    schema = json.loads((root / "schema.json").read_text(encoding="utf-8"))
    assert "Queue" in schema["properties"]["Resources"]["properties"]


def test_nobody_answers(counter, thing, monkeypatch):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    ended = cfn(monkeypatch, thing, "registry", "list", "--endpoint-url", f"http://127.0.0.1:{port}")
    refuses(ended, 3, f"nothing answers at http://127.0.0.1:{port}")


def test_without_credentials_nothing_is_built(office, thing):
    ended = office.cfn("submit", "--region", "us-east-1", cwd=thing, env={"AWS_EC2_METADATA_DISABLED": "true"})
    refuses(ended, 3, "no AWS credentials are found", "`cfn submit --local` registers on this machine")
    assert "packaged" not in ended.said


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (["submit", "--role-arn", "me", "--local"], 2, '"me" is not the ARN of a role'),
        (["submit", "--role-arn", "x", "--no-role"], 2, "not allowed with argument"),
        (["submit", "--local", "--endpoint-url", "http://x"], 2, "not allowed with argument"),
        (["submit", "--use-docker", "--local"], 2, "packages are built without Docker"),
        (["submit", "--endpoint-url", "nowhere", "--dry-run"], 0, ""),
        (["registry", "describe", "--endpoint-url", "nowhere"], 2, 'invalid endpoint "nowhere"'),
        (["registry", "fly"], 2, 'VERB is "fly"'),
        (["registry", "set-default", "Acme::Store::Thing", "x", "--local"], 2, "is not a version"),
        (["registry", "describe", "nonsense", "--local"], 2, '"nonsense" is not a type name'),
        (["registry", "activate", "Acme::Store::Thing", "--local"], 2, "--publisher"),
        (["registry", "logs", "--lines", "0", "--local"], 2, "is not a number of lines"),
    ],
)
def test_words_that_make_no_sense(thing, monkeypatch, capsys, tmp_path, *, words, code, says):
    monkeypatch.chdir(thing)
    monkeypatch.setenv("FORMWORK_STATE", str(tmp_path / "state"))
    with serving_note(tmp_path / "state"):
        assert main(words) == code
    assert says in capsys.readouterr().err


def serving_note(state):
    """A server that is said to run, so that none is started for a command that must not get that far."""
    import contextlib

    state.mkdir(exist_ok=True)
    (state / "lock").write_text('{"address": "http://127.0.0.1:9"}', encoding="utf-8")
    return contextlib.nullcontext()


def test_outside_a_project_a_type_must_be_named(monkeypatch, capsys, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("FORMWORK_STATE", str(tmp_path / "state"))
    with serving_note(tmp_path / "state"):
        assert main(["registry", "versions", "--local"]) == 2
    assert "missing type" in capsys.readouterr().err
