"""Values of dynamic references, read from Parameter Store and Secrets Manager.

Source: CloudFormation user guide, "Get values stored in other services using dynamic references"; the messages are the
service's own. The value of a reference to a secret is a `Secret`, so that it is masked in logs and encrypted in the
database.
"""

import json
from collections.abc import Callable
from typing import Any

from msgspec import Struct

from formwork.aws.access import AwsAccess, AwsClients
from formwork.diagnostics import EnvironmentProblemError
from formwork.diagnostics.secrets import Secret
from formwork.template import DynamicReference, DynamicReferenceError, parse_dynamic_references
from formwork.template.dynamic import DynamicService

_HINT = "start it with --aws moto, --aws URL of a simulation that runs, or --aws real"
_MARK = "{{resolve:"


class UnresolvedReferenceError(EnvironmentProblemError):
    """A dynamic reference can't be resolved; the message is the service's where it has one."""


class StoredParameter(Struct, frozen=True):
    """A parameter of Parameter Store; `type` is String, StringList or SecureString."""

    value: str
    type: str
    version: int


class StoredValues:
    """Reads Parameter Store and Secrets Manager of the AWS, or the stand-in for it, that handlers call.

    Without an AWS every reference is refused, except to the parameters in `known`.
    """

    def __init__(
        self, access: AwsAccess | None, known: Callable[[str], StoredParameter | None] = lambda _name: None
    ) -> None:
        self._clients = None if access is None else AwsClients(access)
        self._known = known

    @property
    def available(self) -> bool:
        """Whether there is an AWS to look in."""
        return self._clients is not None

    def resolve(self, region: str, value: Any) -> Any:
        """Return a copy of the JSON value with every dynamic reference in its texts filled in.

        Raises:
            UnresolvedReferenceError: one leads nowhere, is malformed, or there is no AWS to look in.
        """
        return _map_texts(value, lambda text: self._resolve_text(region, text))

    def pin(self, region: str, value: Any) -> Any:
        """Return a copy of the JSON value in which references to Parameter Store name the version that is current.

        Raises:
            UnresolvedReferenceError: as for `resolve`.
        """
        return _map_texts(value, lambda text: self._pin_text(region, text))

    def parameter(self, region: str, name: str) -> StoredParameter | None:
        """Return what is stored under `name` (`/path/name`, or `/path/name:3` for a version); None where nothing is.

        Raises:
            UnresolvedReferenceError: there is no AWS to look in, or it does not answer.
        """
        if self._clients is None and (known := self._known(name)) is not None:
            return known
        client = self._client("ssm", region, f"the parameter {name} can't be read: no stack of this server made it")
        import botocore.exceptions  # noqa: PLC0415 - comes with the client

        try:
            found = client.get_parameter(Name=name, WithDecryption=True)["Parameter"]
        except client.exceptions.ClientError as error:
            if error.response["Error"]["Code"] in ("ParameterNotFound", "ParameterVersionNotFound"):
                return None
            raise _refused("AWSSimpleSystemsManagement", error) from error
        except botocore.exceptions.BotoCoreError as error:
            raise UnresolvedReferenceError(f"the parameter {name} can't be read: {error}") from error
        return StoredParameter(found["Value"], found["Type"], int(found.get("Version", 1)))

    def _client(self, service: str, region: str, problem: str) -> Any:
        if self._clients is None:
            raise UnresolvedReferenceError(f"{problem}, and this server has no AWS to look in; {_HINT}")
        return self._clients.client(service, region)

    def _resolve_text(self, region: str, text: str) -> str:
        references = _references(text)
        values = [self._value(region, each) for each in references]
        secrets = [
            value for each, value in zip(references, values, strict=True) if each.service is not DynamicService.SSM
        ]
        following = iter(values)
        filled = _replace_each(text, references, lambda _each: next(following))
        return Secret(filled, secrets) if secrets else filled

    def _pin_text(self, region: str, text: str) -> str:
        def pinned(reference: DynamicReference) -> str:
            if reference.service is DynamicService.SECRETS_MANAGER:
                return reference.text
            found = self._expect_parameter(region, reference)
            return reference.text if reference.version is not None else f"{reference.text[:-2]}:{found.version}}}}}"

        return _replace_each(text, _references(text), pinned)

    def _value(self, region: str, reference: DynamicReference) -> str:
        if reference.service is DynamicService.SECRETS_MANAGER:
            return self._secret(region, reference)
        return self._expect_parameter(region, reference).value

    def _expect_parameter(self, region: str, reference: DynamicReference) -> StoredParameter:
        name = reference.key if reference.version is None else f"{reference.key}:{reference.version}"
        found = self.parameter(region, name)
        if found is None:
            raise UnresolvedReferenceError(f"Parameters: [{reference.service}:{name}] cannot be found.")
        secure = found.type == "SecureString"
        if secure and reference.service is DynamicService.SSM:
            raise UnresolvedReferenceError(f"Non-secure ssm prefix was used for secure parameter {reference.key}")
        if not secure and reference.service is DynamicService.SSM_SECURE:
            message = f"Secure ssm-secure prefix was used for non-secure parameter {reference.key}"
            raise UnresolvedReferenceError(message)
        return found

    def _secret(self, region: str, reference: DynamicReference) -> str:
        wanted = {"VersionStage": reference.version_stage, "VersionId": reference.version_id}
        given = {name: each for name, each in wanted.items() if each is not None}
        client = self._client("secretsmanager", region, f"the secret {reference.key} can't be read")
        import botocore.exceptions  # noqa: PLC0415 - comes with the client

        try:
            text = client.get_secret_value(SecretId=reference.key, **given).get("SecretString")
        except client.exceptions.ClientError as error:
            raise _refused("AWSSecretsManager", error) from error
        except botocore.exceptions.BotoCoreError as error:
            raise UnresolvedReferenceError(f"the secret {reference.key} can't be read: {error}") from error
        if text is None:
            raise UnresolvedReferenceError(f"the secret {reference.key} is binary, and only texts can be referred to")
        return str(text) if reference.json_key is None else _member(str(text), reference.json_key)


def _replace_each(text: str, references: tuple[DynamicReference, ...], new: Callable[[DynamicReference], str]) -> str:
    """Return the text with its references replaced, in order; references in the replacements stay."""
    done = []
    for each in references:
        before, _, text = text.partition(each.text)
        done += [before, new(each)]
    return "".join([*done, text])


def _references(text: str) -> tuple[DynamicReference, ...]:
    try:
        return parse_dynamic_references(text)
    except DynamicReferenceError as error:
        if "{{resolve:ssm" in text:
            start = text.index("{{resolve:ssm")
            whole = text[start : text.find("}}", start) + 2]
            message = f"Incorrect format is used in the following SSM reference: [{whole}]"
            raise UnresolvedReferenceError(message) from error
        raise UnresolvedReferenceError(str(error)) from error


def _member(text: str, key: str) -> str:
    try:
        value = json.loads(text)
    except ValueError as error:
        raise UnresolvedReferenceError("Could not parse SecretString JSON") from error
    if not isinstance(value, dict) or key not in value:
        raise UnresolvedReferenceError("Could not find a value associated with JSONKey in SecretString")
    found = value[key]
    return found if isinstance(found, str) else json.dumps(found)


def _refused(service: str, error: Any) -> UnresolvedReferenceError:
    said, about = error.response["Error"], error.response.get("ResponseMetadata", {})
    details = f"Service: {service}; Status Code: {about.get('HTTPStatusCode')}; Error Code: {said['Code']}"
    return UnresolvedReferenceError(f"{said['Message']} ({details}; Request ID: {about.get('RequestId')})")


def _map_texts(value: Any, change: Callable[[str], str]) -> Any:
    match value:
        case str():
            return change(value) if _MARK in value else value
        case dict():
            return {name: _map_texts(each, change) for name, each in value.items()}
        case list():
            return [_map_texts(each, change) for each in value]
        case _:
            return value
