"""Rules of hosts and of AWS's services: which one a request meets, and the options that are rules."""

from pathlib import Path

import pytest

from formwork.diagnostics import UsageError
from formwork.egress.rules import (
    Allow,
    EgressRules,
    HostRule,
    Refuse,
    ServiceRule,
    Stub,
    parse_allow_option,
    parse_stub_option,
)

REFUSED, ALLOWED = Refuse(), Allow()


def rules(*hosts):
    return EgressRules(tuple(HostRule(*host) for host in hosts))


def test_the_most_specific_rule_of_a_host_wins():
    found = rules(
        ("api.example.com", 8443, ALLOWED),
        ("api.example.com", None, REFUSED),
        ("*.example.com", None, ALLOWED),
        ("*.eu.example.com", 443, REFUSED),
    )
    assert found.rule_for("api.example.com", 8443) == found.hosts[0]
    assert found.rule_for("api.example.com", 443) == found.hosts[1]
    assert found.rule_for("other.example.com", 443) == found.hosts[2]
    assert found.rule_for("a.b.eu.example.com", 443) == found.hosts[3]
    assert found.rule_for("a.b.eu.example.com", 80) == found.hosts[2]


def test_a_pattern_is_for_names_below_its_own():
    found = rules(("*.example.com", None, ALLOWED))
    assert found.rule_for("example.com", 443) is None
    assert found.rule_for("badexample.com", 443) is None


def test_of_equally_specific_rules_the_last_wins():
    found = rules(("a.example.com", None, ALLOWED)).with_hosts((HostRule("a.example.com", None, REFUSED),))
    assert found.rule_for("a.example.com", 1).treatment == REFUSED


def test_the_scope_of_a_signature_chooses_who_stands_for_aws():
    found = EgressRules(
        aws="moto",
        services=(
            ServiceRule("s3", "*", "*", "real"),
            ServiceRule("*", "eu-west-1", "*", "none"),
            ServiceRule("*", "*", "123456789012", "http://localhost:4566"),
        ),
    )
    assert found.aws_for("iam", "us-east-1") == "moto"
    assert found.aws_for("s3", "us-east-1") == "real"
    assert found.aws_for("s3", "eu-west-1") == "none"
    assert found.aws_for("s3", "eu-west-1", "123456789012") == "http://localhost:4566"
    assert EgressRules().aws_for("s3", "us-east-1") is None


@pytest.mark.parametrize(
    ("text", "host", "port"),
    [
        ("api.example.com", "api.example.com", None),
        ("API.Example.com.", "api.example.com", None),
        ("*.example.com:8443", "*.example.com", 8443),
        ("10.0.0.1:80", "10.0.0.1", 80),
        ("[::1]:80", "::1", 80),
        ("[0:0:0:0:0:0:0:1]", "::1", None),
        ("localhost", "localhost", None),
    ],
)
def test_allow_takes_hosts(text, host, port):
    rule = parse_allow_option(text)
    assert (rule.host, rule.port, rule.treatment) == (host, port, ALLOWED)


@pytest.mark.parametrize(
    "text", ["", "*", "a b", "https://a.example", "a.example/x", "a:0", "a:65536", "a:", "::1", "[:::]", "*a.b", "a..b"]
)
def test_what_is_not_a_host_is_refused(text):
    with pytest.raises(UsageError, match="is not a host"):
        parse_allow_option(text)


def test_stub_takes_a_host_and_a_document():
    rule = parse_stub_option("api.example.com:8443=a=b.yaml")
    assert rule == HostRule("api.example.com", 8443, Stub(Path("a=b.yaml")))


@pytest.mark.parametrize("text", ["api.example.com", "api.example.com="])
def test_stub_without_a_document_is_refused(text):
    with pytest.raises(UsageError, match="does not name a document"):
        parse_stub_option(text)
