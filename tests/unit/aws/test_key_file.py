"""Credentials files of servers with `--require-auth`."""

import pytest

from formwork.aws.key_file import load_keys, make_keys
from formwork.diagnostics import BadInputError, EnvironmentProblemError


def test_key_files(tmp_path):
    path = tmp_path / "state" / "credentials"
    make_keys(path)
    before = path.read_text(encoding="utf-8")
    make_keys(path)
    assert path.read_text(encoding="utf-8") == before, "a key that is there stays"
    [(name, secret)] = load_keys(path).items()
    assert name.startswith("AKIA")
    assert len(name) == 20
    assert secret.reveal() in before
    for broken in ("", "[default]\naws_access_key_id = x\n", "no section = 1", "\x00\xff"):
        path.write_text(broken, encoding="utf-8")
        with pytest.raises(BadInputError, match=r"credentials file"):
            load_keys(path)
    with pytest.raises(EnvironmentProblemError, match="can't be read"):
        load_keys(tmp_path / "absent")
