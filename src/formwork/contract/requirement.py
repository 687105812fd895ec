"""A requirement: one test of the suite, the handlers it needs and the clauses it can prove or refute."""

from collections.abc import Callable
from typing import Any, TypeAlias

from msgspec import Struct

# A function of a ResourceTestCase or a HookTestCase: `needs` decides which kind of subject it ever meets.
Body: TypeAlias = Callable[[Any], None]


class Requirement(Struct, frozen=True):
    """One test. `handlers` are those that the schema must have for it to run; they are its pytest markers too.

    `alone`: it runs when no other test is in progress. `several`: it creates from every input set, not only its own.
    `adapts`: it judges more clauses where the schema has more handlers than it needs. `provable_where` and `refuted_by`
    say what it needs to show its clauses, and what refutes them; the reference prints both.
    `each_input`: what it finds depends on the values of the input, so that it runs with every set, however slow.
    """

    name: str
    module: str
    handlers: tuple[str, ...]
    clauses: tuple[str, ...]
    body: Body
    provable_where: str
    refuted_by: str
    alone: bool = False
    several: bool = False
    adapts: bool = False
    each_input: bool = False

    @property
    def summary(self) -> str:
        """The first line of the test's docstring."""
        return (self.body.__doc__ or "").strip().partition("\n")[0]


REQUIREMENTS: dict[str, Requirement] = {}


def proves(  # noqa: PLR0913 - what a requirement states of itself
    *clauses: str,
    needs: tuple[str, ...],
    alone: bool = False,
    several: bool = False,
    adapts: bool = False,
    each_input: bool = False,
    provable_where: str,
    refuted_by: str,
) -> Callable[[Body], Body]:
    """Registers a function `contract_…` as a requirement."""

    def register(body: Body) -> Body:
        name = body.__name__
        module = body.__module__.rpartition(".")[2]
        REQUIREMENTS[name] = Requirement(
            name,
            module,
            needs,
            clauses,
            body,
            provable_where,
            refuted_by,
            alone=alone,
            several=several,
            adapts=adapts,
            each_input=each_input,
        )
        return body

    return register
