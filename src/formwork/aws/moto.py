"""moto's server, a simulation of AWS on this machine, as a process that ends with ours (docs/decisions/0560)."""

import contextlib
import http.client
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Any
from urllib.parse import urlencode, urlsplit

from formwork.aws.moto_program import CONTENTS, MODELS
from formwork.diagnostics import EnvironmentProblemError
from formwork.diagnostics.extras import install_extra

# Modules of moto's server; those besides moto come with the extra moto[server], and may be missing.
_MODULES = ("moto", "flask", "flask_cors", "werkzeug")
_HINT = install_extra("moto")
# Seconds. It starts in one or two; a loaded machine may need many more.
_START_SECONDS = 60.0
_RESET_SECONDS = 30.0


class MotoClient:
    """Calls to a moto server that are not AWS's API; `url` is the value of AWS_ENDPOINT_URL."""

    def __init__(self, url: str) -> None:
        self.url = url

    def reset(self) -> None:
        """Delete everything in moto, in every service, account and Region.

        Raises:
            EnvironmentProblemError: it does not answer.
        """
        connection = self._connect()
        try:
            connection.request("POST", "/moto-api/reset")
            status = connection.getresponse().status
        except (OSError, http.client.HTTPException) as error:
            raise EnvironmentProblemError(f"moto's server does not answer any more: {error}") from error
        finally:
            connection.close()
        if status != http.client.OK:
            raise EnvironmentProblemError(f"moto's server does not reset its state: it answers {status}")

    def stack_models(self) -> dict[str, list[str]]:
        """Return the types that moto's own CloudFormation creates, each with its other actions: update, delete.

        {} where moto does not answer. The first call is slow.
        """
        found = self._ask(MODELS)
        return found if isinstance(found, dict) else {}

    def stack_resource(self, region: str, stack: str, names: Sequence[str]) -> tuple[str | None, dict[str, Any]]:
        """Return the physical id of the one resource in a stack of moto, and the attributes in `names` that it has."""
        asked = urlencode({"stack": stack, "region": region, "names": ",".join(names)})
        found = self._ask(f"{MODELS}?{asked}")
        found = found if isinstance(found, dict) else {}
        return found.get("id"), found.get("attributes", {})

    def contents(self) -> dict[str, frozenset[str]]:
        """Return the keys of all that exists in moto, by service and kind (`iam roles`); {} if moto does not answer."""
        found = self._ask(CONTENTS)
        return {place: frozenset(keys) for place, keys in found.items()} if isinstance(found, dict) else {}

    def _ask(self, path: str) -> Any:
        connection = self._connect()
        try:
            connection.request("GET", path)
            return json.loads(connection.getresponse().read())
        except (OSError, http.client.HTTPException, ValueError):
            return None
        finally:
            connection.close()

    def _connect(self) -> http.client.HTTPConnection:
        place = urlsplit(self.url)
        return http.client.HTTPConnection(place.hostname or "", place.port, timeout=_RESET_SECONDS)


class MotoServer(MotoClient):
    """A server that runs until `close`.

    Its standard input is a pipe from this process: when that closes, by `close` or because this process is gone, it
    ends. That works on every platform, without a watching process.
    """

    def __init__(self, user_environment: Mapping[str, str]) -> None:
        """Start it, and wait until it answers; it gets next to nothing of the user's environment.

        Raises:
            EnvironmentProblemError: moto is not installed, or its server does not start.
        """
        missing = [name for name in _MODULES if importlib.util.find_spec(name) is None]
        if missing:
            raise EnvironmentProblemError(
                f"moto's server is not installed here (no module {missing[0]}), and --aws moto starts it", hint=_HINT
            )
        with tempfile.TemporaryFile() as errors:
            self._process = _start(errors, user_environment)
            try:
                port = _await_ready(self._process, errors)
            except BaseException:
                self.close()
                raise
        super().__init__(f"http://127.0.0.1:{port}")

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()


def _start(errors: IO[bytes], user_environment: Mapping[str, str]) -> "subprocess.Popen[bytes]":
    program = Path(__file__).with_name("moto_program.py")
    try:
        return subprocess.Popen(  # noqa: S603 - our own interpreter
            [sys.executable, "-I", str(program), *filter(None, sys.path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            env=_environment(user_environment),
            # Ctrl-C at the terminal is ours to handle.
            start_new_session=os.name != "nt",
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
        )
    except OSError as error:
        raise EnvironmentProblemError(f"moto's server can't be started: {error.strerror or error}") from error


def _environment(user: Mapping[str, str]) -> dict[str, str]:
    """No credentials and no MOTO_ settings of the user's; without SYSTEMROOT no program of Windows has sockets."""
    kept = {name: value for name, value in user.items() if name.upper() in {"SYSTEMROOT", "TEMP", "TMP", "TMPDIR"}}
    nothing = {"AWS_CONFIG_FILE": os.devnull, "AWS_SHARED_CREDENTIALS_FILE": os.devnull}
    return {**kept, **nothing, "AWS_EC2_METADATA_DISABLED": "true", "PATH": os.defpath}


def _await_ready(process: "subprocess.Popen[bytes]", errors: IO[bytes]) -> int:
    """Return the port it listens on."""
    assert process.stdout is not None
    late = threading.Timer(_START_SECONDS, process.kill)
    late.start()
    try:
        word, _, port = process.stdout.readline().decode("ascii", "replace").partition(" ")
    finally:
        late.cancel()
    if word == "ready" and port.strip().isdecimal():
        return int(port)
    process.kill()
    process.wait()
    errors.seek(0)
    lines = errors.read().decode("utf-8", "replace").strip().splitlines()
    why = lines[-1] if lines else f"it says nothing for {_START_SECONDS:g} s"
    raise EnvironmentProblemError(f"moto's server does not start: {why}", hint=_HINT)
