"""Sessions of browsers: a cookie that scripts cannot read, and a token that forms must repeat.

Sessions end with the server. Cookies of one host are shared between its ports, so the cookie's name contains the port.
"""

import hmac
import math
import secrets
import threading
import time
from collections.abc import Callable

from msgspec import Struct

from formwork.console.signing_in import SessionKey

IDLE_SECONDS = 24 * 3600.0
_MOST = 200  # sessions; the one that was idle for longest ends first


class BrowserSession(Struct):
    """A session; `account` is the one that it is limited to, None for all, `key` the access key that it acts with.

    `until` is when temporary credentials expire, and the session with them.
    """

    id: str
    form_token: str
    account: str | None
    key: SessionKey | None
    used: float
    until: float = math.inf

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

    def begin(self, *, account: str | None = None, key: SessionKey | None = None) -> BrowserSession:
        """Return a new session."""
        now = self._now()
        session = BrowserSession(secrets.token_urlsafe(32), secrets.token_urlsafe(32), account, key, now)
        if key is not None and key.seconds is not None:
            session.until = now + key.seconds
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
            now = self._now()
            if now - session.used > IDLE_SECONDS or now >= session.until:
                del self._sessions[session.id]
                return None
            session.used = now
            return session

    def lasts(self, session: BrowserSession) -> bool:
        """Return whether a session has not ended, for what a request of it has begun."""
        with self._lock:
            return self._sessions.get(session.id) is session and self._now() < session.until

    def end(self, session: BrowserSession) -> None:
        """End a session."""
        with self._lock:
            self._sessions.pop(session.id, None)

    def cookie_header(self, session: BrowserSession) -> str:
        """Return the Set-Cookie header that gives a browser the session."""
        return f"{self.cookie}={session.id}; Path=/; HttpOnly; SameSite=Strict"
