"""CloudFormation's short tags: `!Ref x` to `{"Ref": "x"}`, `!Sub …` to `{"Fn::Sub": …}`."""

from typing import Any

# The intrinsic functions with a short form; Condition and Ref keep their name, the others get the prefix Fn::.
SHORT_TAGS = frozenset(
    {
        "And",
        "Base64",
        "Cidr",
        "Condition",
        "Equals",
        "FindInMap",
        "ForEach",
        "GetAtt",
        "GetAZs",
        "GetStackOutput",
        "If",
        "ImportValue",
        "Join",
        "Length",
        "Not",
        "Or",
        "Ref",
        "Select",
        "Split",
        "Sub",
        "ToJsonString",
        "Transform",
    }
)
_BARE = frozenset({"Condition", "Ref"})


def expand_short_tag(tag: str, value: Any) -> tuple[str, Any] | None:
    """Return the member that `tag` (with its "!") on `value` stands for, or None for an unknown tag."""
    name = tag.removeprefix("!")
    if name not in SHORT_TAGS or not tag.startswith("!"):
        return None
    if name == "GetAtt" and isinstance(value, str):
        resource, _, attribute = value.partition(".")
        value = [resource, attribute] if attribute else [resource]
    return (name if name in _BARE else f"Fn::{name}"), value
