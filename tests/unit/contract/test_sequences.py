"""Sequences are the same ones from a seed, and are shortened to what a violation needs."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from formwork.contract.machine import MOST_ALIVE, OPERATIONS
from formwork.contract.sequences import draw_sequence, shorten

steps = st.tuples(st.sampled_from(OPERATIONS), st.integers(0, MOST_ALIVE - 1), st.integers(0, 4))
sequences = st.lists(steps, min_size=1, max_size=25).map(tuple)


def holds_in_order(needed, sequence):
    """Whether the steps `needed` are in `sequence`, in their order, whatever is between them."""
    rest = iter(sequence)
    return all(step in rest for step in needed)


@given(st.integers(), st.integers(2, 25), st.integers(1, 5))
def test_a_seed_draws_the_same_steps_again(seed, longest, inputs):
    one, other = (draw_sequence(Random(seed), longest=longest, inputs=inputs) for _ in range(2))
    assert one == other
    assert 2 <= len(one) <= longest
    assert all(name in OPERATIONS and which < MOST_ALIVE and what < inputs for name, which, what in one)


def test_all_operations_and_lengths_are_drawn():
    random = Random(1)
    drawn = [draw_sequence(random, longest=8, inputs=3) for _ in range(200)]
    assert {name for each in drawn for name, _, _ in each} == set(OPERATIONS)
    assert {len(each) for each in drawn} == set(range(2, 9))


@given(sequences, st.data())
def test_only_the_needed_steps_are_left(sequence, data):
    places = data.draw(st.sets(st.integers(0, len(sequence) - 1), min_size=1, max_size=4))
    needed = [sequence[place] for place in sorted(places)]
    assert shorten(sequence, lambda some: holds_in_order(needed, some)) == tuple(needed)


@given(sequences)
def test_a_kind_of_create_that_does_not_matter_is_a_plain_one(sequence):
    kind = sequence[-1][0].partition("_")[0]
    (step,) = shorten(sequence, lambda some: any(name.startswith(kind) for name, _, _ in some))
    assert step[0] == kind
    assert step[1:] in [each[1:] for each in sequence if each[0].startswith(kind)]


def test_no_sequence_is_tried_twice():
    tried = []
    sequence = tuple(("create", place % MOST_ALIVE, place % 5) for place in range(25))

    def fails(some):
        tried.append(some)
        return holds_in_order(sequence[10:12], some)

    assert shorten(sequence, fails) == sequence[10:12]
    assert len(tried) == len(set(tried)) < 40
    assert sequence not in tried
