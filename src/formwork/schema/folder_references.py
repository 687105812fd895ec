"""The documents beside a schema, for those who rarely need them."""

from pathlib import Path
from typing import TYPE_CHECKING

from formwork.documents import Document

if TYPE_CHECKING:
    from formwork.schema.references import ReferenceLoader


class FolderReferences:
    """Loads documents from the folder of a schema; its machinery is imported when the first one is wanted."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._loader: ReferenceLoader | None = None

    def load(self, uri: str) -> Document:
        """See `ReferenceLoader.load`; nothing is fetched.

        Raises:
            ReferenceError_: the document is not there, or none.
        """
        if self._loader is None:
            from formwork.schema.references import ReferenceLoader  # noqa: PLC0415 - few schemas refer to others

            self._loader = ReferenceLoader(self._folder)
        return self._loader.load(uri)
