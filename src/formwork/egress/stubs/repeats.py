"""Requests that are repeated with the same idempotency key, which are answered as the first one."""

from collections.abc import Callable
from typing import Any

from formwork.egress.messages import Reply
from formwork.egress.stubs.operations import ApiOperation
from formwork.egress.stubs.refusals import RefusalError
from formwork.egress.stubs.requests import CheckedRequest

_MOST_REMEMBERED = 10_000
_SERVER_ERROR = 500


class Repeats:
    """The replies to requests with an idempotency key (`Idempotency-Key`, a draft of the IETF's HTTPAPI group)."""

    def __init__(self) -> None:
        self._replies: dict[tuple[str, str, str], tuple[Any, Reply]] = {}

    def reply(self, operation: ApiOperation, checked: CheckedRequest, answer: Callable[[], Reply]) -> Reply:
        """Return the reply to the first request with its key, else that of `answer`.

        Raises:
            RefusalError: the key was used for another request.
        """
        key = checked.idempotency_key
        if key is None or operation.method not in ("post", "patch"):
            return answer()
        place = (operation.method, operation.template, key)
        # By its value: a client may write the members of the same object in another order.
        body = checked.request.body if checked.body is None else checked.body
        content = (dict(checked.path), checked.request.query, body)
        if place in self._replies:
            first, reply = self._replies[place]
            if first != content:
                raise RefusalError((422, 409, 400), f'the idempotency key "{key}" was used for another request')
            return reply
        reply = answer()
        if reply.status < _SERVER_ERROR and len(self._replies) < _MOST_REMEMBERED:
            self._replies[place] = content, reply
        return reply
