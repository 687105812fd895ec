"""The languages by the names that `.rpdk-config` has for them."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from formwork.diagnostics import BadInputError, UsageError
from formwork.project.runtimes import PYTHON_VERSIONS, python_language

if TYPE_CHECKING:
    from formwork.generate.language import Language

_PYTHON = re.compile(r"python3([0-9]{1,2})")


def language_names() -> Sequence[str]:
    """What `cfn init` offers, in the order of the wizard."""
    return tuple(python_language(each) for each in PYTHON_VERSIONS)


def expect_language(name: str | None) -> "Language":
    """The language called `name`, outdated versions of Python included.

    Raises:
        BadInputError: there is no such language, or it can't be generated yet.
    """
    found = _PYTHON.fullmatch(name or "")
    if found is None:
        raise BadInputError.of(
            "generate.language",
            f'handlers in "{name}" are not generated',
            expected=f"one of {', '.join(language_names())}",
            hint='set "language" in .rpdk-config; models of other languages come from that language\'s own plugin',
        )
    from formwork.generate.python.project import PythonLanguage  # noqa: PLC0415 - only the language in use

    return PythonLanguage(f"3.{found.group(1)}")


def expect_new_language(name: str) -> "Language":
    """The language called `name` for a new project.

    Raises:
        UsageError: Lambda runs no such version any more, or never did.
    """
    if name not in language_names():
        raise UsageError(f'no language "{name}"', hint=f"one of {', '.join(language_names())}")
    return expect_language(name)
