"""`cfn validate` as a user runs it."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

CFN = Path(sys.executable).with_name("cfn")

GOOD = {
    "typeName": "Aa::Bb::Cc",
    "description": "d",
    "properties": {"Id": {"type": "string", "description": "d"}},
    "handlers": {name: {"permissions": ["s3:GetObject"]} for name in ("create", "read", "delete", "list")},
    "primaryIdentifier": ["/properties/Id"],
    "readOnlyProperties": ["/properties/Id"],
    "additionalProperties": False,
    "tagging": {"taggable": False},
}


@pytest.fixture
def validate(tmp_path):
    def run(*argv, typed=None, **environment):
        return subprocess.run(
            [CFN, "validate", *argv],
            cwd=tmp_path,
            input=typed,
            env=os.environ | environment,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    return run


def test_no_project_here(validate):
    shown = validate()
    assert shown.returncode == 1
    assert "is not a project" in shown.stdout
    assert "cfn init" in shown.stdout
    assert shown.stderr == ""


def test_a_schema_file(validate, tmp_path):
    (tmp_path / "s.json").write_text(json.dumps(GOOD))
    shown = validate("s.json")
    assert (shown.returncode, shown.stdout, shown.stderr) == (0, "Resource schema is valid.\n", "")
    assert not list(tmp_path.glob("*.log"))


def test_broken_text_has_a_place(validate, tmp_path):
    (tmp_path / "s.json").write_text('{\n  "typeName": ,\n}')
    shown = validate("s.json", FORCE_COLOR="1", NO_COLOR="1")
    assert shown.returncode == 1
    assert "s.json:2:15" in shown.stdout
    assert "\x1b" not in shown.stdout
    assert "\x1b" in validate("s.json", FORCE_COLOR="1", NO_COLOR="").stdout


def test_json_format(validate, tmp_path):
    (tmp_path / "good.json").write_text(json.dumps(GOOD))
    (tmp_path / "bad.json").write_text("{")
    shown = validate("good.json", "bad.json", "--format", "json")
    assert shown.returncode == 1
    told = json.loads(shown.stdout)
    (diagnostic,) = told["diagnostics"]
    assert {"code", "severity", "message", "file", "line", "column", "pointer", "hint"} <= diagnostic.keys()
    assert (diagnostic["file"], diagnostic["line"], diagnostic["severity"]) == ("bad.json", 1, "error")
    assert [(each["path"], each["valid"]) for each in told["checked"]] == [("good.json", True), ("bad.json", False)]


@pytest.mark.parametrize(
    "text",
    [
        "[" * 10_000 + "]" * 10_000,
        "a: &a [x]\n" + "\n".join(f"b{n}: &b{n} [{', '.join([f'*b{n - 1}' if n else '*a'] * 9)}]" for n in range(12)),
        "{" + " " * (10 * 1024 * 1024) + "}",
        "\x00\x01",
        "a: b: c",
        "!!python/object/apply:os.system [echo hi]",
    ],
    ids=["depth", "alias-bomb", "size", "binary", "bad-yaml", "yaml-object"],
)
def test_hostile_input_is_told_quickly(validate, tmp_path, text):
    (tmp_path / "s.yaml").write_text(text)
    shown = validate("s.yaml")
    assert shown.returncode == 1
    assert "error[" in shown.stdout
    assert "bug" not in shown.stderr
    assert len(shown.stdout) < 10_000


@pytest.mark.parametrize(
    "schema",
    [
        {"properties": {"A": {"$ref": "#/properties/A"}}},
        {
            "properties": {"A": {"$ref": "#/definitions/B"}},
            "definitions": {"B": {"$ref": "#/definitions/C"}, "C": {"$ref": "#/definitions/B"}},
        },
        {
            "properties": {"A": {"$ref": "#/definitions/B"}},
            "definitions": {"B": {"properties": {"A": {"$ref": "#/definitions/B"}}}},
        },
    ],
    ids=["itself", "two", "recursive"],
)
def test_circular_references_end(validate, tmp_path, schema):
    (tmp_path / "s.json").write_text(json.dumps(GOOD | schema))
    shown = validate("s.json")
    assert shown.returncode in (0, 1)
    assert "bug" not in shown.stderr


def test_ctrl_c_at_any_moment(tmp_path):
    properties = {f"P{number}": {"type": "string", "pattern": "^[a-z]+$"} for number in range(20_000)}
    (tmp_path / "s.json").write_text(json.dumps(GOOD | {"properties": properties}))
    codes = set()
    for milliseconds in range(80, 500, 60):
        process = subprocess.Popen(
            [CFN, "validate", "s.json"], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        time.sleep(milliseconds / 1000)
        process.send_signal(signal.SIGINT)
        _, shown = process.communicate(timeout=60)
        if "Fatal Python error: init_" in shown:  # on a busy machine the interpreter itself has not started by then
            continue
        codes.add(process.returncode)
        if process.returncode in (0, 1, 130):
            assert "Traceback" not in shown
    assert 130 in codes


def test_unknown_options(validate):
    assert validate("--nonsense").returncode == 2
    assert validate("--format", "xml").returncode == 2


def test_chosen_warnings(validate, tmp_path):
    (tmp_path / "s.json").write_text(json.dumps({key: each for key, each in GOOD.items() if key != "tagging"}))
    assert "schema.tagging-missing" in validate("s.json").stdout
    assert validate("s.json", "--ignore", "schema.tagging-missing").stdout == "Resource schema is valid.\n"
    assert validate("s.json", "--select", "schema.long-enum,project").stdout == "Resource schema is valid.\n"


def test_for_machines(validate, tmp_path):
    (tmp_path / "s.json").write_text(json.dumps({**GOOD, "handler": {}}))
    shown = validate("s.json", "--format", "sarif")
    assert shown.returncode == 1
    assert json.loads(shown.stdout)["runs"][0]["results"][0]["ruleId"] == "schema.unknown-keyword"
    shown = validate("s.json", "--format", "github")
    assert shown.stdout.startswith("::error file=s.json,line=1,col=")


def test_mended(validate, tmp_path):
    (tmp_path / "s.json").write_text(json.dumps({**GOOD, "taggable": False}, indent=2))
    shown = validate("s.json", "--fix")
    assert (shown.returncode, shown.stdout) == (0, "Resource schema is valid.\n")
    assert shown.stderr == "fixed schema.taggable-deprecated at /taggable\n"
    assert (tmp_path / "s.json").read_text() == json.dumps(GOOD, indent=2)
    assert [path.name for path in tmp_path.iterdir()] == ["s.json"]


def test_values_against_the_schema(validate, tmp_path):
    configuration = {"properties": {"Key": {"type": "string"}}, "additionalProperties": False, "required": ["Key"]}
    (tmp_path / "s.json").write_text(json.dumps({**GOOD, "typeConfiguration": configuration}))
    (tmp_path / "m.yaml").write_text("Id: 3\n")
    (tmp_path / "c.json").write_text('{"Key": 12345678}')
    shown = validate("s.json", "--model", "m.yaml", "--configuration", "c.json")
    assert shown.returncode == 1
    assert "m.yaml:1:5  /Id" in shown.stdout
    assert "c.json:1:9  /Key" in shown.stdout
    assert "model.wrong-type" in shown.stdout
    assert "12345678" not in shown.stdout + shown.stderr  # anything in a configuration may be a secret
    (tmp_path / "m.yaml").write_text("Id: a\n")
    (tmp_path / "c.json").write_text('{"Key": "k"}')
    shown = validate("s.json", "--model", "m.yaml", "--configuration", "c.json")
    assert shown.returncode == 0


def test_standard_input(validate):
    shown = validate("-", typed=json.dumps(GOOD))
    assert (shown.returncode, shown.stdout, shown.stderr) == (0, "Resource schema is valid.\n", "")
    shown = validate("-", typed=json.dumps({**GOOD, "typeName": "Acme"}, indent=1))
    assert shown.returncode == 1
    assert "--> <stdin>:2:14  /typeName" in shown.stdout
    assert '2 |  "typeName": "Acme"' in shown.stdout
    for words in (["--fix", "-"], ["-", "."], ["-", "--model", "x.json"]):
        shown = validate(*words, typed="{}")
        assert shown.returncode == 2, words
        assert "standard input" in shown.stderr
