"""Guard rules compiled and evaluated by AWS's engine, the optional package `cloudformation-validate`."""

import atexit
import contextlib
import functools
import importlib.util
import itertools
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from typing import Any

from formwork.diagnostics import Position
from formwork.diagnostics.extras import install_extra

_PLACE = re.compile(
    r"parsing file (?P<file>.+?) at line (?P<line>\d+) at column (?P<column>\d+),"
    r" when handling (?:expecting )?(?P<expected>.*?),? fragment(?: =)? (?P<rest>.*)",
    re.DOTALL,
)
_COMPILED = 16  # sets of rules kept; one takes a tenth of a second to compile
_FRAGMENT = 40
_NAMED = re.compile(r"\w+")  # the rule that has no name has a slash in its id
_SUBSTITUTE = "FormworkResource"  # begins names in place of those with a slash, which the engine splits
_SUBSTITUTES = re.compile(rf"{_SUBSTITUTE}\d+")
_PROBE = "formwork_passed_"  # begins the names of rules that tell which rules have passed


class GuardRulesError(Exception):
    """Rules that can't be read, compiled or evaluated; the message says why.

    `position` is the place of a syntax error in its file, None for other errors.
    """

    def __init__(self, message: str, position: Position | None = None) -> None:
        super().__init__(message)
        self.position = position


@dataclass(frozen=True, slots=True)
class RuleFile:
    """A file of rules; `name` is used in messages."""

    name: str
    content: str


@dataclass(frozen=True, slots=True)
class GuardFinding:
    """A check of a rule that failed; `path` is the property below the resource `resource`, where they are known."""

    rule: str
    message: str
    resource: str | None = None
    path: str | None = None


@dataclass(frozen=True, slots=True)
class GuardVerdict:
    """What an evaluation found; `rules` are the rules with PASSED, FAILED or SKIPPED, those of one file together.

    The clauses of a file that are in no rule make one without a name; it is there only where it has failed.
    """

    rules: Sequence[tuple[str, str]]
    findings: Sequence[GuardFinding]

    @property
    def failed(self) -> list[str]:
        """The names of the rules that failed, sorted."""
        return sorted({each.rule for each in self.findings})


def expect_engine() -> None:
    """Refuse to continue without the engine.

    Raises:
        GuardRulesError: it is not installed.
    """
    if importlib.util.find_spec("cloudformation_validate") is None:
        raise GuardRulesError(f"the engine of Guard rules is not installed: {install_extra('guard')}")


def check_rules(file: RuleFile) -> None:
    """Compile a file of rules.

    Raises:
        GuardRulesError: the engine is not installed, or the rules have an error.
    """
    expect_engine()
    with _explained_errors():
        _compile(file)


def evaluate_rules(files: Sequence[RuleFile], document: Mapping[str, Any]) -> GuardVerdict:
    """Evaluate rules against a JSON document.

    Raises:
        GuardRulesError: the engine is not installed, or the rules can't be compiled or evaluated.
    """
    expect_engine()
    text = json.dumps(document, ensure_ascii=False, default=str)
    identifiers = _cut_identifiers(document)
    findings: list[GuardFinding] = []
    rules: list[tuple[str, str]] = []
    for file in files:  # each by itself: files may have rules of the same names
        with _explained_errors():
            compiled = _compile(file)
            found = _evaluate(file, compiled, text)
            if found and identifiers:
                found = _with_whole_identifiers(found, file, compiled, document, identifiers)
        failed = {each.rule for each in found}
        findings += (each for each in found if not each.rule.startswith(_PROBE))
        names = [each for each in _names(compiled) if not each.startswith(_PROBE)]
        rules += ((each, _status(each, failed)) for each in names if each in failed or _NAMED.fullmatch(each))
    return GuardVerdict(rules, findings)


def find_failures(file: RuleFile, document: Mapping[str, Any]) -> list[GuardFinding]:
    """Return the failed checks of rules, compiled as they are written.

    Raises:
        GuardRulesError: as `evaluate_rules`.
    """
    expect_engine()
    with _explained_errors():
        return _evaluate(file, _compile_as_written(file), json.dumps(document, ensure_ascii=False, default=str))


@contextlib.contextmanager
def _explained_errors() -> Iterator[None]:
    import cloudformation_validate as engine  # noqa: PLC0415 - an extra; its library has 17 MB

    try:
        yield
    except engine.ValidationError as error:
        raise _explained(error) from error


def _evaluate(file: RuleFile, compiled: Any, text: str) -> list[GuardFinding]:
    import cloudformation_validate as engine  # noqa: PLC0415 - as above

    content = engine.TemplateContent(text, "input")
    report = compiled.validate_template(content, engine.ValidateConfig(disable_builtin_rules=True))
    if report.status.name != "OK":
        found = "; ".join(each.message for each in report.diagnostics) or report.status.name
        raise GuardRulesError(f"{file.name}: the rules can't be evaluated: {found}")
    return [_finding(each) for each in report.diagnostics if each.source is engine.RuleOrigin.GUARD]


def _cut_identifiers(document: Mapping[str, Any]) -> dict[str, str]:
    """Return the resources' names that the engine splits in its findings, and for each a name that it does not."""
    resources = document.get("Resources")
    if not isinstance(resources, Mapping):
        return {}
    cut = [each for each in resources if not each or "/" in each]
    free = (name for number in itertools.count() if (name := f"{_SUBSTITUTE}{number}") not in resources)
    return dict(zip(cut, free, strict=False))


def _with_whole_identifiers(
    found: list[GuardFinding], file: RuleFile, compiled: Any, document: Mapping[str, Any], names: Mapping[str, str]
) -> list[GuardFinding]:
    """Return the findings with the places of a second evaluation, under names that the engine does not split.

    The first one decides, since a rule may ask for the names. Where the second one differs, its places are not used.
    """
    renamed = dict(document)
    for member in ("Resources", "Previous"):
        if isinstance(document.get(member), Mapping):
            renamed[member] = {names.get(name, name): value for name, value in document[member].items()}
    text = json.dumps(renamed, ensure_ascii=False, default=str)
    placed = _evaluate(file, compiled, text)
    if [each.rule for each in placed] != [each.rule for each in found]:
        return [replace(each, resource=None, path=None) for each in found]
    whole = {name: identifier for identifier, name in names.items()}
    return [
        replace(
            each,
            message=_SUBSTITUTES.sub(lambda name: whole.get(name[0], name[0]), each.message),
            resource=each.resource if each.resource is None else whole.get(each.resource, each.resource),
        )
        for each in placed
    ]


def _status(name: str, failed: AbstractSet[str]) -> str:
    if name in failed:
        return "FAILED"
    return "PASSED" if _PROBE + name in failed else "SKIPPED"


@functools.lru_cache(_COMPILED)
def _compile(file: RuleFile) -> Any:
    """Compile rules, and for each one a probe that fails if the rule has passed: the engine reports failures only."""
    probes = [
        f"rule {_PROBE}{name} when {name} {{ {_PROBE} exists }}"
        for name in filter(_NAMED.fullmatch, _names(_compile_text(file.name, file.content)))
        if re.search(rf"^\s*rule\s+{re.escape(name)}\s*\(", file.content, re.MULTILINE) is None  # it has parameters
    ]
    return _compile_text(file.name, "\n".join([file.content, *probes, ""]))


@functools.lru_cache(_COMPILED)
def _compile_as_written(file: RuleFile) -> Any:
    return _compile_text(file.name, file.content)


def _compile_text(name: str, content: str) -> Any:
    import cloudformation_validate as engine  # noqa: PLC0415 - as above

    source = engine.ExternalRuleSource(name=name, content=content)
    return engine.CompositeEngine(engine.CompositeEngineConfig(guard_rules=[source]))


def _names(compiled: Any) -> list[str]:
    import cloudformation_validate as engine  # noqa: PLC0415 - as above

    return sorted(each.id for each in compiled.list_rules() if each.origin is engine.RuleOrigin.GUARD)


# Compiled rules are freed by their library, which is gone when the interpreter ends.
atexit.register(_compile.cache_clear)
atexit.register(_compile_as_written.cache_clear)


def _finding(found: Any) -> GuardFinding:
    resource = None if found.entity is None else found.entity.logical_id
    return GuardFinding(found.rule_id, found.message, resource, found.property_path)


def _explained(error: Exception) -> GuardRulesError:
    """Return the engine's error with file, line, column and what was expected, where its message has them."""
    message = str(getattr(error, "msg", error))
    place = _PLACE.search(message)
    if place is None:
        return GuardRulesError(message)
    expected = f", expected {place['expected']}" if place["expected"] else ""
    rest = place["rest"].strip("`'\" \n")
    shown = repr(rest.splitlines()[0][:_FRAGMENT]) if rest else "the end of the file"
    text = f"{place['file']}:{place['line']}:{place['column']}: syntax error at {shown}{expected}"
    return GuardRulesError(text, Position(int(place["line"]), int(place["column"])))
