"""A Parameter Store, a Secrets Manager and an STS that give what a test puts into them, as far as AWS's clients ask."""

import contextlib
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs

# GetCallerIdentity and GetSessionToken.
_STS = """<{0}Response xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><{0}Result><Account>111111111111</Account>
<Credentials><AccessKeyId>ASIAIOSFODNN7EXAMPLE</AccessKeyId><SecretAccessKey>{1}</SecretAccessKey>
<SessionToken>{2}</SessionToken><Expiration>2099-01-01T00:00:00Z</Expiration></Credentials></{0}Result>
<ResponseMetadata><RequestId>1</RequestId></ResponseMetadata></{0}Response>"""


@contextlib.contextmanager
def stored_secrets(parameters, secrets, *, keys=("", "")):
    """The address of a server; `parameters` are secure strings by name, `secrets` are texts by name.

    `keys` are the secret access key and the session token that STS gives.
    """

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"]))
            if "X-Amz-Target" not in self.headers:
                (action,) = parse_qs(body.decode())["Action"]
                self._send("text/xml", _STS.format(action, *keys).encode())
                return
            operation = self.headers["X-Amz-Target"].rpartition(".")[2]
            asked = json.loads(body)
            if operation == "GetParameter":
                name, _, version = asked["Name"].partition(":")
                found = {"Name": name, "Type": "SecureString", "Value": parameters[name], "Version": int(version or 1)}
                self._answer({"Parameter": found})
            else:
                self._answer({"Name": asked["SecretId"], "SecretString": secrets[asked["SecretId"]]})

        def _answer(self, value):
            self._send("application/x-amz-json-1.1", json.dumps(value).encode())

        def _send(self, kind, body):
            self.send_response(200)
            self.send_header("Content-Type", kind)
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
