"""How a language is found: its names and runtimes, known without importing what it consists of."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from formwork.languages.interface import Language


@dataclass(frozen=True, slots=True)
class LanguageEntry:
    """A language of ours, as the `ENTRY` of its folder.

    Attributes:
        offered: the names that `cfn init` offers, for `language` of `.rpdk-config`.
        names: regular expression of all names, those of outdated versions too.
        runtimes: regular expression of the Lambda runtimes that it runs.
        load: imports the language and makes it, for one of its names.
    """

    offered: tuple[str, ...]
    names: str
    runtimes: str
    load: "Callable[[str], Language]"
