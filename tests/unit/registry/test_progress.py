"""RecordHandlerProgress."""

import pytest

from formwork.registry.errors import RegistryError
from formwork.registry.requests import RecordHandlerProgressRequest
from support.registry import HERE, STRANGER


def record(desk, status, current=None, scope=HERE):
    request = RecordHandlerProgressRequest(bearer_token="b", status=status, current_status=current, message="so far")
    desk.registry.record_handler_progress(scope, request)


def test_reports_are_taken_until_the_operation_has_ended(desk):
    record(desk, "IN_PROGRESS", "PENDING")
    record(desk, "IN_PROGRESS", "IN_PROGRESS")
    with pytest.raises(RegistryError) as refused:
        record(desk, "SUCCESS", "PENDING")
    assert refused.value.code == "ConditionalCheckFailed"
    record(desk, "SUCCESS")
    with pytest.raises(RegistryError) as refused:
        record(desk, "FAILED")
    assert refused.value.code == "InvalidStateTransition"
    record(desk, "IN_PROGRESS", scope=STRANGER)
