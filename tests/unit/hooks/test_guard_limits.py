"""Bounds of Guard rules: what overflows the stack of the engine, and ends the process, is refused before."""

import pytest

from formwork.hooks.guard.limits import MAX_CHARACTERS, find_excess
from formwork.hooks.guard.rules import GuardRulesError, RuleFile, check_rules, evaluate_rules
from support.guard_oracle import own_rules

ENDLESS = {
    "rule a(x) { a(%x) }\nrule b { a(Resources) }": "the rule a refers to itself",
    "rule a when b { c exists }\nrule b when a { c exists }": "the rule a refers to itself",
    "rule a { not b }\nrule b { c or a }": "the rule a refers to itself",
    "rule a(x) { Resources.*[ a(this) ] !empty }\nrule b { a(Resources) }": "the rule a refers to itself",
    "rule a(x) { let y = Resources.*[ a(this) ] %y exists }\nrule b { a(Resources) }": "the rule a refers to itself",
    "let a = %b\nlet b = %a\nrule c { %a exists }": "the variable a refers to itself",
    "let x = Resources\nrule a { let x = %x.A  %x exists }": "the variable x refers to itself",
    "let a = count(%a)\nrule r { %a exists }": "the variable a refers to itself",
    "rule a { when b exists { let c = %c.d %c exists } }": "the variable c refers to itself",
    "rule a {\n" + "b {" * 100 + "c exists" + "}" * 101: "line 2: nested deeper than 100",
    "rule a { x" + "[ a" * 200 + " exists" + " ]" * 200 + " exists }": "line 1: nested deeper than 100",
    "let a = " + "[" * 20_000: "line 1: nested deeper than 100",
    "rule a { x == /'/ " + "y { " * 2000 + "# '": "line 1: nested deeper than 100",
    "#" * (MAX_CHARACTERS + 1): "more than 1,000,000 characters",
}


@pytest.mark.parametrize("rules", ENDLESS)
def test_rules_that_would_end_the_process_are_refused(rules):
    assert find_excess(rules) == ENDLESS[rules]


def chain(length, calls):
    rules = [f"rule r{n}(x) {{ {f'r{n - 1}(%x) ' * calls} }}" for n in range(1, length)]
    return "\n".join(["rule r0(x) { %x exists }", *rules, f"rule z {{ r{length - 1}(Resources) }}"])


def test_rules_that_lead_to_very_many_evaluations_are_refused():
    assert find_excess(chain(25, 2)) == "the rule r16 leads to more than 100,000 others"
    assert find_excess(chain(2000, 1)) == "the rule r100 leads to a chain of more than 100 others"
    assert find_excess(chain(12, 2)) is None
    assert find_excess(chain(90, 1)) is None


def test_rules_that_only_look_so_are_taken():
    for path in own_rules():
        assert find_excess(path.read_text(encoding="utf-8")) is None
    rules = "let Tags = Resources.*.Tags\nrule Tags { Resources.Tags.Tags exists <<{{{ %Tags >> Resources != '[[[[' }"
    assert find_excess(rules + "#" + "{" * 200) is None
    assert find_excess("rule same when a exists { b exists }\nrule same when b exists { a exists }") is None


def test_the_hook_says_why():
    pytest.importorskip("cloudformation_validate")
    file = RuleFile("a.guard", "rule a(x) { a(%x) }\nrule b { a(Resources) }")
    for judge in (lambda: check_rules([file]), lambda: evaluate_rules([file], {"Resources": {}})):
        with pytest.raises(GuardRulesError, match=r"a\.guard: the rule a refers to itself"):
            judge()
