"""The `file:` addresses of editors, to paths and back."""

from pathlib import Path
from urllib.parse import quote, unquote, urlsplit


def path_of(uri: str) -> Path | None:
    """Return the path that a `file:` address names, None for another address or one that names no path."""
    try:
        parts = urlsplit(uri)
    except ValueError:
        return None
    if parts.scheme != "file" or parts.netloc not in ("", "localhost"):
        return None
    text = unquote(parts.path)
    if "\0" in text or not text.startswith("/"):
        return None
    return Path(text[1:] if text[2:3] == ":" else text)  # /C:/folder on Windows


def address_of(path: Path) -> str:
    """Return the address of an absolute path, escaped as VS Code does."""
    text = path.as_posix()
    return "file://" + quote(text if text.startswith("/") else f"/{text}", safe="/")
