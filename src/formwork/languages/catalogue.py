"""The languages, by their names in `.rpdk-config` and by Lambda runtime.

Ours are the folders in `BUILT_IN`; others come from installed packages by the entry point group `formwork.languages`.
A language is imported when it is used.
"""

import importlib
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from formwork.diagnostics import BadInputError, UsageError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from formwork.languages.entry import LanguageEntry
    from formwork.languages.interface import Language

ENTRY_POINTS = "formwork.languages"
# In the order in which `cfn init` offers them.
BUILT_IN = ("python", "go", "typescript", "java")


def language_names() -> Sequence[str]:
    """Return what `cfn init` offers, in the order of the wizard; languages of installed packages last."""
    own = [name for entry in _entries() for name in entry.offered]
    return (*own, *sorted(_installed().keys() - {*own}))


def expect_language(name: str | None) -> "Language":
    """Return the language called `name`, outdated versions of Python included.

    Raises:
        BadInputError: there is no such language.
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
    """Return the language called `name` for a new project.

    Raises:
        UsageError: Lambda no longer runs that version, or there is no such language.
    """
    if name not in language_names():
        raise UsageError(f'no language "{name}"', hint=f"one of {', '.join(language_names())}")
    return expect_language(name)


def get_language(name: str) -> "Language | None":
    """Return the language called `name`, None where there is none."""
    entry = next((entry for entry in _entries() if re.fullmatch(entry.names, name)), None)
    if entry is not None:
        return entry.load(name)
    installed = _installed().get(name)
    if installed is None:
        return None
    language: Language = installed.load()()
    return language


def language_of_runtime(runtime: str, name: str | None = None) -> "Language | None":
    """Return the language that runs functions of a Lambda runtime: that called `name` if it does, else one of ours."""
    entries = [entry for entry in _entries() if re.fullmatch(entry.runtimes, runtime)]
    for entry in entries:
        if name and re.fullmatch(entry.names, name):
            return entry.load(name)
    if name and (installed := _installed_for(name, runtime)) is not None:
        return installed
    return entries[0].load(entries[0].offered[-1]) if entries else None


def _entries() -> "Iterator[LanguageEntry]":
    for folder in BUILT_IN:
        entry: LanguageEntry = importlib.import_module(f"formwork.languages.{folder}").ENTRY
        yield entry


def _installed_for(name: str, runtime: str) -> "Language | None":
    """Return the installed language called `name` if it runs functions of `runtime`."""
    if any(re.fullmatch(entry.names, name) for entry in _entries()):
        return None
    language = get_language(name)
    runtimes = getattr(language, "runtimes", None)  # a language may only generate
    return language if runtimes and re.fullmatch(runtimes, runtime) else None


def _installed() -> "dict[str, EntryPoint]":
    from importlib.metadata import entry_points  # noqa: PLC0415 - slow, and only for languages of other packages

    return {entry.name: entry for entry in entry_points(group=ENTRY_POINTS)}
