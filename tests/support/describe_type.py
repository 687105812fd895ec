"""A CloudFormation endpoint that answers DescribeType from a table, over HTTP and our own wire codecs."""

import contextlib
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl

from formwork.api.wire import ApiError, load_service, parse_query_request, render_query_error, render_query_response


@contextlib.contextmanager
def serve_types(answers):
    """Serve `answers`, {(type name or ARN, version or None): DescribeType's output or ApiError}; yields (url, seen)."""
    service, seen = load_service("cloudformation"), []
    operation = service.operation("DescribeType")

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            fields = parse_qsl(body, keep_blank_values=True)
            request = parse_query_request(operation, fields)
            seen.append((dict(fields)["Action"], request, self.headers.get("Authorization", "")))
            missing = ApiError.modelled(service, "TypeNotFoundException", "no such type")
            answer = answers.get((request.get("TypeName") or request.get("Arn"), request.get("VersionId")), missing)
            if isinstance(answer, ApiError):
                status, data = answer.status, render_query_error(service, answer, "r-1")
            else:
                status, data = 200, render_query_response(service, operation, answer, "r-1")
            self.send_response(status)
            self.send_header("Content-Type", "text/xml")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", seen
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
