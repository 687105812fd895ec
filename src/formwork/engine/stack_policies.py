"""Stack policies: rules that allow or deny updates of a stack's resources.

Source: CloudFormation user guide, "Prevent updates to stack resources"; the texts are the service's. Once a stack has a
policy, an action that no statement allows is denied. A document without statements protects nothing: the service
stores it, and users write it to remove a policy.
"""

import json
from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Any

from msgspec import Struct

from formwork.stacks.errors import StackError

_MEMBERS = frozenset({"Sid", "Effect", "Action", "Principal", "Resource", "NotResource", "Condition"})
_PREFIX = "LogicalResourceId/"


class UpdateAction(StrEnum):
    """The action of an update on a resource, by the names of policies."""

    MODIFY = "Update:Modify"
    REPLACE = "Update:Replace"
    DELETE = "Update:Delete"


_ACTIONS = frozenset({"Update:*", *UpdateAction})


class _Statement(Struct, frozen=True):
    allows: bool
    actions: frozenset[str]
    resources: tuple[str, ...]
    inverted: bool  # NotResource
    types: tuple[tuple[bool, tuple[str, ...]], ...]  # of each condition: whether wildcards are allowed, and the types

    def covers(self, action: UpdateAction, resource: str, type_name: str) -> bool:
        if not self.actions & {"Update:*", action}:
            return False
        if any(matches(each, resource) for each in self.resources) is self.inverted:
            return False
        return all(
            any(matches(each, type_name) if wild else each == type_name for each in wanted)
            for wild, wanted in self.types
        )


class StackPolicy(Struct, frozen=True):
    """A parsed stack policy."""

    statements: tuple[_Statement, ...]

    def refusal(self, action: UpdateAction, logical_id: str, type_name: str) -> str | None:
        """Return the service's message if the action is denied; None if it is allowed."""
        if not self.statements:
            return None
        resource = _PREFIX + logical_id
        allowed = False
        for number, each in enumerate(self.statements, 1):
            if each.covers(action, resource, type_name):
                if not each.allows:
                    told = f"Statement [#{number}] does not allow [{action}] for resource [{resource}];"
                    return f"Action denied by stack policy: {told}"
                allowed = True
        return None if allowed else "Action not allowed by stack policy"


def parse_stack_policy(text: str) -> StackPolicy:
    """Return the policy of a JSON text.

    Raises:
        StackError: it is not a valid policy.
    """
    try:
        value = json.loads(text)
        return StackPolicy(tuple(_statements(value)))
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise StackError("Error validating stack policy: Invalid stack policy") from error


def _statements(value: Any) -> Iterator[_Statement]:
    if not isinstance(value, dict) or value.keys() - {"Statement", "Version", "Id"}:
        raise ValueError("no policy")
    found = value.get("Statement", [])
    for each in found if isinstance(found, list) else [found]:
        if not isinstance(each, dict) or each.keys() - _MEMBERS:
            raise ValueError("no statement")
        if each["Effect"] not in {"Allow", "Deny"} or each["Principal"] != "*":
            raise ValueError("no effect, or a principal")
        actions = frozenset(_texts(each["Action"]))
        if actions - _ACTIONS or ("Resource" in each) is ("NotResource" in each):
            raise ValueError("no action, or not one list of resources")
        resources = _texts(each["NotResource"] if "NotResource" in each else each["Resource"])
        if any(name != "*" and not name.startswith(_PREFIX) for name in resources):
            raise ValueError("no resource")
        types = tuple(_conditions(each.get("Condition", {})))
        yield _Statement(each["Effect"] == "Allow", actions, resources, "NotResource" in each, types)


def _conditions(value: Mapping[str, Any]) -> Iterator[tuple[bool, tuple[str, ...]]]:
    if not isinstance(value, dict) or value.keys() - {"StringEquals", "StringLike"}:
        raise ValueError("no condition")
    for operator, keys in value.items():
        if not isinstance(keys, dict) or keys.keys() != {"ResourceType"}:
            raise ValueError("no key of a condition")
        yield operator == "StringLike", _texts(keys["ResourceType"])


def _texts(value: Any) -> tuple[str, ...]:
    found = value if isinstance(value, list) else [value]
    if not found or not all(isinstance(each, str) for each in found):
        raise ValueError("no text, and no list of texts")
    return tuple(found)


def matches(pattern: str, text: str) -> bool:
    """Return whether a pattern with `*` and `?` matches the text.

    It takes at most as many steps as the product of both lengths, since any user may write a policy.
    """
    at = place = 0
    star, resumed = -1, 0
    while place < len(text):
        if at < len(pattern) and pattern[at] == "*":
            star, resumed = at, place
            at += 1
        elif at < len(pattern) and pattern[at] in {"?", text[place]}:
            at, place = at + 1, place + 1
        elif star >= 0:
            resumed += 1
            at, place = star + 1, resumed
        else:
            return False
    return all(each == "*" for each in pattern[at:])
