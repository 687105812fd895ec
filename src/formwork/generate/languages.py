"""The languages by the names that `.rpdk-config` has for them.

Ours are imported when they are used. Others come from installed packages by the entry point group `formwork.languages`:
the entry point's name is the language's, and it leads to a class (or function) that makes a `Language` without
arguments. See docs/how-to/add-a-language.md.
"""

import importlib
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from formwork.diagnostics import BadInputError, UsageError
from formwork.project.runtimes import PYTHON_VERSIONS, python_language

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from formwork.generate.language import Language

ENTRY_POINTS = "formwork.languages"
_PYTHON = re.compile(r"python3([0-9]{1,2})")

# Name → module and class; a language joins this table when `cfn init` can start a project in it.
_BUILT_IN: dict[str, tuple[str, str]] = {
    "go": ("formwork.generate.go.project", "GoLanguage"),
    "typescript": ("formwork.generate.typescript.project", "TypeScriptLanguage"),
    "java": ("formwork.generate.java.project", "JavaLanguage"),
}


def language_names() -> Sequence[str]:
    """What `cfn init` offers, in the order of the wizard; languages of installed packages last."""
    return (*_own_names(), *sorted(_installed().keys() - {*_own_names()}))


def expect_language(name: str | None) -> "Language":
    """The language called `name`, outdated versions of Python included.

    Raises:
        BadInputError: there is no such language, or it can't be generated yet.
    """
    found = get_language(name or "")
    if found is None:
        raise BadInputError.of(
            "generate.language",
            f'handlers in "{name}" are not generated',
            expected=f"one of {', '.join(language_names())}",
            hint='set "language" in .rpdk-config, or install the package that brings this language',
        )
    return found


def expect_new_language(name: str) -> "Language":
    """The language called `name` for a new project.

    Raises:
        UsageError: Lambda runs no such version any more, or never did.
    """
    if name not in language_names():
        raise UsageError(f'no language "{name}"', hint=f"one of {', '.join(language_names())}")
    return expect_language(name)


def get_language(name: str) -> "Language | None":
    """The language called `name`, None where there is none."""
    python = _PYTHON.fullmatch(name)
    if python is not None:
        from formwork.generate.python.project import PythonLanguage  # noqa: PLC0415 - only the language in use

        return PythonLanguage(f"3.{python.group(1)}")
    place = _BUILT_IN.get(name)
    if place is not None:
        module, attribute = place
        made: Language = getattr(importlib.import_module(module), attribute)()
        return made
    installed = _installed().get(name)
    if installed is None:
        return None
    language: Language = installed.load()()
    return language


def _own_names() -> tuple[str, ...]:
    return (*(python_language(each) for each in PYTHON_VERSIONS), *_BUILT_IN)


def _installed() -> "dict[str, EntryPoint]":
    from importlib.metadata import entry_points  # noqa: PLC0415 - slow, and only for what is none of ours

    return {each.name: each for each in entry_points(group=ENTRY_POINTS)}
