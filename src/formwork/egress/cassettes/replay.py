"""Requests answered as they were recorded."""

import json
import re
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from msgspec import Struct, field

from formwork.egress.cassettes.entries import NAMES, BodyKind, RecordedCall, RecordedRequest, as_reply, request_of
from formwork.egress.cassettes.live_secrets import LiveSecrets
from formwork.egress.cassettes.matching import differences
from formwork.egress.cassettes.moments import in_this_run
from formwork.egress.cassettes.pieces import NameBindings
from formwork.egress.cassettes.reading import read_cassettes
from formwork.egress.messages import NoRecordingError, Outgoing, Reply

_MOST_SHOWN = 3
_SHORTEST_RELATED = 4
_PART = re.compile(r"\.part(\d+)\.")
_XML_TEXT = re.compile(r">([^<>]+)<")
_NOT_OPERANDS = frozenset({"Action", "Version"})


class StaleCall(Struct, frozen=True):
    """A recorded call that no request of this run matched: `number` is its place in the file, from 1."""

    file: str
    number: int
    request: RecordedRequest

    def __str__(self) -> str:
        return f"{self.file}, call {self.number}: {self.request.method} {self.request.url}"


class _Entry(Struct):
    file: str
    position: int  # in its file, from 1
    call: RecordedCall
    used: int = 0
    words: frozenset[str] = field(default_factory=frozenset)

    @property
    def order(self) -> tuple[int, int]:
        """Sorts the calls of a host: its file, which may have several parts, and the place in that."""
        part = _PART.search(self.file)
        return int(part[1]) if part else 1, self.position


def open_replay(folder: Path) -> "Replay":
    """Return what answers requests as they were recorded in `folder`.

    Raises:
        BadInputError: there are no cassettes in it (`cassette.none`), or they can't be read (`cassette.*`,
            `document.*`).
    """
    return Replay(read_cassettes(folder))


class Replay:
    """Answers requests as they were recorded; call it with a request for the reply. Threads may share it.

    Requests that are the same are answered in the order of the recording. The last answer to one that reads is given
    again; one that writes is answered as often as it was recorded.
    """

    def __init__(self, cassettes: dict[str, tuple[RecordedCall, ...]]) -> None:
        self._entries = [
            _Entry(name, position, call, words=frozenset((*_words(call.request), *_texts(call.reply.body.value))))
            for name, calls in cassettes.items()
            for position, call in enumerate(calls, start=1)
        ]
        self._by_kind: dict[tuple[str, str, int], list[_Entry]] = {}
        self._same: dict[str, list[_Entry]] = {}
        for entry in self._entries:
            self._by_kind.setdefault(_kind(entry.call.request), []).append(entry)
            self._same.setdefault(_content(entry.call.request), []).append(entry)
        self._parts = {entry.call.part for entry in self._entries}
        self._part: str | None = None
        self._written: dict[str, list[_Entry]] = {}
        self._bindings = NameBindings()
        self._secrets = LiveSecrets()
        self._lock = threading.Lock()

    def __call__(self, outgoing: Outgoing) -> Reply:
        """Return the recorded reply to a request, with names that the recording generated replaced by this run's.

        Raises:
            NoRecordingError: no recorded request is the same, or a write was recorded less often.
        """
        request = request_of(outgoing)
        with self._lock:
            entry, self._bindings = self._chosen(request)
            entry.used += 1
            if not is_read(entry.call.request):
                self._written.setdefault(entry.call.request.host, []).append(entry)
            bindings = self._bindings.copy()
            words = tuple(_words(request))
            self._secrets.learn(entry.call.request, request, words)
            reply = self._secrets.restored(entry.call.reply, words)
        if entry.call.reply.body.kind is BodyKind.OMITTED:
            raise NoRecordingError(
                f"the reply to {_named(request)} was not recorded: it is too large, or hides a secret"
            )
        return as_reply(in_this_run(reply, bindings))

    def begin(self, part: str) -> None:
        """Answer the following requests from the recorded part of this name, if there is one."""
        with self._lock:
            self._part = part if part in self._parts else None
            self._written = {}

    @property
    def hosts(self) -> tuple[str, ...]:
        """The hosts that were recorded, without ports."""
        found = (urlsplit(each.call.request.url).hostname for each in self._entries)
        return tuple(dict.fromkeys(filter(None, found)))

    @property
    def stale(self) -> tuple[StaleCall, ...]:
        """The recorded calls that this run did not make: of one that reads, that it did not make at all."""
        with self._lock:
            return tuple(
                StaleCall(entry.file, entry.position, entry.call.request)
                for entry in self._entries
                if not entry.used and not (is_read(entry.call.request) and self._was_sent(entry))
            )

    def _was_sent(self, entry: _Entry) -> bool:
        """Return whether an equal request of this run was already answered by another recording."""
        others = self._by_kind[_kind(entry.call.request)]
        return any(one.used and _repeats(entry, one) for one in others)

    def _chosen(self, request: RecordedRequest) -> tuple[_Entry, NameBindings]:
        found = self._found(request)
        if not found:
            raise NoRecordingError(self._unknown(request))
        if is_read(request):
            return self._read(found)
        unused = [each for each in found if not each[0].used]
        if not unused:
            times = sum(entry.used for entry, _ in found)
            entry = found[-1][0]
            raise NoRecordingError(
                f"{_named(request)} was recorded {_times(len(found))} ({entry.file}, call {entry.position}) and is"
                f" sent {_times(times + 1)}"
            )
        return unused[0]

    def _found(self, request: RecordedRequest) -> list[tuple[_Entry, NameBindings]]:
        """Return the recorded calls that a request matches, each with the names that then stand for others."""
        same = self._of_part(self._same.get(_content(request), []))  # a run with the same tokens and inputs
        if same and (is_read(request) or not all(entry.used for entry in same)):
            return [(entry, self._bindings) for entry in same]
        alike = self._by_kind.get(_kind(request), [])
        return self._matching(request, self._of_part(alike)) or self._matching(request, alike)

    def _of_part(self, entries: list[_Entry]) -> list[_Entry]:
        return entries if self._part is None else [entry for entry in entries if entry.call.part == self._part]

    def _matching(self, request: RecordedRequest, entries: list[_Entry]) -> list[tuple[_Entry, NameBindings]]:
        found: list[tuple[_Entry, NameBindings]] = []
        for entry in entries:
            tried = self._bindings.copy()
            if next(differences(entry.call.request, request, tried), None) is None:
                found.append((entry, tried))
        known = [each for each in found if each[1].live == self._bindings.live]  # nothing has to stand for another
        return known or found

    def _read(self, found: list[tuple[_Entry, NameBindings]]) -> tuple[_Entry, NameBindings]:
        """Return the recording that answers a read: the next one after the last write to the same subject."""
        last: dict[str, tuple[int, int]] = {}

        def since(request: RecordedRequest) -> tuple[int, int]:
            content = _content(request)
            if content not in last:
                writes = self._written.get(request.host, ())
                last[content] = max((one.order for one in writes if _concerns(one, request)), default=(0, 0))
            return last[content]

        later = [each for each in found if each[0].order > since(each[0].call.request)]
        unused = [each for each in later if not each[0].used]
        if unused:
            return unused[0]
        return (later or found)[-1]

    def _unknown(self, request: RecordedRequest) -> str:
        near = sorted(
            ((list(differences(entry.call.request, request, self._bindings.copy())), entry) for entry in self._entries),
            key=lambda each: _distance(each[1].call.request, request, each[0]),
        )
        lines = [f"no recorded call is {_named(request)}; record it again"]
        for found, entry in near[:_MOST_SHOWN]:
            differs = "; ".join(found[:_MOST_SHOWN])
            lines.append(
                f"{entry.file}, call {entry.position}: {_named(entry.call.request)} differs: recorded {differs}"
            )
        return "\n  ".join(lines)


def _content(request: RecordedRequest) -> str:
    """Return a text that is the same for requests that are."""
    body = [request.body.kind, request.body.value]
    return json.dumps([request.method, request.url, request.query, request.headers, body], sort_keys=True)


def is_read(request: RecordedRequest) -> bool:
    """Whether a request changes nothing, as far as its method and the name of its operation say."""
    if request.method in NAMES["reads"]["methods"]:
        return True
    if request.body.kind is BodyKind.FORM and "grant_type" in request.body.value:
        return True  # each process fetches an access token of its own
    return _operation_of(request).lower().startswith(tuple(NAMES["reads"]["operations"]))


def _kind(request: RecordedRequest) -> tuple[str, str, int]:
    """Return what equal requests have in common, to look among few: method, operation and depth of the path."""
    return request.method, _operation_of(request), request.url.count("/")


def _concerns(write: _Entry, read: RecordedRequest) -> bool:
    """Return whether a write may change a read's answer: their paths contain each other, or they share a value."""
    segments, others = _segments(read), _segments(write.call.request)
    if not segments or not others:  # the operation is not in the path
        words = frozenset(_texts(read.query)) | frozenset(_texts(read.body.value))
        return not words or bool(words & write.words)
    is_above = segments[: len(others)] == others and write.call.request.method != "POST"
    return is_above or others[: len(segments)] == segments or segments[-1] in write.words


def _segments(request: RecordedRequest) -> list[str]:
    return [each for each in unquote(request.path).split("/") if each]


def _repeats(entry: _Entry, used: _Entry) -> bool:
    return next(differences(used.call.request, entry.call.request, NameBindings()), None) is None


def _operation_of(request: RecordedRequest) -> str:
    """Return the name of the operation in requests of AWS's RPC protocols, "" in others."""
    form = request.body.value if request.body.kind is BodyKind.FORM else {}
    return request.headers.get("x-amz-target", "").rpartition(".")[2] or str(form.get("Action", ""))


def _distance(recorded: RecordedRequest, live: RecordedRequest, found: list[str]) -> tuple[bool, bool, int]:
    return recorded.host != live.host, recorded.method != live.method, len(found)


def _named(request: RecordedRequest) -> str:
    action = _operation_of(request)
    return f"{request.method} {request.host}{request.path}" + (f" ({action})" if action else "")


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


def _words(request: RecordedRequest) -> Iterator[str]:
    """Yield the texts that identify a request's subject: parts of its path, values of its query and body."""
    yield from (each for each in _segments(request) if len(each) >= _SHORTEST_RELATED)
    yield from _texts(request.query)
    yield from _texts(request.body.value)


def _texts(value: Any) -> Iterator[str]:
    pending = [value]
    while pending:
        here = pending.pop()
        if isinstance(here, dict):
            pending += [member for name, member in here.items() if name not in _NOT_OPERANDS]
        elif isinstance(here, list):
            pending += here
        elif isinstance(here, str):
            parts = _XML_TEXT.findall(here) if here.startswith("<") else (here,)
            yield from (each for each in parts if len(each) >= _SHORTEST_RELATED)
