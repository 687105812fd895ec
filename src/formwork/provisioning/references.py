"""Dynamic references of stacks: what they stand for, and where they may stand.

Source: CloudFormation user guide, "Get values stored in other services using dynamic references", and its table of the
properties that take secure strings.
"""

from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from typing import Any

from formwork.aws.scope import Scope
from formwork.aws.stored_values import StoredParameter, StoredValues, UnresolvedReferenceError
from formwork.diagnostics.secrets import Secret
from formwork.provisioning.stack_parameters import StackParameters
from formwork.stacks.errors import StackError

# The properties that take `{{resolve:ssm-secure:…}}`; what is in an array is below the array's own name.
_SECURE: Mapping[str, AbstractSet[tuple[str, ...]]] = {
    "AWS::DirectoryService::MicrosoftAD": {("Password",)},
    "AWS::DirectoryService::SimpleAD": {("Password",)},
    "AWS::ElastiCache::ReplicationGroup": {("AuthToken",)},
    "AWS::IAM::User": {("LoginProfile", "Password")},
    "AWS::KinesisFirehose::DeliveryStream": {("RedshiftDestinationConfiguration", "Password")},
    "AWS::OpsWorks::App": {("AppSource", "Password")},
    "AWS::OpsWorks::Stack": {("CustomCookbooksSource", "Password"), ("RdsDbInstances", "*", "DbPassword")},
    "AWS::RDS::DBCluster": {("MasterUserPassword",)},
    "AWS::RDS::DBInstance": {("MasterUserPassword",)},
    "AWS::Redshift::Cluster": {("MasterUserPassword",)},
}
_MARK = "{{resolve:"


class References:
    """Resolves the dynamic references of stacks, by the account's Region.

    Without an AWS to look in, `parameters` has those of Parameter Store that stacks have made.
    """

    def __init__(self, stored: StoredValues, parameters: StackParameters | None = None) -> None:
        self._stored = stored
        self._parameters = parameters

    def _values(self, scope: Scope) -> StoredValues:
        parameters = self._parameters
        if self._stored.available or parameters is None:
            return self._stored

        def known(name: str) -> StoredParameter | None:
            found = parameters.get(scope, name)
            return None if found is None else StoredParameter(found.value, found.type, found.version)

        return StoredValues(None, known)

    def parameter_exists(self, scope: Scope, name: str) -> bool:
        """Return whether Parameter Store has a parameter, or True where there is no store to ask.

        Raises:
            StackError: the store cannot be read.
        """
        return not self._stored.available or self.parameter(scope, name) is not None

    def resolve(self, scope: Scope, properties: Any) -> Any:
        """Return a copy of evaluated properties with references resolved; values of secret ones are `Secret`.

        Raises:
            StackError: one leads nowhere.
        """
        try:
            return self._values(scope).resolve(scope.region, properties)
        except UnresolvedReferenceError as error:
            raise StackError(str(error)) from error

    def pin(self, scope: Scope, properties: Any) -> Any:
        """Return a copy of properties in which references to Parameter Store name the version of now.

        Raises:
            StackError: one leads nowhere.
        """
        try:
            return self._values(scope).pin(scope.region, properties)
        except UnresolvedReferenceError as error:
            raise StackError(str(error)) from error

    def parameter(self, scope: Scope, name: str) -> StoredParameter | None:
        """Return what Parameter Store holds under a name; None where nothing is.

        Raises:
            StackError: it can't be asked.
        """
        try:
            return self._values(scope).parameter(scope.region, name)
        except UnresolvedReferenceError as error:
            raise StackError(str(error)) from error


def misplaced_secure_strings(type_name: str, properties: Mapping[str, Any]) -> Iterator[str]:
    """Yield the properties with `ssm-secure` references that the service does not allow there, in its notation."""
    allowed = _SECURE.get(type_name, frozenset())
    for path in _secure_paths(properties, ()):
        if path not in allowed:
            shown = path[: path.index("*")] if "*" in path else path
            yield "/".join((type_name, "Properties", *shown))


def conceal(model: Any, resolved: Any, written: Any) -> Any:
    """Return a copy of a handler's model with the secrets that references gave back in the form of the references.

    `written` are the properties before `resolved` was made of them. A callback gets the values again.
    """
    match model, resolved, written:
        case dict(), dict(), dict():
            return {
                name: conceal(each, resolved[name], written[name]) if name in resolved and name in written else each
                for name, each in model.items()
            }
        case list(), list(), list() if len(model) == len(resolved) == len(written):
            return [conceal(*each) for each in zip(model, resolved, written, strict=True)]
        case str(), Secret(), str() if model == resolved.reveal():
            return written
        case _:
            return model


def refers_to_secrets(value: Any) -> bool:
    """Return whether a text in the JSON value refers to a secret."""
    match value:
        case str():
            return f"{_MARK}ssm-secure:" in value or f"{_MARK}secretsmanager:" in value
        case dict():
            return any(map(refers_to_secrets, value.values()))
        case list():
            return any(map(refers_to_secrets, value))
        case _:
            return False


def without_references(properties: Any) -> Any:
    """Return a copy of properties without the values that hold references: drift is not detected on those."""
    return {
        name: without_references(each) if isinstance(each, dict) else each
        for name, each in properties.items()
        if isinstance(each, dict) or not _refers(each)
    }


def _refers(value: Any) -> bool:
    match value:
        case str():
            return _MARK in value
        case dict():
            return any(map(_refers, value.values()))
        case list():
            return any(map(_refers, value))
        case _:
            return False


def _secure_paths(value: Any, path: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    match value:
        case str():
            if f"{_MARK}ssm-secure:" in value:
                yield path
        case dict():
            for name, each in value.items():
                yield from _secure_paths(each, (*path, name))
        case list():
            for each in value:
                yield from _secure_paths(each, (*path, "*"))
        case _:
            return
