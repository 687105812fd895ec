"""Local Lambda services that are kept for later use, one function each, in the surroundings that handlers have."""

import contextlib
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator

from msgspec import Struct

from formwork.aws.scope import Scope
from formwork.egress.opening import open_gate
from formwork.lambda_host.function import LambdaFunction
from formwork.lambda_host.host import LambdaHost
from formwork.lambda_host.pool import HostSettings
from formwork.lambda_host.processes import OrphanGuard
from formwork.private_files.temporary import TemporaryFolder
from formwork.registry.settings import HandlerSettings


class _Warm(Struct):
    host: LambdaHost
    users: int = 0


class WarmHosts:
    """At most so many hosts beside those in use. Close it at the end: then no process of theirs is left.

    `temporary` is a folder that is gone then. What functions write is not shown: events may hold secrets.
    """

    def __init__(self, settings: HandlerSettings, *, most: int) -> None:
        self._settings = settings
        self._most = most
        self._lock = threading.Lock()
        self._warm: OrderedDict[Hashable, _Warm] = OrderedDict()
        self._gate = open_gate(settings.aws_environment, settings.egress)
        self._folder = TemporaryFolder("handlers")
        self._guard = OrphanGuard()
        self.temporary = self._folder.path

    @contextlib.contextmanager
    def use(self, key: Hashable, scope: Scope, make: Callable[[], LambdaFunction]) -> Iterator[LambdaHost]:
        """Yield the host of a key for the block; if there are too many hosts, the least recently used one is closed.

        `make` returns the function for a new host.
        """
        with self._lock:
            warm = self._warm.get(key)
            if warm is None:
                warm = self._warm[key] = _Warm(self.open(scope, make()))
            self._warm.move_to_end(key)
            warm.users += 1
            doomed = self._surplus()
        for each in doomed:
            each.host.close()
        try:
            yield warm.host
        finally:
            with self._lock:
                warm.users -= 1

    def open(self, scope: Scope, function: LambdaFunction) -> LambdaHost:
        """Return a host that the caller closes."""
        settings = self._settings
        system = {name: value for name, value in settings.user_environment.items() if name.upper() == "SYSTEMROOT"}
        region = {"AWS_REGION": scope.region, "AWS_DEFAULT_REGION": scope.region}
        host = HostSettings(
            account=scope.account,
            region=scope.region,
            concurrency=settings.concurrency,
            environment={**system, **region},
            way_out=self._gate,
        )
        return LambdaHost([function], settings=host, guard=self._guard)

    def forget(self, key: Hashable) -> None:
        """Keep the host no longer."""
        with self._lock:
            warm = self._warm.pop(key, None)
        if warm is not None:
            warm.host.close()

    def close(self) -> None:
        """End every process."""
        with self._lock:
            doomed, self._warm = list(self._warm.values()), OrderedDict()
        for each in doomed:
            each.host.close()
        self._gate.close()
        self._guard.close()
        self._folder.remove()

    def _surplus(self) -> list[_Warm]:
        idle = [key for key, each in self._warm.items() if not each.users]
        surplus = max(0, len(self._warm) - self._most)
        return [self._warm.pop(key) for key in idle[:surplus]]
