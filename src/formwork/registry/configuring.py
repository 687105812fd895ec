"""SetTypeConfiguration and BatchDescribeTypeConfigurations.

A configuration belongs to a type in an account and Region, not to a version. It is checked against the default
version's schema as it is written: dynamic references are resolved only when a handler is called, so a `pattern` judges
the text of the reference, and can demand one (user guide, "Defining the account-level configuration"; types with other
patterns refuse references on AWS: opsgenie/opsgenie-cloudformation-resources#27). In descriptions of a configuration,
values whose names say that they are secrets are masked, unless they are references.
"""

import json
from collections.abc import Iterator
from typing import Any

from sqlalchemy import Connection, delete, select, update

from formwork.aws.scope import Scope
from formwork.diagnostics import BadInputError, Diagnostic, Severity
from formwork.diagnostics.secrets import MASK
from formwork.documents import Document, DocumentFormat, parse_document
from formwork.extensions import ExtensionKind
from formwork.registry.dependencies import RegistryDependencies
from formwork.registry.errors import RegistryError, configuration_not_found, registry_error
from formwork.registry.failures import describe_error
from formwork.registry.finding import AnyRow, Named, expect_version, lock_type, read_reference, version_arn
from formwork.registry.inserting import insert_or_ignore
from formwork.registry.names import DEFAULT_ALIAS, configuration_arn, parse_configuration_arn
from formwork.registry.requests import ConfigurationReference, SetTypeConfigurationRequest, TypeReference
from formwork.registry.results import Configuration, ConfigurationFailure, moment
from formwork.registry.tables import configurations
from formwork.schema.hook import build_hook_schema
from formwork.schema.resource import build_resource_schema
from formwork.schema.secret_names import names_a_secret
from formwork.template import DynamicReferenceError, parse_dynamic_references

_ENVELOPE = ("CloudFormationConfiguration", "HookConfiguration")


def set_type_configuration(parts: RegistryDependencies, scope: Scope, request: SetTypeConfigurationRequest) -> str:
    """Set a type's configuration; its ARN.

    Raises:
        RegistryError: there is no such type, or the configuration does not match its schema.
    """
    named = _named(scope, request.type)
    alias = request.alias or DEFAULT_ALIAS
    document = _parse(request.configuration)
    with parts.database.begin() as connection:
        row, version = expect_version(connection, scope, Named(named.kind, named.name))
        lock_type(connection, scope, named.kind, named.name)
        if named.kind is ExtensionKind.HOOK and alias != DEFAULT_ALIAS:
            raise registry_error(f"A hook has one configuration, of the alias '{DEFAULT_ALIAS}'.")
        problems = check_configuration(named.kind, json.loads(version.schema), document)
        if problems:
            raise registry_error(_refusal(row.name, problems))
        _store(connection, row, alias, json.dumps(document.value, ensure_ascii=False), parts.settings.now())
        parts.settings.observer.checkpoint("configuration-set")
    return configuration_arn(scope, named.kind, named.name, alias)


def remove_type_configuration(parts: RegistryDependencies, scope: Scope, reference: TypeReference) -> None:
    """Drop a type's default configuration, as the deletion of AWS::CloudFormation::HookTypeConfig does."""
    named = _named(scope, reference)
    with parts.database.begin() as connection:
        connection.execute(delete(configurations).where(*_at(scope, named.kind, named.name, DEFAULT_ALIAS)))


def _named(scope: Scope, reference: TypeReference) -> Named:
    named = read_reference(scope, reference)
    if named.version is not None:
        raise registry_error("A configuration is set for a type, not for a version: leave the version out of the ARN.")
    if named.kind is ExtensionKind.MODULE:
        raise registry_error("Modules have no configuration.")
    return named


def _parse(text: str) -> Document:
    try:
        return parse_document(text, name="Configuration", format=DocumentFormat.JSON)
    except BadInputError as error:
        raise registry_error("; ".join(["Configuration is not a JSON document", *describe_error(error)])) from error


def check_configuration(kind: ExtensionKind, schema: dict[str, Any], document: Document) -> list[Diagnostic]:
    """Return what is wrong with a configuration, its dynamic references not resolved."""
    whole = Document.of_value(schema, "schema.json")
    if kind is ExtensionKind.HOOK:
        found = [*_envelope_problems(document), *build_hook_schema(whole).validate_configuration(document)]
    else:
        found = build_resource_schema(whole).validate_configuration(document)
    return [
        *(each for each in found if each.severity is Severity.ERROR),
        *_reference_problems(document, document.value, ()),
    ]


def _envelope_problems(document: Document) -> Iterator[Diagnostic]:
    """Yield a hook's configuration says when it is called, in CloudFormation's own words."""
    value = document.value
    for name in _ENVELOPE:
        value = value.get(name) if isinstance(value, dict) else None
    if not isinstance(value, dict):
        shape = '{"CloudFormationConfiguration": {"HookConfiguration": {…}}}'
        yield _problem(document, (), "missing hook configuration", shape)
        return
    if "TargetStacks" not in value and "HookInvocationStatus" not in value:
        yield _problem(
            document, _ENVELOPE, "missing TargetStacks", "TargetStacks: ALL or NONE, whether the hook is called"
        )
    if "TargetStacks" in value and "FailureMode" not in value:
        yield _problem(document, _ENVELOPE, "missing FailureMode", "FailureMode: FAIL or WARN, what a refusal does")


def _problem(document: Document, path: tuple[str, ...], message: str, expected: str) -> Diagnostic:
    return Diagnostic("model.hook-configuration", Severity.ERROR, message, document.locate(path), expected)


def _reference_problems(document: Document, value: Any, path: tuple[str | int, ...]) -> Iterator[Diagnostic]:
    match value:
        case str():
            try:
                parse_dynamic_references(value)
            except DynamicReferenceError as error:
                place = document.locate(path)
                yield Diagnostic("model.dynamic-reference", Severity.ERROR, str(error), place)
        case dict():
            for name, each in value.items():
                yield from _reference_problems(document, each, (*path, name))
        case list():
            for index, each in enumerate(value):
                yield from _reference_problems(document, each, (*path, index))
        case _:
            return


def _refusal(name: str, problems: list[Diagnostic]) -> str:
    lines = describe_error(BadInputError(problems))
    return "\n".join([f"Configuration does not match the schema of the type '{name}':", *lines])


def _at(scope: Scope, kind: ExtensionKind, name: str, alias: str) -> tuple[Any, ...]:
    return (
        configurations.c.account == scope.account,
        configurations.c.region == scope.region,
        configurations.c.kind == str(kind),
        configurations.c.name == name,
        configurations.c.alias == alias,
    )


def _store(connection: Connection, row: AnyRow, alias: str, content: str, now: float) -> None:
    scope = Scope(row.account, row.region)
    key = {"account": row.account, "region": row.region, "kind": row.kind, "name": row.name, "alias": alias}
    insert_or_ignore(connection, configurations, **key, content=content, updated=now)
    at = _at(scope, ExtensionKind(row.kind), row.name, alias)
    connection.execute(update(configurations).where(*at).values(content=content, updated=now))


def describe_configurations(
    parts: RegistryDependencies, scope: Scope, references: list[ConfigurationReference]
) -> tuple[list[Configuration], list[ConfigurationFailure]]:
    """Return the requested configurations, in their order, and the errors for those that are not found."""
    found: list[Configuration] = []
    failures: list[ConfigurationFailure] = []
    with parts.database.read() as connection:
        for index, reference in enumerate(references):
            try:
                found.append(_describe(connection, scope, reference))
            except RegistryError as error:
                failures.append(ConfigurationFailure(index, error.code, error.message))
    return found, failures


def _describe(connection: Connection, scope: Scope, reference: ConfigurationReference) -> Configuration:
    kind, name, alias = _wanted(scope, reference)
    try:
        row, _version = expect_version(connection, scope, Named(kind, name))
    except RegistryError:
        if reference.arn is not None:
            raise configuration_not_found(reference.arn) from None
        raise
    stored = connection.execute(select(configurations).where(*_at(scope, kind, name, alias))).first()
    if stored is None and alias != DEFAULT_ALIAS:
        raise configuration_not_found(configuration_arn(scope, kind, name, alias))
    by_name = reference.type.name is not None
    return Configuration(
        arn=configuration_arn(scope, kind, name, alias),
        alias=alias,
        content=shown_configuration(stored.content) if stored is not None else "{}",
        type_arn=version_arn(row),
        name=name if by_name else None,
        updated=moment(stored.updated) if stored is not None else None,
        is_default=alias == DEFAULT_ALIAS if by_name else None,
    )


def _wanted(scope: Scope, reference: ConfigurationReference) -> tuple[ExtensionKind, str, str]:
    if reference.arn is None:
        named = read_reference(scope, reference.type)
        return named.kind, named.name, reference.alias or DEFAULT_ALIAS
    parsed = parse_configuration_arn(reference.arn)
    if parsed is None or parsed[0] != scope:
        raise configuration_not_found(reference.arn)
    return parsed[1:]


def shown_configuration(content: str) -> str:
    """Return a configuration's text for clients, with secrets masked."""
    return json.dumps(_masked(json.loads(content)), ensure_ascii=False)


def _masked(value: Any, name: str = "") -> Any:
    match value:
        case dict():
            return {key: _masked(each, key) for key, each in value.items()}
        case list():
            return [_masked(each, name) for each in value]
        case str() if _hides(name) and not _only_references(value):
            return MASK
        case _:
            return value


def _hides(name: str) -> bool:
    """Return whether the value of a property is never shown; tokens are credentials in configurations."""
    return names_a_secret(name) or name.lower().endswith("token")


def _only_references(text: str) -> bool:
    for each in parse_dynamic_references(text):
        text = text.replace(each.text, "")
    return not text
