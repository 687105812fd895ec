"""`cfn invoke -d PORT` and `cfn test -d PORT`: handlers wait for a debugger, which speaks the Debug Adapter Protocol."""

import json
import os
import re
import socket
import subprocess
import sys
import time

import pytest

from e2e.test_cfn_test import handlers_of, sample  # noqa: F401 - a fixture
from support.handler_projects import TEMPLATE, make_project, write_json

pytest.importorskip("debugpy")


class Debugger:
    """As much of a DAP client as attaching takes."""

    def __init__(self, port):
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=30)
        self._stream = self._socket.makefile("rb")
        self._sent = 0

    def send(self, command, **arguments):
        self._sent += 1
        body = json.dumps({"seq": self._sent, "type": "request", "command": command, "arguments": arguments}).encode()
        self._socket.sendall(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))

    def wait_for(self, kind, name):
        while True:
            size = int(re.fullmatch(rb"Content-Length: (\d+)\r\n", self._stream.readline())[1])
            self._stream.readline()
            message = json.loads(self._stream.read(size))
            if message["type"] == kind and message.get("command" if kind == "response" else "event") == name:
                return message

    def attach(self):
        self.send("initialize", adapterID="test", clientID="test")
        self.send("attach", name="test")
        self.wait_for("event", "initialized")

    def break_at(self, path, *lines):
        self.send("setBreakpoints", source={"path": str(path)}, breakpoints=[{"line": line} for line in lines])
        found = self.wait_for("response", "setBreakpoints")["body"]["breakpoints"]
        assert [each["verified"] for each in found] == [True] * len(lines)

    def close(self):
        self._stream.close()
        self._socket.close()


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


def test_a_handler_waits_for_a_debugger_and_stops_where_told(tmp_path):
    # A timeout of one second, which debugging turns off: the debugger takes longer.
    project = make_project(tmp_path / "thing", template=TEMPLATE.replace("Timeout: 20", "Timeout: 1"))
    handlers = project / "src" / "acme_store_thing" / "handlers.py"
    line = next(n for n, text in enumerate(handlers.read_text("utf-8").splitlines(), 1) if 'if name == "fail"' in text)
    file = write_json(tmp_path / "request.json", {"desiredResourceState": {"Name": "x"}})
    port = free_port()
    command = [sys.executable, "-m", "formwork.cli.main", "invoke", "-d", str(port), "CREATE", str(file)]
    environment = {**os.environ, "FORMWORK_CACHE": str(tmp_path / "cache")}
    with subprocess.Popen(
        command, cwd=project, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as running:
        try:
            assert any(f"waiting for a debugger on 127.0.0.1:{port}" in text for text in running.stderr)
            debugger = Debugger(port)
            debugger.attach()
            debugger.break_at(handlers, line)
            debugger.send("configurationDone")
            stopped = debugger.wait_for("event", "stopped")
            assert stopped["body"]["reason"] == "breakpoint"
            debugger.send("continue", threadId=stopped["body"]["threadId"])
            out, _ = running.communicate(timeout=20)  # the command may end before it says that it goes on
            debugger.close()
        finally:
            running.kill()
    assert '"status": "SUCCESS"' in out
    assert running.returncode == 0


def test_contract_tests_wait_for_a_debugger_and_for_the_person_at_it(sample):  # noqa: F811 - the fixture
    project = sample("debugged")
    template = project / "template.yml"
    template.write_text(re.sub(r"Timeout: \d+", "Timeout: 1", template.read_text("utf-8")), encoding="utf-8")
    handlers = handlers_of(project)
    lines = handlers.read_text("utf-8").splitlines()
    line = next(n for n, text in enumerate(lines, 1) if "name = _expect_name(desired)" in text)
    port = free_port()
    command = [sys.executable, "-m", "formwork.cli.main", "test", "--debug-port", str(port), "--report", "json"]
    with subprocess.Popen(
        [*command, "-k", "contract_create_read"],
        cwd=project,
        env=dict(os.environ),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as running:
        try:
            assert any(f"waiting for a debugger on 127.0.0.1:{port}" in text for text in running.stderr)
            debugger = Debugger(port)
            debugger.attach()
            debugger.break_at(handlers, line)
            debugger.send("configurationDone")
            stopped = debugger.wait_for("event", "stopped")["body"]
            assert stopped["reason"] == "breakpoint"
            time.sleep(1.2)  # longer than the function's timeout, which debugging turns off
            debugger.break_at(handlers)
            debugger.send("continue", threadId=stopped["threadId"])
            out, err = running.communicate(timeout=60)
            debugger.close()
        finally:
            running.kill()
    assert running.returncode == 0, out + err
    report = json.loads(out)
    assert {"passed"} <= {each["outcome"] for each in report["tests"]} <= {"passed", "skipped"}
    assert "debugger" in report["coverage"]["unmeasured"]
