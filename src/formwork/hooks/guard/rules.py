"""Guard rules compiled and evaluated by AWS's engine, the optional package `cloudformation-validate`."""

import atexit
import functools
import importlib.util
import json
import re
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any

from formwork.diagnostics.extras import install_extra

_PLACE = re.compile(
    r"parsing file (?P<file>.+?) at line (?P<line>\d+) at column (?P<column>\d+),"
    r" when handling (?:expecting )?(?P<expected>.*?),? fragment(?: =)? (?P<rest>.*)",
    re.DOTALL,
)
_COMPILED = 16  # sets of rules kept; one takes a tenth of a second to compile
_FRAGMENT = 40
_NAMED = re.compile(r"\w+")  # the rule that has no name has a slash in its id
_PROBE = "formwork_passed_"  # begins the names of rules that tell which rules have passed


class GuardRulesError(Exception):
    """Rules that can't be read, compiled or evaluated; the message says why."""


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


def evaluate_rules(files: Sequence[RuleFile], document: Mapping[str, Any]) -> GuardVerdict:
    """Evaluate rules against a JSON document.

    Raises:
        GuardRulesError: the engine is not installed, or the rules can't be compiled or evaluated.
    """
    if importlib.util.find_spec("cloudformation_validate") is None:
        raise GuardRulesError(f"the engine of Guard rules is not installed: {install_extra('guard')}")
    import cloudformation_validate as engine  # noqa: PLC0415 - an extra; its library has 17 MB

    text = json.dumps(document, ensure_ascii=False, default=str)
    findings: list[GuardFinding] = []
    rules: list[tuple[str, str]] = []
    for file in files:  # each by itself: files may have rules of the same names
        try:
            compiled = _compile(file)
            report = compiled.validate_template(
                engine.TemplateContent(text, "input"), engine.ValidateConfig(disable_builtin_rules=True)
            )
        except engine.ValidationError as error:
            raise GuardRulesError(_explain(str(getattr(error, "msg", error)))) from error
        if report.status.name != "OK":
            found = "; ".join(each.message for each in report.diagnostics) or report.status.name
            raise GuardRulesError(f"{file.name}: the rules can't be evaluated: {found}")
        found = [_finding(each) for each in report.diagnostics if each.source is engine.RuleOrigin.GUARD]
        failed = {each.rule for each in found}
        findings += (each for each in found if not each.rule.startswith(_PROBE))
        names = [each for each in _names(compiled) if not each.startswith(_PROBE)]
        rules += ((each, _status(each, failed)) for each in names if each in failed or _NAMED.fullmatch(each))
    return GuardVerdict(rules, findings)


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


def _compile_text(name: str, content: str) -> Any:
    import cloudformation_validate as engine  # noqa: PLC0415 - as above

    source = engine.ExternalRuleSource(name=name, content=content)
    return engine.CompositeEngine(engine.CompositeEngineConfig(guard_rules=[source]))


def _names(compiled: Any) -> list[str]:
    import cloudformation_validate as engine  # noqa: PLC0415 - as above

    return sorted(each.id for each in compiled.list_rules() if each.origin is engine.RuleOrigin.GUARD)


# Compiled rules are freed by their library, which is gone when the interpreter ends.
atexit.register(_compile.cache_clear)


def _finding(found: Any) -> GuardFinding:
    resource = None if found.entity is None else found.entity.logical_id
    return GuardFinding(found.rule_id, found.message, resource, found.property_path)


def _explain(message: str) -> str:
    """Return file, line, column and what was expected, where the engine's message has them."""
    place = _PLACE.search(message)
    if place is None:
        return message
    expected = f", expected {place['expected']}" if place["expected"] else ""
    rest = place["rest"].strip("`'\" \n")
    shown = repr(rest.splitlines()[0][:_FRAGMENT]) if rest else "the end of the file"
    return f"{place['file']}:{place['line']}:{place['column']}: syntax error at {shown}{expected}"
