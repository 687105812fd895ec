"""What a client asks of a stack."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from formwork.engine.rollback_configuration import updated_configuration
from formwork.preparation.parameters import GivenParameter
from formwork.stacks.store.records import OperationOptions, StackSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class StackRequest:
    """What CreateStack and UpdateStack ask for; `template` None takes the one that the stack has.

    `policy` is the stack's from now on, `policy_during` the one in force while an update runs. Of `settings` an update
    takes what it names: see `updated_settings`.
    """

    name: str
    template: str | None
    parameters: tuple[GivenParameter, ...] = ()
    tags: Mapping[str, str] | None = None
    capabilities: tuple[str, ...] = ()
    resource_types: tuple[str, ...] = ()  # those that are allowed; none for all
    token: str | None = None
    settings: StackSettings = field(default_factory=StackSettings)
    policy: str | None = None
    policy_during: str | None = None
    keeps_arns: bool = False  # NotificationARNs are not named
    options: OperationOptions = field(default_factory=OperationOptions)

    def digest(self) -> str:
        """The same for the same request."""
        what = [self.name, self.template, sorted(map(repr, self.parameters)), self.tags and dict(self.tags)]
        return digest(what)

    def updated_settings(self, settings: StackSettings) -> StackSettings:
        """A stack's settings after an update with this request: what it does not name stays."""
        asked = self.settings
        return replace(
            settings,
            disable_rollback=self.options.keep_on_failure,
            notification_arns=settings.notification_arns if self.keeps_arns else asked.notification_arns,
            role_arn=asked.role_arn or settings.role_arn,
            deployment_config=asked.deployment_config,
            rollback_configuration=updated_configuration(settings.rollback_configuration, asked.rollback_configuration),
        )


def changes_settings(before: StackSettings, after: StackSettings) -> bool:
    """Whether an update changes something in the stack although no resource changes."""
    return (
        before.rollback_configuration != after.rollback_configuration
        or before.notification_arns != after.notification_arns
    )


def digest(what: object) -> str:
    """The same text for the same JSON value."""
    return hashlib.sha256(json.dumps(what, sort_keys=True).encode()).hexdigest()
