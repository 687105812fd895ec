"""Systems Manager's Parameter Store for reading: the parameters that stacks here have made.

Where the server has an AWS (`--aws`), what stacks here have not made is read from that one's Parameter Store.
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from formwork.api.caller import Caller
from formwork.api.dispatch import OperationTable
from formwork.api.wire import ApiError
from formwork.aws.scope import Scope
from formwork.aws.stored_values import StoredValues, UnresolvedReferenceError
from formwork.provisioning.stack_parameters import StackParameter, StackParameters

_PAGE = 10

Input = Mapping[str, Any]
Output = Mapping[str, Any]


def ssm_operations(parameters: StackParameters, stored: StoredValues) -> OperationTable:
    """Return the operations that read parameters."""
    store = _ParameterStore(parameters, stored)
    return {
        ("ssm", "GetParameter"): store.get,
        ("ssm", "GetParameters"): store.get_several,
        ("ssm", "GetParametersByPath"): store.get_by_path,
    }


class _ParameterStore:
    def __init__(self, parameters: StackParameters, stored: StoredValues) -> None:
        self._parameters = parameters
        self._stored = stored

    def get(self, caller: Caller, request: Input) -> Output:
        found = self._find(caller, request["Name"], decrypted=bool(request.get("WithDecryption")))
        if found is None:
            raise ApiError("ParameterNotFound", "")
        return {"Parameter": found}

    def get_several(self, caller: Caller, request: Input) -> Output:
        decrypted = bool(request.get("WithDecryption"))
        found = {name: self._find(caller, name, decrypted=decrypted) for name in dict.fromkeys(request["Names"])}
        return {
            "Parameters": [each for each in found.values() if each is not None],
            "InvalidParameters": [name for name, each in found.items() if each is None],
        }

    def get_by_path(self, caller: Caller, request: Input) -> Output:
        if request.get("ParameterFilters"):
            raise ApiError(
                "InvalidFilterKey",
                "ParameterFilters are not available here: GetParametersByPath lists what is below Path",
            )
        scope, path = Scope(caller.account, caller.region), request["Path"].rstrip("/") + "/"
        names = [each for each in self._parameters.names(scope) if each.startswith(path)]
        if not request.get("Recursive"):
            names = [each for each in names if "/" not in each.removeprefix(path)]
        start = _start(request)
        end = start + int(request.get("MaxResults") or _PAGE)
        decrypted = bool(request.get("WithDecryption"))
        found = [self._find(caller, each, decrypted=decrypted) for each in names[start:end]]
        return {
            "Parameters": [each for each in found if each is not None],
            "NextToken": str(end) if end < len(names) else None,
        }

    def _find(self, caller: Caller, asked: str, *, decrypted: bool) -> dict[str, Any] | None:
        """Return a parameter by its name or ARN, either with a version; None if it is not found."""
        scope = Scope(caller.account, caller.region)
        name = asked.partition(":parameter")[2] if asked.startswith("arn:") else asked
        name = name if name.count("/") > 1 or not asked.startswith("arn:") else name.removeprefix("/")
        found = self._parameters.get(scope, name)
        if found is None:
            found = self._elsewhere(scope, name)
        if found is None:
            return None
        if found.type == "SecureString" and not decrypted:
            raise ApiError("ValidationException", f"{name} is a SecureString, which is read WithDecryption here")
        _, colon, selector = name.partition(":")
        return {**_shown(scope, found), "Selector": f"{colon}{selector}" or None}

    def _elsewhere(self, scope: Scope, name: str) -> StackParameter | None:
        if not self._stored.available:
            return None
        try:
            found = self._stored.parameter(scope.region, name)
        except UnresolvedReferenceError as error:
            raise ApiError("InternalServerError", str(error), status=500) from error
        plain = name.partition(":")[0]
        return None if found is None else StackParameter(plain, found.type, found.value, found.version, None)


def _shown(scope: Scope, parameter: StackParameter) -> dict[str, Any]:
    modified = parameter.modified
    return {
        "Name": parameter.name,
        "Type": parameter.type,
        "Value": parameter.value,
        "Version": parameter.version,
        "LastModifiedDate": None if modified is None else datetime.fromtimestamp(modified, UTC),
        "ARN": f"arn:{scope.partition}:ssm:{scope.region}:{scope.account}:parameter/{parameter.name.lstrip('/')}",
        "DataType": "text",
    }


def _start(request: Input) -> int:
    token = request.get("NextToken") or "0"
    if not (token.isascii() and token.isdecimal() and len(token) < 10):
        raise ApiError("InvalidNextToken", "The specified token is not valid.")
    return int(token)
