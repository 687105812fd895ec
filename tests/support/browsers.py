"""A real Chromium for tests of what web pages can send, and pages for it to open."""

import contextlib
import fcntl
import json
import os
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

# Chromium's pipe of the DevTools protocol is its descriptors 3 and 4, whatever ours are.
_START = (
    "import os, sys; os.dup2(int(sys.argv[1]), 3); os.dup2(int(sys.argv[2]), 4); os.execv(sys.argv[3], sys.argv[3:])"
)
_OPTIONS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-popup-blocking",
)


_LEFT = ("Inspected target navigated or closed", "Execution context was destroyed.")


class PageLeftError(AssertionError):
    """The page was exchanged for another one while it was asked."""


@contextlib.contextmanager
def serving_pages(pages, headers=None):
    """Serve `pages`, path to HTML, on a free port, with the `headers` of a path; yield `127.0.0.1:PORT`."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            path = self.path.partition("?")[0]
            page = pages.get(path)
            self.send_response(404 if page is None else 200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            for name, value in (headers or {}).get(path, {}).items():
                self.send_header(name, value)
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


@contextlib.contextmanager
def running_browser(chromium, profile, *, resolve=()):
    """A `Browser` with its files in the new folder `profile`.

    `resolve` are host names that lead to 127.0.0.1, as a web site's own name server can make its name do.
    """
    (to_browser, requests), (answers, from_browser) = (map(_above_ten, os.pipe()) for _ in range(2))
    rules = ",".join(f"MAP {name} 127.0.0.1" for name in resolve)
    words = [*_OPTIONS, "--remote-debugging-pipe", f"--user-data-dir={profile}", f"--host-resolver-rules={rules}"]
    process = subprocess.Popen(
        [sys.executable, "-c", _START, str(to_browser), str(from_browser), chromium.executable, *words],
        env={**os.environ, **chromium.environment},
        pass_fds=(to_browser, from_browser),
        stderr=subprocess.DEVNULL,
    )
    os.close(to_browser)
    os.close(from_browser)
    with os.fdopen(requests, "wb", 0) as writer, os.fdopen(answers, "rb", 0) as reader:
        try:
            yield Browser(writer, reader)
        finally:
            process.kill()
            process.wait()


def _above_ten(descriptor):
    copy = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, 10)
    os.close(descriptor)
    return copy


class Browser:
    """A running Chromium, told what to do over the pipe of its DevTools protocol."""

    def __init__(self, writer, reader):
        self._writer = writer
        self._reader = reader
        self._asked = 0
        self._read = b""
        self.events = []  # what the browser has told besides answers

    def open(self, url):
        """Open `url` in a window of its own, as from the address bar, without another's cookies; the window's id."""
        context = self.call("Target.createBrowserContext")["browserContextId"]
        return self.call("Target.createTarget", url=url, browserContextId=context)["targetId"]

    def document(self, window):
        """The document that the window shows now."""
        session = self.call("Target.attachToTarget", targetId=window, flatten=True)["sessionId"]
        asked = {"expression": "document.documentElement.outerHTML"}
        return self.call("Runtime.evaluate", session, **asked)["result"]["value"]

    def call(self, method, session=None, **parameters):
        self._asked += 1
        message = {"id": self._asked, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        self._writer.write(json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next_message()
            if answer.get("id") == self._asked:
                if answer.get("error", {}).get("message") in _LEFT:
                    raise PageLeftError(answer["error"]["message"])
                assert "result" in answer, answer
                return answer["result"]
            self.events.append(answer)

    def _next_message(self):
        while b"\0" not in self._read:
            more = self._reader.read(65536)
            assert more, "Chromium has ended"
            self._read += more
        message, _, self._read = self._read.partition(b"\0")
        return json.loads(message)


def wait_for_quiet(count, *, least):
    """Wait until `count()` is at least `least` and the same for a second; for half a minute at most."""
    before = -1
    for _ in range(30):
        now = count()
        if now == before >= least:
            return
        before = now
        time.sleep(1)
