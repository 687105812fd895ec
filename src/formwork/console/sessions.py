"""Sessions of browsers: a cookie that scripts cannot read, and a token that forms must repeat.

Sessions end with the server. Cookies of one host are shared between its ports, so the cookie's name contains the port.
"""

import hmac
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

IDLE_SECONDS = 24 * 3600.0
_MOST = 200  # sessions; the one that was idle for longest ends first


@dataclass(slots=True)
class BrowserSession:
    """A session; `account` is the one that it is limited to, None for all, `key_id` the access key that it acts as."""

    id: str
    form_token: str
    account: str | None
    key_id: str | None
    used: float

    def allows_form(self, token: str) -> bool:
        """Return whether a form has this session's token."""
        return hmac.compare_digest(token.encode(), self.form_token.encode())


class BrowserSessions:
    """The sessions of one server; safe to use from several threads."""

    def __init__(self, port: int, *, now: Callable[[], float] = time.monotonic) -> None:
        self.cookie = f"formwork-console-{port}"
        self._now = now
        self._lock = threading.Lock()
        self._sessions: dict[str, BrowserSession] = {}

    def begin(self, *, account: str | None = None, key_id: str | None = None) -> BrowserSession:
        """Return a new session."""
        session = BrowserSession(secrets.token_urlsafe(32), secrets.token_urlsafe(32), account, key_id, self._now())
        with self._lock:
            if len(self._sessions) >= _MOST:
                oldest = min(self._sessions.values(), key=lambda each: each.used)
                del self._sessions[oldest.id]
            self._sessions[session.id] = session
        return session

    def find(self, cookies: str) -> BrowserSession | None:
        """Return the session that a Cookie header names, None if it names none that is valid."""
        prefix = f"{self.cookie}="
        given = [each.strip()[len(prefix) :] for each in cookies.split(";") if each.strip().startswith(prefix)]
        if len(given) != 1:
            return None
        with self._lock:
            session = self._sessions.get(given[0])
            if session is None:
                return None
            if self._now() - session.used > IDLE_SECONDS:
                del self._sessions[session.id]
                return None
            session.used = self._now()
            return session

    def end(self, session: BrowserSession) -> None:
        """End a session."""
        with self._lock:
            self._sessions.pop(session.id, None)

    def cookie_header(self, session: BrowserSession) -> str:
        """Return the Set-Cookie header that gives a browser the session."""
        return f"{self.cookie}={session.id}; Path=/; HttpOnly; SameSite=Strict"
