"""How documents on other machines are fetched: settings that commands hand down to what follows references."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple


class RemoteDocuments(NamedTuple):
    """Settings for `schema.references.ReferenceLoader`; `hosts` are allowed besides AWS's own."""

    cache: Path | None = None
    hosts: tuple[str, ...] = ()
    fetch: Callable[[str], bytes] | None = None
