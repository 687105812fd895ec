"""Texts that may hold secrets are sealed in the database, with a key that is not in it.

AES-256-GCM of the `cryptography` library: a copy of the database without the key reveals nothing, and a text that was
changed is detected. The key is a file of the state folder that only its owner can read, or given from outside.
"""

import base64
import binascii
import contextlib
import hashlib
import hmac
import os
import uuid
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from formwork.diagnostics import EnvironmentProblemError

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

KEY_FILE = "state.key"
# attribute of a dialect with the sealer of its database: column types receive the dialect only
SEALER = "formwork_sealer"
_MARK = "sealed:1:"
_KEY_BYTES, _NONCE_BYTES = 32, 12


class Sealer:
    """Seals texts and opens them; safe to use from several threads."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    @property
    def id(self) -> str:
        """An identifier of the key, which reveals nothing about it."""
        return hashlib.sha256(b"formwork state key " + self._key).hexdigest()[:16]

    def seal(self, text: str) -> str:
        """Return the text encrypted; the result differs on each call."""
        nonce = os.urandom(_NONCE_BYTES)
        return _MARK + base64.b64encode(nonce + self._cipher.encrypt(nonce, text.encode(), None)).decode()

    @staticmethod
    def is_sealed(stored: str) -> bool:
        """Return whether a text is sealed, by this key or another."""
        return stored.startswith(_MARK)

    def open(self, stored: str) -> str:
        """Return the text that was sealed; one that was stored unencrypted is returned as it is.

        Raises:
            EnvironmentProblemError: it was sealed with another key, or changed since.
        """
        if not self.is_sealed(stored):
            return stored
        from cryptography.exceptions import InvalidTag  # noqa: PLC0415 - 30 ms, for those who need it

        try:
            sealed = base64.b64decode(stored[len(_MARK) :])
            return self._cipher.decrypt(sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:], None).decode()
        except (InvalidTag, ValueError) as error:
            raise wrong_key() from error

    def derive(self, purpose: str) -> bytes:
        """Return a key for another purpose, derived from this one; always the same for the same key and purpose."""
        return hmac.digest(self._key, b"formwork " + purpose.encode(), "sha256")

    @cached_property
    def _cipher(self) -> "AESGCM":
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM  # noqa: PLC0415 - the same

        return AESGCM(self._key)


def wrong_key() -> EnvironmentProblemError:
    """Return the error for a database that was sealed with another key."""
    return EnvironmentProblemError(
        "the database was sealed with another key",
        hint=f"put {KEY_FILE} back into the state folder, or give the key with FORMWORK_STATE_KEY",
    )


def parse_key(text: str) -> bytes:
    """Return the key that a base64 text encodes.

    Raises:
        EnvironmentProblemError: it does not encode 32 bytes.
    """
    key = b""
    with contextlib.suppress(binascii.Error, ValueError):
        key = base64.b64decode(text.strip(), validate=True)
    if len(key) != _KEY_BYTES:
        raise EnvironmentProblemError(
            "the key of the state is not 32 bytes in base64", hint="generate one: openssl rand -base64 32"
        )
    return key


def folder_key(folder: Path) -> bytes:
    """Return the key of a state folder, which is created where there is none.

    Raises:
        EnvironmentProblemError: it can't be read or written.
    """
    path = folder / KEY_FILE
    try:
        if not path.exists():
            _make(path)
        return parse_key(path.read_text(encoding="ascii"))
    except (OSError, UnicodeDecodeError) as error:
        raise EnvironmentProblemError(f'"{path}" can\'t be used: {error}') from error


def _make(path: Path) -> None:
    """Write a new key, whole or not at all; where several processes do so at once, the first one's stays."""
    beside = path.with_name(f".making-{uuid.uuid4().hex}")
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(base64.b64encode(os.urandom(_KEY_BYTES)) + b"\n")
        try:
            os.link(beside, path)  # a link never replaces a file, unlike a rename
        except OSError:  # the file exists already, or the file system does not support links
            if not path.exists():
                beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


def check_key(connection: Any, sealer: Sealer) -> None:
    """Check that the database is sealed with this key; record the key where it has none yet.

    Raises:
        EnvironmentProblemError: it is sealed with another one.
    """
    known = connection.exec_driver_sql("SELECT id FROM durable_key").scalar()
    if known is None:
        connection.exec_driver_sql(f"INSERT INTO durable_key (id) VALUES ('{sealer.id}')")  # noqa: S608 - hex digits
    elif known != sealer.id:
        raise wrong_key()
