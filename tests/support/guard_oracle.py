"""cfn-guard, the program, as the oracle of Guard evaluations: its statuses and failed checks in the form of ours.

The program is the one that FORMWORK_CFN_GUARD names, or the crate `cfn-guard` of a fixed version, built once by cargo.
"""

import functools
import json
import os
import shutil
import subprocess
import tarfile
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from formwork.documents import load_document
from support.corpus import REPOSITORY
from support.installations import CACHE
from support.toolchains import must_be_complete

DATA = REPOSITORY / "tests" / "data" / "guard"
SAME, NEWEST = "3.2.0", "3.2.1"  # the release that the evaluator in cloudformation-validate 1.14 has; the one after it
PUBLIC = "@cdklabs/cdk-validator-cfnguard", "0.0.62"  # Apache-2.0: the rules of AWS Control Tower's proactive controls


@functools.cache
def oracle(version):
    """The path of the program; skips the test where it can't be had."""
    if named := os.environ.get("FORMWORK_CFN_GUARD"):
        said = subprocess.run([named, "--version"], check=True, capture_output=True, text=True, timeout=60).stdout
        if said.split()[-1] == version:
            return named
    root = CACHE / f"cfn-guard-{version}"
    program = root / "bin" / "cfn-guard"
    cargo = shutil.which("cargo") or shutil.which("cargo", path=str(Path.home() / ".cargo" / "bin"))
    if not program.exists() and cargo is not None:
        subprocess.run(  # two minutes, once
            [cargo, "install", "cfn-guard", "--version", version, "--locked", "--root", str(root)],
            check=False,
            capture_output=True,
            timeout=1800,
            env={**os.environ, "PATH": f"{Path(cargo).parent}{os.pathsep}{os.environ['PATH']}"},
        )
    if program.exists():
        return str(program)
    return _missing(f"cfn-guard {version}: install Rust's cargo, or set FORMWORK_CFN_GUARD to the program")


@functools.cache
def public_rules():
    """The files of rules in a public package, fetched once with npm; skips the test where it can't be had."""
    package, version = PUBLIC
    folder = CACHE / f"guard-rules-{version}"
    npm = shutil.which("npm")
    if not folder.exists() and npm is not None:
        folder.parent.mkdir(parents=True, exist_ok=True)
        packed = subprocess.run(
            [npm, "pack", "--silent", f"{package}@{version}"],
            check=False,
            capture_output=True,
            text=True,
            timeout=300,
            cwd=folder.parent,
        )
        if packed.returncode == 0:
            archive = folder.parent / packed.stdout.split()[-1]
            with tarfile.open(archive) as members:
                rules = [each for each in members if each.name.endswith(".guard")]
                members.extractall(folder, members=rules, filter="data")
            archive.unlink()
    return sorted(folder.rglob("*.guard")) if folder.exists() else _missing(f"{package}: install Node with npm")


def own_rules():
    """The files of rules that are written here."""
    return sorted((DATA / "rules").glob("*.guard"))


def own_templates():
    """The templates that are written here: name → value."""
    files = sorted((DATA / "templates").iterdir())
    return {each.stem: load_document(each, short_tags=True).value for each in files}


def _missing(what):
    message = f"needs {what}"
    if must_be_complete():
        pytest.fail(message)
    pytest.skip(message)


@dataclass
class OracleVerdict:
    """`statuses` by rule; `checks` are lists of alternatives that failed, as (rule, resource, path, message, context)."""

    statuses: dict = field(default_factory=dict)
    checks: list = field(default_factory=list)


def ask_oracle(program, rules, documents, folder):
    """The verdict on each document (name → value), None for one that the program refuses to evaluate.

    `rules` is a file; `folder` is for the documents.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for name, value in documents.items():
        (folder / f"{name}.json").write_text(json.dumps(value, ensure_ascii=False), encoding="utf-8")
    words = ["validate", "--rules", str(rules), "--structured", "--output-format", "json", "--show-summary", "none"]
    asked = subprocess.run(
        [program, *words, "--data", *(str(folder / f"{name}.json") for name in documents)],
        check=False,
        capture_output=True,
        text=True,
        timeout=300,
    )
    try:
        found = json.loads(asked.stdout)
    except ValueError:  # one of the documents ends the program
        if len(documents) == 1:
            return dict.fromkeys(documents)
        return {
            key: each
            for name in documents
            for key, each in ask_oracle(program, rules, {name: documents[name]}, folder).items()
        }
    return {Path(each["name"]).stem: _verdict(each) for each in found}


def _verdict(report):
    verdict = OracleVerdict()
    for member, status in (("compliant", "PASSED"), ("not_applicable", "SKIPPED")):
        for rule in report[member]:
            verdict.statuses.setdefault(rule, set()).add(status)
    for each in report["not_compliant"]:
        rule = each["Rule"]["name"]
        verdict.statuses.setdefault(rule, set()).add("FAILED")
        for check in each["Rule"]["checks"]:
            verdict.checks += _alternatives(rule, check, None)
    return verdict


def _alternatives(rule, check, message):
    ((kind, found),) = check.items()
    if kind == "Rule":
        inner = (found.get("messages") or {}).get("custom_message") or message
        return [each for one in found["checks"] for each in _alternatives(rule, one, inner)]
    if kind == "Disjunctions":
        return [[each for one in found["checks"] for many in _alternatives(rule, one, message) for each in many]]
    if kind == "Block":
        return [[_check(rule, found, found["unresolved"], message, "")]]
    ((_, clause),) = found.items()
    return [[_check(rule, clause, clause["check"], message, clause["context"])]]


def _check(rule, found, check, message, context):
    own = (found.get("messages") or {}).get("custom_message")
    resource, path = _place(_path(check))
    if not context and isinstance(key := (check or {}).get("Resolved", {}).get("from", {}).get("value"), str):
        resource = key  # a filter of keys: the value is the name of the resource
    return (rule, resource, path, (own or message or "").strip() or None, " ".join(context.split()))


def _path(check):
    """The path of the value that a check failed at."""
    if not isinstance(check, dict):
        return ""
    if "path" in check:
        return check["path"]
    for member in ("Resolved", "UnResolved", "InResolved", "value", "traversed_to", "from"):
        if isinstance(check.get(member), dict):
            return _path(check[member])
    return ""


def _place(path):
    parts = path.split("/")
    if parts[:2] != ["", "Resources"] or len(parts) < 3:
        return None, None
    return parts[2], ".".join(parts[3:]) or None


def differences(verdict, asked):
    """What our verdict and that of the program say differently, a line each; `asked` is the program's."""
    statuses = {rule: _strongest(found) for rule, found in asked.statuses.items()}
    ours = dict(verdict.rules)
    for rule in sorted(ours.keys() | statuses.keys()):
        if ours.get(rule) != statuses.get(rule):
            yield f"{rule}: {ours.get(rule)}, cfn-guard says {statuses.get(rule)}"
    found = {(each.rule, each.resource, each.path, each.message) for each in verdict.findings}
    known = {check for alternatives in asked.checks for check in alternatives}
    for alternatives in asked.checks:
        if not any(_is_same(one, check) for one in found for check in alternatives):
            yield f"not found: {alternatives[0]}"
    for one in found:
        if not any(_is_same(one, check) for check in known):
            yield f"not said by cfn-guard: {one}"


def _strongest(statuses):
    """The status of a name that several rules of a file have, which cfn-guard lists with each."""
    return next(each for each in ("FAILED", "PASSED", "SKIPPED") if each in statuses)


def _is_same(ours, check):
    *place, message, _context = check
    return ours[:3] == tuple(place) and (ours[3] == message if message else ours[3].startswith("Guard check `"))
