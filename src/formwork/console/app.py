"""The console's application: what every request must pass, and the routes."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from urllib.parse import parse_qsl

from anyio import to_thread
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import Match, Route
from starlette.types import Receive, Scope, Send

from formwork.console.guard import HEADERS, SAFE_METHODS, ConsoleGuard, frame_headers
from formwork.console.parts import CallRefusedError, ConsoleParts
from formwork.console.rendering import render, render_parts
from formwork.console.routes import PAGES
from formwork.console.sessions import BrowserSession, BrowserSessions
from formwork.console.signing_in import find_key
from formwork.console.streams import stream_changes
from formwork.console.visits import FramedReport, NotShownError, PageFunction, PageVisit, Redirection, ShownPage
from formwork.diagnostics import FormworkError
from formwork.stacks.errors import StackError

_STATIC = Path(__file__).parent / "static"
_MOST_BYTES = 4 * 1024 * 1024  # of a form
_MOST_FIELDS = 2_000
_BUG = "This page has a bug: the output of `cfn serve` shows it."
_STATIC_TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".txt": "text/plain"}


class ConsoleApp:
    """Routes requests to pages."""

    def __init__(self, parts: ConsoleParts) -> None:
        self._parts = parts
        self._guard = ConsoleGuard(parts.port)
        self._sessions = BrowserSessions(parts.port)
        # Starlette matches the paths; what it would call is not used.
        self._routes = [(Route(path, endpoint=_unused, methods=[method]), page) for method, path, page in PAGES]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            return
        request = Request(scope, receive)
        try:
            response = await self._respond(request)
        except ClientDisconnect:
            return
        for name, value in HEADERS:
            response.headers.setdefault(name, value)
        response.headers.setdefault("Cache-Control", "no-store")
        await response(scope, receive, send)

    async def _respond(self, request: Request) -> Response:
        refusal = self._guard.refusal(request.method, request.headers.items())
        if refusal is not None:
            return PlainTextResponse(refusal, 403)
        path = request.url.path
        if path.startswith("/static/"):
            return _static(path.removeprefix("/static/"))
        session = self._sessions.find(request.headers.get("cookie", ""))
        if path == "/enter":
            return await self._enter(request, session)
        if session is None:
            return self._sign_in(401)
        if path == "/changes" and request.method == "GET":
            return StreamingResponse(
                stream_changes(self._parts, session, lambda: self._sessions.lasts(session)),
                media_type="text/event-stream",
            )
        return await self._show(request, session)

    async def _enter(self, request: Request, session: BrowserSession | None) -> Response:
        """Begin a session by a one-time link, or by an access key where the server requires one."""
        if self._parts.keys is not None:
            if request.method != "POST":
                return self._sign_in(200)
            form = await _read_form(request)
            key_id, secret, token = ((form.get(each) or [""])[-1].strip() for each in ("key_id", "secret", "token"))
            key = find_key(self._parts.keys, self._parts.temporary, key_id, secret, token)
            if key is None:
                return self._sign_in(403, problem="The access key, its secret or its session token is not valid.")
            return self._begun(self._sessions.begin(account=self._parts.account_of(key_id), key=key))
        if request.method == "GET" and self._parts.links.redeem(request.query_params.get("token", "")):
            return self._begun(self._sessions.begin())
        if session is not None:  # a used link in a browser that has a session
            return self._begun(session)
        return self._sign_in(403, problem="The link is not valid: each can be opened once.")

    def _begun(self, session: BrowserSession) -> Response:
        """Return a page that leads on: after a redirect from another site, a strict cookie would not be sent."""
        response = HTMLResponse(render("entered.html", {}))
        response.headers["Set-Cookie"] = self._sessions.cookie_header(session)
        return response

    def _sign_in(self, status: int, problem: str | None = None) -> Response:
        keys = self._parts.keys is not None
        return HTMLResponse(render("sign_in.html", {"keys": keys, "problem": problem}), status)

    async def _show(self, request: Request, session: BrowserSession) -> Response:
        page, path = self._find(request)
        partial = request.headers.get("hx-request") == "true"
        form: Mapping[str, list[str]] = {}
        if request.method not in SAFE_METHODS:
            form = await _read_form(request)
            if not session.allows_form((form.get("form_token") or [""])[-1]):
                return PlainTextResponse("The form has expired: reload the page", 403)
            if request.url.path == "/leave":
                self._sessions.end(session)
                return self._sign_in(200)
        visit = PageVisit(self._parts, session, path, dict(request.query_params), form, partial)
        return await to_thread.run_sync(self._answer, page, visit)

    def _answer(self, page: PageFunction | None, visit: PageVisit) -> Response:
        """Return the answer of a page; runs in a thread, since it reads the database."""
        version = self._parts.feed.version  # before anything is read: a change meanwhile is one that the page has not
        try:
            shown = _shown(page, visit)
            if isinstance(shown, ShownPage):
                return self._rendered(visit, shown, version)
            if isinstance(shown, FramedReport):
                return HTMLResponse(shown.html, headers=frame_headers())
        except Exception as error:  # noqa: BLE001 - the boundary: the server outlives a bug in one page
            self._parts.on_error(error)
            return self._rendered(visit, ShownPage("problem.html", {"message": _BUG}, 500), version)
        name = "HX-Redirect" if visit.partial else "Location"
        return Response(status_code=204 if visit.partial else 303, headers={name: shown.path})

    def _find(self, request: Request) -> tuple[PageFunction | None, dict[str, str]]:
        scope = dict(request.scope)
        if scope["method"] == "HEAD":
            scope["method"] = "GET"
        for route, page in self._routes:
            match, found = route.matches(scope)
            if match is Match.FULL:
                return page, found["path_params"]
        return None, {}

    def _rendered(self, visit: PageVisit, shown: ShownPage, version: str) -> Response:
        common = {
            "form_token": visit.session.form_token,
            "account": visit.session.account,
            "api": self._parts.api,
            "feed_version": version,
        }
        parts = render_parts(shown.template, {**shown.values, **common})
        first, second = next(parts, ""), next(parts, None)
        if second is None:
            return HTMLResponse(first, shown.status)
        return StreamingResponse(self._rest((first, second), parts), shown.status, media_type="text/html")

    def _rest(self, made: Iterable[str], others: Iterator[str]) -> Iterator[str]:
        """Yield all parts of a page; a bug in a later one ends the page with a sentence about it."""
        yield from made
        try:
            yield from others
        except Exception as error:  # noqa: BLE001 - the boundary: the first parts are sent already
            self._parts.on_error(error)
            yield f'<p class="alert" role="alert">{_BUG}</p>'


def _shown(page: PageFunction | None, visit: PageVisit) -> ShownPage | FramedReport | Redirection:
    """Return what a page shows, or what is wrong."""
    if page is None:
        return _problem(404, "This page does not exist.")
    try:
        return page(visit)
    except NotShownError as error:
        return _problem(404, str(error))
    except (StackError, CallRefusedError) as error:
        return _problem(400, error.message)
    except FormworkError as error:
        return _problem(503, str(error))


def _problem(status: int, message: str) -> ShownPage:
    return ShownPage("problem.html", {"message": message}, status)


async def _unused(_request: Request) -> Response:
    raise NotImplementedError


async def _read_form(request: Request) -> dict[str, list[str]]:
    """Return the members of a form; {} for what is not one, or is too large."""
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > _MOST_BYTES:
            return {}
    form: dict[str, list[str]] = {}
    try:
        fields = parse_qsl(body.decode(), keep_blank_values=True, max_num_fields=_MOST_FIELDS)
    except ValueError:
        return {}
    for name, value in fields:
        form.setdefault(name, []).append(value)
    return form


def _static(name: str) -> Response:
    path = _STATIC / name
    if "/" in name or not path.is_file():
        return PlainTextResponse("not found", 404)
    return Response(path.read_bytes(), media_type=_STATIC_TYPES[path.suffix], headers={"Cache-Control": "no-cache"})
