"""One call of a handler, as a line and as JSON."""

from typing import Any

from formwork.lambda_host.outgoing_calls import AnsweredBy, OutgoingCall


def render_call(call: OutgoingCall) -> str:
    """Return what was called, the answer's status, milliseconds, and who answered; secrets are not masked."""
    if call.answered_by is AnsweredBy.REFUSED:
        return f"{call.name}: refused, {call.reason}"
    if call.method is None and not call.reason:
        return f"{call.name}: connected, not read ({call.answered_by})"
    status = "no answer" if call.status is None else str(call.status)
    why = f", {call.reason}" if call.reason else ""
    return f"{call.name}: {status} in {call.milliseconds:.0f} ms ({call.answered_by}{why})"


def call_to_json(call: OutgoingCall) -> dict[str, Any]:
    """Return the same as JSON values; members without a value are left out."""
    given = {
        "call": call.name,
        "host": call.host,
        "service": call.aws.service if call.aws else None,
        "operation": call.aws.operation if call.aws else None,
        "status": call.status,
        "milliseconds": round(call.milliseconds, 1),
        "answeredBy": str(call.answered_by),
        "reason": call.reason or None,
    }
    return {name: value for name, value in given.items() if value is not None}
