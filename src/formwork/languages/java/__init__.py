"""Java, on AWS's published runtime."""

from typing import TYPE_CHECKING

from formwork.languages.entry import LanguageEntry

if TYPE_CHECKING:
    from formwork.languages.interface import Language


def _load(_name: str) -> "Language":
    from formwork.languages.java.language import JavaLanguage  # noqa: PLC0415 - imported when it is used

    return JavaLanguage()


ENTRY = LanguageEntry(offered=("java",), names="java", runtimes=r"java\d+(\.al2)?", load=_load)
