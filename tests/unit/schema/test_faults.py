"""Every seeded fault of support/faults.py is reported, under its code, at its place; nothing else is."""

import json

import pytest

from formwork.diagnostics import Severity
from formwork.documents import parse_document
from formwork.schema import Kind, load_hook_schema, load_resource_schema, validate_schema
from formwork.schema.rules import ERRORS, STRUCTURE, WARNINGS, all_rules
from support.faults import HOOK, HOOK_FAULTS, RESOURCE, RESOURCE_FAULTS, lines_by_pointer, seed_fault

FAULTS = [(Kind.RESOURCE, RESOURCE, *row) for row in RESOURCE_FAULTS] + [(Kind.HOOK, HOOK, *row) for row in HOOK_FAULTS]
# A fault of the one kind that entails a finding of the other.
ENTAILED = {
    "schema.handler-set",
    "schema.identifier-updatable",
    "schema.identifier-write-only",
    "schema.legacy-identifiers",
    "schema.missing-description",
    "schema.pattern-portability",
    "schema.read-only-overlap",
    "schema.readable-secret",
    "schema.reserved-organization",
    "schema.unused-definition",
    "schema.wildcard-permission",
}


def validate(value, kind):
    return validate_schema(parse_document(json.dumps(value, indent=1), name="schema.json"), kind=kind)


@pytest.mark.parametrize(("value", "kind"), [(RESOURCE, Kind.RESOURCE), (HOOK, Kind.HOOK)])
def test_the_good_ones_are_good(value, kind):
    assert validate(value, kind) == []


def test_there_are_enough():
    assert len(FAULTS) >= 150


@pytest.mark.parametrize(("kind", "base", "changes", "code", "pointer"), FAULTS, ids=lambda each: str(each)[:60])
def test_fault(kind, base, changes, code, pointer):
    value = seed_fault(base, changes)
    found = validate(value, kind)
    mine = [each for each in found if (each.code, each.location.pointer) == (code, pointer)]
    assert mine, [(each.code, each.location.pointer, each.message) for each in found]
    assert mine[0].location.start.line == lines_by_pointer(value)[pointer]
    assert not {each.code for each in found} - {code} - ENTAILED
    assert mine[0].expected or mine[0].hint


@pytest.mark.parametrize(("kind", "base", "changes", "code", "pointer"), FAULTS, ids=lambda each: str(each)[:60])
def test_loading_finds_the_same_errors(kind, base, changes, code, pointer):
    document = parse_document(json.dumps(seed_fault(base, changes), indent=1), name="schema.json")
    load = load_hook_schema if kind is Kind.HOOK else load_resource_schema
    errors = [each for each in validate_schema(document, kind=kind) if each.severity is Severity.ERROR]
    loaded = load(document)
    assert loaded.diagnostics == errors
    assert (loaded.schema is None) == bool(errors)


def test_every_rule_has_a_fault():
    covered = {code for *_, code, _ in FAULTS}
    assert set(all_rules()) == covered
    assert len(all_rules()) == len({*STRUCTURE, *ERRORS, *WARNINGS})


def test_yaml_schemas_have_places_too():
    text = "typeName: Acme::Store::Thing\nproperties:\n  Name: {type: strin}\n"
    found = validate_schema(parse_document(text, name="schema.yaml"), kind=Kind.RESOURCE)
    assert ("schema.unknown-type", 3, 16) in [
        (each.code, each.location.start.line, each.location.start.column) for each in found
    ]


def test_words(golden):
    """What is said of each fault, in one golden file: read its difference when a message changes."""
    blocks = []
    for kind, base, changes, code, pointer in FAULTS:
        found = [
            each
            for each in validate(seed_fault(base, changes), kind)
            if (each.code, each.location.pointer) == (code, pointer)
        ]
        for each in found[:1]:
            shown = pointer if len(pointer) < 90 else pointer[:90] + "…"
            words = [f"{each.severity}[{code}] {shown or '(the whole document)'}", f"  {each.message[:200]}"]
            words += [
                f"  = {name}: {text[:200]}" for name, text in (("expected", each.expected), ("help", each.hint)) if text
            ]
            blocks.append("\n".join(words))
    golden("schema/fault-words.txt", "\n\n".join(blocks) + "\n")
