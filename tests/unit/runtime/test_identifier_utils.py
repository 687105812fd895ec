"""Generated names: the same for the same token, within the length, without leading dashes."""

import pytest

from cloudformation_cli_python_lib.identifier_utils import generate_resource_identifier as generate

STACK = "arn:aws:cloudformation:us-east-1:123456789012:stack/my-stack-name/084c0bd1-082b-11eb-afdc-0a2fadfa68a5"


@pytest.mark.parametrize(
    ("stack", "logical", "length", "expected"),
    [
        # As the CloudFormation CLI's library names them.
        (STACK, "my-resource", 255, "my-stack-name-my-resource-2dde74c6aa2c"),
        ("my-stack-name", "my-resource", 255, "my-stack-name-my-resource-2dde74c6aa2c"),
        (STACK, "my-resource", 36, "my-stack-na-my-resource-2dde74c6aa2c"),
        (STACK, "my-resource", 20, "my--my--2dde74c6aa2c"),
        ("my-stack-name", "my-resource", 17, "mymy-2dde74c6aa2c"),
        ("my-stack-name", "my-resource", 15, "mm-2dde74c6aa2c"),
        # What they get wrong there: names that begin with dashes.
        ("--lead", "MyRes", 60, "lead-MyRes-2dde74c6aa2c"),
        ("-", "-", 20, "2dde74c6aa2c"),
        (None, None, 20, "2dde74c6aa2c"),
        (None, "MyRes", 40, "MyRes-2dde74c6aa2c"),
    ],
)
def test_names(stack, logical, length, expected):
    token = "f1eb29a4-0fdf-4b9d-8d3f-7d93d0e0ff7b"
    name = generate(stack, logical, token, length)
    assert len(name) <= length
    assert name == expected
    assert generate(stack, logical, token, length) == name
    assert generate(stack, logical, "another", length) != name


def test_a_length_that_cannot_hold_the_digest_is_refused():
    with pytest.raises(ValueError, match="14"):
        generate("s", "l", "t", 14)
