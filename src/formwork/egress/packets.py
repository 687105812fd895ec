"""The first packets of connections, as a packet socket shows them."""

import ipaddress
import struct

from msgspec import Struct

_IPV4, _IPV6 = 4, 6
_TCP, _UDP = 6, 17
_IPV6_HEADER = 40
_PORTS = struct.Struct(">HH")


class FirstPacket(Struct, frozen=True):
    """Where the first packet of a connection goes."""

    address: str
    port: int
    source_port: int

    @property
    def is_loopback(self) -> bool:
        """Whether it stays within the machine."""
        return ipaddress.ip_address(self.address).is_loopback


def first_packet(packet: bytes) -> FirstPacket | None:
    """Return where an IP packet with TCP or UDP goes (RFC 791, RFC 8200); None for anything else."""
    version = packet[0] >> 4 if packet else 0
    if version == _IPV4 and len(packet) >= 20 and packet[9] in (_TCP, _UDP):
        address, start = packet[16:20], (packet[0] & 0xF) * 4
    elif version == _IPV6 and len(packet) >= _IPV6_HEADER and packet[6] in (_TCP, _UDP):
        address, start = packet[24:40], _IPV6_HEADER
    else:
        return None
    if len(packet) < start + _PORTS.size:
        return None
    source_port, port = _PORTS.unpack_from(packet, start)
    return FirstPacket(str(ipaddress.ip_address(address)), port, source_port)
