"""Unit tests of cfn-guard: lists of inputs with the status of each rule, in files beside the rules.

Source: the user guide of AWS CloudFormation Guard, "Testing Guard rules".
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from formwork.diagnostics import BadInputError, Location
from formwork.documents import Document
from formwork.hooks.guard.rules import RuleFile
from formwork.policies.case import CaseKind, PolicyCase

STATUSES = ("PASS", "FAIL", "SKIP")


def read_unit_tests(document: Document, files: Sequence[RuleFile]) -> list[PolicyCase]:
    """Return the cases of a file of unit tests.

    Raises:
        BadInputError: the file is not a list of tests with `input` and `expectations`.
    """
    if not isinstance(document.value, list):
        raise _problem(document.locate(), f'"{document.name}" is not a list of unit tests')
    return list(_cases(document, files))


def _cases(document: Document, files: Sequence[RuleFile]) -> Iterator[PolicyCase]:
    for index, test in enumerate(document.value):
        if not isinstance(test, Mapping) or not {"input", "expectations"} <= test.keys():
            raise _problem(document.locate((index,)), f"unit test {index} has not both input and expectations")
        given = {} if test["input"] is None else test["input"]
        if not isinstance(given, Mapping):
            raise _problem(document.locate((index, "input")), f"the input of unit test {index} is not a map")
        name = str(test.get("name") or index)
        expected = _expected(document, index, test["expectations"])
        name = f"{document.name}: {name}"
        yield PolicyCase(name, files, CaseKind.EXACT, document, given, expected, (index, "input"))


def _expected(document: Document, index: int, expectations: Any) -> dict[str, str]:
    rules = expectations.get("rules") if isinstance(expectations, Mapping) else None
    if not isinstance(rules, Mapping):
        raise _problem(document.locate((index, "expectations")), f"unit test {index} expects nothing of rules")
    for rule, status in rules.items():
        if status not in STATUSES:
            place = document.locate((index, "expectations", "rules", rule))
            raise _problem(place, f'"{status}" is not a status', expected=", ".join(STATUSES))
    return dict(rules)


def _problem(location: Location, message: str, *, expected: str | None = None) -> BadInputError:
    expected = expected or "{name, input, expectations: {rules: {RULE: PASS, FAIL or SKIP}}}"
    return BadInputError.of("policy.unit-test", message, location=location, expected=expected)
