"""Go: programs for the `provided` runtimes."""

from typing import TYPE_CHECKING

from formwork.languages.entry import LanguageEntry

if TYPE_CHECKING:
    from formwork.languages.interface import Language


def _load(_name: str) -> "Language":
    from formwork.languages.go.language import GoLanguage  # noqa: PLC0415 - imported when it is used

    return GoLanguage()


ENTRY = LanguageEntry(offered=("go",), names="go", runtimes=r"go1\.x|provided(\.al2|\.al2023)?", load=_load)
