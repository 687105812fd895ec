"""Dynamic references: `{{resolve:service:key}}` inside a string (CloudFormation user guide, "Dynamic references")."""

import re
from collections.abc import Iterator
from enum import StrEnum
from typing import Any

from msgspec import Struct

MAX_REFERENCES = 60  # in a template: CloudFormation user guide, "Understand CloudFormation quotas"
REFERRING = ("Parameters", "Resources", "Outputs")  # the sections that have them

_OPENING = "{{resolve:"
_REFERENCE = re.compile(r"\{\{resolve:([^{}:]+):([^{}]*)\}\}")
_SSM = re.compile(r"(?P<name>[A-Za-z0-9_.\-/]+)(?::(?P<version>[0-9]+))?")


class DynamicService(StrEnum):
    """The service that a dynamic reference reads from."""

    SSM = "ssm"
    SSM_SECURE = "ssm-secure"
    SECRETS_MANAGER = "secretsmanager"


class DynamicReference(Struct, frozen=True):
    """One reference: `key` is the parameter's name or the secret's id; `text` is how it stands in the string.

    `version` is a parameter's version; `json_key`, `version_stage` and `version_id` belong to secrets. None: not given.
    """

    service: DynamicService
    key: str
    text: str
    version: str | None = None
    json_key: str | None = None
    version_stage: str | None = None
    version_id: str | None = None


class DynamicReferenceError(ValueError):
    """A `{{resolve:…}}` that names no known service or whose key has the wrong form."""


def parse_dynamic_references(text: str) -> tuple[DynamicReference, ...]:
    """Return the dynamic references in `text`, in order; () where there is none.

    Raises:
        DynamicReferenceError: one of them is malformed; the message says how.
    """
    return tuple(_parse_all(text))


def count_dynamic_references(value: Any) -> int:
    """Return how many dynamic references the texts of a document's value have, each counted wherever it stands."""
    count, open_parts = 0, [value]
    while open_parts:
        match open_parts.pop():
            case dict() as members:
                open_parts += members.values()
            case list() as items:
                open_parts += items
            case str() as text:
                count += text.count(_OPENING)
            case _:
                pass
    return count


def _parse_all(text: str) -> Iterator[DynamicReference]:
    if _OPENING not in text:
        return
    for found in _REFERENCE.finditer(text):
        service, key = found[1], found[2]
        if service not in {each.value for each in DynamicService}:
            msg = f'"{found[0]}" names the service "{service}"; known are ssm, ssm-secure and secretsmanager'
            raise DynamicReferenceError(msg)
        yield _parse_one(DynamicService(service), key, found[0])


def _parse_one(service: DynamicService, key: str, text: str) -> DynamicReference:
    if service is not DynamicService.SECRETS_MANAGER:
        parts = _SSM.fullmatch(key)
        if parts is None:
            msg = f'"{text}" is not {{{{resolve:{service}:parameter-name}}}} with an optional :version number'
            raise DynamicReferenceError(msg)
        return DynamicReference(service, parts["name"], text, version=parts["version"])
    # A secret's id may be an ARN, which has six colons of its own before the name.
    fields = key.split(":")
    width = 7 if fields[0] == "arn" else 1
    secret, rest = ":".join(fields[:width]), fields[width:]
    if not secret or len(rest) > 4 or (rest and rest[0] not in {"SecretString", ""}):
        msg = f'"{text}" is not {{{{resolve:secretsmanager:secret-id:SecretString:json-key:version-stage:version-id}}}}'
        raise DynamicReferenceError(msg)
    names = dict(zip(("_", "json_key", "version_stage", "version_id"), rest, strict=False))
    names.pop("_", None)
    return DynamicReference(service, secret, text, **{name: value for name, value in names.items() if value})
