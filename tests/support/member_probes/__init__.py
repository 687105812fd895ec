"""Probes: requests that differ in one member alone, whose answers or traces must differ."""

from support.member_probes import change_sets, deployment, recovery, stack_lookups, stack_sets, stacks

# botocore's name of a service → its probes.
PROBES = {
    "cloudformation": [
        *stacks.PROBES,
        *change_sets.PROBES,
        *deployment.PROBES,
        *recovery.PROBES,
        *stack_lookups.PROBES,
        *stack_sets.PROBES,
    ],
    "cloudcontrol": [],
}
