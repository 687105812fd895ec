"""`egress.yml`: what is read, what is refused and where, and that editors' schema says the same."""

from pathlib import Path

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from formwork.diagnostics import BadInputError, Location
from formwork.documents import Document, parse_document
from formwork.egress.rules import Allow, Cassette, EgressRules, HostRule, Refuse, ServiceRule, Stub
from formwork.egress.rules_file import egress_schema, read_egress

WHOLE = """
aws: moto
services:
  sts: none
  "*/eu-west-1/123456789012": https://localhost:4566/base
hosts:
  api.example.com: {stub: openapi/things.yaml}
  "*.example.org:8443":
    cassette: cassettes
  docs.example.com: allow
  "[::1]:80": refuse
"""


def read(text, name="project/egress.yml"):
    return read_egress(parse_document(text, name=name))


def test_all_parts_are_read():
    found = read(WHOLE)
    hosts, services = (tuple(replace(each, location=Location()) for each in of) for of in (found.hosts, found.services))
    assert EgressRules(hosts, found.aws, services) == EgressRules(
        (
            HostRule("api.example.com", None, Stub(Path("project/openapi/things.yaml"))),
            HostRule("*.example.org", 8443, Cassette(Path("project/cassettes"))),
            HostRule("docs.example.com", None, Allow()),
            HostRule("::1", 80, Refuse()),
        ),
        "moto",
        (
            ServiceRule("sts", "*", "*", "none"),
            ServiceRule("*", "eu-west-1", "123456789012", "https://localhost:4566/base"),
        ),
    )


def test_a_rule_names_its_place():
    assert [(each.location.file, each.location.start.line) for each in read(WHOLE).hosts] == [
        ("project/egress.yml", line) for line in (7, 8, 10, 11)
    ]


@pytest.mark.parametrize(
    ("text", "code", "line", "pointer", "message"),
    [
        ("[]", "not-an-object", 1, "", "the rules are not an object"),
        ("aws: moto\nhost: {}", "unknown-key", 2, "/host", '"host" is not a part of the rules'),
        ("hosts: [a]", "not-an-object", 1, "/hosts", '"hosts" is not an object'),
        ("services: s3", "not-an-object", 1, "/services", '"services" is not an object'),
        ("aws: motto", "aws", 1, "/aws", '"motto" does not stand for AWS'),
        ("aws: true", "aws", 1, "/aws", "bool does not stand for AWS"),
        ("services:\n  S3: moto", "service", 2, "/services/S3", '"S3" is not a service'),
        ("services:\n  s3/eu-west-1/12: moto", "service", 2, "/services/s3~1eu-west-1~112", "is not a service"),
        ("services:\n  s3: moto\n  sts: refuse", "aws", 3, "/services/sts", '"refuse" does not stand for AWS'),
        ("hosts:\n  API.example.com: allow", "host", 2, "/hosts/API.example.com", '"API.example.com" is not a host'),
        ("hosts:\n  a.example: {}", "treatment", 2, "/hosts/a.example", "dict does not say who answers"),
        ("hosts:\n  a.example: yes", "treatment", 2, "/hosts/a.example", '"yes" does not say who answers'),
        ("hosts:\n  a.example: {stub: ''}", "treatment", 2, "/hosts/a.example", 'who answers for "a.example"'),
        ("hosts:\n  a.example: {stub: a, cassette: b}", "treatment", 2, "/hosts/a.example", "dict does not say"),
    ],
)
def test_what_is_wrong_is_named_with_its_place(text, code, line, pointer, message):
    with pytest.raises(BadInputError) as caught:
        read(text)
    (found,) = caught.value.diagnostics
    assert (found.code, found.location.start.line, found.location.pointer) == (f"egress.{code}", line, pointer)
    assert message in found.message
    assert found.expected


def test_everything_wrong_is_named_at_once():
    with pytest.raises(BadInputError) as caught:
        read("aws: x\nservices: {S: moto, s3: y}\nhosts: {A: allow, b: c}\nmore: 1")
    assert len(caught.value.diagnostics) == 6


TEXTS = st.sampled_from(
    [
        "allow",
        "refuse",
        "moto",
        "none",
        "real",
        "http://a:1",
        "https://a/b?c",
        "http://",
        "",
        "a\0",
        "x",
        "MOTO",
        "moto\n",
    ]
)
HOSTS = st.sampled_from(
    ["a.example", "*.example:80", "*", "A.example", "a:0", "a:99999", "[::1]", "a.example\n", "a b", ""]
)
SERVICES = st.sampled_from(["s3", "*", "s3/*", "s3/eu-west-1/123456789012", "S3", "s3/", "s3/a/1", "s3//", "é", ""])
VALUES = st.one_of(
    TEXTS,
    st.none(),
    st.booleans(),
    st.integers(0, 2),
    st.lists(TEXTS, max_size=1),
    st.dictionaries(st.sampled_from(["stub", "cassette", "x"]), st.one_of(TEXTS, st.none()), max_size=2),
)
DOCUMENTS = st.one_of(
    VALUES,
    st.fixed_dictionaries(
        {},
        optional={
            "aws": VALUES,
            "services": st.one_of(VALUES, st.dictionaries(SERVICES, VALUES, max_size=2)),
            "hosts": st.one_of(VALUES, st.dictionaries(HOSTS, VALUES, max_size=2)),
            "more": VALUES,
        },
    ),
)


@given(DOCUMENTS)
def test_editors_accept_what_is_read(value):
    try:
        read_egress(Document.of_value(value, "egress.yml"))
        accepted = True
    except BadInputError:
        accepted = False
    assert jsonschema_rs.Draft7Validator(egress_schema()).is_valid(value) == accepted
