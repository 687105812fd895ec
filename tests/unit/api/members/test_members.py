"""Every member of every request: honoured, as a probe shows; refused by its name; or noted, with the reason."""

import ast
import re
from collections import defaultdict
from functools import cache

import pytest

from formwork.api.members import TABLES, Treatment, read_table, request_members
from formwork.aws.service_models import load_model
from support.corpus import REPOSITORY
from support.member_probes import PROBES
from support.member_probes.probe import Refusal, Shown
from support.recordings.service import open_service

MOST_NOTED = 0.03
_BY_MODEL = re.compile(r"\d+ validation errors? detected")  # what the model's constraints refuse of any member
REST = ("s3", "lambda")  # their endpoints have no table of operations


@cache
def members(service):
    """{operation: its members} of what the table lists."""
    model = load_model(service)
    listed = read_table(service).operations
    return {name: list(request_members(model.operation_model(name).input_shape)) for name in listed}


def entries():
    for service in TABLES:
        table = read_table(service)
        for operation, found in members(service).items():
            for member in found:
                yield service, operation, member, table.entry(operation, member.path, member.shape)


@cache
def probes():
    """{(service, operation): probes}."""
    found = defaultdict(list)
    for service, listed in PROBES.items():
        for each in listed:
            found[service, each.operation].append(each)
    return found


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    with open_service(tmp_path_factory.mktemp("service")) as opened:
        yield opened


def test_every_operation_that_is_served_is_listed(service):
    served = {key for key in service.table if key[0] in TABLES}
    listed = {(name, operation) for name in TABLES for operation in members(name)}
    assert served == {key for key in listed if key[0] not in REST}


def test_every_member_is_listed():
    unlisted = [f"{operation}.{member.path}" for _, operation, member, entry in entries() if entry is None]
    assert unlisted == []


@pytest.mark.parametrize("name", TABLES)
def test_every_listed_member_is_in_the_model(name):
    known = {("operation", operation, each.path) for operation, found in members(name).items() for each in found}
    known |= {("shape", each.shape, each.path.rpartition(".")[2]) for found in members(name).values() for each in found}
    listed = list(read_table(name).listed())
    assert len(set(listed)) == len(listed), "a member is listed twice"
    assert set(listed) <= known


def test_few_members_are_noted():
    found = [entry for *_, entry in entries() if entry is not None]
    noted = [each for each in found if each.treatment is Treatment.NOTED]
    assert all(each.reason for each in noted)
    assert len(noted) <= MOST_NOTED * len(found)


def test_every_honoured_or_refused_member_is_proved():
    unproved = set()
    for name, operation, member, entry in entries():
        proved = {
            (path, isinstance(each, Refusal))
            for each in probes()[name, operation]
            for path in (each.members if isinstance(each, Shown) else each.changes)
        }
        if entry is None or entry.treatment is Treatment.NOTED:
            continue
        alone = (member.path, entry.treatment is Treatment.REFUSED) in proved
        below = any(path.startswith(f"{member.path}.") for path, _ in proved)
        above = entry.treatment is Treatment.REFUSED and any(
            refused and member.path.startswith(f"{path}.") for path, refused in proved
        )  # the whole structure is refused
        if not (alone or below or above):
            unproved.add(f"{operation} {member.path}")
    assert unproved == set()


@pytest.mark.parametrize(("name", "operation"), sorted(key for key, listed in probes().items() if listed))
def test_members_do_what_the_table_says(service, name, operation):
    table = read_table(name)
    listed = {each.path: each for each in members(name)[operation]}
    wrong = []
    for probe in probes()[name, operation]:
        if isinstance(probe, Shown):
            _expect_test(probe)
            continue
        run = probe.runs(service, name)
        plain = run()
        if plain != run():
            wrong.append(f"differs by itself: {sorted(probe.changes)}")
        for path in probe.changes:
            treatment = Treatment.REFUSED if isinstance(probe, Refusal) else Treatment.HONOURED
            entry = table.entry(operation, path, listed[path].shape)
            if entry is None or entry.treatment is not treatment:
                wrong.append(f"{path}: {entry}")
            changed = run(path)
            message = changed["answer"].get("Message", "") if isinstance(changed["answer"], dict) else ""
            if _BY_MODEL.match(message):
                wrong.append(f"{path}: refused before it is read: {message}")
            if changed == plain:
                wrong.append(f"{path}: no difference from {str(plain)[:300]}")
            elif isinstance(probe, Refusal) and not any(each.lower() in message.lower() for each in path.split(".")):
                wrong.append(f"{path}: not named by {message!r}")
    assert wrong == []


def _expect_test(shown):
    file, _, name = shown.test.partition("::")
    tree = ast.parse((REPOSITORY / file).read_text(encoding="utf-8"))
    [function] = [each for each in ast.walk(tree) if isinstance(each, ast.FunctionDef) and each.name == name]
    texts = ast.unparse(function)
    assert [each for each in shown.members if each.rpartition(".")[2] not in texts] == []
