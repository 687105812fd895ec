"""The one page that this port shows to a browser: where the console is.

It is the same for every visitor and has no effect, so no page of another site gains by leading there.
"""

from starlette.responses import HTMLResponse

from formwork.api.requests import RequestHead

_PAGE = """<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Formwork</title><meta name="viewport" content="width=device-width"></head>
<body>
<h1>Formwork</h1>
<p>This port answers AWS clients: boto3, the AWS CLI, the CDK, SAM.</p>
{where}
</body>
</html>
"""
_CONSOLE = """<p>The console is at <a href="{url}" rel="noreferrer">{url}</a>.
<code>cfn console</code> opens it with a session.</p>"""
_NONE = "<p>The console is switched off: this server was started with <code>--no-console</code>.</p>"
_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
}


def is_visit(head: RequestHead) -> bool:
    """Return whether a browser opens the address of this port, without asking for an operation."""
    wants_page = "text/html" in head.headers.get("accept", "")
    opened = head.headers.get("sec-fetch-dest", "document") == "document"
    return head.method == "GET" and head.path in {"", "/"} and not head.query and wants_page and opened


def front_page(console: str | None) -> HTMLResponse:
    """Return the page with the console's address, or without one."""
    from html import escape  # noqa: PLC0415 - its table of entities takes 3 ms, which the server's start need not wait for

    where = _NONE if console is None else _CONSOLE.format(url=escape(console))
    return HTMLResponse(_PAGE.format(where=where), headers=_HEADERS)
