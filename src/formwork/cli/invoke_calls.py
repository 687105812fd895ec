"""How `cfn invoke` prints the calls that it makes: as they happen, or all as one JSON document."""

import json
from typing import TYPE_CHECKING, Any

from formwork.command_context.output import CommandOutput
from formwork.invoke.masking import Masker

if TYPE_CHECKING:
    from formwork.invoke import Exchange, Operation

_LONGEST_BODY = 100_000


class TextCalls:
    """Prints each response as it arrives, with -v each request before it.

    `log` says that the handler's log comes with the answer and is printed from there.
    """

    def __init__(self, masker: Masker, output: CommandOutput, *, log: bool) -> None:
        self._masker = masker
        self._output = output
        self._log = log

    def on_request(self, request: Any) -> None:
        """Print a request if -v is given."""
        shown = self._masker.request(request)  # always: the masker learns the secrets from it
        if self._output.verbosity:
            self._show("Handler input", json.dumps(shown, indent=2, ensure_ascii=False))

    def on_exchange(self, exchange: "Exchange") -> None:
        """Print a response."""
        for line in exchange.answer.log.splitlines() if self._log else ():
            self._output.detail(f"| {self._masker.text(line)}")
        if exchange.event is not None:
            text = json.dumps(self._masker.event(exchange.event), indent=2, ensure_ascii=False)
        else:
            text = self._masker.text(_body_text(exchange.answer.body))
        self._show("Handler response", text)

    def end(self, operation: "Operation") -> None:
        """Print nothing more: everything is shown."""

    def _show(self, title: str, text: str) -> None:
        self._output.result(f"=== {title} ===")
        self._output.result(text)
        self._output.out.flush()


class JsonCalls:
    """Collects the calls, masked, and prints them as one JSON document at the end.

    The document is {"end", "status", "calls": [{"request", "response", "problem", "log"}]}: `end` why no further call
    was made, `status` the last response's, `response` the handler's JSON object or null, `problem` {"type", "message"}
    where there is none, `log` the lines that came with the answer.
    """

    def __init__(self, masker: Masker, output: CommandOutput, *, log: bool) -> None:
        self._masker = masker
        self._output = output
        self._log = log
        self._requests: list[Any] = []
        self._calls: list[dict[str, Any]] = []

    def on_request(self, request: Any) -> None:
        """Keep a request."""
        self._requests.append(self._masker.request(request))

    def on_exchange(self, exchange: "Exchange") -> None:
        """Keep a response."""
        problem = exchange.problem
        self._calls.append(
            {
                "request": self._requests[-1],
                "response": None if exchange.event is None else self._masker.event(exchange.event),
                "problem": None
                if problem is None
                else {"type": problem.error_type, "message": self._masker.text(problem.message)},
                "log": [self._masker.text(line) for line in exchange.answer.log.splitlines()] if self._log else [],
            }
        )

    def end(self, operation: "Operation") -> None:
        """Print the document."""
        document = {"end": str(operation.end), "status": operation.status, "calls": self._calls}
        self._output.result(json.dumps(document, indent=2, ensure_ascii=False))


def _body_text(body: bytes) -> str:
    text = body[:_LONGEST_BODY].decode(errors="replace")
    return text + (f"… ({len(body)} bytes)" if len(body) > _LONGEST_BODY else "")
