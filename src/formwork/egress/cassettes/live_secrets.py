"""The secrets of a run in the place of masked ones: a handler that reads back what it wrote compares it.

A recording has no secrets. What this run sends where a recorded request is masked is put back where its replies are
masked: a member of the same name, of a request about the same thing where there are several. It is never written.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from formwork.diagnostics.secrets import MASK
from formwork.egress.cassettes.entries import BodyKind, RecordedReply, RecordedRequest

_ANY = ""  # of a secret that was sent about anything, and of the member of a body that is a text


class LiveSecrets:
    """The values that this run sent where the recording has masks."""

    def __init__(self) -> None:
        self._sent: dict[tuple[str, str], str] = {}

    def learn(self, recorded: RecordedRequest, live: RecordedRequest, words: Iterable[str]) -> None:
        """Store the secrets of a live request that a recorded one matches; `words` identify its subject."""
        about = (_ANY, *words)
        for part, other in ((recorded.body.value, live.body.value), (recorded.query, live.query)):
            for member, secret in _masked(part, other, _ANY):
                for word in about:
                    self._sent[member, word] = secret

    def restored(self, reply: RecordedReply, words: Iterable[str]) -> RecordedReply:
        """Return a reply to a request about `words` with the secrets that are known in the place of masks."""
        if not self._sent or reply.body.kind not in (BodyKind.JSON, BodyKind.TEXT):
            return reply
        about = (*words, _ANY)
        return replace(reply, body=replace(reply.body, value=self._value(reply.body.value, _ANY, about)))

    def _value(self, value: Any, member: str, about: tuple[str, ...]) -> Any:
        match value:
            case str() if MASK in value:
                secret = next((self._sent[member, word] for word in about if (member, word) in self._sent), None)
                return value if secret is None else value.replace(MASK, secret)
            case dict():
                return {name: self._value(each, name, about) for name, each in value.items()}
            case list():
                return [self._value(each, member, about) for each in value]
            case _:
                return value


def _masked(recorded: Any, live: Any, member: str) -> Iterator[tuple[str, str]]:
    """Yield name and live value of each member that is masked in a recorded value."""
    match recorded:
        case str() if MASK in recorded and isinstance(live, str):
            pattern = "(.*)".join(map(re.escape, recorded.split(MASK)))
            if (found := re.fullmatch(pattern, live, re.DOTALL)) is not None:
                yield member, found[1]
        case Mapping() if isinstance(live, Mapping):
            for name, each in recorded.items():
                yield from _masked(each, live.get(name), name)
        case list() if isinstance(live, list):
            for one, other in zip(recorded, live, strict=False):
                yield from _masked(one, other, member)
        case _:
            return
