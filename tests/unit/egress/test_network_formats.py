"""Look-ups of names, first messages of TLS and first packets, as bytes of the network."""

import ipaddress
import socket
import ssl

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formwork.egress.client_hello import server_name
from formwork.egress.names import NameMap, answer_query
from formwork.egress.packets import FirstPacket, first_packet
from fuzz.targets.gate import QUERY, SYN


def test_each_name_has_an_address_of_its_own():
    names = NameMap()
    one, two = names.address_of("API.example.com."), names.address_of("other.example.com")
    assert (one, two) == ("198.18.0.1", "198.18.0.2")
    assert names.address_of("api.example.com") == one
    assert names.name_of(f"::ffff:{one}") == "api.example.com"
    assert names.name_of("192.0.2.1") == "192.0.2.1"
    assert names.address_of("localhost") == names.address_of("a.localhost") == "127.0.0.1"


def test_a_look_up_of_an_address_is_answered():
    answer = answer_query(QUERY, NameMap())
    assert answer[:12] == bytes.fromhex("123481800001000100000000")
    assert answer[12 : len(QUERY)] == QUERY[12:]
    assert (
        answer[len(QUERY) :] == bytes.fromhex("c00c000100010000003c0004") + ipaddress.IPv4Address("198.18.0.1").packed
    )


@pytest.mark.parametrize(
    ("change", "code"), [((QUERY[-4:], b"\0\x1c\0\x01"), 0), ((b"\x01\0\0\x01", b"\x29\0\0\x01"), 4)]
)
def test_other_look_ups_have_no_answer(change, code):
    answer = answer_query(QUERY.replace(*change), NameMap())
    assert answer[6:8] == b"\0\0"
    assert answer[3] & 0xF == code


@pytest.mark.parametrize(
    "query", [b"", QUERY[:11], QUERY[:-1], QUERY.replace(b"\x07example", b"\x47example"), b"\x12\x34\x81" + QUERY[3:]]
)
def test_what_is_no_query_is_not_answered(query):
    assert answer_query(query, NameMap()) is None


def test_the_name_of_a_real_client():
    sent, incoming = ssl.MemoryBIO(), ssl.MemoryBIO()
    client = ssl.create_default_context().wrap_bio(incoming, sent, server_hostname="API.example.com")
    with pytest.raises(ssl.SSLWantReadError):
        client.do_handshake()
    hello = sent.read()
    assert server_name(hello) == "api.example.com"
    for length in range(0, len(hello) - 1, 7):
        assert server_name(hello[:length]) is None
    assert server_name(b"GET / HTTP/1.1\r\n\r\n") is None


def test_packets_of_both_versions():
    assert first_packet(SYN) == FirstPacket("198.18.0.1", 5432, 12345)
    six = b"\x60" + bytes(5) + b"\x06\x40" + bytes(16) + socket.inet_pton(socket.AF_INET6, "::1") + b"\x30\x39\x00\x19"
    assert first_packet(six) == FirstPacket("::1", 25, 12345)
    assert first_packet(six).is_loopback
    assert not first_packet(SYN).is_loopback
    assert first_packet(SYN.replace(b"\x40\x06", b"\x40\x01")) is None, "ICMP"


@given(st.binary(max_size=200))
def test_no_bytes_break_the_readers(data):
    for read in (server_name, first_packet, lambda query: answer_query(query, NameMap())):
        read(data)
