"""Every seeded fault of support/faults.py is reported, under its code, at its place; nothing else is."""

import json
from pathlib import Path

import pytest

from formwork.diagnostics import Severity
from formwork.documents import parse_document
from formwork.extensions import ExtensionKind
from formwork.schema import load_hook_schema, load_resource_schema, rules, validate_schema
from formwork.schema.rules import ERRORS, NEEDS, STRUCTURE, WARNINGS, all_rules
from support.faults import FAULTS, HOOK, RESOURCE, RULES, lines_by_pointer, seed_fault

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
    "schema.tag-property",
    "schema.unused-definition",
    "schema.wildcard-permission",
}


def validate(value, kind):
    return validate_schema(
        parse_document(json.dumps(value, indent=1), name="schema.json"), kind=ExtensionKind.from_noun(kind)
    )


@pytest.mark.parametrize(("value", "kind"), [(RESOURCE, "resource"), (HOOK, "hook")])
def test_the_good_ones_are_good(value, kind):
    assert validate(value, kind) == []


def test_there_are_enough():
    assert len(FAULTS) >= 150


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_fault(fault):
    value = fault.schema
    found = validate(value, fault.base)
    mine = [each for each in found if (each.code, each.location.pointer) == (fault.code, fault.pointer)]
    assert mine, [(each.code, each.location.pointer, each.message) for each in found]
    assert mine[0].location.start.line == lines_by_pointer(value)[fault.pointer]
    assert not {each.code for each in found} - {fault.code} - ENTAILED
    assert mine[0].expected or mine[0].hint


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_loading_finds_the_same_errors(fault):
    document = parse_document(json.dumps(fault.schema, indent=1), name="schema.json")
    load = load_hook_schema if fault.base == "hook" else load_resource_schema
    errors = [
        each
        for each in validate_schema(document, kind=ExtensionKind.from_noun(fault.base))
        if each.severity is Severity.ERROR
    ]
    loaded = load(document)
    assert loaded.diagnostics == errors
    assert (loaded.schema is None) == bool(errors)


STRUCTURAL = [
    each
    for each in FAULTS
    if each.rule.replace("-", "_") in STRUCTURE
    and each.base == "resource"
    and not {"/properties", "/primaryIdentifier"} & each.changes.keys()
]


@pytest.mark.parametrize("fault", STRUCTURAL, ids=str)
def test_a_structural_fault_hides_no_other(fault):
    value = seed_fault(fault.schema, {"/properties/Dangling": {"description": "d", "$ref": "#/definitions/Gone"}})
    value = seed_fault(value, {"/nonPublicProperties": ["/properties/Gone"], "/primaryIdentifier": ["/properties/Idd"]})
    found = {(each.code, each.location.pointer) for each in validate(value, "resource")}
    assert ("schema.unresolvable-ref", "/properties/Dangling/$ref") in found
    assert ("schema.pointer-not-found", "/nonPublicProperties/0") in found
    assert ("schema.pointer-not-found", "/primaryIdentifier/0") in found
    assert (fault.code, fault.pointer) in found


def test_every_rule_has_goldens_and_every_folder_a_rule():
    assert set(all_rules()) == {fault.code for fault in FAULTS}
    assert {fault.rule for fault in FAULTS} == {each.name for each in RULES.iterdir() if each.is_dir()}
    assert len(all_rules()) == len({*STRUCTURE, *ERRORS, *WARNINGS})


def test_every_rule_is_a_file_that_bears_its_name():
    files = {each.stem.replace("_", "-") for each in Path(rules.__file__).parent.glob("[a-z]*.py")}
    assert {f"schema.{each}" for each in files} == set(all_rules())


def test_the_table_of_needs_leaves_no_fault_out():
    for name, words in NEEDS.items():
        module = all_rules()[f"schema.{name.replace('_', '-')}"]
        own = set(getattr(module, "KEYWORDS", ())) if not hasattr(module, "check") else set()
        assert not own or own == words, name
    for fault in FAULTS:
        words = NEEDS.get(fault.rule.replace("-", "_"))
        assert words is None or words & _keywords(fault.schema), fault


def _keywords(value):
    if isinstance(value, dict):
        return set(value).union(*map(_keywords, value.values()))
    return set().union(*map(_keywords, value)) if isinstance(value, list) else set()


def test_yaml_schemas_have_places_too():
    text = "typeName: Acme::Store::Thing\nproperties:\n  Name: {type: strin}\n"
    found = validate_schema(parse_document(text, name="schema.yaml"), kind=ExtensionKind.RESOURCE)
    assert ("schema.unknown-type", 3, 16) in [
        (each.code, each.location.start.line, each.location.start.column) for each in found
    ]


@pytest.mark.parametrize("rule", sorted({fault.rule for fault in FAULTS}))
def test_words(golden, rule):
    """All that is said of each fault of a rule, the rule's own words first."""
    blocks = []
    for fault in FAULTS:
        if fault.rule == rule:
            found = validate(fault.schema, fault.base)
            blocks.append("\n".join(_words(each) for each in sorted(found, key=lambda each: each.code != fault.code)))
    golden(f"schema/rules/{rule}/expected.txt", "\n\n".join(blocks) + "\n")


def _words(each):
    place = f"{each.location.start.line}:{each.location.start.column} {each.location.pointer[:90]}".rstrip()
    more = (("expected", each.expected), ("help", each.hint))
    lines = [f"{each.severity}[{each.code}] {place}", f"  {each.message[:200]}"]
    return "\n".join([*lines, *(f"  = {name}: {text[:200]}" for name, text in more if text)])
