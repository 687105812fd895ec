"""Creation and update policies of resources: which members they may have.

Source: CloudFormation template reference, "CreationPolicy attribute" and "UpdatePolicy attribute". The words of the
refusals are ours: the service's are documented nowhere.
"""

from collections.abc import Mapping
from typing import Any

from formwork.template.expressions import Path
from formwork.template.problems import Problems

# Attribute → policy → its members; None where the policy is a value.
_POLICIES: Mapping[str, Mapping[str, frozenset[str] | None]] = {
    "CreationPolicy": {
        "AutoScalingCreationPolicy": frozenset({"MinSuccessfulInstancesPercent"}),
        "ResourceSignal": frozenset({"Count", "Timeout"}),
        "StartFleet": frozenset({"Type"}),
    },
    "UpdatePolicy": {
        "AutoScalingReplacingUpdate": frozenset({"WillReplace"}),
        "AutoScalingRollingUpdate": frozenset(
            {
                "MaxBatchSize",
                "MinActiveInstancesPercent",
                "MinInstancesInService",
                "MinSuccessfulInstancesPercent",
                "PauseTime",
                "SuspendProcesses",
                "WaitOnResourceSignals",
            }
        ),
        "AutoScalingScheduledAction": frozenset({"IgnoreUnmodifiedGroupSizeProperties"}),
        "CodeDeployLambdaAliasUpdate": frozenset(
            {"AfterAllowTrafficHook", "ApplicationName", "BeforeAllowTrafficHook", "DeploymentGroupName"}
        ),
        "EnableVersionUpgrade": None,
        "StopBeforeUpdate": None,
        "UpdateAlias": None,
        "UseOnlineResharding": None,
    },
}


def check_policy(attribute: str, value: Any, path: Path, problems: Problems) -> None:
    """Report what the attribute of a resource, `CreationPolicy` or `UpdatePolicy`, may not have."""
    policies = _POLICIES[attribute]
    if not isinstance(value, dict):
        message = f"Template format error: {attribute} must be an object."
        problems.error("template.resource-policy", message, path, expected="one of " + ", ".join(policies))
        return
    for name, given in value.items():
        if name.startswith("Fn::"):
            continue
        if name not in policies:
            message = f"Template format error: Unsupported member {name} of {attribute}"
            problems.error(
                "template.resource-policy", message, (*path, name), key=True, expected="one of " + ", ".join(policies)
            )
            continue
        members = policies[name]
        if members is None or not isinstance(given, dict):
            continue
        for member in given:
            if member not in members and not member.startswith("Fn::"):
                message = f"Template format error: Unsupported member {member} of {name}"
                problems.error(
                    "template.resource-policy",
                    message,
                    (*path, name, member),
                    key=True,
                    expected="one of " + ", ".join(sorted(members)),
                )
