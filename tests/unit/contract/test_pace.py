"""Decisions by the clock are remembered, and taken again in a replay."""

from formwork.contract.pace import Pace


def test_decisions_are_taken_again_by_part_and_question():
    first = Pace()
    first.begin("one")
    assert [first.decide("more", lambda: True), first.decide("more", lambda: False)] == [True, False]
    first.begin("two")
    assert first.decide("more", lambda: True)
    again = Pace(first.decisions)
    again.begin("two")
    assert again.decide("more", lambda: False)
    again.begin("one")
    assert [again.decide("more", lambda: False) for _ in range(3)] == [True, False, False]
    again.begin("three")
    assert not again.decide("more", lambda: False), "what was not recorded is decided by the clock"
    assert first.decisions == {"one: more": [True, False], "two: more": [True]}
