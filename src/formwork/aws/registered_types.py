"""Fetches the schema of a registered version of a type from a registry."""

import re
import shlex
from typing import Any

from msgspec import Struct

from formwork.diagnostics import BadInputError, EnvironmentProblemError, Location, UsageError

PREFIX = "registry:"
_ARN = re.compile(r"arn:aws[a-z-]*:cloudformation:[a-z0-9-]+:[0-9]*:type/(resource|hook|module)/\S+", re.ASCII)
_NAME = re.compile(r"[A-Za-z0-9]+(?:::[A-Za-z0-9]+){2,3}", re.ASCII)
_VERSION = re.compile(r"[0-9]{1,8}", re.ASCII)
_OF_VERSION = re.compile(r"/[0-9]{8}$", re.ASCII)
_FORMS = f"{PREFIX}Org::Service::Type, {PREFIX}Org::Service::Type@00000003, or the type's ARN"


class RegisteredType(Struct, frozen=True):
    """A version of a type in a registry: by `type_name` and `kind` (RESOURCE …) or by `arn`; None: the default one."""

    text: str
    kind: str
    type_name: str | None = None
    arn: str | None = None
    version_id: str | None = None

    def to_request(self) -> dict[str, str]:
        """Return the arguments of DescribeType."""
        found = {"Arn": self.arn} if self.arn else {"TypeName": self.type_name, "Type": self.kind}
        return {name: value for name, value in {**found, "VersionId": self.version_id}.items() if value}

    @property
    def listing_command(self) -> str:
        """Return the AWS CLI command that lists the versions of the type."""
        if self.arn is not None:
            return f"aws cloudformation list-type-versions --arn {shlex.quote(_OF_VERSION.sub('', self.arn))}"
        return f"aws cloudformation list-type-versions --type {self.kind} --type-name {self.type_name}"


def parse_registered_type(text: str, *, kind: str = "RESOURCE") -> RegisteredType | None:
    """Return the registered type that `text` names; None if it is something else, such as a file.

    Raises:
        UsageError: it begins like such a name but is malformed.
    """
    if text.startswith("arn:"):
        if not _ARN.fullmatch(text):
            raise UsageError(f'"{text}" is not the ARN of a registered type', hint=_FORMS)
        return RegisteredType(text, kind, arn=text)
    if not text.startswith(PREFIX):
        return None
    name, mark, version = text.removeprefix(PREFIX).partition("@")
    if not _NAME.fullmatch(name) or (mark and not _VERSION.fullmatch(version)):
        raise UsageError(f'"{text}" is not a registered type', hint=_FORMS)
    return RegisteredType(text, kind, type_name=name, version_id=version.zfill(8) if mark else None)


def describe_schema(client: Any, wanted: RegisteredType) -> str:
    """Return the text of the schema of `wanted`, as `client` (boto3's of CloudFormation) describes it.

    Raises:
        BadInputError: the registry has no such type or version, or no schema of it.
        EnvironmentProblemError: it is out of reach, or refuses the caller.
    """
    import botocore.exceptions  # noqa: PLC0415 - comes with the client

    where = str(client.meta.endpoint_url)
    try:
        answer = client.describe_type(**wanted.to_request())
    except botocore.exceptions.ClientError as error:
        said = error.response.get("Error", {})
        if said.get("Code") in {"TypeNotFoundException", "CFNRegistryException"}:
            raise _absent(wanted, f"{where} has none: {said.get('Message')}") from None
        raise EnvironmentProblemError(f'the registry at {where} does not describe "{wanted.text}": {error}') from None
    except botocore.exceptions.BotoCoreError as error:
        raise EnvironmentProblemError(
            f"the registry cannot be asked: {error}", hint="is the endpoint right, and the region?"
        ) from None
    schema = answer.get("Schema")
    if not isinstance(schema, str) or not schema.strip():
        raise _absent(wanted, f"{where} keeps no schema of it")
    return schema


def _absent(wanted: RegisteredType, why: str) -> BadInputError:
    return BadInputError.of(
        "change.old-not-registered",
        f'"{wanted.text}" is not to be had: {why}',
        location=Location(wanted.text),
        expected="a type and version that is registered",
        hint=f"`{wanted.listing_command}` lists the versions; --endpoint-url and --region say where to look",
    )
