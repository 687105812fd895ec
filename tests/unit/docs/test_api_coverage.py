"""The page of members: what it lists is in the tables, and what clients send in recorded runs has its effect."""

import sys
import tomllib

import pytest

from formwork.api.members import MemberTable, Treatment, read_table, request_members
from formwork.aws.service_models import load_model
from support.corpus import REPOSITORY

sys.path.insert(0, str(REPOSITORY / "docs"))

from reference_pages import api_coverage_page

CLIENTS = REPOSITORY / "tests" / "data" / "clients" / "members.toml"


def clients():
    """(client, service, operation, members that it sends)."""
    content = tomllib.loads(CLIENTS.read_text(encoding="utf-8"))
    for client, services in content.items():
        for service, operations in services.items():
            for operation, members in operations.items():
                yield client, service, operation, members


def treatments(service, operation):
    """{path: treatment} of the operation's members."""
    table = read_table(service)
    shape = load_model(service).operation_model(operation).input_shape
    return {each.path: table.entry(operation, each.path, each.shape).treatment for each in request_members(shape)}


def test_what_was_sent_for_recordings_is_honoured_or_noted():
    listed = read_table("cloudformation").operations
    sent = {name: paths for name, paths in api_coverage_page.recorded_members().items() if name in listed}
    assert len(sent) > 20
    refused = []
    for operation, paths in sent.items():
        known = treatments("cloudformation", operation)
        refused += [f"{operation}.{path}" for path in paths if known.get(path) is Treatment.REFUSED]
    assert refused == []


@pytest.mark.parametrize(("client", "service", "operation", "members"), list(clients()))
def test_what_clients_send_is_honoured_or_noted(client, service, operation, members):
    known = treatments(service, operation)
    assert [each for each in members if known[each] is Treatment.REFUSED] == []


def test_a_member_without_an_entry_has_no_page(monkeypatch):
    monkeypatch.setattr(api_coverage_page, "read_table", lambda _name: MemberTable({"CreateStack": {"honoured": []}}))
    with pytest.raises(api_coverage_page.UnlistedMemberError, match="StackName"):
        api_coverage_page.render()
