"""Names of new stacks, of which the service model says nothing."""

import pytest

from formwork.api.cloudformation.stack_requests import expect_stack_name
from formwork.stacks.errors import StackError


@pytest.mark.parametrize("name", ["a", "Shop-1", "a" * 128])
def test_names_that_are_taken(name):
    expect_stack_name(name)


@pytest.mark.parametrize(
    ("name", "constraint"),
    [
        ("x_y", "satisfy regular expression pattern: [a-zA-Z][-a-zA-Z0-9]*"),
        ("1x", "satisfy regular expression pattern: [a-zA-Z][-a-zA-Z0-9]*"),
        ("shop\n", "satisfy regular expression pattern: [a-zA-Z][-a-zA-Z0-9]*"),
        ("a" * 129, "have length less than or equal to 128"),
    ],
)
def test_names_that_are_refused(name, constraint):
    said = f"1 validation error detected: Value '{name}' at 'stackName' failed to satisfy constraint: "
    with pytest.raises(StackError) as caught:
        expect_stack_name(name)
    assert str(caught.value) == f"{said}Member must {constraint}"
