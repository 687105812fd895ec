"""The exchanges with handlers that a test has caused, for the reports of its failures."""

import threading
from collections import deque
from collections.abc import Mapping
from typing import Any

from formwork.invoke import Exchange

_MOST = 500  # of one test


class ExchangeRecorder:
    """The latest exchanges of each account; safe to use from several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._of_account: dict[str, deque[Exchange]] = {}

    def record(self, exchange: Exchange) -> None:
        """Record an exchange, which is masked; the latest of an account are kept."""
        account = str(exchange.request.get("awsAccountId", ""))
        with self._lock:
            self._of_account.setdefault(account, deque(maxlen=_MOST)).append(exchange)

    def of(self, account: str) -> list[Exchange]:
        """Return the exchanges of an account in their order."""
        with self._lock:
            return list(self._of_account.get(account, ()))

    def forget(self, account: str) -> None:
        """Forget the exchanges of an account."""
        with self._lock:
            self._of_account.pop(account, None)


def names_resource(request: Mapping[str, Any], logical_id: str) -> bool:
    """Return whether a request is about a resource of a template, or a hook's about one."""
    data = request.get("requestData")
    if not isinstance(data, Mapping):
        return False
    return logical_id in (data.get("logicalResourceId"), data.get("targetLogicalId"))
