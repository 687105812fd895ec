"""Whatever is wrong, every command says so, ends with the right exit code, and leaves nothing half written."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from formwork.cli.main import COMMANDS
from support.commands import Ended, contents, refuses

# How each command is called in a project, with what it needs on its line.
LINES = {
    "validate": ["validate"],
    "generate": ["generate"],
    "invoke": ["invoke", "resource", "CREATE", "request.json"],
    "test": ["test", "--", "-k", "contract_create_delete"],
    "package": ["package"],
    "submit": ["submit", "--dry-run"],
    "serve": ["serve", "--port", "0"],
}
# What has lines of its own, because it works on no project, on one that was tested, or on a server.
ELSEWHERE = {
    "permissions",
    "init",
    "dev",
    "diff",
    "console",
    "docs",
    "lsp",
    "mcp",
    "hook",
    "module",
    "convert",
    "smithy",
    "registry",
    "stack",
    "worker",
    "completion",
}
IN_A_PROJECT = [pytest.param(line, id=name) for name, line in LINES.items() if name in COMMANDS]
READ_THE_SCHEMA = [each for each in IN_A_PROJECT if each.id != "serve"]
RUN_HANDLERS = [each for each in IN_A_PROJECT if each.id in {"invoke", "test"}]


def square(cases, lines):
    """Parameters `case` and `line`: each case and each line stand in the normal run, the whole square in the long one."""
    names, lines = list(cases), list(lines)
    steps = range(max(len(names), len(lines)))
    chosen = {(names[step % len(names)], lines[step % len(lines)].id) for step in steps}
    return [
        pytest.param(
            cases[name],
            line.values[0],
            id=f"{line.id}-{name}",
            marks=() if (name, line.id) in chosen else pytest.mark.slow,
        )
        for line in lines
        for name in names
    ]


CONFIG = ".rpdk-config"
SCHEMA = "acme-store-thing.json"
DEEP = 10_000


@pytest.mark.parametrize("line", [each for each in IN_A_PROJECT if each.id in {"generate", "package"}])
def test_a_language_that_nobody_speaks(desk, project, line):
    config = json.loads((project / CONFIG).read_text())
    (project / CONFIG).write_text(json.dumps({**config, "language": "cobol"}))
    before = contents(project)
    ended = desk.cfn(*line, cwd=project)
    assert ended.code in {1, 2}, str(ended)
    refuses(ended, ended.code, "cobol")
    assert contents(project) == before


def test_every_command_is_tried_here():
    assert set(COMMANDS) == set(LINES) | ELSEWHERE


@pytest.mark.parametrize("line", READ_THE_SCHEMA)  # `cfn serve` needs no project
def test_no_project_here(desk, tmp_path, line):
    refuses(desk.cfn(*line, cwd=tmp_path), 1, "project.not-found", "cfn init")
    assert contents(tmp_path) == {}


BROKEN_CONFIGS = {
    "cut-short": ('{"typeName": "Acme::Store::Thing",', "document.syntax"),
    "no-object": ("[]", "project."),
    "nul": ("\0", "document."),
    "empty": ("", "document."),
    "deep": ("[" * DEEP + "]" * DEEP, "document.too-deep"),
    "type-name": ('{"typeName": "Acme"}', "Acme"),
}


@pytest.mark.parametrize(("case", "line"), square(BROKEN_CONFIGS, IN_A_PROJECT))
def test_a_broken_config(desk, project, case, line):
    text, says = case
    (project / CONFIG).write_text(text)
    before = contents(project)
    refuses(desk.cfn(*line, cwd=project), 1, says)
    assert contents(project) == before


BOMB = "a: &a [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{new}: &{new} [*{old}, *{old}, *{old}, *{old}, *{old}, *{old}, *{old}, *{old}, *{old}, *{old}]\n"
    for old, new in zip("abcdefgh", "bcdefghi", strict=True)
)
BROKEN_SCHEMAS = {
    "cut-short": ('{"typeName": "Acme::Store::Thing", "properties": {', "document.syntax"),
    "trailing-comma": ('{"typeName": "Acme::Store::Thing",}', "document.syntax"),
    "empty": ("", "document."),
    "no-object": ("[1]", "schema."),
    "binary": ("\x00\x01\x02", "document."),
    "deep": ('{"properties": ' + '{"a": ' * DEEP + "1" + "}" * DEEP + "}", "document.too-deep"),
    "deep-array": ("[" * DEEP + "]" * DEEP, "document.too-deep"),
    "large": ('{"typeName": "' + "x" * 11_000_000 + '"}', "document.too-large"),
    "nan": ('{"typeName": NaN}', "document."),
    "twice": ('{"typeName": "Acme::Store::Thing", "typeName": "Acme::Store::Thing"}', "document.duplicate-key"),
}


@pytest.mark.parametrize(("case", "line"), square(BROKEN_SCHEMAS, READ_THE_SCHEMA))
def test_a_broken_schema(desk, project, case, line):
    text, says = case
    (project / SCHEMA).write_text(text)
    before = contents(project)
    refuses(desk.cfn(*line, cwd=project), 1, says)
    assert contents(project) == before


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (BOMB, "document.too-many-values"),
        ("a: &a [*a]\n", "document.cycle"),
        ("a: [1, 2\n", "document.syntax"),
        ("a: {b: {c: " * 4000, "document."),
        ("- " * DEEP, "document.too-deep"),
        ("!!python/object/apply:os.system ['true']\n", "document.unknown-tag"),
    ],
    ids=["alias-bomb", "alias-cycle", "cut-short", "deep-flow", "deep-block", "python-tag"],
)
def test_a_broken_yaml_schema(desk, tmp_path, text, says):
    (tmp_path / "schema.yaml").write_text(text)
    start = time.monotonic()
    refuses(desk.cfn("validate", "schema.yaml", cwd=tmp_path), 1, says)
    assert time.monotonic() - start < 10


BROKEN_TEMPLATES = {
    "bomb": BOMB,
    "cut-short": "Resources: [",
    "deep": "- " * DEEP,
    "no-object": "[]",
    "no-function": "Resources: {TypeFunction: 7}",
    "empty": "",
}


@pytest.mark.parametrize(
    ("case", "line"),
    square(BROKEN_TEMPLATES, [each for each in IN_A_PROJECT if each.id in {"invoke", "serve", "test"}]),
)
def test_a_broken_template(desk, project, case, line):
    (project / "template.yml").write_text(case)
    refuses(desk.cfn(*line, cwd=project), 1, "template.yml")


def schema_with(project, **changes):
    schema = json.loads((project / SCHEMA).read_text())
    for name, value in changes.items():
        schema[name] = {**schema.get(name, {}), **value} if isinstance(value, dict) else value
    (project / SCHEMA).write_text(json.dumps(schema))


CIRCLES = {
    "itself": {"Loop": {"$ref": "#/definitions/Loop"}},
    "each-other": {"Loop": {"$ref": "#/definitions/Back"}, "Back": {"$ref": "#/definitions/Loop"}},
    "combined": {
        "Loop": {"allOf": [{"$ref": "#/definitions/Back"}]},
        "Back": {"anyOf": [{"$ref": "#/definitions/Loop"}]},
    },
}


@pytest.mark.parametrize(("case", "line"), square(CIRCLES, READ_THE_SCHEMA))
def test_references_in_a_circle(desk, project, case, line):
    definitions = case
    schema_with(project, definitions=definitions, properties={"Loop": {"$ref": "#/definitions/Loop"}})
    ended = desk.cfn(*line, cwd=project)
    assert ended.code in {0, 1}, str(ended)
    refuses(ended, ended.code)
    if line[0] in {"validate", "generate"} and "$ref" in definitions["Loop"]:
        refuses(ended, 1, "Loop")


@pytest.mark.parametrize("line", [each for each in READ_THE_SCHEMA if each.id in {"validate", "generate"}])
def test_a_type_that_contains_itself_is_fine(desk, project, line):
    tree = {"type": "object", "properties": {"Left": {"$ref": "#/definitions/Tree"}}, "additionalProperties": False}
    schema_with(project, definitions={"Tree": tree}, properties={"Root": {"$ref": "#/definitions/Tree"}})
    assert desk.cfn(*line, cwd=project).code == 0


BAD_MODULES = {
    "does-not-parse": ("def broken(:\n", "yntax error"),
    "raises": ("raise RuntimeError('not on this planet')\n", "not on this planet"),
    "import-missing": ("import module_that_nobody_has\n", "module_that_nobody_has"),
    "exits": ("import sys\nsys.exit(7)\n", "exit"),
    "no-entry-point": ("resource = None\n", ""),
    "empty": ("", "resource"),
}


@pytest.mark.parametrize(("case", "line"), square(BAD_MODULES, RUN_HANDLERS))
def test_a_handler_module_that_does_not_import(desk, project, case, line):
    text, says = case
    (project / "src" / "acme_store_thing" / "handlers.py").write_text(text)
    refused = desk.cfn(*line, cwd=project)
    assert refused.code == 1, str(refused)
    assert "a bug in Formwork" not in refused.said
    assert says in refused.said, str(refused)
    if line[0] == "invoke":  # what the handler's own process says is its traceback, and goes through
        assert 'File "' + str(Path(sys.prefix)) not in refused.out


def test_the_entry_point_of_the_config_is_not_there(desk, project):
    (project / "template.yml").write_text(
        (project / "template.yml")
        .read_text()
        .replace("acme_store_thing.handlers.resource", "acme_store_thing.nowhere.x")
    )
    refused = desk.cfn(*LINES["invoke"], cwd=project)
    assert refused.code == 1, str(refused)
    assert "nowhere" in refused.said


@pytest.mark.parametrize("line", [each for each in IN_A_PROJECT if each.id in {"invoke", "package"}])
def test_a_dependency_that_cannot_be_had(desk, project, line):
    with (project / "requirements.txt").open("a") as file:
        file.write("formwork-no-such-distribution==99.0\n")
    before = contents(project)
    ended = desk.cfn(*line, cwd=project)
    assert ended.code in {1, 3}, str(ended)
    refuses(ended, ended.code, "formwork-no-such-distribution")
    assert contents(project) == before


@pytest.mark.parametrize("text", ["{", "[]", '{"desiredResourceState": 7}', "{}", "[" * DEEP, ""])
def test_a_broken_request(desk, project, text):
    (project / "request.json").write_text(text)
    refuses(desk.cfn(*LINES["invoke"], cwd=project), 1, "request.json")


def test_a_missing_request(desk, project):
    refuses(desk.cfn("invoke", "resource", "CREATE", "nowhere.json", cwd=project), 1, "nowhere.json")


@pytest.mark.parametrize("text", ["{", "[]", "[" * DEEP])
@pytest.mark.parametrize(
    "line", [["test"], *(["invoke", "resource", "CREATE", "request.json"],)], ids=["test", "invoke"]
)
def test_a_broken_type_configuration(desk, project, line, text):
    (project / "configuration.json").write_text(text)
    refuses(desk.cfn(line[0], "--typeconfig", "configuration.json", *line[1:], cwd=project), 1, "configuration.json")


BROKEN_INPUTS = {"open": "{", "cut-short": '{"Name": ', "deep": "[" * DEEP, "number": "7", "braces": '{{"a": 1}}'}


@pytest.mark.parametrize(
    ("case", "line"), square(BROKEN_INPUTS, [each for each in IN_A_PROJECT if each.id in {"validate", "test"}])
)
def test_a_broken_input(desk, project, case, line):
    (project / "inputs" / "inputs_1_create.json").write_text(case)
    refuses(desk.cfn(*line, cwd=project), 1, "inputs_1_create.json")


def test_a_missing_input_is_named(desk, project):
    (project / "inputs" / "inputs_2_update.json").unlink()
    refused = desk.cfn(*LINES["test"], cwd=project)
    assert "inputs_2_update.json" in refused.said, str(refused)


def test_a_port_in_use(desk, project):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        refuses(desk.cfn("serve", "--port", port, cwd=project), 3, str(port))


@pytest.mark.parametrize(
    "words",
    [
        ["nonsense"],
        ["validate", "--nonsense"],
        ["invoke", "resource", "DANCE", "request.json"],
        ["invoke"],
        ["serve", "--port", "many"],
        ["serve", "--port", "99999"],
        ["init", "-a", "CASTLE", "-t", "Acme::Store::Thing", "python311"],
        ["init", "-a", "RESOURCE", "-t", "Acme", "python311"],
        ["init", "-a", "RESOURCE", "-t", "Acme::Store::Thing", "cobol"],
        ["test", "--enforce-timeout", "soon"],
    ],
    ids=" ".join,
)
def test_words_that_make_no_sense(desk, project, words):
    before = contents(project)
    refuses(desk.cfn(*words, cwd=project), 2)
    assert contents(project) == before


def test_an_endpoint_where_nobody_answers(desk, project):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    for line in (LINES["invoke"], LINES["test"]):
        refuses(desk.cfn(line[0], "--endpoint", f"http://127.0.0.1:{port}", *line[1:], cwd=project), 3, str(port))


# A folder that cannot be written to. Root may write anywhere that permissions forbid, so a file stands where a folder
# is needed, and a file system that takes no files from anybody stands in for a read-only one.
BLOCKED = {
    "generate-docs": (["generate"], "docs"),
    "generate-models": (["generate"], "src/acme_store_thing/models.py"),
    "package": (["package"], "acme-store-thing.zip"),
    "submit": (["submit", "--dry-run"], "acme-store-thing.zip"),
}


@pytest.mark.parametrize(("line", "place"), BLOCKED.values(), ids=BLOCKED)
def test_something_stands_where_a_file_or_folder_is_needed(desk, project, line, place):
    block(project / place)
    before = contents(project)
    refuses(desk.cfn(*line, cwd=project), 3, Path(place).name)
    assert contents(project) == before


def block(path):
    """A folder where a file is needed, a file where a folder is."""
    if path.is_dir():
        for inner in sorted(path.rglob("*"), reverse=True):
            inner.rmdir() if inner.is_dir() else inner.unlink()
        path.rmdir()
        path.write_text("in the way")
    else:
        path.unlink(missing_ok=True)
        path.mkdir()
        (path / "in-the-way").write_text("")


def test_a_folder_that_takes_no_files(desk):
    if not Path("/proc/self").is_dir():
        pytest.skip("no /proc here to stand in for a read-only folder")
    line = ["init", "-a", "RESOURCE", "-t", "Acme::Store::Thing", "python311"]
    refuses(desk.cfn(*line, cwd="/proc"), 3)


@pytest.fixture
def read_only_project(project):
    """The project on a read-only mount where this machine lets us, else with permissions taken where they count."""
    if os.geteuid() != 0:
        for path in (project, *(each for each in project.rglob("*") if each.is_dir())):
            path.chmod(0o555)
        yield project
        for path in (project, *(each for each in project.rglob("*") if each.is_dir())):
            path.chmod(0o755)
        return
    mounted = subprocess.run(["mount", "--bind", project, project], capture_output=True, check=False)
    if mounted.returncode:
        pytest.skip("root ignores permissions, and may not mount here")
    try:
        subprocess.run(["mount", "-o", "remount,ro,bind", project], check=True, capture_output=True)
        yield project
    finally:
        subprocess.run(["umount", project], check=True, capture_output=True)


@pytest.mark.parametrize("line", [each for each in IN_A_PROJECT if each.id in {"package", "submit"}])
def test_a_read_only_project(desk, read_only_project, line):
    refuses(desk.cfn(*line, cwd=read_only_project), 3, "ead-only")


@pytest.mark.parametrize("line", [each for each in IN_A_PROJECT if each.id in {"validate", "invoke", "test"}])
def test_what_writes_nothing_works_in_a_read_only_project(desk, read_only_project, line):
    ended = desk.cfn(*line, cwd=read_only_project)
    assert ended.code == 0, str(ended)


INTERRUPTED = {name: line for name, line in LINES.items() if name in COMMANDS} | {
    "invoke": ["invoke", "resource", "LIST", "request.json"],
    "init": ["init", "-a", "RESOURCE", "-t", "Acme::Other::Thing", "--sample", "python311", "--no-docker"],
}


SLOWLY = pytest.param((0.05, 0.2, 0.3, 0.5, 0.6, 0.7, 0.8, 0.95), marks=pytest.mark.slow)


@pytest.mark.parametrize("parts", [(0.6,), SLOWLY])
@pytest.mark.parametrize("name", INTERRUPTED)
def test_ctrl_c_in_the_middle(desk, project, tmp_path, name, parts):
    """At several moments of the run: the command says that it was interrupted, and nothing is half written."""
    where = project
    if name == "init":
        where = tmp_path / "new"
        where.mkdir()
    before = contents(where)
    clean = complete(desk, name, where, before)
    for part in parts:
        moment = 0.1 + max(clean.seconds - 0.1, 0.02) * part
        for _ in range(10):
            ended = interrupt(desk, name, where, moment)
            now = contents(where)
            assert now in (before, clean.contents), f"half written: {difference(before, now)}\n{ended}"
            restore(where, before)
            if ended.code == 130:
                break
            # Too late, or before there was a program to tell: look for the middle from where it was.
            moment *= 0.7 if ended.code == 0 else 1.3
        assert ended.code == 130, f"no moment was in the middle: {ended}"


def interrupt(desk, name, where, moment):
    """Start the command, press Ctrl-C after `moment` seconds; how it ended, with nothing of it left running."""
    process = desk.start(*INTERRUPTED[name], cwd=where)
    time.sleep(moment)
    os.killpg(process.pid, signal.SIGINT)
    try:
        out, err = process.communicate(timeout=30)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        out, err = process.communicate()
        pytest.fail(f"cfn {name} goes on 30 s after Ctrl-C:\n{out}\n{err}")
    ended = Ended(tuple(INTERRUPTED[name]), process.returncode, out, err)
    assert ended.code in {130, 0, -signal.SIGINT}, f"after {moment:.2f} s: {ended}"
    assert ended.code == -signal.SIGINT or "Traceback" not in ended.said, f"after {moment:.2f} s: {ended}"
    assert no_child_of(process.pid), f"after {moment:.2f} s a process of {name} lives on"
    return ended


class complete:
    """One run to its end: how long it takes, and what it leaves."""

    def __init__(self, desk, name, where, before):
        start = time.monotonic()
        if name == "serve":
            process = desk.start(*INTERRUPTED[name], cwd=where)
            assert process.stdout.readline().startswith("ready ")
            self.seconds = time.monotonic() - start + 0.2
            os.killpg(process.pid, signal.SIGINT)
            process.communicate(timeout=30)
        else:
            ended = desk.cfn(*INTERRUPTED[name], cwd=where)
            assert ended.code == 0, str(ended)
            self.seconds = time.monotonic() - start
        self.contents = contents(where)
        restore(where, before)


def restore(folder, before):
    for path in sorted(folder.rglob("*"), reverse=True):
        if "__pycache__" in path.parts:
            continue
        name = str(path.relative_to(folder))
        if name not in before:
            path.unlink() if path.is_file() else (path.rmdir() if not any(path.iterdir()) else None)
    for name, data in before.items():
        if data is None:
            (folder / name).mkdir(exist_ok=True)
        else:
            (folder / name).write_bytes(data)


def difference(before, now):
    return sorted(name for name in before.keys() | now.keys() if before.get(name, 0) != now.get(name, 0))


def no_child_of(group):
    """Whether the process group is gone; a handler's processes may take a moment."""
    for _ in range(50):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.1)
    return False
