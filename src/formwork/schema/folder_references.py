"""The documents that a schema refers to, for those who rarely need them: in its folder, or elsewhere."""

from pathlib import Path
from typing import TYPE_CHECKING

from formwork.documents import Document
from formwork.documents.remote import RemoteDocuments

if TYPE_CHECKING:
    from formwork.schema.references import ReferenceLoader


class FolderReferences:
    """Loads documents from the folder of a schema; its machinery is imported when the first one is wanted."""

    def __init__(self, folder: Path, *, remote: RemoteDocuments | None = None) -> None:
        self._folder = folder
        self._remote = remote or RemoteDocuments()
        self._loader: ReferenceLoader | None = None

    def load(self, uri: str) -> Document:
        """See `ReferenceLoader.load`; without `remote` only files are read.

        Raises:
            ReferenceError_: the document is not there, or none.
        """
        if self._loader is None:
            from formwork.schema.references import DEFAULT_HOSTS, ReferenceLoader  # noqa: PLC0415 - few schemas need it

            remote = self._remote
            hosts = (*DEFAULT_HOSTS, *remote.hosts)
            self._loader = ReferenceLoader(self._folder, cache=remote.cache, hosts=hosts, fetch=remote.fetch)
        return self._loader.load(uri)
