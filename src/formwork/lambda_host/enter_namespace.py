"""A program: enters a network of its own, opens sockets there, hands them to its parent, and becomes another program.

Run as `python -I -S enter_namespace.py CONTROL PORTS FILES -- COMMAND…` on Linux. CONTROL is the descriptor of a Unix
socket, PORTS are numbers joined by commas, FILES `TARGET=SOURCE` joined by `:`. The parent receives `ok` with the
descriptors, and then the end of the stream when COMMAND runs; or a sentence that says why not.

In that network every address is the loopback interface's, so that a connection to any of them arrives at the sockets.
The path names of Unix sockets are the machine's still.
"""

import contextlib
import ctypes
import fcntl
import os
import socket
import struct
import sys

_NEW_USER, _NEW_MOUNTS, _NEW_NETWORK = 0x10000000, 0x00020000, 0x40000000
_MS_BIND, _MS_REC, _MS_PRIVATE = 0x1000, 0x4000, 0x40000
_SIOCSIFFLAGS, _IFF_UP, _IFF_RUNNING = 0x8914, 0x1, 0x40
_API = ("127.0.0.1", 9001)
_NAMES_PORT = 53
_BACKLOG = 128
_ETH_P_ALL = 3
_SO_ATTACH_FILTER = 26

# rtnetlink(7): a route of type local, for every address, by the loopback interface.
_NEW_ROUTE, _FLAGS = 24, 0x1 | 0x4 | 0x400 | 0x200  # request, acknowledged, created, not replaced
_TABLE_LOCAL, _PROTOCOL_KERNEL, _SCOPE_HOST, _TYPE_LOCAL = 255, 2, 254, 2
_ATTRIBUTE_INTERFACE = 4

# A packet filter (bpf(2), the classic form): the first packets of TCP connections, and UDP that is not about names.
# (operation, jump if true, jump if false, operand); jumps count from the next instruction.
_FILTER = (
    (0x30, 0, 0, 0),  # load the byte at 0
    (0x54, 0, 0, 0xF0),  # its upper half is the version
    (0x15, 0, 12, 0x40),  # IPv4? else to "IPv6"
    (0x30, 0, 0, 9),  # the protocol
    (0x15, 0, 5, 6),  # TCP? else to "UDP"
    (0xB1, 0, 0, 0),  # X = length of the header
    (0x50, 0, 0, 13),  # the flags
    (0x54, 0, 0, 0x12),
    (0x15, 0, 13, 0x02),  # SYN without ACK? else drop
    (0x05, 0, 0, 11),  # keep
    (0x15, 0, 11, 17),  # UDP? else drop
    (0xB1, 0, 0, 0),
    (0x48, 0, 0, 2),  # the port it goes to
    (0x15, 8, 0, _NAMES_PORT),  # drop
    (0x05, 0, 0, 6),  # keep
    (0x15, 0, 6, 0x60),  # IPv6? else drop
    (0x30, 0, 0, 6),
    (0x15, 0, 4, 6),  # TCP? else drop
    (0x30, 0, 0, 53),  # 40 bytes of header, then the flags
    (0x54, 0, 0, 0x12),
    (0x15, 0, 1, 0x02),  # keep or drop
    (0x06, 0, 0, 128),  # keep so many bytes
    (0x06, 0, 0, 0),  # drop
)


def main(control: int, ports: list[int], files: list[tuple[str, str]], command: list[str]) -> None:
    """Become the command; end the process where that failed, after the parent has received the reason."""
    parent = socket.socket(fileno=control)
    os.set_inheritable(control, False)  # noqa: FBT003 - positional only
    try:
        _enter()
        for target, source in files:
            _cover(target, source)
        opened = _open_sockets(ports)
        words = b"ok" if len(opened) > len(ports) + 3 else b"ok without packets"
        socket.send_fds(parent, [words], [each.fileno() for each in opened])
        for each in opened:
            each.close()
        os.execvpe(command[0], command, os.environ)  # noqa: S606 - what it is for
    except OSError as error:
        parent.send(f"{error.strerror or error}".encode())
    sys.exit(126)


def _enter() -> None:
    """Enter namespaces for mounts and the network: as root at once, else in a user namespace of one's own."""
    library = ctypes.CDLL(None, use_errno=True)
    if library.unshare(_NEW_MOUNTS | _NEW_NETWORK) != 0:
        user, group = os.getuid(), os.getgid()
        if library.unshare(_NEW_USER | _NEW_MOUNTS | _NEW_NETWORK) != 0:
            raise OSError(ctypes.get_errno(), f"no network namespace: {os.strerror(ctypes.get_errno())}")
        _write("/proc/self/setgroups", "deny")
        _write("/proc/self/uid_map", f"{user} {user} 1")
        _write("/proc/self/gid_map", f"{group} {group} 1")
    _mount("none", "/", _MS_REC | _MS_PRIVATE)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        fcntl.ioctl(any_socket, _SIOCSIFFLAGS, struct.pack("16sH14x", b"lo", _IFF_UP | _IFF_RUNNING))
    _add_route(socket.AF_INET)
    with contextlib.suppress(OSError):  # a machine without IPv6
        _add_route(socket.AF_INET6)


def _add_route(family: int) -> None:
    route = struct.pack("BBBBBBBBI", family, 0, 0, 0, _TABLE_LOCAL, _PROTOCOL_KERNEL, _SCOPE_HOST, _TYPE_LOCAL, 0)
    body = route + struct.pack("HHI", 8, _ATTRIBUTE_INTERFACE, socket.if_nametoindex("lo"))
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0) as kernel:
        kernel.send(struct.pack("IHHII", 16 + len(body), _NEW_ROUTE, _FLAGS, 1, 0) + body)
        code = struct.unpack_from("i", kernel.recv(4096), 16)[0]
    if code:
        raise OSError(-code, os.strerror(-code))


def _cover(target: str, source: str) -> None:
    """Put one file in the place of another; where there is none, nothing needs to be covered."""
    if os.path.exists(target):  # noqa: PTH110 - pathlib takes longer to import than this program runs
        _mount(source, os.path.realpath(target), _MS_BIND)


def _mount(source: str, target: str, flags: int) -> None:
    library = ctypes.CDLL(None, use_errno=True)
    if library.mount(source.encode(), target.encode(), None, ctypes.c_ulong(flags), None) != 0:
        raise OSError(ctypes.get_errno(), f"can't mount {target}: {os.strerror(ctypes.get_errno())}")


def _write(path: str, text: str) -> None:
    with open(path, "w", encoding="ascii") as file:  # noqa: PTH123 - as above
        file.write(text)


def _open_sockets(ports: list[int]) -> list[socket.socket]:
    """Return what `way_out.named_sockets` names."""
    api = socket.create_server(_API, backlog=_BACKLOG)
    opened = [api, _bound(socket.SOCK_DGRAM, _NAMES_PORT), _bound(socket.SOCK_STREAM, _NAMES_PORT)]
    opened += [_bound(socket.SOCK_STREAM, port) for port in ports]
    with contextlib.suppress(OSError):  # what is refused on other ports is refused all the same, and not named
        opened.append(_packet_socket())
    return opened


def _bound(kind: int, port: int) -> socket.socket:
    """Return a socket on every address, of both families where there are both."""
    try:
        made = socket.socket(socket.AF_INET6, kind)
        made.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        made.bind(("::", port))
    except OSError:
        made = socket.socket(socket.AF_INET, kind)
        made.bind(("", port))
    if kind == socket.SOCK_STREAM:
        made.listen(_BACKLOG)
    return made


def _packet_socket() -> socket.socket:
    made = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(_ETH_P_ALL))
    program = b"".join(struct.pack("HBBI", *each) for each in _FILTER)
    place = ctypes.create_string_buffer(program, len(program))
    made.setsockopt(socket.SOL_SOCKET, _SO_ATTACH_FILTER, struct.pack("HP", len(_FILTER), ctypes.addressof(place)))
    return made


if __name__ == "__main__":
    _, fd, given_ports, given_files, _, *words = sys.argv
    pairs = [(each.partition("=")[0], each.partition("=")[2]) for each in given_files.split(":") if each]
    main(int(fd), [int(each) for each in given_ports.split(",") if each], pairs, words)
