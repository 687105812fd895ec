"""Events in EventBridge's form, for a file, a webhook or moto's EventBridge, and messages for moto's topics.

The engine writes them into the database in the transaction that they report; a thread delivers them from there in their
order, so that no operation waits for them and none is lost. One that was delivered just before the process died is
delivered again, with the same id. As EventBridge does, it is tried for a day.

A queue in memory lost events when the process died. Processes that share a database deliver one at a time: a row is
claimed for 30 seconds.
"""

import contextlib
import functools
import http.client
import json
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from msgspec.structs import replace

from formwork.diagnostics import EnvironmentProblemError, UsageError
from formwork.durable.observer import WorkObserver

if TYPE_CHECKING:
    from formwork.aws.access import AwsAccess, AwsClients
    from formwork.durable import Database
    from formwork.stacks.store.notices import NoticeRecord

_TOPIC = "topic"  # the member that a notice for a topic has
_COLONS = 5  # of the ARN of a topic
_POST_SECONDS = 5.0
_BUSY_SECONDS = 30.0  # how long a notice is one process's to deliver
_FIRST_PAUSE, _LONGEST_PAUSE = 0.5, 60.0  # before another try
_LOOK_SECONDS = 5.0  # how often it is seen whether another process has left something
_LAST_SECONDS = 5.0  # how long the end waits for what is still to be delivered


class RefusedError(OSError):
    """Trying again would not help."""


class NoticeTarget(Protocol):
    """The destination of notices."""

    def deliver(self, line: bytes) -> None:
        """Deliver an event, a JSON text without line breaks.

        Raises:
            OSError: it can't be, now; RefusedError: ever.
        """
        ...


class _File:
    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.open("ab").close()
        except OSError as error:
            raise EnvironmentProblemError(f"events can't be written to {path}: {error.strerror}") from error

    def deliver(self, line: bytes) -> None:
        with self._path.open("ab") as file:
            file.write(line + b"\n")


class _Webhook:
    def __init__(self, url: str) -> None:
        self._url = url

    def deliver(self, line: bytes) -> None:
        headers = {"Content-Type": "application/json"}
        request = urllib.request.Request(self._url, line, headers, method="POST")  # noqa: S310 - http or https
        try:
            urllib.request.urlopen(request, timeout=_POST_SECONDS).close()  # noqa: S310 - the same
        except urllib.error.HTTPError as error:
            error.close()
            if error.code < http.client.INTERNAL_SERVER_ERROR and error.code not in {408, 429}:
                raise RefusedError(str(error)) from error
            raise
        except http.client.HTTPException as error:
            raise OSError(str(error)) from error


class _OfMoto:
    """Delivers to moto.

    Rules of its EventBridge send events to their targets; AWS's takes no events of `aws.` from outside. Subscribers of
    its topics get the messages for `NotificationARNs`.
    """

    def __init__(self, access: "AwsAccess") -> None:
        self._access = access

    @functools.cached_property
    def _clients(self) -> "AwsClients":
        from formwork.aws.access import AwsClients  # noqa: PLC0415 - slow

        return AwsClients(self._access)

    def deliver(self, line: bytes) -> None:
        import botocore.exceptions  # noqa: PLC0415 - as above

        event = json.loads(line)
        try:
            if _TOPIC in event:
                self._publish(event)
            else:
                self._put(event)
        except (botocore.exceptions.BotoCoreError, botocore.exceptions.ClientError) as error:
            raise RefusedError(f"moto refuses them: {error}") from error

    def _publish(self, notice: Mapping[str, str]) -> None:
        topic = notice[_TOPIC]
        region = topic.split(":")[3] if topic.count(":") >= _COLONS else None
        client = self._clients.client("sns", region or "us-east-1")
        client.publish(TopicArn=topic, Subject=notice["subject"], Message=notice["message"])

    def _put(self, event: Mapping[str, Any]) -> None:
        entry = {
            "Source": event["source"],
            "DetailType": event["detail-type"],
            "Detail": json.dumps(event["detail"]),
            "Resources": event["resources"],
            "Time": event["time"],
        }
        self._clients.client("events", event["region"]).put_events(Entries=[entry])


class _EventsAlone:
    """A target that gets events in EventBridge's form; notices for SNS topics are left out."""

    def __init__(self, inner: NoticeTarget) -> None:
        self._inner = inner

    def deliver(self, line: bytes) -> None:
        if _TOPIC not in json.loads(line):
            self._inner.deliver(line)


class _Several:
    """Targets that all get every event; the failure of one is reported when the others have it."""

    def __init__(self, targets: "list[NoticeTarget]") -> None:
        self._targets = targets

    def deliver(self, line: bytes) -> None:
        failures: list[OSError] = []
        for each in self._targets:
            try:
                each.deliver(line)
            except OSError as error:
                failures.append(error)
        # One that may succeed later comes before those that never will.
        for failure in sorted(failures, key=lambda each: isinstance(each, RefusedError)):
            raise failure


class WakingObserver(WorkObserver):
    """An observer that also wakes a sender, which then looks for notices to deliver."""

    def __init__(self, inner: WorkObserver, sender: "NoticeSender") -> None:
        self._inner = inner
        self._sender = sender

    def changed(self) -> None:
        """See `WorkObserver.changed`."""
        self._sender.wake()
        self._inner.changed()

    def checkpoint(self, moment: str) -> None:
        """See `WorkObserver.checkpoint`."""
        self._inner.checkpoint(moment)


class NoticeSender:
    """Delivers the notices of a database (`deliver_from`); `on_problem` gets the first of consecutive failures."""

    def __init__(self, target: NoticeTarget, on_problem: Callable[[str], None]) -> None:
        self._target = target
        self._on_problem = on_problem
        self._news = threading.Event()
        self._stopping = False
        self._failures = 0

    def wake(self) -> None:
        """There is something to deliver."""
        self._news.set()

    @contextlib.contextmanager
    def deliver_from(self, database: "Database") -> Iterator[None]:
        """Deliver until the end of the block, and then try for a moment to deliver the remaining notices."""
        if not database.shared:
            from formwork.stacks.store.notices import release_notices  # noqa: PLC0415 - slow to import

            with database.begin() as connection:
                release_notices(connection)
        thread = threading.Thread(target=self._run, args=(database,), name="notices", daemon=True)
        thread.start()
        try:
            yield
        finally:
            self._stopping = True
            self.wake()
            thread.join(_LAST_SECONDS)

    def _run(self, database: "Database") -> None:
        while True:
            self._news.clear()
            pause = self._deliver_all(database)
            if self._stopping:
                return
            self._news.wait(pause)

    def _deliver_all(self, database: "Database") -> float | None:
        """Deliver all due notices; return the seconds to wait before the next attempt, None to wait for `wake`."""
        from sqlalchemy.exc import OperationalError  # noqa: PLC0415 - slow, like all that a database needs

        from formwork.stacks.store.notices import first_notice, take_notice  # noqa: PLC0415 - the same

        while True:
            try:
                with database.begin() as connection:
                    notice, now = first_notice(connection), time.time()
                    if notice is None:
                        return _LOOK_SECONDS if database.shared else None
                    # One that is busy for longer than any is was taken before the clock was set back.
                    if now < notice.busy_until <= now + max(_BUSY_SECONDS, _LONGEST_PAUSE):
                        return min(notice.busy_until - now, _LONGEST_PAUSE)
                    taken = replace(notice, busy_until=now + _BUSY_SECONDS)
                    mine = take_notice(connection, notice, taken.busy_until)
                if mine:
                    self._deliver(database, taken)
            except OperationalError:  # the database is away for a while
                return _LOOK_SECONDS

    def _deliver(self, database: "Database", notice: "NoticeRecord") -> None:
        from formwork.stacks.store.notices import NOTICE_SECONDS, delete_notice, take_notice  # noqa: PLC0415 - as above

        try:
            self._target.deliver(notice.content.encode())
        except OSError as error:
            old = time.time() > notice.created + NOTICE_SECONDS
            done = old or isinstance(error, RefusedError)
            self._fail(f"are lost: {error}" if done else f"can't be delivered now, and are kept: {error}")
        else:
            done, self._failures = True, 0
        with database.begin() as connection:
            if done:
                delete_notice(connection, notice.number)
            else:
                pause = min(_LONGEST_PAUSE, _FIRST_PAUSE * 2 ** min(self._failures - 1, 10))
                take_notice(connection, notice, time.time() + pause)

    def _fail(self, why: str) -> None:
        self._failures += 1
        if self._failures == 1:
            self._on_problem(f"warning: events {why}")


def notice_sender(
    where: str | None, on_problem: Callable[[str], None], bus: "AwsAccess | None" = None
) -> NoticeSender | None:
    """Return the sender of events to `where` (a file or an http(s) URL) and to moto's EventBridge; None without either.

    `bus` is how moto is reached.

    Raises:
        EnvironmentProblemError: the file can't be written.
        UsageError: the URL is none that events can be posted to.
    """
    targets: list[NoticeTarget] = [] if where is None else [_EventsAlone(_target(where))]
    targets += [] if bus is None else [_OfMoto(bus)]
    if not targets:
        return None
    return NoticeSender(targets[0] if len(targets) == 1 else _Several(targets), on_problem)


def _target(where: str) -> NoticeTarget:
    scheme = where.partition("://")[0] if "://" in where else None
    if scheme is not None and scheme.lower() not in {"http", "https"}:
        raise UsageError(
            f'the events shall go to "{where}"', hint="a file, or a URL that begins with http:// or https://"
        )
    return _File(Path(where)) if scheme is None else _Webhook(where)
