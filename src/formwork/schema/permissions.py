"""The permissions that handlers list: IAM's actions, and what APIs of third parties call theirs."""

import re

_ACTION = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*:[A-Za-z0-9*?_.-]+|\*")
# An action that lacks its service, such as CreateBucket; most schemas have nothing that it must be compared with.
_BARE = r"[A-Z][a-z0-9]+(?:[A-Z][A-Za-z0-9]*)+\*?"


def is_iam_action(permission: str) -> bool:
    """Return whether a policy of IAM can hold the permission; those of third parties' APIs often cannot stand there."""
    return _ACTION.fullmatch(permission) is not None


def grants(permission: str, action: str) -> bool:
    """Return whether a permission contains an action, such as `s3:Get*` contains `s3:GetObject`.

    As IAM compares them: `*` is any text, `?` one character, and case does not count.
    """
    pattern = "".join({"*": ".*", "?": "."}.get(each, re.escape(each)) for each in permission)
    return re.fullmatch(pattern, action, re.IGNORECASE | re.DOTALL) is not None


def is_broad(permission: str) -> bool:
    """Return whether the permission is for every action of a service, or of all."""
    return permission == "*" or permission.endswith(":*")


def is_malformed(permission: str) -> bool:
    """Return whether the permission is meant to be one of IAM's actions and is not.

    Anything may be the name of a third party's permission (`repo`, `monitors_write`, `https://api.example.com/things`)
    that has no space or missing part, and does not look like an action without its service.
    """
    if not permission or is_iam_action(permission):
        return False
    torn = permission.startswith(":") or permission.endswith(":") or permission.split() != [permission]
    return torn or re.fullmatch(_BARE, permission) is not None
