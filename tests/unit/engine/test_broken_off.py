"""Operations that an error breaks off which nobody foresaw: reasons have its class and place, never its message."""

import pytest

from formwork.engine.operations import stack_operation

SECRET = "CanaryThatNobodyMaySee"
TEMPLATE = "Resources: {A: {Type: Acme::Web::Thing}}"


def broken(*_arguments):
    raise RuntimeError(SECRET)


def test_a_broken_resource_is_told_without_the_message(bench, monkeypatch):
    monkeypatch.setattr(bench.things, "invoke", broken)
    bench.create(TEMPLATE)
    (reason,) = {reason for name, status, reason in bench.story() if (name, status) == ("A", "CREATE_FAILED")}
    assert reason.startswith("Internal Failure: RuntimeError (engine/test_broken_off.py:")
    assert SECRET not in f"{bench.story()}{bench.stack()}"


def test_a_broken_operation_is_told_without_the_message(bench, monkeypatch):
    monkeypatch.setattr(stack_operation, "complete", broken)
    with pytest.raises(RuntimeError):
        bench.create(TEMPLATE)
    stack = bench.stack()
    assert stack.status == "CREATE_FAILED"
    assert stack.reason.startswith("Internal Failure: RuntimeError (engine/test_broken_off.py:")
    assert SECRET not in f"{bench.story()}{stack}"
