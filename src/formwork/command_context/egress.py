"""How a command treats the calls of its handlers, from its options; and what it says of them."""

from collections.abc import Callable

from formwork.command_context.output import CommandOutput
from formwork.egress.refusals import refusal_warning
from formwork.egress.rendered_calls import render_call
from formwork.egress.settings import EgressSettings

# What has a way past a gate that variables alone lead to, by language.
_ESCAPES = (
    "Python's clients that take no proxy from the environment (sockets, aiohttp), Go's Transport without Proxy, "
    "Java's clients but AWS's SDKs, and Node's connections to hosts other than AWS's"
)


def egress_settings(
    output: CommandOutput,
    *,
    seal: bool = False,
    mask: Callable[[str], str] = lambda text: text,
) -> EgressSettings:
    """Return how calls are treated: with `seal`, hosts without a rule are refused.

    Refused hosts are printed as warnings, and with -v every call; `mask` hides secrets in them.
    """
    return EgressSettings(
        seal=seal,
        refused=lambda call: output.say(f"warning: {mask(refusal_warning(call))}"),
        called=lambda call: output.detail(f"> {mask(render_call(call))}"),
        unsealed=lambda reason: output.say(
            f"warning: the handlers are not sealed ({reason}): what can call other hosts unseen: {_ESCAPES}"
        ),
    )
