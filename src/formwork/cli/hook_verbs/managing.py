"""`cfn hook activate`, `list`, `deactivate`: AWS's managed hooks, set up with the operations that the guide names."""

import argparse
import json
from pathlib import Path
from typing import Any

from formwork.aws.errors import aws_errors
from formwork.cli.registry_verbs.showing import show_json, show_table
from formwork.command_context.output import CommandOutput
from formwork.command_context.registry_target import RegistryTarget
from formwork.diagnostics import UsageError
from formwork.hook_dry_runs.registered import hook_names, hook_settings
from formwork.hooks import HookSettings
from formwork.hooks.guard.rule_files import bundle_rules
from formwork.registry.managed import GUARD_HOOK, LAMBDA_HOOK, PUBLISHER

_ROLE = "arn:aws:iam::123456789012:role/hooks"  # the service on this machine assumes none


def activate(target: RegistryTarget, arguments: argparse.Namespace, output: CommandOutput) -> int:
    """`cfn hook activate`: activate a managed hook under a name, unless it is active, and configure it."""
    client = target.client("cloudformation")
    guard = arguments.rules is not None
    role = arguments.role_arn or (_ROLE if target.local else None)
    if role is None:
        raise UsageError("a hook in AWS needs a role that it assumes", hint="--role-arn ARN")
    properties = _guard_properties(target, arguments) if guard else {"LambdaFunction": arguments.function}
    with aws_errors(f"activating {arguments.name}"):
        client.activate_type(
            Type="HOOK",
            TypeName=GUARD_HOOK if guard else LAMBDA_HOOK,
            PublisherId=PUBLISHER,
            TypeNameAlias=arguments.name,
            ExecutionRoleArn=role,
        )
    settings: dict[str, Any] = {
        "HookInvocationStatus": "DISABLED" if arguments.disabled else "ENABLED",
        "TargetOperations": list(dict.fromkeys(arguments.kinds or ["RESOURCE"])),
        "FailureMode": arguments.mode,
        "Properties": properties,
    }
    filters = {"TargetNames": arguments.target_name, "Actions": arguments.action}
    if given := {name: each for name, each in filters.items() if each}:
        settings["TargetFilters"] = given
    if arguments.stack_name:
        settings["StackFilters"] = {"FilteringCriteria": "ALL", "StackNames": {"Include": arguments.stack_name}}
    configuration = json.dumps({"CloudFormationConfiguration": {"HookConfiguration": settings}})
    with aws_errors(f"configuring {arguments.name}"):
        client.set_type_configuration(Type="HOOK", TypeName=arguments.name, Configuration=configuration)
    state = "disabled" if arguments.disabled else f"enabled, {arguments.mode}"
    output.say(f"{arguments.name} is active: {state}, on {', '.join(settings['TargetOperations'])}")
    return 0


def _guard_properties(target: RegistryTarget, arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the rules' place in S3: where they are there already, or where they are uploaded to."""
    properties: dict[str, Any] = {}
    if arguments.report_bucket is not None:
        properties["logBucket"] = arguments.report_bucket
    if arguments.rules.startswith("s3://"):
        return {"ruleLocation": arguments.rules, **properties}
    name, content = bundle_rules(Path(arguments.rules))
    s3 = target.client("s3")
    bucket = arguments.s3_bucket or f"cfn-hook-rules-{s3.meta.region_name}"
    if arguments.s3_bucket is None and not target.local:
        raise UsageError("rules in AWS are read from S3", hint="--s3-bucket NAME, the bucket to upload them to")
    key = f"{arguments.name.replace('::', '-')}/{name}"
    with aws_errors(f"uploading {arguments.rules}"):
        if arguments.s3_bucket is None:
            _make_bucket(s3, bucket)
        s3.put_object(Bucket=bucket, Key=key, Body=content)
    return {"ruleLocation": f"s3://{bucket}/{key}", **properties}


def _make_bucket(s3: Any, bucket: str) -> None:
    region = s3.meta.region_name
    place = {} if region == "us-east-1" else {"CreateBucketConfiguration": {"LocationConstraint": region}}
    try:
        s3.create_bucket(Bucket=bucket, **place)
    except (s3.exceptions.BucketAlreadyOwnedByYou, s3.exceptions.BucketAlreadyExists):
        return


def deactivate(target: RegistryTarget, arguments: argparse.Namespace, output: CommandOutput) -> int:
    """`cfn hook deactivate`."""
    client = target.client("cloudformation")
    with aws_errors(f"deactivating {arguments.name}"):
        client.deactivate_type(Type="HOOK", TypeName=arguments.name)
    output.say(f"{arguments.name} is not active any more")
    return 0


def list_hooks(target: RegistryTarget, arguments: argparse.Namespace, output: CommandOutput) -> int:
    """`cfn hook list`: registered and activated hooks, and how they are configured."""
    client = target.client("cloudformation")
    found = [(name, hook_settings(client, name)[0]) for name in hook_names(client)]
    if arguments.format == "json":
        show_json([_to_json(name, each) for name, each in found], output)
        return 0
    rows = [
        (name, "ENABLED" if each.enabled else "DISABLED", each.failure_mode, " ".join(each.operations), _source(each))
        for name, each in found
    ]
    show_table(("HOOK", "STATUS", "MODE", "TARGETS", "RULES OR FUNCTION"), rows, output, empty="no hooks found")
    return 0


def _to_json(name: str, settings: HookSettings) -> dict[str, Any]:
    return {
        "name": name,
        "enabled": settings.enabled,
        "failureMode": str(settings.failure_mode),
        "targetOperations": list(settings.operations),
        "source": _source(settings) or None,
    }


def _source(settings: HookSettings) -> str:
    """Return the location of a hook's rules, or its function: the only parts that are not secret."""
    rules = settings.properties.get("ruleLocation")
    if isinstance(rules, dict):
        return f"{rules.get('uri')} {rules.get('versionId', '')}".strip()
    return str(rules or settings.properties.get("LambdaFunction") or "")
