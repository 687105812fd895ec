"""What a registered schema may refer to: documents in its own package, and those on other machines that are allowed."""

from pathlib import Path
from urllib.parse import urlsplit

from formwork.documents import Document
from formwork.documents.refs import ReferenceError_
from formwork.documents.remote import RemoteDocuments
from formwork.schema.folder_references import FolderReferences


class PackageReferences:
    """Loads the documents that a package's schema refers to; nothing of this machine outside the package."""

    def __init__(self, folder: Path, remote: RemoteDocuments | None) -> None:
        self._folder = folder.resolve()
        self._documents = FolderReferences(self._folder, remote=remote)

    def load(self, uri: str) -> Document:
        """See `ReferenceLoader.load`.

        Raises:
            ReferenceError_: the document is not in the package, not allowed, or none.
        """
        if urlsplit(uri).scheme not in ("http", "https") and not self._is_inside(uri):
            raise ReferenceError_(f'"{uri}" is not in the package')
        return self._documents.load(uri)

    def _is_inside(self, name: str) -> bool:
        try:
            return (self._folder / name).resolve().is_relative_to(self._folder)
        except (OSError, ValueError):
            return False
