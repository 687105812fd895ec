"""As much of EC2 as the user guide's WordPress example calls: instances that run at once and end at once."""

import contextlib
import itertools
import threading
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

_XMLNS = "http://ec2.amazonaws.com/doc/2016-11-15/"


class Ec2:
    """The state behind the endpoint; `calls` are the names of the operations in the order in which they came."""

    def __init__(self):
        self.calls = []
        self.instances = {}
        self.groups = set()
        self._numbers = itertools.count(1)
        self._lock = threading.Lock()

    def answer(self, form):
        """The element inside the answer to a call, from its form fields."""
        with self._lock:
            self.calls.append(form["Action"])
            return getattr(self, f"_{form['Action']}")(form)

    def _ListExports(self, _form):
        return "<ListExportsResult><Exports/></ListExportsResult>"  # `cfn test` asks CloudFormation for these

    def _DescribeSubnets(self, form):
        subnet = form["SubnetId.1"]
        return f"<subnetSet><item><subnetId>{subnet}</subnetId><vpcId>vpc-1</vpcId></item></subnetSet>"

    def _CreateSecurityGroup(self, form):
        group = f"sg-{next(self._numbers):08x}"
        self.groups.add(group)
        return f"<return>true</return><groupId>{group}</groupId>"

    def _AuthorizeSecurityGroupIngress(self, form):
        assert form["GroupId"] in self.groups
        return "<return>true</return>"

    def _DeleteSecurityGroup(self, form):
        self.groups.remove(form["GroupId"])
        return "<return>true</return>"

    def _RunInstances(self, form):
        number = next(self._numbers)
        name = f"i-{number:017x}"
        self.instances[name] = {
            "name": name,
            "address": f"54.0.{number // 256}.{number % 256}",
            "state": "running",
            "group": form["NetworkInterface.1.SecurityGroupId.1"],
            "subnet": form["NetworkInterface.1.SubnetId"],
            "site": form["TagSpecification.1.Tag.1.Value"],
        }
        return f"<reservationId>r-1</reservationId>{self._set([name])}"

    def _DescribeInstances(self, form):
        items = f"<item><reservationId>r-1</reservationId>{self._set([form['InstanceId.1']])}</item>"
        return f"<reservationSet>{items}</reservationSet>"

    def _TerminateInstances(self, form):
        name = form["InstanceId.1"]
        self.instances[name]["state"] = "terminated"
        state = "<code>48</code><name>terminated</name>"
        return f"<instancesSet><item><instanceId>{name}</instanceId><currentState>{state}</currentState></item></instancesSet>"

    def _set(self, names):
        return f"<instancesSet>{''.join(self._instance(self.instances[each]) for each in names)}</instancesSet>"

    def _instance(self, of):
        return (
            f"<item><instanceId>{of['name']}</instanceId><instanceState><code>16</code><name>{of['state']}</name>"
            f"</instanceState><ipAddress>{of['address']}</ipAddress><subnetId>{of['subnet']}</subnetId>"
            f"<groupSet><item><groupId>{of['group']}</groupId></item></groupSet>"
            f"<tagSet><item><key>Name</key><value>{of['site']}</value></item></tagSet></item>"
        )


@contextlib.contextmanager
def serve_ec2():
    """The state and the URL of an endpoint over it."""
    state = Ec2()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            text = self.rfile.read(int(self.headers["Content-Length"])).decode()
            form = dict(urllib.parse.parse_qsl(text))
            action = form["Action"]
            assert action == "ListExports" or "/ec2/aws4_request" in self.headers["Authorization"]
            try:
                body, status = f'<{action}Response xmlns="{_XMLNS}">{state.answer(form)}</{action}Response>', 200
            except KeyError as error:
                code = f"<Code>InvalidInstanceID.NotFound</Code><Message>{error}</Message>"
                body, status = f"<Response><Errors><Error>{code}</Error></Errors></Response>", 400
            self.send_response(status)
            self.send_header("Content-Type", "text/xml")
            self.send_header("Content-Length", str(len(body.encode())))
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, *_words):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield state, f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
