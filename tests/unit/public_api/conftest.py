"""What tests of the public names share: no environment, no output."""

import os
import sys
import tempfile

import pytest

# Other libraries read variables of their own, such as SSL_CERT_FILE.
_WATCHED = ("formwork", "subprocess", "boto3", "botocore")
_BETWEEN = ("os", "posixpath", "genericpath", "pathlib", "_collections_abc", "shutil")


def _reader():
    """The module that reads the environment."""
    frame = sys._getframe(2)
    while frame.f_globals["__name__"] in _BETWEEN:
        frame = frame.f_back
    return frame.f_globals["__name__"]


class NoEnvironment(dict):
    """An environment that is empty, and that Formwork may not read."""


def _refusing(name):
    def method(self, *arguments):
        reader = _reader()
        assert reader.partition(".")[0] not in _WATCHED, f"{reader} reads the environment"
        return getattr(dict, name)(self, *arguments)

    return method


for _name in ("__getitem__", "__contains__", "__iter__", "get", "items", "keys", "copy"):
    setattr(NoEnvironment, _name, _refusing(_name))


@pytest.fixture
def silent(monkeypatch, capfd):
    """No environment during the test, and no output in it."""
    tempfile.gettempdir()  # which reads TMPDIR once
    with monkeypatch.context() as patch:
        patch.setattr(os, "environ", NoEnvironment())
        yield
    assert capfd.readouterr() == ("", "")
