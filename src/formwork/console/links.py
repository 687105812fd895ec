"""One-time links: each begins one session in a browser.

A link has a time until which it is valid, a random number, and a signature by the server's key. `cfn console` makes
links too, with the key from the file in which the server is registered; only this user can read that.
"""

import base64
import hashlib
import hmac
import secrets
import threading
import time
from collections.abc import Callable

# A link that `cfn serve` prints may be opened much later than it is printed, one of `cfn console` is opened at once.
PRINTED_SECONDS = 7 * 24 * 3600.0
OPENED_SECONDS = 120.0


class OneTimeLinks:
    """Makes links and redeems each of them once; safe to use from several threads."""

    def __init__(self, url: str, key: bytes | None = None, *, now: Callable[[], float] = time.time) -> None:
        """Make links to the console at `url`, signed with `key`, by default a new one."""
        self.url = url
        self._key = secrets.token_bytes(32) if key is None else key
        self._now = now
        self._lock = threading.Lock()
        self._used: dict[str, float] = {}

    @property
    def key_text(self) -> str:
        """The key as a text, for `of_text`."""
        return base64.urlsafe_b64encode(self._key).decode()

    @classmethod
    def of_text(cls, url: str, key: str) -> "OneTimeLinks":
        """Return what makes links to the console at `url` with the key of its server.

        Raises:
            ValueError: `key` is not a key's text.
        """
        return cls(url, base64.urlsafe_b64decode(key))

    def make(self, seconds: float) -> str:
        """Return a link that is valid for so many seconds."""
        text = f"{int(self._now() + seconds)}.{secrets.token_urlsafe(18)}"
        return f"{self.url}/enter?token={text}.{self._signature(text)}"

    def redeem(self, token: str) -> bool:
        """Return whether the token of a link is valid; it is used up then."""
        text, _, signature = token.rpartition(".")
        if not hmac.compare_digest(signature.encode(), self._signature(text).encode()):
            return False
        end = int(text.partition(".")[0])  # it is a number, since it is signed
        now = self._now()
        with self._lock:
            self._used = {each: until for each, until in self._used.items() if until >= now}
            if end < now or text in self._used:
                return False
            self._used[text] = end
        return True

    def _signature(self, text: str) -> str:
        digest = hmac.new(self._key, text.encode(), hashlib.sha256).digest()
        return base64.urlsafe_b64encode(digest).decode().rstrip("=")
