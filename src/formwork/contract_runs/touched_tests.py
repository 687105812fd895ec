"""Which tests a saved file touches: all, or, of a Python handler, those of the actions whose code changed."""

import ast
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from msgspec import Struct

if TYPE_CHECKING:
    from formwork.contract.requirement import Requirement

_Function = ast.FunctionDef | ast.AsyncFunctionDef
# As handler libraries have it: `@resource.handler(Action.CREATE)`, `@hook.handler(HookInvocationPoint.…)`.
_DECORATOR = "handler"


class SelectedTests(Protocol):
    """Which tests of the suite a run has."""

    def includes(self, requirement: "Requirement", inputs: str) -> bool:
        """Return whether to run the test with the input set of that name."""


class Touched(Struct, frozen=True):
    """The tests to run again: with the input set `first`, the tests that need one of `actions` (all if None).

    Tests in `failed` run whatever was touched, with their own inputs.
    """

    first: str
    actions: frozenset[str] | None = None
    failed: frozenset[str] = frozenset()

    def includes(self, requirement: "Requirement", inputs: str) -> bool:
        """Return whether to run the test with the input set of that name."""
        if requirement.name in self.failed or f"{requirement.name}[{inputs}]" in self.failed:
            return True
        if inputs != self.first:
            return False
        return self.actions is None or requirement.adapts or bool(self.actions & set(requirement.handlers))


def read_sources(root: Path) -> dict[str, str]:
    """Return the Python sources of a project's handlers by path, as they are now."""
    found = {}
    for path in sorted((root / "src").rglob("*.py")):
        try:
            found[str(path)] = path.read_text(encoding="utf-8", errors="replace")
        except OSError:
            continue  # removed meanwhile
    return found


def touched_actions(before: Mapping[str, str], after: Mapping[str, str]) -> frozenset[str] | None:
    """Return the actions (`create`, `create_pre_provision`) whose handlers run changed code; None if it may be all.

    The answer is not None only if all changes are in bodies of top-level functions that handlers call by name.
    """
    try:
        old, new = ({name: _read_module(text) for name, text in each.items()} for each in (before, after))
    except (SyntaxError, ValueError):
        return None
    if old.keys() != new.keys():
        return None
    changed: set[str] = set()
    for name in new:
        found = _changed_functions(old[name], new[name])
        if found is None:
            return None
        changed |= found
    return _actions_that_run(changed, new.values())


class _Module(Struct, frozen=True):
    """What is asked of a module: its functions and all else as dumps, the names that they use, and who handles what."""

    functions: Mapping[str, str]
    rest: tuple[str, ...]
    named: Mapping[str, frozenset[str]]
    elsewhere: frozenset[str]
    actions: Mapping[str, str]


@lru_cache(maxsize=256)  # a save changes one of many modules
def _read_module(text: str) -> _Module:
    """Return what is asked of the module with this text.

    Raises:
        SyntaxError: it can't be parsed.
        ValueError: it holds a NUL.
    """
    body = ast.parse(text).body
    functions = [each for each in body if isinstance(each, _Function)]
    rest = [each for each in body if not isinstance(each, _Function)]
    using = [each for each in rest if not isinstance(each, ast.Import | ast.ImportFrom)]
    named: dict[str, frozenset[str]] = {}
    for each in functions:
        named[each.name] = named.get(each.name, frozenset()) | _named(each)
    return _Module(
        functions={each.name: ast.dump(each) for each in functions},
        rest=tuple(map(ast.dump, rest)),
        named=named,
        elsewhere=frozenset().union(*map(_named, using)),
        actions={each.name: action for each in functions if (action := _action_of(each)) is not None},
    )


def _changed_functions(old: _Module, new: _Module) -> set[str] | None:
    """Return the names of the functions that differ; None where anything else does."""
    if old is new:
        return set()
    if old.rest != new.rest or old.functions.keys() != new.functions.keys():
        return None
    return {name for name, text in new.functions.items() if old.functions[name] != text}


def _actions_that_run(changed: set[str], modules: Iterable[_Module]) -> frozenset[str] | None:
    modules = list(modules)
    names = {name for module in modules for name in module.functions}
    calls: dict[str, set[str]] = {}
    for module in modules:  # functions of one name in two modules count as one: rather too many than too few
        for name, named in module.named.items():
            calls.setdefault(name, set()).update(named & names)
    elsewhere = frozenset().union(*(module.elsewhere for module in modules))
    affected = _callers(changed, calls)
    if affected & elsewhere:  # a class or a table of functions: who runs it is not known
        return None
    actions = {name: action for module in modules for name, action in module.actions.items()}
    if not affected & actions.keys():
        return None
    return frozenset(actions[name] for name in affected if name in actions)


def _callers(changed: set[str], calls: Mapping[str, set[str]]) -> set[str]:
    """Return the functions in `changed`, and all that call one of them, directly or not."""
    affected = set(changed)
    while True:
        more = {name for name, called in calls.items() if called & affected} - affected
        if not more:
            return affected
        affected |= more


def _named(node: ast.AST) -> frozenset[str]:
    nodes = list(ast.walk(node))
    names = {each.id for each in nodes if isinstance(each, ast.Name)}
    return frozenset(names | {each.attr for each in nodes if isinstance(each, ast.Attribute)})


def _action_of(function: _Function) -> str | None:
    """Return the action that a function is registered for by its decorator, in the words of test markers."""
    for decorator in function.decorator_list:
        if (
            isinstance(decorator, ast.Call)
            and isinstance(decorator.func, ast.Attribute)
            and decorator.func.attr == _DECORATOR
            and decorator.args
            and isinstance(decorator.args[0], ast.Attribute)
        ):
            return decorator.args[0].attr.lower()
    return None
