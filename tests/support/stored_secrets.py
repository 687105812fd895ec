"""A Parameter Store and a Secrets Manager that hold what a test puts into them: three operations of AWS's JSON protocol."""

import contextlib
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@contextlib.contextmanager
def stored_secrets(parameters, secrets):
    """The address of a server; `parameters` are secure strings by name, `secrets` are texts by name."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            operation = self.headers["X-Amz-Target"].rpartition(".")[2]
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            if operation == "GetParameter":
                name, _, version = asked["Name"].partition(":")
                found = {"Name": name, "Type": "SecureString", "Value": parameters[name], "Version": int(version or 1)}
                self._answer({"Parameter": found})
            else:
                self._answer({"Name": asked["SecretId"], "SecretString": secrets[asked["SecretId"]]})

        def _answer(self, value):
            body = json.dumps(value).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/x-amz-json-1.1")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_what):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
