"""Aliases of stacks."""

import pytest

from formwork.engine.aliases import StackAliases
from formwork.stacks.errors import StackError
from support.engines import HERE, Bench

TEMPLATE = "Resources: {A: {Type: Acme::Web::Thing, Properties: {Color: red}}}"


@pytest.fixture
def bench(database):
    bench = Bench(database)
    bench.aliases = StackAliases(bench.engine)
    bench.create(TEMPLATE)
    return bench


def code(call, *arguments):
    with pytest.raises(StackError) as caught:
        call(HERE, *arguments)
    return caught.value.code


def test_every_operation_finds_the_stack_by_its_alias(bench):
    arn = bench.stack().arn
    bench.aliases.set_alias(HERE, "shop", "store")
    assert bench.engine.lookups.describe_stack(HERE, "store").arn == arn
    assert bench.aliases.by_stack(HERE) == {arn.rpartition("/")[2]: "store"}
    bench.update(TEMPLATE.replace("red", "blue"), name="store")
    assert bench.resources()["A"].properties["Color"] == "blue"
    bench.delete("store")
    assert bench.engine.lookups.describe_stack(HERE, arn).status == "DELETE_COMPLETE"
    bench.create(TEMPLATE)
    bench.aliases.set_alias(HERE, "shop", "store")  # that of the deleted stack is free


def test_an_alias_is_a_name_like_that_of_a_stack(bench):
    bench.create(TEMPLATE, name="other")
    bench.aliases.set_alias(HERE, "shop", "store")
    assert code(bench.aliases.set_alias, "shop", "second") == "LimitExceededException"
    assert code(bench.aliases.set_alias, "other", "store") == "AlreadyExistsException"
    assert code(bench.aliases.set_alias, "other", "shop") == "AlreadyExistsException"
    assert code(bench.aliases.set_alias, "nothing", "third") == "ValidationError"
    assert code(bench.aliases.set_alias, "other", "9") == "ValidationError"
    with pytest.raises(StackError, match="already exists"):
        bench.create(TEMPLATE, name="store")
    bench.aliases.remove_alias(HERE, "store")
    assert code(bench.aliases.remove_alias, "store") == "ValidationError"
    with pytest.raises(StackError, match="does not exist"):
        bench.engine.lookups.describe_stack(HERE, "store")
