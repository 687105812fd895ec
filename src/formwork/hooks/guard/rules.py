"""Guard rules compiled and evaluated by AWS's engine, the optional package `cloudformation-validate`."""

import atexit
import contextlib
import functools
import importlib.util
import itertools
import json
import re
import threading
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from formwork.diagnostics import Position
from formwork.diagnostics.extras import install_extra
from formwork.hooks.guard.limits import find_excess
from formwork.hooks.guard.probed_rules import ProbedRules, is_added, probe_listed_rules, probe_rules

_PLACE = re.compile(
    r"parsing file (?P<file>.+?) at line (?P<line>\d+) at column (?P<column>\d+),"
    r" when handling (?:expecting )?(?P<expected>.*?),? fragment(?: =)? (?P<rest>.*)",
    re.DOTALL,
)
_COMPILED = 4  # sets of files kept; one takes 0.3 s to compile and 200 MB, however many files it has
_COMPILING = threading.Lock()
_FRAGMENT = 40
_SUBSTITUTE = "FormworkResource"  # begins names in place of those with a slash, which the engine splits
_SUBSTITUTES = re.compile(rf"{_SUBSTITUTE}\d+")

_ENGINES_OWN = "Guard check `"  # begins the texts of checks without a message
_REFERENCE = re.compile(r"Rule\((?P<name>\w+)@Location\[file:[^\]]*\]\)")  # a reference to a rule by its name
_MISSING_BLOCK = re.compile(r"Guard check `(?P<query>.+)` failed: property `.*(?P=query)` is missing")

_Place = tuple[str, str | None, str | None]


class GuardRulesError(Exception):
    """Rules that can't be read, compiled or evaluated; the message says why.

    `file` and `position` are the place of a syntax error, None for other errors.
    """

    def __init__(self, message: str, position: Position | None = None, file: str | None = None) -> None:
        super().__init__(message)
        self.position = position
        self.file = file


class RuleFile(Struct, frozen=True):
    """A file of rules; `name` is used in messages."""

    name: str
    content: str


class GuardFinding(Struct, frozen=True):
    """A check of a rule that failed; `path` is the property below the resource `resource`, where they are known."""

    rule: str
    message: str
    resource: str | None = None
    path: str | None = None


class GuardVerdict(Struct, frozen=True):
    """The result of an evaluation; `rules` are the rules with PASSED, FAILED or SKIPPED, grouped by file.

    The clauses of a file that are in no rule make one that the engine names FILE/default.
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


def check_rules(files: Sequence[RuleFile]) -> None:
    """Compile files of rules.

    Raises:
        GuardRulesError: the engine is not installed, or the rules have an error.
    """
    expect_engine()
    _compiled(files)


def evaluate_rules(files: Sequence[RuleFile], document: Mapping[str, Any]) -> GuardVerdict:
    """Evaluate rules against a JSON document.

    Raises:
        GuardRulesError: the engine is not installed, or the rules can't be compiled or evaluated.
    """
    verdicts = evaluate_each(files, document)
    rules = [rule for each in verdicts for rule in each.rules]
    return GuardVerdict(rules, [finding for each in verdicts for finding in each.findings])


def evaluate_each(files: Sequence[RuleFile], document: Mapping[str, Any]) -> list[GuardVerdict]:
    """Evaluate rules against a JSON document, and return the verdict of each file.

    Raises:
        GuardRulesError: as `evaluate_rules`.
    """
    expect_engine()
    verdicts: dict[int, GuardVerdict] = {}
    for group in _compiled(files):
        found = _evaluate_whole(group.engine, document)
        failed = {each.rule for each in found}
        own = [each for each in found if not is_added(each.rule)]
        findings = _with_call_messages(own, group.files, document)
        for file in group.files:
            rules = [(name, _status(name, probe, failed)) for name, probe in sorted(file.probes.items())]
            if file.clauses in failed and file.clauses not in file.probes:
                rules.append((file.clauses, "FAILED"))
            names = {name for name, _ in rules}
            verdicts[file.number] = GuardVerdict(rules, [each for each in findings if each.rule in names])
    return [verdicts[number] for number in range(len(files))]


def find_failures(files: Sequence[RuleFile], document: Mapping[str, Any]) -> list[GuardFinding]:
    """Return the failed checks of rules, compiled as they are written; no two files have a rule of the same name.

    Raises:
        GuardRulesError: as `evaluate_rules`.
    """
    expect_engine()
    return _evaluate_whole(_compile_as_written(tuple(files)), document)


def _with_call_messages(
    own: list[GuardFinding], files: Sequence[ProbedRules], document: Mapping[str, Any]
) -> list[GuardFinding]:
    """Return the findings with the messages of calls, which copies of the rules report for the same places."""
    copies = {name: rule for file in files for name, rule in file.copies.items()}
    asked = set(copies.values())
    if not any(each.rule in asked and each.message.startswith(_ENGINES_OWN) for each in own):
        return own
    with _COMPILING:
        engine = _compile_told(tuple((file.name, file.told) for file in files if file.told))
    by_place: dict[_Place, tuple[list[GuardFinding], list[GuardFinding]]] = {}
    for each in own:
        by_place.setdefault(_place(each), ([], []))[0].append(each)
    try:
        told = _evaluate_whole(engine, document) if engine is not None else []
    except GuardRulesError:  # the verdict is that of the rules as they are
        return own
    for each in told:
        renamed = replace(each, rule=copies.get(each.rule, ""))
        if _place(renamed) in by_place:
            by_place[_place(renamed)][1].append(renamed)
    return [
        finding for found, others in by_place.values() for finding in _without_missing_blocks(others, found) or found
    ]


def _place(finding: GuardFinding) -> _Place:
    return finding.rule, finding.resource, finding.path


def _without_missing_blocks(told: list[GuardFinding], own: Sequence[GuardFinding]) -> list[GuardFinding]:
    """Return the findings of one place without the engine's text of a missing block, where a call's message says it."""
    known = {each.message for each in own}
    if all(each.message in known for each in told):
        return told
    return [each for each in told if not _MISSING_BLOCK.fullmatch(each.message)]


@contextlib.contextmanager
def _explained_errors() -> Iterator[None]:
    import cloudformation_validate as engine  # noqa: PLC0415 - an extra; its library has 17 MB

    try:
        yield
    except engine.ValidationError as error:
        raise _explained(error) from error


def _evaluate_whole(compiled: Any, document: Mapping[str, Any]) -> list[GuardFinding]:
    """Return the failed checks, with the whole names of resources."""
    with _explained_errors():
        found = _evaluate(compiled, document)
        identifiers = _cut_identifiers(document) if found else {}
        return _with_whole_identifiers(found, compiled, document, identifiers) if identifiers else found


def _evaluate(compiled: Any, document: Mapping[str, Any]) -> list[GuardFinding]:
    import cloudformation_validate as engine  # noqa: PLC0415 - as above

    content = engine.TemplateContent(json.dumps(document, ensure_ascii=False, default=str), "input")
    report = compiled.validate_template(content, engine.ValidateConfig(disable_builtin_rules=True))
    if report.status.name != "OK":
        found = "; ".join(each.message for each in report.diagnostics) or report.status.name
        raise GuardRulesError(f"the rules can't be evaluated: {found}")
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
    found: list[GuardFinding], compiled: Any, document: Mapping[str, Any], names: Mapping[str, str]
) -> list[GuardFinding]:
    """Return the findings with the places of a second evaluation, under names that the engine does not split.

    The first one decides, since a rule may ask for the names. Where the second one differs, its places are not used.
    """
    renamed = dict(document)
    for member in ("Resources", "Previous"):
        if isinstance(document.get(member), Mapping):
            renamed[member] = {names.get(name, name): value for name, value in document[member].items()}
    placed = _evaluate(compiled, renamed)
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


def _status(name: str, probe: str, failed: AbstractSet[str]) -> str:
    if name in failed:
        return "FAILED"
    return "PASSED" if probe in failed else "SKIPPED"


class _Group(Struct, frozen=True):
    """Files that are compiled together: no two of them have rules of the same name."""

    engine: Any
    files: Sequence[ProbedRules]


def _compiled(files: Sequence[RuleFile]) -> Sequence[_Group]:
    with _COMPILING:  # threads that need the same set wait for one engine instead of making one each
        return _compile(tuple(files))


@functools.lru_cache(_COMPILED)
def _compile(files: tuple[RuleFile, ...]) -> Sequence[_Group]:
    groups: list[list[ProbedRules]] = []
    for number, file in enumerate(files):
        if (excess := find_excess(file.content)) is not None:
            raise GuardRulesError(f"{file.name}: {excess}")
        probed = probe_rules(file.name, file.content, number) or _probe_listed_rules(file, number)
        free = (each for each in groups if not any(probed.probes.keys() & other.probes.keys() for other in each))
        group = next(free, None)
        if group is None:
            groups.append([probed])
        else:
            group.append(probed)
    with _explained_errors():
        return [_Group(_compile_group(each), each) for each in groups]


def _probe_listed_rules(file: RuleFile, number: int) -> ProbedRules:
    import cloudformation_validate as engine  # noqa: PLC0415 - as above

    with _explained_errors():
        listed = _compile_texts([(file.name, file.content)]).list_rules()
    names = [each.id for each in listed if each.origin is engine.RuleOrigin.GUARD]
    return probe_listed_rules(file.name, file.content, number, names)


def _compile_group(files: Sequence[ProbedRules]) -> Any:
    import cloudformation_validate as engine  # noqa: PLC0415 - as above

    try:
        return _compile_texts([(each.name, each.text) for each in files])
    except engine.ValidationError:
        for each in files:  # an error is said of the rules as they are written
            with _explained_errors():
                _compile_texts([(each.name, each.content)])
        raise


@functools.lru_cache(2)
def _compile_told(texts: Sequence[tuple[str, str]]) -> Any:
    """Compile rules with copies that have the messages of calls; None if the engine refuses the copies."""
    import cloudformation_validate as engine  # noqa: PLC0415 - as above

    try:
        return _compile_texts(texts)
    except engine.ValidationError:
        return None


@functools.lru_cache(1)
def _compile_as_written(files: tuple[RuleFile, ...]) -> Any:
    with _explained_errors():
        return _compile_texts([(each.name, each.content) for each in files])


def _compile_texts(texts: Sequence[tuple[str, str]]) -> Any:
    import cloudformation_validate as engine  # noqa: PLC0415 - as above

    sources = [engine.ExternalRuleSource(name=name, content=content) for name, content in texts]
    return engine.CompositeEngine(engine.CompositeEngineConfig(guard_rules=sources))


def drop_compiled() -> None:
    """Free all compiled rules, some 200 MB a set; those that are needed again are compiled again."""
    for compiled in (_compile, _compile_told, _compile_as_written):
        compiled.cache_clear()


# Compiled rules are freed by their library, which is gone when the interpreter ends.
atexit.register(drop_compiled)


def _finding(found: Any) -> GuardFinding:
    entity, message = found.entity, _REFERENCE.sub(r"\g<name>", found.message)
    resource = None if entity is None or entity.entity_type.name != "RESOURCE" else entity.logical_id
    return GuardFinding(found.rule_id, message, resource, found.property_path)


def _explained(error: Exception) -> GuardRulesError:
    """Return the engine's error as ours, with file, line, column and expectation if its message contains them."""
    message = str(getattr(error, "msg", error))
    place = _PLACE.search(message)
    if place is None:
        return GuardRulesError(message)
    expected = f", expected {place['expected']}" if place["expected"] else ""
    rest = place["rest"].strip("`'\" \n")
    shown = repr(rest.splitlines()[0][:_FRAGMENT]) if rest else "the end of the file"
    text = f"{place['file']}:{place['line']}:{place['column']}: syntax error at {shown}{expected}"
    return GuardRulesError(text, Position(int(place["line"]), int(place["column"])), place["file"])
