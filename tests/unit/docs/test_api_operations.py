"""The page of API operations: what it derives from the source is what the source does."""

import sys

import pytest

from support.corpus import REPOSITORY

sys.path.insert(0, str(REPOSITORY / "docs"))

from reference_pages import api_operations_page
from reference_pages.request_members import read_members


def read(request):
    return request["Direct"], request.get("Got"), "Asked" in request, part(request, "Stack")


def part(request, name, *, other="Default"):
    refuse_all(request.get("Refused"))
    return request.get(f"{name}Body"), request.get(other), {"Output": 1}


def refuse_all(_value):
    pass


read.__module__ = part.__module__ = refuse_all.__module__ = "formwork.api.example"


def test_members_are_found_in_functions_and_what_they_call():
    found = read_members(read)
    assert found.read >= {"Direct", "Got", "Asked", "StackBody", "Default", "Refused"}
    assert "Output" not in found.read
    assert found.refused == {"Refused"}


def test_a_member_without_effect_needs_a_reason(monkeypatch):
    reasons = dict(api_operations_page.WITHOUT_EFFECT)
    reasons.pop(("CancelUpdateStack", "ClientRequestToken"))
    monkeypatch.setattr(api_operations_page, "WITHOUT_EFFECT", reasons)
    with pytest.raises(api_operations_page.UndocumentedMemberError, match="CancelUpdateStack"):
        api_operations_page.render()
