"""`cfn … --local` finds the server that runs, whatever port and state it has; `ready` is said of one that answers."""

import pytest

from support.commands import Desk, refuses
from support.serving import serving


@pytest.fixture
def environment(tmp_path):
    return {"FORMWORK_STATE": str(tmp_path / "state"), "FORMWORK_CACHE": str(tmp_path / "cache")}


def list_types(tmp_path, environment):
    return Desk(tmp_path).cfn("registry", "-v", "list", "--local", cwd=tmp_path, env=environment)


def test_the_only_server_is_found_and_several_are_listed(tmp_path, environment):
    with serving(tmp_path, "--state", str(tmp_path / "other"), forked=True) as first:
        found = list_types(tmp_path, environment)
        assert found.code == 0, str(found)
        assert f"using the server at {first.url}, with the state in {tmp_path / 'other'}" in found.err
        with serving(tmp_path, "--ephemeral", forked=True) as second:
            refuses(list_types(tmp_path, environment), 2, first.url, second.url)
            with serving(tmp_path, forked=True):
                found = list_types(tmp_path, environment)
                assert found.code == 0, str(found)
                assert "using the server" not in found.err


def test_what_a_killed_server_left_behind_is_no_server(tmp_path, environment):
    with serving(tmp_path) as server:
        server.process.kill()
        server.process.wait()
    found = list_types(tmp_path, environment)
    assert found.code == 0, str(found)
    assert "no server runs" in found.err


def test_a_server_whose_registry_cannot_start_is_never_ready(tmp_path):
    (tmp_path / "state").mkdir()
    (tmp_path / "state" / "formwork.db").write_bytes(b"no database" * 1000)
    ended = Desk(tmp_path).cfn("serve", "--port", "0", "--state", str(tmp_path / "state"), cwd=tmp_path, timeout=60)
    assert ended.code != 0, str(ended)
    assert "ready" not in ended.out
