"""Hooks with handlers, or of a Lambda function, tried as the engine asks them."""

import re
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from formwork.aws.scope import Scope
from formwork.hook_dry_runs.dry_run import Check, DryRunAnswer, Verdict
from formwork.hook_dry_runs.targets import DryRunTarget
from formwork.hooks import ActiveHook, FailureMode, HookCall, HookTarget
from formwork.hooks.asking import REFUSED, SUCCEEDED, Answers, HookAnswer, consult
from formwork.hooks.payloads import Payloads
from formwork.schema import ResourceSchema

_FAILED = "FAILED"
# What the service puts around a hook's message.
_AROUND = re.compile(r"^Hook (failed|succeeded) with message: |\. Failure was ignored under WARN mode\.$")


class ConsultedHook(Struct, frozen=True, kw_only=True):
    """An active hook; `schema_of` finds target schemas, which mark secrets, `payloads` stores templates."""

    active: ActiveHook
    scope: Scope
    schema_of: Callable[[str], ResourceSchema | None]
    payloads: Payloads
    sleep: Callable[[float], None] = time.sleep

    @property
    def name(self) -> str:
        """The hook's type name."""
        return self.active.type_name

    @property
    def mode(self) -> FailureMode:
        """Whether a refusal fails or only warns."""
        return self.active.mode

    @property
    def kinds(self) -> Sequence[str]:
        """The kinds of target that its configuration names."""
        return self.active.settings.operations

    def covers(self, target: HookTarget) -> bool:
        """Return whether the engine would call the hook for the target."""
        return self.active.covers(target)

    def ask(self, subject: DryRunTarget) -> DryRunAnswer:
        """Call it until it has answered; see `DryRunHook.ask`."""
        schema = self.schema_of(subject.target.name) if subject.target.kind.holds_resources else None
        token = str(uuid.uuid4())
        payload = subject.payload
        url = None if payload is None else self.payloads.publish(self.scope, f"dry-runs/{token}", payload)
        call = HookCall(
            target=subject.target,
            model=subject.model,
            payload=payload,
            payload_url=url,
            token=token,
            write_only=() if schema is None else schema.write_only,
            public=frozenset() if schema is None else schema.public_values,
            secrets=subject.secrets,
        )
        known: dict[str, HookAnswer] = {}

        def keep(answers: Answers, _news: Sequence[HookAnswer]) -> None:
            known.update(answers)

        try:
            while (due := consult([self.active], call, known, now=time.time, keep=keep)) is not None:
                self.sleep(max(0.0, due - time.time()))
        finally:
            if payload is not None:
                self.payloads.withdraw(self.scope, f"dry-runs/{token}")
        return _answer(known[self.active.type_name])


def _answer(given: HookAnswer) -> DryRunAnswer:
    checks = tuple(_check(each) for each in given.annotations if each.get("status") == _FAILED)
    rules = tuple((_name(each), str(each["status"])) for each in given.annotations if "status" in each)
    match given.status:
        case status if status == SUCCEEDED:
            verdict = Verdict.PASSED
        case status if status == REFUSED:
            verdict = Verdict.REFUSED
        case _:
            verdict = Verdict.ERROR
    return DryRunAnswer(verdict=verdict, message=_AROUND.sub("", given.reason or ""), checks=checks, rules=rules)


def _check(annotation: Mapping[str, Any]) -> Check:
    return Check(
        rule=_name(annotation),
        message=str(annotation.get("statusMessage", "")),
        remediation=annotation.get("remediationMessage"),
    )


def _name(annotation: Mapping[str, Any]) -> str:
    return str(annotation.get("annotationName", ""))
