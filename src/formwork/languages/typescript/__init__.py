"""TypeScript, compiled for Node.js."""

from typing import TYPE_CHECKING

from formwork.languages.entry import LanguageEntry

if TYPE_CHECKING:
    from formwork.languages.interface import Language


def _load(_name: str) -> "Language":
    from formwork.languages.typescript.language import TypeScriptLanguage  # noqa: PLC0415 - imported when it is used

    return TypeScriptLanguage()


ENTRY = LanguageEntry(offered=("typescript",), names="typescript", runtimes=r"nodejs\d+\.x", load=_load)
