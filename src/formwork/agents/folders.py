"""The folders that the tools may use, and paths within them."""

from collections.abc import Sequence
from pathlib import Path

from formwork.diagnostics.errors import UsageError


class AllowedFolders:
    """The folder that the server was started in, and those given by option; relative paths start at the first."""

    def __init__(self, folders: Sequence[Path]) -> None:
        """Resolve the folders.

        Raises:
            UsageError: one of them does not exist.
        """
        for each in folders:
            if not each.is_dir():
                raise UsageError(f'folder not found: "{each}"', hint="--folder is an existing folder")
        self.roots = tuple(each.resolve() for each in folders)

    def path(self, text: str) -> Path:
        """Return the absolute path without symbolic links that `text` means.

        Raises:
            UsageError: it leads out of the folders.
        """
        try:
            found = (self.roots[0] / text).resolve()
        except (OSError, ValueError, RuntimeError) as error:  # a NUL, a loop of links
            raise UsageError(f'invalid path "{text}": {error}') from None
        if any(found.is_relative_to(root) for root in self.roots):
            return found
        named = ", ".join(map(str, self.roots))
        raise UsageError(
            f'"{text}" is outside the folders of this server: {named}',
            hint="the person who starts `cfn mcp` allows another folder by --folder DIR",
        )

    def folder(self, text: str) -> Path:
        """Return `path(text)`, which is an existing folder.

        Raises:
            UsageError: it is not, or leads out of the folders.
        """
        found = self.path(text)
        if not found.is_dir():
            raise UsageError(f'folder not found: "{text}"', hint="`scaffold` makes a project's folder")
        return found
