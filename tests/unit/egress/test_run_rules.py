"""The rules of a run as destinations."""

import json

import pytest

from formwork.egress.messages import Outgoing
from formwork.egress.rules import Allow, Cassette, EgressRules, HostRule, Refuse, Stub, parse_allow_option
from formwork.egress.run_rules import RunRules
from formwork.lambda_host.http_messages import Request
from formwork.lambda_host.outgoing_calls import AnsweredBy

API = {
    "openapi": "3.1.0",
    "info": {"title": "Things", "version": "1"},
    "paths": {"/things": {"get": {"responses": {"200": {"description": "none"}}}}},
}


def recorded(folder, host):
    folder.mkdir(exist_ok=True)
    call = {"request": {"method": "GET", "url": f"https://{host}/a"}, "reply": {"status": 200, "text": "b"}}
    (folder / f"{host}.cassette.json").write_text(json.dumps({"cassette": 1, "calls": [call]}))
    return folder


def ask(destination, host):
    return destination.responder(Outgoing("https", host, 443, Request("GET", "/a", "", {"host": host}, b"")))


@pytest.mark.parametrize("written", ["localhost:5432", "127.0.0.1:5432"])
@pytest.mark.parametrize("called", ["localhost", "127.0.0.1", "::1"])
def test_this_machine_has_one_rule_under_all_its_names(written, called):
    rules = RunRules(EgressRules((parse_allow_option(written),)))
    assert rules.of_host(called, 5432).answered_by is AnsweredBy.REAL
    assert rules.of_host(called, 5433) is None
    assert rules.ports == (5432,)


def test_each_treatment_has_its_destination(tmp_path):
    document = tmp_path / "api.json"
    document.write_text(json.dumps(API))
    folder = recorded(tmp_path / "kept", "kept.example.com")
    treatments = {"a.example.com": Allow(), "b.example.com": Stub(document), "c.example.com": Refuse()}
    hosts = tuple(HostRule(host, None, each) for host, each in treatments.items())
    rules = RunRules(EgressRules((*hosts, HostRule("kept.example.com", 443, Cassette(folder)))))
    found = {host: rules.of_host(host, 443).answered_by for host in (*treatments, "kept.example.com")}
    assert list(found.values()) == [AnsweredBy.REAL, AnsweredBy.STUB, AnsweredBy.REFUSED, AnsweredBy.CASSETTE]
    assert rules.of_host("other.example.com", 443) is None
    assert rules.domains == ("a.example.com", "b.example.com", "kept.example.com")
    assert ask(rules.of_host("kept.example.com", 443), "kept.example.com").body == b"b"
    assert rules.aws_responder is None


def test_a_replay_answers_for_what_it_recorded_and_for_aws(tmp_path):
    host = "sqs.us-east-1.amazonaws.com"
    rules = RunRules(EgressRules(), replay=recorded(recorded(tmp_path / "kept", host), "api.example.com"))
    assert rules.aws_responder is not None
    assert rules.of_host("api.example.com", 443).answered_by is AnsweredBy.CASSETTE
    assert rules.of_host("other.example.com", 443) is None
    assert set(rules.domains) == {host, "api.example.com"}
