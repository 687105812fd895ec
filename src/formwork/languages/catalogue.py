"""The languages, by their names in `.rpdk-config` and by Lambda runtime.

Built-in ones are the folders in `BUILT_IN`; others are installed packages with an entry point in `formwork.languages`.

The reasons are in docs/decisions/1101.
"""

import importlib
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from formwork.diagnostics import BadInputError, UsageError
from formwork.languages.interface import Language

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from formwork.generate.generator import LanguageGenerator

ENTRY_POINTS = "formwork.languages"
# In the order in which `cfn init` offers them.
BUILT_IN = ("python", "go", "typescript", "java")


def language_names() -> Sequence[str]:
    """Return the names that `cfn init` offers, in the order of the wizard; languages of installed packages last."""
    own = [name for language in _own() for name in language.offered]
    return (*own, *sorted(_installed().keys() - {*own}))


def expect_generator(name: str | None) -> "LanguageGenerator":
    """Return the generator of the language `name`, which may be an outdated version of Python.

    Raises:
        BadInputError: the language is not found.
    """
    found = get_language(name or "")
    if found is None:
        raise BadInputError.of(
            "generate.language",
            f'handlers in "{name}" are not generated',
            expected=f"one of {', '.join(language_names())}",
            hint='set "language" in .rpdk-config, or install the package that brings this language',
        )
    return found.generator(name or "")


def expect_new_generator(name: str) -> "LanguageGenerator":
    """Return the generator for a new project in the language `name`.

    Raises:
        UsageError: the language is not found, or Lambda no longer runs that version.
    """
    if name not in language_names():
        raise UsageError(f'no language "{name}"', hint=f"one of {', '.join(language_names())}")
    return expect_generator(name)


def get_language(name: str) -> Language | None:
    """Return the language `name`, None if it is not found."""
    return next((language for language in _own() if _has_name(language, name)), None) or _installed_language(name)


def language_of_runtime(runtime: str, name: str | None = None) -> Language | None:
    """Return the language that runs functions of a Lambda runtime: `name` if it does, else a built-in one."""
    named = get_language(name) if name else None
    candidates = [*([named] if named else []), *_own()]
    return next((each for each in candidates if each.runtimes and re.fullmatch(each.runtimes, runtime)), None)


def _own() -> Iterator[Language]:
    for folder in BUILT_IN:
        language: Language = importlib.import_module(f"formwork.languages.{folder}").LANGUAGE
        yield language


def _has_name(language: Language, name: str) -> bool:
    return re.fullmatch(language.names, name) is not None if language.names else name in language.offered


def _installed_language(name: str) -> Language | None:
    entry = _installed().get(name)
    if entry is None:
        return None
    found = entry.load()
    # The first version of the interface: a generator class that is created without arguments.
    return found if isinstance(found, Language) else Language(offered=(name,), generator=lambda _name: found())


def _installed() -> "dict[str, EntryPoint]":
    from importlib.metadata import entry_points  # noqa: PLC0415 - slow, and only for languages of other packages

    return {entry.name: entry for entry in entry_points(group=ENTRY_POINTS)}
