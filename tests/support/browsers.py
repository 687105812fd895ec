"""A real Chromium for tests of what web pages can send, and pages for it to open."""

import contextlib
import os
import shutil
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

_NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "chrome-headless-shell")
CHROMIUM = os.environ.get("FORMWORK_CHROMIUM") or next(filter(None, map(shutil.which, _NAMES)), None)

needs_chromium = pytest.mark.skipif(
    CHROMIUM is None, reason="no Chromium on the search path (apt install chromium-headless-shell) or FORMWORK_CHROMIUM"
)


@contextlib.contextmanager
def serving_pages(pages):
    """Serve `pages`, path to HTML, on a free port; yield `127.0.0.1:PORT`."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            page = pages.get(self.path.partition("?")[0])
            self.send_response(404 if page is None else 200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write((page or "").encode())

        def log_message(self, *_words):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


def open_page(url, profile, *, resolve=()):
    """Open `url`, let the page do what it does for a second, and return the document that it is then.

    `resolve` are host names that lead to 127.0.0.1, as a web site's own name server can make its name do.
    """
    options = ["--headless", "--no-sandbox", "--disable-gpu", "--dump-dom", f"--user-data-dir={profile}"]
    options += ["--timeout=1500", "--disable-background-networking", "--disable-popup-blocking"]
    if resolve:
        options.append("--host-resolver-rules=" + ",".join(f"MAP {name} 127.0.0.1" for name in resolve))
    ended = subprocess.run([CHROMIUM, *options, url], capture_output=True, text=True, timeout=60, check=False)
    return ended.stdout
