"""The architecture that a package is built for, from `template.yml`."""

from enum import StrEnum
from pathlib import Path
from typing import Any

from formwork.diagnostics import BadInputError, get_at
from formwork.documents import Document, DocumentFormat, load_document

_PLACES = (
    ("Resources", "TypeFunction", "Properties", "Architectures"),
    ("Globals", "Function", "Architectures"),
)


class Architecture(StrEnum):
    """As a template's `Architectures` names it."""

    X86_64 = "x86_64"
    ARM64 = "arm64"


def architecture_of(path: Path) -> Architecture:
    """The architecture that the template at `path` gives to `TypeFunction`; x86_64, Lambda's default, if it says none.

    Raises:
        BadInputError: the template can't be read, or names something that Lambda doesn't have.
    """
    if not path.is_file():
        return Architecture.X86_64
    document = load_document(path, format=DocumentFormat.YAML, short_tags=True)
    for tokens in _PLACES:
        named: Any = get_at(document.value, tokens)
        if named is not None:
            return _architecture(named, document, tokens)
    return Architecture.X86_64


def _architecture(named: Any, document: Document, tokens: tuple[str, ...]) -> Architecture:
    try:
        (only,) = named
        return Architecture(only)
    except (TypeError, ValueError):
        raise BadInputError.of(
            "package.architecture",
            "unsupported architectures in the template",
            location=document.locate(tokens),
            expected="a list of one, x86_64 or arm64",
        ) from None
