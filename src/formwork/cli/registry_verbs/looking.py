"""`list`, `describe`, `versions` and `logs`: what is in a registry, and nothing changes."""

import argparse
from collections.abc import Iterator
from typing import Any

from formwork.aws.errors import aws_errors
from formwork.cli.registry_verbs.naming import name_type, type_name_of
from formwork.cli.registry_verbs.showing import show_json, show_members, show_table, without_metadata
from formwork.command_context.output import CommandOutput
from formwork.command_context.registry_target import RegistryTarget
from formwork.diagnostics import BadInputError
from formwork.diagnostics.visible import visible
from formwork.extensions import hyphenated_name

_PAGE = 100


def list_types(target: RegistryTarget, arguments: argparse.Namespace, output: CommandOutput) -> int:
    """`cfn registry list`."""
    client = target.client("cloudformation")
    filters = {"Category": _category(arguments.category), "TypeNamePrefix": arguments.prefix}
    request = {
        "Visibility": arguments.visibility.upper(),
        "Type": arguments.kind.upper() if arguments.kind else None,
        "DeprecatedStatus": "DEPRECATED" if arguments.deprecated else None,
        "Filters": {name: each for name, each in filters.items() if each} or None,
    }
    with aws_errors("listing types"):
        found = _list_all(client, request)
    if arguments.format == "json":
        show_json(found, output)
        return 0
    rows = [
        (
            each["TypeName"],
            each["Type"].lower(),
            each.get("DefaultVersionId"),
            each.get("LastUpdated"),
            each.get("Description"),
        )
        for each in found
    ]
    show_table(("TYPE", "KIND", "DEFAULT", "UPDATED", "DESCRIPTION"), rows, output, empty="no types found")
    return 0


def _list_all(client: Any, request: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the types of every provisioning type: a request that names none lists FULLY_MUTABLE ones alone."""
    found = {
        (each["TypeName"], each["Type"], each.get("PublisherId", "")): each
        for provisioning in (None, "IMMUTABLE", "NON_PROVISIONABLE")
        for each in _pages(client.list_types, "TypeSummaries", {**request, "ProvisioningType": provisioning})
    }
    return [found[key] for key in sorted(found)]


def describe_type(target: RegistryTarget, arguments: argparse.Namespace, output: CommandOutput) -> int:
    """`cfn registry describe`."""
    client = target.client("cloudformation")
    named = name_type(client, arguments)
    with aws_errors("describing the type"):
        answer = without_metadata(client.describe_type(**named))
    if arguments.schema:
        output.result(str(answer.get("Schema", "")))
    elif arguments.format == "json":
        show_json(answer, output)
    else:
        show_members({name: each for name, each in answer.items() if "Schema" not in name}, output)
    return 0


def list_versions(target: RegistryTarget, arguments: argparse.Namespace, output: CommandOutput) -> int:
    """`cfn registry versions`."""
    client = target.client("cloudformation")
    request = {**name_type(client, arguments), "DeprecatedStatus": "DEPRECATED" if arguments.deprecated else None}
    with aws_errors("listing versions"):
        found = list(_pages(client.list_type_versions, "TypeVersionSummaries", request))
    if arguments.format == "json":
        show_json(found, output)
        return 0
    rows = [
        (
            each["VersionId"],
            "default" if each.get("IsDefaultVersion") else "",
            each.get("TimeCreated"),
            each.get("Description"),
        )
        for each in found
    ]
    show_table(("VERSION", "", "CREATED", "DESCRIPTION"), rows, output, empty="no versions found")
    return 0


def show_logs(target: RegistryTarget, arguments: argparse.Namespace, output: CommandOutput) -> int:
    """`cfn registry logs`: the last lines that the type's handlers wrote, oldest first."""
    client = target.client("logs")
    name = hyphenated_name(type_name_of(arguments)) if arguments.group is None else None
    prefix = arguments.group or str(name)
    with aws_errors("reading logs"):
        groups = find_log_groups(client, prefix) if name is None else find_type_logs(client, name)
        if not groups:
            raise BadInputError.of(
                "registry.no-logs",
                f'log group "{prefix}…" not found',
                hint="it is created when the handlers are called; --group names another",
            )
        lines = [
            {"group": group["logGroupName"], "stream": event["logStreamName"], **event}
            for group in groups
            for event in _events(client, group["logGroupName"], arguments)
        ]
    lines.sort(key=lambda line: line["timestamp"])
    lines = lines[-arguments.lines :]
    if arguments.format == "json":
        show_json(lines, output)
        return 0
    last = None
    for line in lines:
        if (where := f"{line['group']} {line['stream']}") != last:
            output.result(visible(f"== {where}"))
            last = where
        output.result(visible(line["message"].rstrip("\n")))
    return 0


def find_type_logs(client: Any, hyphenated_name: str) -> list[dict[str, Any]]:
    """Return the log groups of a type: the one that its registration names, the usual one, and those of its tests."""
    return [
        *find_log_groups(client, hyphenated_name),
        *find_log_groups(client, f"/{hyphenated_name}-stack-"),
    ]


def find_log_groups(client: Any, prefix: str) -> list[dict[str, Any]]:
    """Return the log groups whose name begins with `prefix`."""
    found: list[dict[str, Any]] = client.describe_log_groups(logGroupNamePrefix=prefix)["logGroups"]
    return found


def _events(client: Any, group: str, arguments: argparse.Namespace) -> Iterator[Any]:
    request: dict[str, Any] = {"logGroupName": group}
    if arguments.stream:
        request["logStreamNamePrefix"] = arguments.stream
    while True:
        answer = client.filter_log_events(**request)
        yield from answer["events"]
        if not answer.get("nextToken"):
            return
        request["nextToken"] = answer["nextToken"]


def _pages(call: Any, member: str, request: dict[str, Any]) -> Iterator[Any]:
    asked = {name: each for name, each in request.items() if each is not None}
    while True:
        answer = call(**asked, MaxResults=_PAGE)
        yield from answer.get(member, ())
        if not answer.get("NextToken"):
            return
        asked["NextToken"] = answer["NextToken"]


def _category(name: str | None) -> str | None:
    return name.upper().replace("-", "_") if name else None
