"""Python."""

from typing import TYPE_CHECKING

from formwork.languages.entry import LanguageEntry
from formwork.languages.python.versions import PYTHON_VERSIONS, python_language

if TYPE_CHECKING:
    from formwork.languages.interface import Language


def _load(name: str) -> "Language":
    from formwork.languages.python.language import PythonLanguage  # noqa: PLC0415 - imported when it is used

    return PythonLanguage(f"3.{name.removeprefix('python3')}")


ENTRY = LanguageEntry(
    offered=tuple(python_language(version) for version in PYTHON_VERSIONS),
    names=r"python3[0-9]{1,2}",
    runtimes=r"python3\.\d+",
    load=_load,
)
