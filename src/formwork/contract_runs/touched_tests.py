"""Which tests a saved file touches: all, or, of a Python handler, those of the actions whose code changed."""

import ast
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from formwork.contract.requirement import Requirement

_Function = ast.FunctionDef | ast.AsyncFunctionDef
# As handler libraries have it: `@resource.handler(Action.CREATE)`, `@hook.handler(HookInvocationPoint.…)`.
_DECORATOR = "handler"


class SelectedTests(Protocol):
    """Which tests of the suite a run has."""

    def includes(self, requirement: "Requirement", inputs: str) -> bool:
        """Return whether to run the test with the input set of that name."""


@dataclass(frozen=True, slots=True)
class Touched:
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
        old, new = ({name: ast.parse(text) for name, text in each.items()} for each in (before, after))
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


def _changed_functions(old: ast.Module, new: ast.Module) -> set[str] | None:
    """Return the names of the functions that differ; None where anything else does."""
    parts = []
    for module in (old, new):
        functions = {each.name: ast.dump(each) for each in module.body if isinstance(each, _Function)}
        rest = [ast.dump(each) for each in module.body if not isinstance(each, _Function)]
        parts.append((functions, rest))
    (before, rest_before), (after, rest_after) = parts
    if rest_before != rest_after or before.keys() != after.keys():
        return None
    return {name for name, text in after.items() if before[name] != text}


def _actions_that_run(changed: set[str], modules: Iterable[ast.Module]) -> frozenset[str] | None:
    modules = list(modules)
    functions = [each for module in modules for each in module.body if isinstance(each, _Function)]
    names = {each.name for each in functions}
    calls: dict[str, set[str]] = {}
    for each in functions:  # those of one name in two modules count as one: rather too many than too few
        calls.setdefault(each.name, set()).update(_named(each) & names)
    elsewhere = {
        name
        for module in modules
        for each in module.body
        if not isinstance(each, _Function | ast.Import | ast.ImportFrom)
        for name in _named(each)
    }
    affected = _callers(changed, calls)
    if affected & elsewhere:  # a class or a table of functions: who runs it is not known
        return None
    actions = {each.name: action for each in functions if (action := _action_of(each)) is not None}
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


def _named(node: ast.AST) -> set[str]:
    names = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
    return names | {each.attr for each in ast.walk(node) if isinstance(each, ast.Attribute)}


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
