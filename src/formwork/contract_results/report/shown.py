"""Exchanges as a report may show them: what matters of a request, secrets masked, sizes bounded."""

import shlex
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from formwork.contract_results.findings import ABSENT
from formwork.contract_results.test_result import WHOLE_RUN
from formwork.diagnostics import parse_pointer
from formwork.diagnostics.secrets import MASK, mask_at
from formwork.egress.rendered_calls import call_to_json, render_call
from formwork.invoke import Exchange
from formwork.invoke.masking import Masker

_MOST_TEXT = 2000
_MOST_LOG = 20_000


def replay_of(command: str, tests: Sequence[str]) -> str:
    """Return the command that makes a run again, narrowed to the first of the tests that show a finding."""
    if "/" in tests[0]:  # a scenario of `--faults`
        return f"{command.partition(' --faults ')[0]} --faults {shlex.quote(tests[0])}"
    name = tests[0].partition("[")[0]
    return command if name == WHOLE_RUN else f"{command} -- -k {name}"


class Shown:
    """Masks and shortens; remembers the secrets it has met."""

    def __init__(self, masker: Masker) -> None:
        self._masker = masker
        self._write_only = masker.write_only

    def learn(self, exchanges: Iterable[Exchange]) -> None:
        """Note the secrets of these requests, before a message that may repeat them is shown."""
        for each in exchanges:
            self._masker.learn(each.request)

    def request(self, exchange: Exchange) -> dict[str, Any]:
        """Return the members of a request that differ from call to call."""
        masked = self._masker.request(exchange.request)
        data = masked.get("requestData") or {}
        if "hookTypeName" in masked:
            return self._hook_request(masked, data)
        found = {
            "action": masked.get("action"),
            "desired": data.get("resourceProperties"),
            "previous": data.get("previousResourceProperties"),
            "systemTags": data.get("systemTags"),
            "callbackContext": masked.get("callbackContext"),
            "nextToken": masked.get("nextToken"),
            "token": masked.get("bearerToken"),
        }
        return {name: value for name, value in found.items() if value not in (None, {}) or name == "action"}

    @staticmethod
    def _hook_request(masked: Mapping[str, Any], data: Mapping[str, Any]) -> dict[str, Any]:
        context = (masked.get("requestContext") or {}).get("callbackContext")
        shown = {
            "action": masked.get("actionInvocationPoint"),
            "target": data.get("targetName"),
            "model": data.get("targetModel"),
        }
        return shown if context in (None, {}) else {**shown, "callbackContext": context}

    def answer(self, exchange: Exchange) -> Any:
        """Return the event, or the text of an answer that holds none."""
        if exchange.event is not None:
            return self._masker.event(exchange.event)
        reason = exchange.problem.message if exchange.problem else exchange.answer.body.decode(errors="replace")
        return f"({self._masker.text(reason)[:_MOST_TEXT]})"

    def log(self, exchange: Exchange) -> str:
        """Return what the handler wrote during an invocation, the end of very much; "" where nothing is known of it."""
        text = self._masker.log(exchange.answer.log).rstrip()
        return text if len(text) <= _MOST_LOG else f"… {len(text) - _MOST_LOG} characters …{text[-_MOST_LOG:]}"

    def calls(self, exchange: Exchange) -> list[dict[str, Any]]:
        """Return the calls of other services that the handler made during an invocation; [] where none is known."""
        return [
            {name: self._masker.text(value) if isinstance(value, str) else value for name, value in row.items()}
            for row in map(call_to_json, exchange.answer.calls or ())
        ]

    def call_lines(self, exchange: Exchange) -> list[str]:
        """Return the same in words, one line per call."""
        return [self._masker.text(render_call(each)) for each in exchange.answer.calls or ()]

    @staticmethod
    def action(exchange: Exchange) -> str:
        """Return the action, or a hook's invocation point."""
        return str(exchange.request.get("action") or exchange.request.get("actionInvocationPoint"))

    def model(self, model: Mapping[str, Any]) -> Any:
        """Return a model."""
        return mask_at(dict(model), self._write_only)

    def text(self, text: str) -> str:
        """Return a message."""
        return self._masker.text(text)

    def difference(self, pointer: str, value: Any) -> Any:
        """One side of a difference, masked where a secret stands there."""
        if value is ABSENT or value is None:
            return value
        path = [step for step in parse_pointer(pointer) if not step.isdecimal()]
        if path[:1] in (["resourceModel"], ["resourceModels"]):
            path = path[1:]
        for each in self._write_only:
            names = [step for step in each if step != "*"]
            if path[: len(names)] == names:
                return MASK
            if names[: len(path)] == path and isinstance(value, dict | list):
                value = mask_at(value, [tuple(each[len(path) :])])
        return self._masker.copies(value)
