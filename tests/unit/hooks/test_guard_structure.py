"""The structure of Guard rules: where each check begins and ends, and copies whose checks have labels."""

import pytest

from formwork.hooks.guard.labelled import TooManyCallsError, copy_with_labels
from formwork.hooks.guard.rules import RuleFile, find_failures
from formwork.hooks.guard.structure import CheckKind, walk
from formwork.hooks.guard.structure_reader import GuardStructureError, read_structure

RULES = r"""
# a comment with 'a quote
let buckets = Resources.*[ Type == 'AWS::S3::Bucket'   Name == /a\/]b/ ]
let allowed := ["it's", 'a', /^x\/y$/]
rule named when %buckets !empty  # why
                is_s3(this) {
    %buckets.Properties { Name == /[{]/ <<don't {>> or Name in %allowed
        Size in r[1, 5) Count >= -3 Ratio < 1.5e3
        Tags[ Key == 'a' <<in a filter>> ] not empty { Value exists } }
    not other <<referred to>>
    checked(%buckets.Properties.Name, ["a,b", 'c']) <<called>>
    when Other exists { this.'a key' is_string  %buckets[*].Meta['x'] !exists  let a = count(%buckets) %a == 1 }
    AWS::S3::Bucket when Name exists { Name != "x" }
    AWS::S3::Bucket Properties.Name not in ['q']
}
rule other { Nope exists }
rule is_s3(p) { %p.Resources exists }
rule checked(a, b) { %a in %b }
Resources exists
"""


def test_each_check_is_found_with_its_text():
    structure = read_structure(RULES)
    assert [(each.name, each.parameters) for each in structure.rules] == [
        ("named", None),
        ("other", None),
        ("is_s3", ["p"]),
        ("checked", ["a", "b"]),
    ]
    assert [name for name, _ in structure.variables] == ["buckets", "allowed"]
    named = structure.rules[0]
    assert structure.head(named) == "rule named when %buckets !empty is_s3(this)"
    found = [(each.kind, structure.source(each), structure.line(each.start)) for each in walk(named.body.checks)]
    assert found == [
        (CheckKind.BLOCK, "%buckets.Properties", 7),
        (CheckKind.CHECK, "Name == /[{]/", 7),
        (CheckKind.CHECK, "Name in %allowed", 7),
        (CheckKind.CHECK, "Size in r[1, 5)", 8),
        (CheckKind.CHECK, "Count >= -3", 8),
        (CheckKind.CHECK, "Ratio < 1.5e3", 8),
        (CheckKind.BLOCK, "Tags[ Key == 'a' <<in a filter>> ] not empty", 9),
        (CheckKind.CHECK, "Value exists", 9),
        (CheckKind.REFERENCE, "not other", 10),
        (CheckKind.CALL, "checked(%buckets.Properties.Name, [\"a,b\", 'c'])", 11),
        (CheckKind.WHEN, "when Other exists", 12),
        (CheckKind.CHECK, "this.'a key' is_string", 12),
        (CheckKind.CHECK, "%buckets[*].Meta['x'] !exists", 12),
        (CheckKind.CHECK, "%a == 1", 12),
        (CheckKind.TYPE, "AWS::S3::Bucket when Name exists", 13),
        (CheckKind.CHECK, 'Name != "x"', 13),
        (CheckKind.TYPE, "AWS::S3::Bucket Properties.Name not in ['q']", 14),
        (CheckKind.CHECK, "Properties.Name not in ['q']", 14),
    ]
    checks = {structure.source(each): each for each in walk(named.body.checks)}
    assert [each.message for each in checks.values() if each.message] == ["don't {", "referred to", "called"]
    assert [each for each in checks if checks[each].negated] == [
        "not other",
        "%buckets[*].Meta['x'] !exists",
        'Name != "x"',
        "Properties.Name not in ['q']",
    ]
    assert [each.operator for each in walk(named.conditions)] == ["empty", ""]
    call = next(each for each in checks.values() if each.kind is CheckKind.CALL)
    assert call.arguments == ["%buckets.Properties.Name", "[\"a,b\", 'c']"]
    assert structure.source(structure.clauses[0][0]) == "Resources exists"


@pytest.mark.parametrize(
    "rules", ["rule a {", "rule a { b == ", "rule { }", "rule a when { }}", "rule a { b [ c }", "%"]
)
def test_a_text_that_is_not_understood_is_refused_with_its_line(rules):
    with pytest.raises(GuardStructureError, match="line 2: expected"):
        read_structure("\n" + rules)


def test_a_copy_reports_labels_and_leaves_the_rules_as_they_are():
    pytest.importorskip("cloudformation_validate")
    rules = """
rule main {
    Resources.* { checked(Name) <<one>>  checked(Size) <<two>> }
    A exists or B exists
    not checked(Resources)
    main2
}
rule main2 { Resources.X exists <<told>> }
rule checked(value) { %value == 1 }
"""
    structure = read_structure(rules)
    labelled = copy_with_labels(
        structure,
        lambda check, calls: "/".join(str(structure.line(each.start)) + each.subject for each in (*calls, check)),
        lambda block: f"in {structure.line(block.start)}",
    )
    document = {"Resources": {"R": {"Name": 2, "Size": 1}}}
    found = find_failures([RuleFile("a.guard", labelled.text)], document)
    told = {(labelled.copies[each.rule], each.message) for each in found if each.rule in labelled.copies}
    assert told == {
        ("main", "in 2"),
        ("main", "in 3"),
        ("main", "in 9"),
        ("main", "3checked/9%value"),
        ("main", "4A"),
        ("main", "6main2"),
        ("main2", "in 8"),
        ("main2", "8Resources.X"),
        ("main", "Guard check `%value EQUALS 1` failed"),  # of the call that must not hold
    }
    own = [each for each in found if each.rule not in labelled.copies]
    assert sorted(own, key=repr) == sorted(find_failures([RuleFile("a.guard", rules)], document), key=repr)


def test_rules_that_call_each_other_too_often_are_not_copied():
    rules = [
        "rule a0 { a1(this) }",
        *(f"rule a{n}(x) {{ a{n + 1}(%x) a{n + 1}(%x) a{n + 1}(%x) }}" for n in range(1, 9)),
    ]
    with pytest.raises(TooManyCallsError):
        copy_with_labels(read_structure("\n".join([*rules, "rule a9(x) { %x exists }"])), lambda *_: None)
    circle = read_structure("rule a { b(this) }\nrule b(x) { b(%x) }")
    assert len(copy_with_labels(circle, lambda *_: None).copies) == 2
