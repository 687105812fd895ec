"""Imports that a command which runs for a tenth of a second can do without.

`dataclasses` imports `inspect`, and uses it for classes without a docstring only; jsonschema-rs imports `email.utils`,
and with it sockets and calendars, to read the date of its own build. Together they are a fifth of `cfn validate`.
"""

import contextlib
import importlib
import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Any


def start_quickly() -> None:
    """Import what commands on schemas need, without those; only for a process that has no threads yet."""
    _postpone_inspect()
    with _without_email():
        import jsonschema_rs  # noqa: F401 - for its effect


class _Postponed(ModuleType):
    """Stands for a module until somebody wants something of it."""

    def __getattr__(self, name: str) -> Any:
        if sys.modules.get(self.__name__) is self:
            del sys.modules[self.__name__]
        return getattr(importlib.import_module(self.__name__), name)


def _postpone_inspect() -> None:
    """Let `inspect` be imported by whoever first uses it, not by whoever imports it.

    importlib's own LazyLoader does not help: the import statement looks at the module's `__spec__`, which loads it.
    """
    sys.modules.setdefault("inspect", _Postponed("inspect"))


@contextlib.contextmanager
def _without_email() -> Iterator[None]:
    """While this lasts `email.utils` reads no dates, and costs nothing to import."""
    if "email.utils" in sys.modules:
        yield
        return
    stand_in = ModuleType(name="email.utils")
    stand_in.parsedate_to_datetime = str  # type: ignore[attr-defined]
    sys.modules["email.utils"] = stand_in
    try:
        yield
    finally:
        del sys.modules["email.utils"]
