"""Calls recorded while they are answered."""

import threading
from collections.abc import Callable
from pathlib import Path

from formwork.egress.cassettes.entries import RecordedCall, reply_of, request_of
from formwork.egress.cassettes.files import write_cassettes
from formwork.egress.cassettes.masking import CallMasker
from formwork.egress.messages import Outgoing, Reply, Responder


class Recorder:
    """Records the calls that pass through it, in the order of their requests; `close` writes them.

    `mask` masks what the run knows to be secret in a text; it is asked when the files are written.
    """

    def __init__(self, folder: Path, mask: Callable[[str], str]) -> None:
        self._folder = folder
        self._masker = CallMasker(mask)
        self._calls: dict[int, RecordedCall] = {}
        self._begun = 0
        self._part = ""
        self._lock = threading.Lock()

    def begin(self, part: str) -> None:
        """Note the part of the run whose calls follow."""
        with self._lock:
            self._part = part

    def around(self, responder: Responder) -> Responder:
        """Return a responder that answers as `responder` does and records the replies, but nothing where it raises."""

        def recording(outgoing: Outgoing) -> Reply:
            with self._lock:
                self._begun += 1
                number, part = self._begun, self._part
            reply = responder(outgoing)
            call = RecordedCall(request_of(outgoing), reply_of(reply), part)
            self._masker.learn(outgoing, call.request, reply, call.reply)
            with self._lock:
                self._calls[number] = call
            return reply

        return recording

    def close(self) -> tuple[Path, ...]:
        """Write the cassettes of the hosts that were called, in place of older ones, and return their files.

        Raises:
            EnvironmentProblemError: the folder can't be written.
        """
        with self._lock:
            calls = [self._calls[number] for number in sorted(self._calls)]
        return write_cassettes(self._folder, [self._masker.masked(call) for call in calls])
