"""A little of IAM: roles and their inline policies, kept and shown; nothing is enforced.

iam/<account>.json    {role name: role}
"""

import json
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote

from formwork.api.caller import Caller
from formwork.api.dispatch import Handler, OperationTable
from formwork.api.wire import ApiError
from formwork.aws.partitions import partition_of
from formwork.stand_ins.policies import expect_policy

_PAGE = 100

Output = Mapping[str, Any]
Roles = dict[str, dict[str, Any]]


def iam_operations(root: Path) -> OperationTable:
    """Return the operations on roles, which are kept below `root`."""
    iam = _Iam(root)
    named: dict[str, Callable[[Caller, Roles, Output], Output]] = {
        "CreateRole": _create_role,
        "GetRole": lambda _caller, roles, request: {"Role": _shown(_expect(roles, request))},
        "ListRoles": _list_roles,
        "DeleteRole": _delete_role,
        "UpdateAssumeRolePolicy": _update_trust,
        "PutRolePolicy": _put_policy,
        "GetRolePolicy": _get_policy,
        "ListRolePolicies": _list_policies,
        "DeleteRolePolicy": _delete_policy,
    }
    return {("iam", name): iam.handler(operation) for name, operation in named.items()}


class _Iam:
    def __init__(self, root: Path) -> None:
        self._root = root
        self._lock = threading.Lock()

    def handler(self, operation: Callable[[Caller, Roles, Output], Output]) -> Handler:
        """Return the operation on the caller's roles, one at a time."""

        def answer(caller: Caller, request: Output) -> Output:
            with self._roles(caller.account) as roles:
                return operation(caller, roles, request)

        return answer

    @contextmanager
    def _roles(self, account: str) -> Iterator[Roles]:
        """An account's roles; what is changed within the block is kept, unless it raises."""
        path = self._root / f"{account}.json"
        with self._lock:
            try:
                before = path.read_text(encoding="utf-8")
            except FileNotFoundError:
                before = "{}"
            roles: Roles = json.loads(before)
            yield roles
            after = json.dumps(roles)
            if after != before:
                path.parent.mkdir(parents=True, exist_ok=True)
                beside = path.with_suffix(".new")
                beside.write_text(after, encoding="utf-8")
                beside.replace(path)


def _expect(roles: Roles, request: Output) -> dict[str, Any]:
    name = request["RoleName"]
    if name not in roles:
        raise _absent(f"The role with name {name} cannot be found.")
    return roles[name]


def _absent(message: str) -> ApiError:
    return ApiError("NoSuchEntity", message, status=404)


def _shown(role: Output) -> Output:
    """Return a role as IAM shows it: policy documents are percent-encoded there."""
    return {
        **{name: each for name, each in role.items() if name != "policies"},
        "CreateDate": datetime.fromisoformat(role["CreateDate"]),
        "AssumeRolePolicyDocument": quote(role["AssumeRolePolicyDocument"], safe=""),
    }


def _create_role(caller: Caller, roles: Roles, request: Output) -> Output:
    name, path = request["RoleName"], request.get("Path", "/")
    if name in roles:
        raise ApiError("EntityAlreadyExists", f"Role with name {name} already exists.", status=409)
    number = len(roles) + 1
    roles[name] = {
        "RoleName": name,
        "Path": path,
        "RoleId": f"AROA{caller.account}{number:05}",
        "Arn": f"arn:{partition_of(caller.region)}:iam::{caller.account}:role{path}{name}",
        "CreateDate": datetime.now(UTC).isoformat(timespec="seconds"),
        "AssumeRolePolicyDocument": expect_policy(request["AssumeRolePolicyDocument"]),
        "Description": request.get("Description"),
        "MaxSessionDuration": request.get("MaxSessionDuration", 3600),
        "Tags": request.get("Tags", []),
        "PermissionsBoundary": _boundary(request.get("PermissionsBoundary")),
        "policies": {},
    }
    return {"Role": _shown(roles[name])}


def _boundary(arn: str | None) -> Output | None:
    """Return a role's permissions boundary as IAM shows it."""
    if arn is None:
        return None
    if not arn.startswith("arn:") or ":policy/" not in arn:
        raise ApiError("InvalidInput", f"ARN {arn} is not valid.")
    return {"PermissionsBoundaryType": "Policy", "PermissionsBoundaryArn": arn}


def _list_roles(_caller: Caller, roles: Roles, request: Output) -> Output:
    prefix = request.get("PathPrefix", "/")
    names = [name for name, each in roles.items() if each["Path"].startswith(prefix)]
    page, rest = _page(names, request)
    return {"Roles": [_shown(roles[name]) for name in page], **rest}


def _list_policies(_caller: Caller, roles: Roles, request: Output) -> Output:
    page, rest = _page(_expect(roles, request)["policies"], request)
    return {"PolicyNames": page, **rest}


def _page(names: Iterable[str], request: Output) -> tuple[list[str], Output]:
    """Return the names of a page, and what says whether there are more."""
    left = [name for name in sorted(names) if name > request.get("Marker", "")]
    page = left[: request.get("MaxItems", _PAGE)]
    more = len(page) < len(left)
    return page, {"IsTruncated": more, "Marker": page[-1] if more and page else None}


def _delete_role(_caller: Caller, roles: Roles, request: Output) -> Output:
    if _expect(roles, request)["policies"]:
        raise ApiError("DeleteConflict", "Cannot delete entity, must delete policies first.", status=409)
    del roles[request["RoleName"]]
    return {}


def _update_trust(_caller: Caller, roles: Roles, request: Output) -> Output:
    _expect(roles, request)["AssumeRolePolicyDocument"] = expect_policy(request["PolicyDocument"])
    return {}


def _put_policy(_caller: Caller, roles: Roles, request: Output) -> Output:
    _expect(roles, request)["policies"][request["PolicyName"]] = expect_policy(request["PolicyDocument"])
    return {}


def _get_policy(_caller: Caller, roles: Roles, request: Output) -> Output:
    text = _expect(roles, request)["policies"].get(request["PolicyName"])
    if text is None:
        raise _absent(f"The role policy with name {request['PolicyName']} cannot be found.")
    return {
        "RoleName": request["RoleName"],
        "PolicyName": request["PolicyName"],
        "PolicyDocument": quote(text, safe=""),
    }


def _delete_policy(_caller: Caller, roles: Roles, request: Output) -> Output:
    if _expect(roles, request)["policies"].pop(request["PolicyName"], None) is None:
        raise _absent(f"The role policy with name {request['PolicyName']} cannot be found.")
    return {}
