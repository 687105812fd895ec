"""The permissions of each handler enforced: a call of AWS that they do not contain is denied, as IAM denies it.

Source: `handlers.*.permissions` (seeds 000 and 004); the reasons are in docs/decisions/1336.
"""

from collections.abc import Iterator, Mapping, Sequence

from formwork.aws.credentials import handler_access_key, local_credentials
from formwork.egress.faults.fault import FaultKind
from formwork.egress.faults.replies import fault_reply
from formwork.egress.iam_actions import read_call
from formwork.egress.messages import Outgoing, Reply, Responder
from formwork.schema.permissions import grants


class EnforcedPermissions:
    """Finds the handler of a call by its access key, and the actions that the handler has permissions for."""

    def __init__(self, permissions: Mapping[str, Sequence[str]], account: str) -> None:
        """`permissions` are those of each handler (`create`), by its name in the schema."""
        self._account = account
        # The process's own credentials have no permissions: on AWS they are those of a role without any.
        self._held: dict[str, tuple[str, Sequence[str]]] = {local_credentials().access_key_id: ("process", ())}
        self._held |= {handler_access_key(name): (name, held) for name, held in permissions.items()}

    def around(self, responder: Responder) -> Responder:
        """Return a responder that denies calls without permission, and passes all others to `responder`."""

        def answering(outgoing: Outgoing) -> Reply:
            return self._denial(outgoing) or responder(outgoing)

        return answering

    def _denial(self, outgoing: Outgoing) -> Reply | None:
        call = read_call(outgoing)
        if call is None or call.access_key not in self._held:
            return None  # not of AWS, or with credentials that the handler was given by another role
        session, held = self._held[call.access_key]
        for action in _denied(held, call.actions):
            caller = f"arn:aws:sts::{self._account}:assumed-role/formwork-execution-role/{session}"
            message = (
                f"User: {caller} is not authorized to perform: {action} because no identity-based policy allows the "
                f"{action} action"
            )
            return fault_reply(FaultKind.DENIED, outgoing, call, message)
        return None


def _denied(held: Sequence[str], actions: Sequence[str]) -> Iterator[str]:
    """Yield the actions that no permission contains."""
    for action in actions:
        if not any(grants(each, action) for each in held):
            yield action
