"""How documents on other machines are fetched: settings that commands hand down to what follows references."""

from collections.abc import Callable
from pathlib import Path

from msgspec import Struct


class RemoteDocuments(Struct, frozen=True):
    """Settings for `schema.references.ReferenceLoader`; `hosts` are allowed besides AWS's own."""

    cache: Path | None = None
    hosts: tuple[str, ...] = ()
    fetch: Callable[[str], bytes] | None = None
