"""Hooks of a service tried as they are registered and configured there, through the APIs that users have.

Guard hooks are evaluated here, with the rules that their configuration names; the functions of Lambda hooks are invoked
where they are. Source: the service's models
(ListTypes, DescribeType, BatchDescribeTypeConfigurations).
"""

import contextlib
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from formwork.aws.errors import aws_errors
from formwork.aws.scope import Scope
from formwork.diagnostics import BadInputError, EnvironmentProblemError, UsageError
from formwork.hook_dry_runs.consulted import ConsultedHook
from formwork.hook_dry_runs.dry_run import DryRunHook
from formwork.hook_dry_runs.rules import RulesHook
from formwork.hooks import ActiveHook, HookSettings, read_hook_settings
from formwork.hooks.guard.objects import MAX_BYTES, merge, parameters_in, rules_in
from formwork.hooks.guard.rules import GuardRulesError, RuleFile, expect_engine
from formwork.hooks.lambda_function import MOST_CALLS_OF_FUNCTION, LambdaEvaluator
from formwork.hooks.payloads import Payloads
from formwork.lambda_host.outcome import Outcome, OutcomeKind
from formwork.object_store.urls import parse_object_url
from formwork.provisioning.call_limits import CallLimits
from formwork.registry.managed import GUARD_HOOK, LAMBDA_HOOK
from formwork.schema import ResourceSchema

Client = Callable[[str], Any]  # by the name of the service, as boto3 has it
SchemaOf = Callable[[str], ResourceSchema | None]


def list_hooks(client: Client) -> list[str]:
    """Return the names of the hooks that a service has enabled.

    Raises:
        EnvironmentProblemError: it can't be asked.
    """
    api = client("cloudformation")
    return [each for each in hook_names(api) if hook_settings(api, each)[0].enabled]


def hook_names(api: Any) -> list[str]:
    """Return the names of the hooks that are registered or activated.

    Raises:
        EnvironmentProblemError: the service can't be asked.
    """
    with aws_errors("listing hooks"):
        pages = api.get_paginator("list_types").paginate(Type="HOOK", Visibility="PRIVATE")  # and public ones in use
        return sorted({each["TypeName"] for page in pages for each in page["TypeSummaries"]})


def open_registered_hook(
    client: Client, name: str, kinds: Sequence[str] | None, payloads: Payloads, schema_of: SchemaOf
) -> DryRunHook:
    """Return a hook by its type name, as it is configured; `kinds` replace the targets of its configuration.

    A function finds the templates of stacks and change sets in `payloads`.

    Raises:
        BadInputError: there is no such hook, it has no configuration, or its rules can't be read.
        EnvironmentProblemError: the service can't be asked.
        UsageError: its handlers are not at hand.
    """
    api = client("cloudformation")
    with aws_errors(f"reading the hook {name}"):
        described = api.describe_type(Type="HOOK", TypeName=name)
    settings, arn = hook_settings(api, name)
    settings = replace(settings, enabled=True)
    if kinds:
        settings = replace(settings, operations=tuple(kinds))
    account, region = arn.split(":")[4], api.meta.region_name
    original = described.get("OriginalTypeName") or name
    version = described.get("DefaultVersionId", "")
    scope = Scope(account, region)
    if original == LAMBDA_HOOK:
        return _lambda_hook(client, name, scope, settings, version, payloads, schema_of)
    if original != GUARD_HOOK:
        raise UsageError(
            f"the handlers of {name} are in its package, which no API gives", hint="name the folder of its project"
        )
    try:
        expect_engine()
    except GuardRulesError as error:
        raise EnvironmentProblemError(str(error)) from error
    try:
        return _guard_hook(client, name, scope, settings, version)
    except GuardRulesError as error:
        raise BadInputError.of("hook.rules", f"{name}: {error}") from error


def _guard_hook(client: Client, name: str, scope: Scope, settings: HookSettings, version: str) -> RulesHook:
    given = settings.properties
    key, content = _fetch(client, given.get("ruleLocation"), "ruleLocation")
    files: list[RuleFile] = rules_in(key.rpartition("/")[2], content)
    parameters: dict[str, Any] = {}
    locations = given.get("options", {}).get("inputParams", [])
    for each in locations if isinstance(locations, list) else [locations]:
        key, content = _fetch(client, each, "inputParams")
        merge(parameters, parameters_in(key, content), key)
    return RulesHook(name=name, files=files, scope=scope, settings=settings, parameters=parameters, version=version)


def _lambda_hook(  # noqa: PLR0913, PLR0917 - what an active hook has
    client: Client,
    name: str,
    scope: Scope,
    settings: HookSettings,
    version: str,
    payloads: Payloads,
    schema_of: SchemaOf,
) -> ConsultedHook:
    def invoke(function: str, payload: bytes) -> Outcome | None:
        api = client("lambda")
        with aws_errors(f"invoking {function}"):
            try:
                answer = api.invoke(FunctionName=function, Payload=payload)
            except api.exceptions.ResourceNotFoundException:
                return None
            kind = OutcomeKind.HANDLER_ERROR if "FunctionError" in answer else OutcomeKind.RETURNED
            return Outcome(kind, answer["Payload"].read(), "")

    evaluate = LambdaEvaluator(
        invoke=invoke,
        scope=scope,
        type_name=name,
        version=version,
        configuration=lambda: settings.properties,
        seconds=CallLimits().hook,
    )
    active = ActiveHook(
        type_name=name,
        type_arn="",
        version=version,
        configuration_version="",
        settings=settings,
        targets=dict.fromkeys(("CREATE", "UPDATE", "DELETE"), ("*",)),
        open_session=None,
        evaluate=evaluate,
        most_calls=MOST_CALLS_OF_FUNCTION,
    )
    return ConsultedHook(active=active, scope=scope, schema_of=schema_of, payloads=payloads)


def _fetch(client: Client, location: Any, member: str) -> tuple[str, bytes]:
    url, version = location, None
    if isinstance(location, Mapping):
        url, version = location.get("uri"), location.get("versionId")
    place = parse_object_url(url) if isinstance(url, str) else None
    if place is None:
        raise GuardRulesError(f"{member}: {url!r} is not the URI of an S3 object, s3://BUCKET/KEY")
    named = {"Bucket": place[0], "Key": place[1], **({"VersionId": version} if version else {})}
    with aws_errors(f"reading {url}"), contextlib.closing(client("s3").get_object(**named)["Body"]) as body:
        content: bytes = body.read(MAX_BYTES + 1)
    if len(content) > MAX_BYTES:
        raise GuardRulesError(f"{member}: {url} has more than {MAX_BYTES:,} bytes")
    return place[1], content


def hook_settings(api: Any, name: str) -> tuple[HookSettings, str]:
    """Return the configuration of a hook and the hook's ARN; "" and settings that disable it where it has none."""
    with aws_errors(f"reading the configuration of {name}"):
        found = api.batch_describe_type_configurations(
            TypeConfigurationIdentifiers=[{"Type": "HOOK", "TypeName": name, "TypeConfigurationAlias": "default"}]
        )
    details = found.get("TypeConfigurations", [])
    if not details:
        return HookSettings(), ""
    return read_hook_settings(json.loads(details[0]["Configuration"])), details[0]["TypeArn"]
