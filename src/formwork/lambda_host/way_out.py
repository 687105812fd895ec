"""The way out of handler processes to other services, as far as their host knows it."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from socket import socket
from typing import Protocol

from msgspec import Struct, field

from formwork.lambda_host.outgoing_calls import OutgoingCall


class NoNamespaceError(Exception):
    """This machine gives the process no network of its own; the message says why."""


class NamespaceRequest(Struct, frozen=True):
    """A network of its own that a process is to start in (Linux alone).

    `ports` are those on which every address of that network is listened on; `files` are put in the place of the
    machine's, for this process: path → file.
    """

    ports: tuple[int, ...]
    files: Mapping[str, Path]


class NamespaceSockets(Struct, frozen=True):
    """The sockets that were opened in a process's network, for this process to serve.

    `api` listens for the Runtime API, `listeners` on the ports that were asked for, `names_udp` and `names_tcp` on
    port 53. `packets` shows the first packet of every connection, None where it could not be opened.
    """

    api: socket
    names_udp: socket
    names_tcp: socket
    listeners: tuple[socket, ...]
    packets: socket | None

    def close(self) -> None:
        """Close them all."""
        for each in (self.api, self.names_udp, self.names_tcp, *self.listeners, self.packets):
            if each is not None:
                each.close()


class ProcessExit(Protocol):
    """The way out of one process, until `close`."""

    @property
    def environment(self) -> Mapping[str, str]:
        """The variables by which the process finds and trusts it."""
        ...

    @property
    def namespace(self) -> NamespaceRequest | None:
        """The network that the process starts in; None for the machine's."""
        ...

    def serve(self, sockets: NamespaceSockets, pid: int) -> None:
        """Serve the sockets of the process's own network; not called where it has none."""
        ...

    def attach(self, kill: Callable[[], None]) -> None:
        """Store the function that kills the process."""
        ...

    def take_calls(self) -> tuple[OutgoingCall, ...] | None:
        """Return the calls that ended since the last time, in the order of their ends; None where none is seen."""
        ...

    def close(self) -> None:
        """Let nothing more through."""
        ...


class WayOut(Protocol):
    """Opens the ways out of a host's processes."""

    def open(self, runtime: str) -> ProcessExit:
        """Return the way out of a new process of a Lambda runtime."""
        ...

    def without_namespaces(self, reason: str) -> None:
        """Note that processes can't have a network of their own, and why; `open` asks for none afterwards."""
        ...


class OpenWay(Struct, frozen=True):
    """No gate: processes use the machine's network, and nothing is known of their calls."""

    def open(self, runtime: str) -> ProcessExit:  # noqa: ARG002 - the same for all
        """Return the way out of a process: the machine's network."""
        return _OpenExit()

    def without_namespaces(self, reason: str) -> None:
        """Nothing changes: none is asked for."""
        raise AssertionError(reason)


class _OpenExit(Struct, frozen=True):
    environment: Mapping[str, str] = field(default_factory=dict)
    namespace: None = None

    def serve(self, sockets: NamespaceSockets, pid: int) -> None:  # noqa: ARG002 - nothing to serve
        raise AssertionError(sockets)

    def attach(self, kill: Callable[[], None]) -> None:
        pass

    def take_calls(self) -> None:
        return None

    def close(self) -> None:
        pass


def named_sockets(sockets: Sequence[socket], listeners: int, *, packets: bool) -> NamespaceSockets:
    """Return the sockets of `enter_namespace`, in its order."""
    api, names_udp, names_tcp, *rest = sockets
    return NamespaceSockets(api, names_udp, names_tcp, tuple(rest[:listeners]), rest[listeners] if packets else None)
