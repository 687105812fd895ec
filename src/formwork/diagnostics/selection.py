"""Choosing which diagnostics to show."""

from collections.abc import Iterable, Sequence

from formwork.diagnostics.diagnostic import Diagnostic, Severity


def select_diagnostics(
    diagnostics: Iterable[Diagnostic], *, select: Sequence[str] = (), ignore: Sequence[str] = ()
) -> list[Diagnostic]:
    """Return the errors, and of the rest what `select` names (all where it is empty) and `ignore` does not.

    Both hold codes or the beginnings of codes up to a dot or hyphen (`schema`, `schema.tag`); an error can't be
    unwanted away, since what it is about can't be used.
    """
    return [
        each
        for each in diagnostics
        if each.severity is Severity.ERROR
        or ((not select or _names(select, each.code)) and not _names(ignore, each.code))
    ]


def _names(wanted: Sequence[str], code: str) -> bool:
    return any(code == each or code.startswith((f"{each}.", f"{each}-")) for each in wanted)
