"""Requests of clients for stacks."""

import hashlib
import json
from collections.abc import Mapping

from msgspec import Struct, field
from msgspec.structs import replace

from formwork.engine.rollback_configuration import updated_configuration
from formwork.preparation.parameters import GivenParameter
from formwork.stacks.store.records import OperationOptions, StackSettings


class StackRequest(Struct, frozen=True, kw_only=True):
    """A request for CreateStack or UpdateStack; with `template` None the stack's own is used.

    `policy` is the stack's new policy, `policy_during` the one that applies during an update. An update takes the
    `settings` that it names: see `updated_settings`.
    """

    name: str
    template: str | None
    parameters: tuple[GivenParameter, ...] = ()
    tags: Mapping[str, str] | None = None
    capabilities: tuple[str, ...] = ()
    resource_types: tuple[str, ...] = ()  # allowed types; empty for all
    token: str | None = None
    settings: StackSettings = field(default_factory=StackSettings)
    policy: str | None = None
    policy_during: str | None = None
    keeps_arns: bool = False  # the request has no NotificationARNs
    options: OperationOptions = field(default_factory=OperationOptions)

    def digest(self) -> str:
        """A digest of the request."""
        what = [self.name, self.template, sorted(map(repr, self.parameters)), self.tags and dict(self.tags)]
        return digest(what)

    def updated_settings(self, settings: StackSettings) -> StackSettings:
        """Return a stack's settings after an update with this request; those that it does not name stay."""
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
    """Return whether an update without changed resources changes the stack."""
    return (
        before.rollback_configuration != after.rollback_configuration
        or before.notification_arns != after.notification_arns
    )


def digest(what: object) -> str:
    """Return a digest of a JSON value."""
    return hashlib.sha256(json.dumps(what, sort_keys=True).encode()).hexdigest()
