"""Probes: requests that differ in one member alone, whose answers or traces must differ."""

from support.member_probes import (
    buckets,
    change_sets,
    cloud_control,
    deployment,
    functions,
    hooks,
    iac_generator,
    objects,
    recovery,
    registry,
    stack_instances,
    stack_lookups,
    stack_refactors,
    stack_sets,
    stacks,
    stand_ins,
)

# botocore's name of a service → its probes.
PROBES = {
    "cloudformation": [
        *stacks.PROBES,
        *change_sets.PROBES,
        *deployment.PROBES,
        *hooks.PROBES,
        *iac_generator.PROBES,
        *recovery.PROBES,
        *registry.PROBES,
        *stack_instances.PROBES,
        *stack_lookups.PROBES,
        *stack_refactors.PROBES,
        *stack_sets.PROBES,
    ],
    "cloudcontrol": cloud_control.PROBES,
    "sts": stand_ins.SESSIONS,
    "iam": stand_ins.ROLES,
    "logs": stand_ins.LOGS,
    "ssm": stand_ins.PARAMETERS,
    "s3": [*buckets.PROBES, *objects.PROBES],
    "lambda": functions.PROBES,
}
