"""`cfn init` and `cfn generate` as a user runs them, on a terminal and off one."""

import json
import os
import pty
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

CFN = Path(sys.executable).with_name("cfn")
FULL = ("init", "-a", "RESOURCE", "-t", "Acme::Store::Thing", "python311", "--no-docker")


@pytest.fixture
def cfn(tmp_path):
    def run(*argv, cwd=tmp_path, **more):
        return subprocess.run(
            [CFN, *argv],
            cwd=cwd,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
            **more,
        )

    return run


def contents(root):
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def test_all_answers_as_options(cfn, tmp_path):
    shown = cfn(*FULL)
    assert shown.returncode == 0, shown.stderr
    assert shown.stdout == f"Initializing new project\nInitialized a new project in {tmp_path}\n"
    files = contents(tmp_path)
    assert files.keys() >= {
        ".rpdk-config",
        "acme-store-thing.json",
        "template.yml",
        "resource-role.yaml",
        "requirements.txt",
        "src/acme_store_thing/handlers.py",
        "src/acme_store_thing/models.py",
        "docs/README.md",
        "README.md",
        ".gitignore",
        "inputs/inputs_1_create.json",
    }
    config = json.loads(files[".rpdk-config"])
    assert (config["language"], config["runtime"]) == ("python311", "python3.11")
    assert config["settings"] == {"use_docker": False, "no_docker": True, "protocolVersion": "2.0.0"}
    assert not [name for name in files if name.endswith((".log", ".formwork-new"))]


def test_generating_changes_nothing(cfn, tmp_path):
    cfn(*FULL)
    before = contents(tmp_path)
    shown = cfn("generate")
    assert (shown.returncode, shown.stdout) == (0, "Generated files for Acme::Store::Thing\n"), shown.stderr
    assert contents(tmp_path) == before
    assert cfn("validate").stdout == "Resource schema is valid.\n"


def test_nothing_is_overwritten(cfn, tmp_path):
    handlers = tmp_path / "src" / "acme_store_thing" / "handlers.py"
    handlers.parent.mkdir(parents=True)
    handlers.write_text("mine")
    shown = cfn(*FULL)
    assert shown.returncode == 0
    assert handlers.read_text() == "mine"
    assert "kept: src/acme_store_thing/handlers.py" in shown.stderr
    before = contents(tmp_path)
    again = cfn(*FULL)
    assert again.returncode == 2
    assert "already" in again.stderr
    assert contents(tmp_path) == before
    assert cfn(*FULL, "--force").returncode == 0
    assert handlers.read_text() != "mine"


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (("init",), "-a RESOURCE"),
        (("init", "-a", "RESOURCE", "-t", "Aa::Bb::Cc"), "a language"),
        (("init", "-a", "widget"), "not a kind"),
        (("init", "-a", "r", "-t", "bad", "python311"), "not a valid resource type name"),
        (("init", "-a", "r", "-t", "Aa::Bb::Cc", "python37"), "use python312"),
        (("init", "-a", "r", "-t", "Aa::Bb::Cc", "cobol"), "is not a language"),
        (
            ("init", "-a", "h", "-t", "Aa::Bb::Cc", "python312", "--target-schemas", "http://x.example/s.json"),
            "not fetched",
        ),
        (("init", "--use-docker", "--no-docker"), "not allowed with"),
    ],
)
def test_usage_errors_write_nothing(cfn, tmp_path, argv, said):
    shown = cfn(*argv)
    assert shown.returncode == 2
    assert said in shown.stderr
    assert contents(tmp_path) == {}


def test_modules_and_hooks(cfn, tmp_path):
    for kind, name, expected in (
        ("module", "Aa::Bb::Mo", "fragments/sample.json"),
        ("hook", "Aa::Bb::Ho", "hook-role.yaml"),
    ):
        folder = tmp_path / kind
        folder.mkdir()
        shown = cfn("init", "-a", kind, "-t", name, *(["python312"] if kind == "hook" else []), cwd=folder)
        assert shown.returncode == 0, shown.stderr
        assert expected in contents(folder)
        before = contents(folder)
        assert cfn("validate", cwd=folder).returncode == 0
        assert cfn("generate", cwd=folder).returncode == 0
        assert {name: text for name, text in contents(folder).items() if name != "schema.json"} == before
        assert cfn("package", cwd=folder).returncode == 0


def test_an_existing_schema_is_used(cfn, tmp_path):
    schema = {
        "typeName": "Acme::Store::Thing",
        "description": "d",
        "properties": {"Colour": {"type": "string"}, "Id": {"type": "string"}},
        "primaryIdentifier": ["/properties/Id"],
        "readOnlyProperties": ["/properties/Id"],
        "additionalProperties": False,
    }
    (tmp_path / "acme-store-thing.json").write_text(json.dumps(schema))
    assert cfn(*FULL).returncode == 0
    assert "Colour" in (tmp_path / "src" / "acme_store_thing" / "models.py").read_text()
    assert json.loads((tmp_path / "acme-store-thing.json").read_text()) == schema


def test_a_read_only_folder(cfn, tmp_path):
    if os.geteuid() == 0:
        folder = Path("/proc/self/fdinfo")  # nobody writes there, not even root
        shown = cfn(*FULL, cwd=folder)
    else:
        folder = tmp_path / "locked"
        folder.mkdir(mode=0o500)
        shown = cfn(*FULL, cwd=folder)
    assert shown.returncode == 3
    assert "cannot write" in shown.stderr
    assert "Traceback" not in shown.stderr


def test_no_project_here(cfn):
    for command in ("generate", "package", "validate"):
        shown = cfn(command)
        assert shown.returncode == 1
        assert "cfn init" in shown.stdout + shown.stderr


class Terminal:
    """A pseudo-terminal with `cfn` on it."""

    def __init__(self, cwd, *argv):
        self.pid, self.file = pty.fork()
        if self.pid == 0:
            os.chdir(cwd)
            os.execv(CFN, [str(CFN), *argv])
        self.shown = ""

    def expect(self, text):
        deadline = time.monotonic() + 30
        while text not in self.shown:
            assert time.monotonic() < deadline, f"{text!r} was not shown, but {self.shown!r}"
            if select.select([self.file], [], [], 0.2)[0]:
                try:
                    self.shown += os.read(self.file, 4096).decode()
                except OSError:
                    assert text in self.shown, f"{text!r} was not shown, but {self.shown!r}"

    def type(self, text):
        os.write(self.file, text.encode())

    def ends(self):
        while select.select([self.file], [], [], 30)[0]:
            try:
                data = os.read(self.file, 4096)
            except OSError:
                break
            if not data:
                break
            self.shown += data.decode()
        _, status = os.waitpid(self.pid, 0)
        os.close(self.file)
        return os.waitstatus_to_exitcode(status)


def test_the_wizard(tmp_path):
    terminal = Terminal(tmp_path, "init")
    for question, answer in (
        ("resource(r)", "r\n"),
        ("Organization::Service::Resource", "Acme::Store::Thing\n"),
        ("[3] python311", "3\n"),
        ("Docker", "\n"),
        ("sample", "\n"),
    ):
        terminal.expect(question)
        terminal.type(answer)
    assert terminal.ends() == 0
    assert "Initialized a new project in" in terminal.shown
    assert json.loads((tmp_path / ".rpdk-config").read_text())["typeName"] == "Acme::Store::Thing"


def test_the_wizard_asks_before_it_replaces_settings(tmp_path):
    (tmp_path / ".rpdk-config").write_text("{}")
    terminal = Terminal(tmp_path, *FULL)
    terminal.expect("overwrite (y/N)?")
    terminal.type("\n")
    assert terminal.ends() == 1
    assert "aborted" in terminal.shown
    assert (tmp_path / ".rpdk-config").read_text() == "{}"
    terminal = Terminal(tmp_path, *FULL)
    terminal.expect("overwrite (y/N)?")
    terminal.type("y\n")
    assert terminal.ends() == 0
    assert (tmp_path / ".rpdk-config").read_text() != "{}"


@pytest.mark.parametrize(("key", "code"), [("\x03", 130), ("\x04", 2)], ids=["ctrl-c", "ctrl-d"])
def test_the_wizard_is_left(tmp_path, key, code):
    terminal = Terminal(tmp_path, "init")
    terminal.expect("resource(r)")
    terminal.type("r\n")
    terminal.expect("Organization::Service::Resource")
    terminal.type(key)
    assert terminal.ends() == code
    assert "Traceback" not in terminal.shown
    assert contents(tmp_path) == {}


def test_ctrl_c_at_any_moment(tmp_path):
    """A signal after any number of milliseconds: the project is whole or not there, and no traceback is shown."""
    seen, wholes = set(), set()
    for milliseconds in range(60, 420, 30):
        folder = tmp_path / str(milliseconds)
        folder.mkdir()
        process = subprocess.Popen([CFN, *FULL], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        time.sleep(milliseconds / 1000)
        process.send_signal(signal.SIGINT)
        _, shown = process.communicate(timeout=60)
        seen.add(process.returncode)
        wholes.add(frozenset(contents(folder)))
        if process.returncode in (0, 130):  # else Python itself was interrupted, before any of our code ran
            assert "Traceback" not in shown
    assert seen <= {0, 130, -signal.SIGINT, 1}
    assert 130 in seen
    assert len(wholes - {frozenset()}) <= 1


def test_a_schema_in_yaml(cfn, tmp_path):
    shown = cfn(*FULL, "--yaml")
    assert shown.returncode == 0, shown.stderr
    assert "model the type in acme-store-thing.yaml" in shown.stderr
    assert cfn("validate").stdout == "Resource schema is valid.\n"
    before = contents(tmp_path)
    assert cfn("generate").returncode == 0
    assert contents(tmp_path) == before
    again = cfn(*FULL, "--yaml", "--force")
    assert again.returncode == 0, again.stderr
    (tmp_path / ".rpdk-config").unlink()
    refused = cfn(*FULL, "--yaml")
    assert (refused.returncode, "acme-store-thing" in refused.stderr) == (2, True)
