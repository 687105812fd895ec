"""Gates for tests."""

import contextlib
from collections.abc import Callable, Iterator

from formwork.egress.opening import open_gate
from formwork.egress.settings import EgressSettings
from formwork.lambda_host.outgoing_calls import OutgoingCall


@contextlib.contextmanager
def refusing_aws(called: Callable[[str], object] = lambda _name: None) -> Iterator[str]:
    """The URL of a gate that refuses all calls for AWS; `called` gets the name of each."""

    def tell(call: OutgoingCall) -> None:
        called(call.name)

    with (
        contextlib.closing(open_gate(None, EgressSettings(called=tell))) as gate,
        contextlib.closing(gate.open("python3.12")) as route,
    ):
        yield route.environment["AWS_ENDPOINT_URL"]
