"""`set-default`, `deregister`, `configure`, `activate` and `deactivate`: what changes a registry at once."""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from formwork.aws.errors import aws_errors
from formwork.cli.registry_verbs.naming import name_type
from formwork.cli.registry_verbs.showing import show_json, show_members
from formwork.command_context.output import CommandOutput
from formwork.command_context.registry_target import RegistryTarget
from formwork.diagnostics import BadInputError, EnvironmentProblemError, Location, UsageError
from formwork.diagnostics.secrets import mask_leaves

# What of a hook's configuration is CloudFormation's own, and no secret.
_OPEN = ("TargetStacks", "TargetOperations", "FailureMode", "TargetFilters", "StackFilters", "HookInvocationStatus")


def set_default(target: RegistryTarget, arguments: argparse.Namespace, output: CommandOutput) -> int:
    """`cfn registry set-default`."""
    client = target.client("cloudformation")
    with aws_errors("setting the default version"):
        client.set_type_default_version(**name_type(client, arguments))
    output.say(f"version {arguments.version_id} is now the default version")
    return 0


def deregister(target: RegistryTarget, arguments: argparse.Namespace, output: CommandOutput) -> int:
    """`cfn registry deregister`."""
    client = target.client("cloudformation")
    named = name_type(client, arguments)
    with aws_errors("deregistering"):
        if arguments.all:
            for version in _other_versions(client, named):
                client.deregister_type(Arn=version["Arn"])
                output.say(f"deregistered version {version['VersionId']}")
        client.deregister_type(**named)
    output.say("deregistered")
    return 0


def _other_versions(client: Any, named: dict[str, str]) -> list[Any]:
    found, asked = [], dict(named)
    while True:
        answer = client.list_type_versions(**asked)
        found += answer["TypeVersionSummaries"]
        if not answer.get("NextToken"):
            return [each for each in found if not each.get("IsDefaultVersion")]
        asked["NextToken"] = answer["NextToken"]


def configure(target: RegistryTarget, arguments: argparse.Namespace, output: CommandOutput) -> int:
    """`cfn registry configure`: set a type's configuration, or show it without a FILE, with its values masked."""
    client = target.client("cloudformation")
    named = name_type(client, arguments)
    if "Arn" in named:
        named = {"TypeArn": named["Arn"]}
    alias = {} if arguments.alias is None else {"ConfigurationAlias": arguments.alias}
    if arguments.file is None:
        return _show_configuration(client, named, arguments, output)
    text = _read(arguments.file)
    with aws_errors("setting the configuration"):
        answer = client.set_type_configuration(**named, **alias, Configuration=text)
    output.result(str(answer["ConfigurationArn"]))
    return 0


def _show_configuration(
    client: Any, named: dict[str, str], arguments: argparse.Namespace, output: CommandOutput
) -> int:
    alias = {} if arguments.alias is None else {"TypeConfigurationAlias": arguments.alias}
    with aws_errors("reading the configuration"):
        answer = client.batch_describe_type_configurations(TypeConfigurationIdentifiers=[{**named, **alias}])
    if answer.get("Errors"):
        first = answer["Errors"][0]
        raise BadInputError.of("aws.refused", f"{first.get('ErrorCode')}: {first.get('ErrorMessage')}")
    for each in answer["TypeConfigurations"]:
        shown = {**each, "Configuration": _masked(str(each.get("Configuration") or "{}"))}
        if arguments.format == "json":
            show_json(shown, output)
        else:
            show_members(shown, output)
    return 0


def _masked(text: str) -> Any:
    """Return a configuration with every value masked, except CloudFormation's own settings of a hook."""
    try:
        value = json.loads(text)
    except ValueError:
        return "********"
    masked: Any = mask_leaves(value)
    hook = value.get("CloudFormationConfiguration", {}).get("HookConfiguration") if isinstance(value, dict) else None
    if isinstance(hook, dict):
        shown = masked["CloudFormationConfiguration"]["HookConfiguration"]
        shown.update({name: hook[name] for name in _OPEN if name in hook})
    return masked


def _read(file: str) -> str:
    """Return the JSON text in a file, or on standard input for `-`."""
    try:
        text = sys.stdin.read() if file == "-" else Path(file).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise EnvironmentProblemError(f'"{file}" can\'t be read: {error}') from error
    try:
        json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadInputError.of(
            "registry.configuration", f"the configuration is not valid JSON: {error}", location=Location(file)
        ) from error
    return text


def activate(target: RegistryTarget, arguments: argparse.Namespace, output: CommandOutput) -> int:
    """`cfn registry activate`."""
    client = target.client("cloudformation")
    request: dict[str, Any]
    if arguments.type.startswith("arn:"):
        request = {"PublicTypeArn": arguments.type}
    elif arguments.publisher is None:
        raise UsageError("whose type?", hint="--publisher ID, or the ARN of a public type instead of its name")
    else:
        kind = (arguments.kind or ("module" if arguments.type.endswith("::MODULE") else "resource")).upper()
        request = {"Type": kind, "TypeName": arguments.type, "PublisherId": arguments.publisher}
    more = {
        "TypeNameAlias": arguments.alias,
        "AutoUpdate": False if arguments.no_auto_update else None,
        "ExecutionRoleArn": arguments.role_arn,
        "MajorVersion": arguments.major,
    }
    request |= {name: each for name, each in more.items() if each is not None}
    with aws_errors("activating the type"):
        output.result(str(client.activate_type(**request)["Arn"]))
    return 0


def deactivate(target: RegistryTarget, arguments: argparse.Namespace, output: CommandOutput) -> int:
    """`cfn registry deactivate`."""
    client = target.client("cloudformation")
    with aws_errors("deactivating the type"):
        client.deactivate_type(**name_type(client, arguments))
    output.say("deactivated")
    return 0
