"""HTML from values: whatever is not `Markup` is escaped, control characters too."""

import html
from collections.abc import Iterable
from typing import TypeAlias

from formwork.diagnostics.visible import visible

_VOID = frozenset({"input", "meta"})


class Markup(str):
    """A text that is HTML already; only this module and constant texts make one."""

    __slots__ = ()


Child: TypeAlias = "str | int | Iterable[Child] | None"
Attribute: TypeAlias = "str | float | bool | None"


def element(name: str, /, *children: Child, **attributes: Attribute) -> Markup:
    """Return an element: `class_` and `data_state` are its attributes `class` and `data-state`.

    A child that is not Markup is a text; None is left out. An attribute that is None or False is left out, one that is
    True has no value.
    """
    given = "".join(_attribute(key, value) for key, value in attributes.items())
    if name in _VOID:
        return Markup(f"<{name}{given}>")
    return Markup(f"<{name}{given}>{joined(*children)}</{name}>")


def joined(*children: Child) -> Markup:
    """Return the children one after the other."""
    return Markup("".join(_child(each) for each in children))


def escape(text: str) -> Markup:
    """Return the text as HTML shows it, control characters too."""
    return Markup(html.escape(visible(text), quote=False))


def _child(child: Child) -> str:
    if child is None:
        return ""
    if isinstance(child, Markup):
        return child
    if isinstance(child, str):
        return escape(child)
    return str(child) if isinstance(child, int) else joined(*child)


def _attribute(name: str, value: Attribute) -> str:
    if value is None or value is False:
        return ""
    shown = name.rstrip("_").replace("_", "-")
    return f" {shown}" if value is True else f' {shown}="{html.escape(visible(str(value)))}"'
