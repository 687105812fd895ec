"""The console's checks of where a request comes from: this machine's own pages, and no other site's."""

from collections.abc import Iterable

from formwork.report_pages.page import frame_policy

SAFE_METHODS = frozenset({"GET", "HEAD"})
_EMBEDDING = frozenset({"iframe", "frame", "embed", "object", "fencedframe"})
_OWN_SITES = frozenset({"same-origin", "none"})

# No inline script and style, nothing from elsewhere, and no page of another site around ours.
_POLICY = (
    "default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = (
    ("Content-Security-Policy", _POLICY),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Referrer-Policy", "same-origin"),  # with `no-referrer` browsers send `Origin: null` with our own forms
    ("X-Content-Type-Options", "nosniff"),
    ("X-Frame-Options", "DENY"),
)


def frame_headers() -> dict[str, str]:
    """Return the headers of a report in a frame of ours, which has no origin, and loads and sends nothing."""
    return {"Content-Security-Policy": frame_policy(), "X-Frame-Options": "SAMEORIGIN"}


class ConsoleGuard:
    """Refuses requests for other host names (DNS rebinding) and requests that other sites' pages make."""

    def __init__(self, port: int) -> None:
        self._hosts = frozenset({f"127.0.0.1:{port}", f"localhost:{port}", f"[::1]:{port}"})

    def refusal(self, method: str, headers: Iterable[tuple[str, str]]) -> str | None:
        """Return why a request is refused, None if it is not; header names are lower-case."""
        given: dict[str, str] = {}
        hosts = []
        for name, value in headers:
            if name == "host":
                hosts.append(value.lower())
            given[name] = value
        if len(hosts) != 1 or hosts[0] not in self._hosts:
            return "This is not a host name of the console"
        site, destination = given.get("sec-fetch-site"), given.get("sec-fetch-dest")
        if destination in _EMBEDDING and not (destination == "iframe" and site == "same-origin"):
            return "The console is not shown inside other pages"  # in its own, frame-ancestors says which it is
        if method in SAFE_METHODS:
            # A link on another page may be followed; SameSite=Strict keeps the session out of it.
            followed = given.get("sec-fetch-mode") == "navigate" and destination == "document"
            ours = site is None or site in _OWN_SITES or followed
        else:
            ours = given.get("origin") == f"http://{hosts[0]}" and site in {None, "same-origin"}
        return None if ours else "The request comes from a page of another site"
