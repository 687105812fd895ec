"""A policy project: files of Guard rules in a folder, with their cases.

RULES.guard                       rules, in the folder or below
RULES_tests.yaml                  unit tests of cfn-guard; also tests/RULES….yaml
tests/RULES/pass/NAME.yaml        a template, or one resource, that no rule of the file may refuse
tests/RULES/fail/NAME.yaml        one that a rule must refuse
tests/RULES/fail/RULE/NAME.yaml   one that this rule must refuse; below pass/, one that it must pass
tests/pass/…, tests/fail/…        cases of all files of rules in the folder of `tests`
"""

import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePath

from msgspec import Struct

from formwork.documents import Document, load_document, read_text
from formwork.hooks.guard.rules import RuleFile
from formwork.policies.case import CaseKind, PolicyCase, read_case
from formwork.policies.unit_tests import read_unit_tests
from formwork.project import is_project

_RULES = ".guard"
_TESTS = "tests"
_DOCUMENTS = frozenset({".yaml", ".yml", ".json", ".jsn", ".template"})
_UNIT_TESTS = ("_test", "_tests")
_KINDS = {"pass": CaseKind.PASS, "fail": CaseKind.FAIL}
_MOST_FILES = 10_000


class PolicyProject(Struct, frozen=True):
    """Files of rules and their cases; `unused` are files below `tests` that are not cases of any of them.

    The names of the files are their paths below the folder.
    """

    files: Sequence[RuleFile]
    cases: Sequence[PolicyCase]
    unused: Sequence[str]


def is_policy_project(root: Path) -> bool:
    """Return whether a folder has files of rules and is not the project of another extension."""
    return not is_project(root) and any(path.suffix == _RULES for path in _walk(root))


def find_policy_project(root: Path) -> PolicyProject:
    """Return the policy project in a folder.

    Raises:
        BadInputError: a file can't be read, or is not what its place says.
    """
    paths = sorted(_walk(root))
    files = [RuleFile(path.as_posix(), read_text(root / path)) for path in paths if path.suffix == _RULES]
    cases: list[PolicyCase] = []
    unused = []
    for path in paths:
        if path.suffix.lower() not in _DOCUMENTS:
            continue
        place = _place(path)
        found = _tested(path, place, files)
        if found:
            document = load_document(root / path, name=path.as_posix(), short_tags=True)
            cases += read_unit_tests(document, found) if place is None else [_read_case(document, place, found)]
        elif place is not None or path.parent.name == _TESTS:
            unused.append(path.as_posix())
    return PolicyProject(files, cases, unused)


class _Place(Struct, frozen=True):
    """What a case's path determines: the `folder` of its rules, and the rule file's `stem` (None: all files)."""

    folder: PurePath
    stem: str | None
    kind: CaseKind
    rule: str | None


def _place(path: PurePath) -> _Place | None:
    parts = path.parts[:-1]
    for at in reversed(range(len(parts))):
        if parts[at] not in _KINDS:
            continue
        kind, rule = _KINDS[parts[at]], parts[at + 1] if at + 1 < len(parts) else None
        if parts[at - 1 : at] == (_TESTS,):
            return _Place(PurePath(*parts[: at - 1]), None, kind, rule)
        if at > 1 and parts[at - 2] == _TESTS:
            return _Place(PurePath(*parts[: at - 2]), parts[at - 1], kind, rule)
    return None


def _tested(path: PurePath, place: _Place | None, files: Sequence[RuleFile]) -> Sequence[RuleFile]:
    """Return the files of rules that a file tests."""
    if place is None:
        if path.parent.name != _TESTS and not path.stem.endswith(_UNIT_TESTS):
            return []
        folder = path.parent.parent if path.parent.name == _TESTS else path.parent
        beside = [each for each in files if PurePath(each.name).parent == folder]
        named = [each for each in beside if path.name.startswith(PurePath(each.name).stem)]
        longest = max((len(each.name) for each in named), default=0)
        return [each for each in named if len(each.name) == longest]
    beside = [each for each in files if PurePath(each.name).parent == place.folder]
    if place.stem is not None:
        return [each for each in beside if PurePath(each.name).stem == place.stem]
    if place.rule is not None:
        has_rule = re.compile(rf"^\s*rule\s+{re.escape(place.rule)}(?!\w)", re.MULTILINE)
        return [each for each in beside if has_rule.search(each.content)]
    return beside


def _read_case(document: Document, place: _Place, files: Sequence[RuleFile]) -> PolicyCase:
    expected = {} if place.rule is None else {place.rule: place.kind.upper()}
    return read_case(document, files, expected, place.kind)


def _walk(root: Path) -> Iterator[PurePath]:
    count = 0
    for folder, folders, names in os.walk(root):
        folders[:] = [each for each in folders if not each.startswith(".") and each != "node_modules"]
        for name in names:
            count += 1
            if count > _MOST_FILES:
                return
            yield PurePath(folder, name).relative_to(root)
