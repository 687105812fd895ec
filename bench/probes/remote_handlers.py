"""Handlers of custom resources that work elsewhere: a URL that takes requests at once, and answers some seconds later.

    python remote_handlers.py SECONDS

The address is the first line of the output.
"""

import json
import sys
import threading
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Handler(BaseHTTPRequestHandler):
    """Takes a request of CloudFormation for a custom resource."""

    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        """Accept it, and answer later."""
        event = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()
        timer = threading.Timer(float(sys.argv[1]), answer, (event,))
        timer.daemon = True
        timer.start()

    def log_message(self, *_arguments: object) -> None:
        """Say nothing of requests."""


def answer(event: dict[str, str]) -> None:
    """Tell CloudFormation that the resource is made."""
    names = ("StackId", "RequestId", "LogicalResourceId")
    body = {"Status": "SUCCESS", "PhysicalResourceId": event["RequestId"], **{each: event[each] for each in names}}
    request = urllib.request.Request(event["ResponseURL"], data=json.dumps(body).encode(), method="PUT")
    with urllib.request.urlopen(request, timeout=60):
        pass


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    print(f"http://127.0.0.1:{server.server_address[1]}/", flush=True)
    server.serve_forever()
