"""Servers are found by what they register, for as long as their processes live."""

import os
import subprocess
import sys
from pathlib import Path

from formwork.durable.servers import FOLDER, RunningServer, registered_server, running_servers

DIES = """
import os, sys
from pathlib import Path
from formwork.durable.servers import registered_server
with registered_server(Path(sys.argv[1]), "http://127.0.0.1:1", None):
    os._exit(0)
"""


def test_servers_are_listed_by_address_until_they_end(tmp_path):
    assert running_servers(tmp_path) == []
    with registered_server(tmp_path, "http://127.0.0.1:2", tmp_path / "b"):
        with registered_server(tmp_path, "http://127.0.0.1:1", None):
            assert running_servers(tmp_path) == [
                RunningServer("http://127.0.0.1:1", None, os.getpid()),
                RunningServer("http://127.0.0.1:2", tmp_path / "b", os.getpid()),
            ]
        assert [server.url for server in running_servers(tmp_path)] == ["http://127.0.0.1:2"]
    assert running_servers(tmp_path) == []


def test_a_server_that_was_killed_is_forgotten(tmp_path):
    subprocess.run([sys.executable, "-c", DIES, tmp_path], check=True)
    assert len(list((tmp_path / FOLDER).iterdir())) == 1
    assert running_servers(tmp_path) == []
    assert list((tmp_path / FOLDER).iterdir()) == []


def test_a_folder_that_cannot_be_written_is_no_hindrance():
    with registered_server(Path("/dev/null/state"), "http://127.0.0.1:1", None):
        assert running_servers(Path("/dev/null/state")) == []
