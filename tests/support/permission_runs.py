"""Subjects with given permissions, and runs in which their handlers made given calls."""

from msgspec.structs import replace

from formwork.contract_results.test_result import TestResult
from formwork.invoke import Answer, Exchange
from formwork.simulate import Simulator
from support.contract_subjects import subject_of
from support.shapes import SHAPES


def subject_with(**permissions):
    """A subject whose handlers have these permissions."""
    schema = next(iter(SHAPES.values()))()
    subject = subject_of(Simulator(schema), schema)
    handlers = {
        name: replace(info, permissions=tuple(permissions.get(name, ())))
        for name, info in subject.schema.handlers.items()
    }
    subject.schema = replace(subject.schema, handlers=handlers)
    return subject


def ran(*calls, action="CREATE", sealed=True, **more):
    """A test with one invocation of the action that made these calls."""
    exchange = Exchange(
        {"action": action, **more}, Answer(b"{}", calls=calls, sealed=sealed), {"status": "SUCCESS"}, None
    )
    return TestResult("contract_create_read", (), (exchange,), (), 0.0)
