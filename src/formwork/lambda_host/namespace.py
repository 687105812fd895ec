"""Starts a process in a network of its own, whose sockets this process serves (Linux)."""

import contextlib
import os
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from formwork.lambda_host.way_out import NamespaceRequest, NamespaceSockets, NoNamespaceError, named_sockets

# Where the Runtime API is in a network of its own, as in Lambda.
API_ADDRESS = "127.0.0.1:9001"
# Run as a program, and never imported: its modules are those of Linux.
_PROGRAM = Path(__file__).with_name("enter_namespace.py")
_START_SECONDS = 30.0
_MOST_DESCRIPTORS = 64
_LONGEST_WORDS = 1000


def start_in_namespace(
    command: Sequence[str], request: NamespaceRequest, *, environment: Mapping[str, str], **settings: Any
) -> "tuple[subprocess.Popen[bytes], NamespaceSockets]":
    """Start `command` in a network of its own; `settings` are those of Popen.

    Raises:
        NoNamespaceError: the machine gives it none.
        OSError: the command can't be started.
    """
    ours, theirs = socket.socketpair()
    with ours, theirs:
        files = ":".join(f"{target}={source}" for target, source in request.files.items())
        words = [sys.executable, "-I", "-S", str(_PROGRAM), str(theirs.fileno())]
        words += [",".join(map(str, request.ports)), files, "--", *command]
        process = subprocess.Popen(  # noqa: S603 - our own interpreter, and a command of ours
            words, env=dict(environment), pass_fds=[theirs.fileno()], **settings
        )
        theirs.close()
        ours.settimeout(_START_SECONDS)
        try:
            return process, _receive(ours, process, len(request.ports))
        except BaseException:
            process.kill()
            process.wait()
            raise


def _receive(parent: socket.socket, process: "subprocess.Popen[bytes]", listeners: int) -> NamespaceSockets:
    try:
        words, descriptors, _, _ = socket.recv_fds(parent, _LONGEST_WORDS, _MOST_DESCRIPTORS)
    except OSError as error:
        raise NoNamespaceError(f"the program that enters it does not answer: {error}") from error
    if not words.startswith(b"ok"):
        raise NoNamespaceError(words.decode("utf-8", "replace") or f"exit code {process.wait()}")
    opened = [socket.socket(fileno=each) for each in descriptors]
    sockets = named_sockets(opened, listeners, packets=words == b"ok")
    if failure := parent.recv(_LONGEST_WORDS):  # nothing but the end of the stream where the command runs
        sockets.close()
        raise OSError(failure.decode("utf-8", "replace"))
    return sockets


def resolver_files(folder: Path) -> dict[str, Path]:
    """Write the files that lead a process's look-ups of names to its own network, and return what they cover."""
    resolver = folder / "resolv.conf"
    resolver.write_text("nameserver 127.0.0.1\noptions timeout:5 attempts:2\n", encoding="ascii")
    files = {"/etc/resolv.conf": resolver}
    with contextlib.suppress(OSError):
        lines = Path("/etc/nsswitch.conf").read_text(encoding="utf-8").splitlines()
        switch = folder / "nsswitch.conf"
        ours = ["hosts: files dns" if line.startswith("hosts:") else line for line in lines]
        switch.write_text("\n".join(ours) + "\n", encoding="utf-8")
        files["/etc/nsswitch.conf"] = switch
    for each in folder.iterdir():
        each.chmod(0o644)
    return files


def namespaces_exist() -> bool:
    """Return whether this platform has network namespaces at all."""
    return sys.platform == "linux" and hasattr(os, "fork")
