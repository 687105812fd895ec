"""The deployment mode: whether an operation waits until resources are ready, and rolls back a failure.

Source: the service's model (DeploymentConfig); CloudFormation user guide, "Deploy AWS CloudFormation stacks faster with
express mode"; the texts of refusals are the service's, as users have quoted them.
"""

from collections.abc import Mapping
from typing import Any, TypeAlias

from formwork.stacks.errors import StackError
from formwork.stacks.statuses import KEPT
from formwork.stacks.store.records import StackRecord

DeploymentConfig: TypeAlias = Mapping[str, Any]


def is_express(config: DeploymentConfig | None) -> bool:
    """Return whether operations end as soon as the configuration of resources is applied."""
    return config is not None and config.get("Mode") == "EXPRESS"


def keeps_on_failure(
    config: DeploymentConfig | None,
    disable_rollback: bool | None,  # noqa: FBT001 - the value of a request's member
    on_failure: str | None = None,
) -> bool:
    """Return whether a failed operation is not rolled back; in express mode that is the default.

    `disable_rollback` and `on_failure` are the request's own members, None if absent.

    Raises:
        StackError: the members contradict each other.
    """
    inside = None if config is None else config.get("DisableRollback")
    if on_failure is not None and (inside is not None or disable_rollback is not None):
        raise StackError("Either DisableRollback or OnFailure can be specified, not both.")
    if None not in {inside, disable_rollback} and inside != disable_rollback:
        raise StackError("DisableRollback and the DisableRollback of DeploymentConfig must be the same.")
    for given in (inside, disable_rollback):
        if given is not None:
            return bool(given)
    return is_express(config) if on_failure is None else on_failure == "DO_NOTHING"


def refuse_other_mode(stack: StackRecord, *, express: bool) -> None:
    """Check that a stack that failed in express mode without a rollback is updated in express mode.

    Raises:
        StackError: it is not.
    """
    if stack.status in KEPT and is_express(stack.settings.deployment_config) and not express:
        raise StackError(
            f"This stack is in a {stack.status} state from a previous operation that used EXPRESS deployment mode with "
            "disable-rollback. Follow-up operations must use the same DeploymentConfig (mode=EXPRESS) until the stack "
            "reaches a *_COMPLETE state."
        )


def refuse_rollback(stack: StackRecord) -> None:
    """Check that the stack's last operation was not in express mode.

    Raises:
        StackError: it was, and has failed.
    """
    if stack.status in KEPT and is_express(stack.settings.deployment_config):
        raise StackError(
            "RollbackStack is not supported for stacks that were last updated using EXPRESS deployment mode and are in "
            "a failed state"
        )
