"""A web server on this machine whose pages are a table."""

import contextlib
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@contextlib.contextmanager
def serve_documents(pages):
    """Serve `pages`, {path: bytes, or (status, headers, bytes)}; yields the origin and the list of paths asked for."""
    asked = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append(self.path)
            page = pages.get(self.path, (404, {}, b"nothing here"))
            status, headers, data = page if isinstance(page, tuple) else (200, {}, page)
            self.send_response(status)
            for name, value in {"Content-Length": str(len(data)), **headers}.items():
                self.send_header(name, value)
            self.end_headers()
            with contextlib.suppress(OSError):  # the client has read enough
                self.wfile.write(data)

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", asked
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
