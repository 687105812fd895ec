"""Stale reads: what an eventually consistent service answers for a while after a write."""

import re
from urllib.parse import quote

from msgspec.structs import replace

from formwork.egress.faults.observing import SeenCall, texts_of
from formwork.egress.messages import Outgoing, Reply, Responder

_MOST_NAMES = 6
_REQUEST_ID = re.compile(rb"<[Rr]equestI[Dd]>[^<]*<|\"[Rr]equestI[Dd]\": ?\"[^\"]*\"")


class EarlierState:
    """Answers reads as before the writes of an operation.

    A read that was answered before the first write gets that reply again. For others the write has made what they are
    about: they get what the service replies about things that do not exist, which it is asked for with other names.
    """

    def __init__(self) -> None:
        self._replies: dict[str, Reply] = {}
        self._before: dict[str, Reply] | None = None
        self._written: list[str] = []

    def begin(self) -> None:
        """Begin an operation."""
        self._before, self._written = None, []

    def note_write(self, outgoing: Outgoing) -> None:
        """Note that a write is about to be sent."""
        if self._before is None:
            self._before = dict(self._replies)
        self._replies.clear()  # they are of before this write
        self._written += texts_of(outgoing)

    def note(self, call: SeenCall, outgoing: Outgoing, reply: Reply) -> None:
        """Note the service's own reply to a call."""
        if call.reads:
            self._replies[call.content] = reply
        else:
            self._written += texts_of(outgoing, reply)

    def reply(self, call: SeenCall, outgoing: Outgoing, responder: Responder) -> Reply | None:
        """Return the reply of a read that does not see the writes yet; None if that reply is unknown."""
        if self._before is None:
            return None
        if (earlier := self._before.get(call.content)) is not None:
            return earlier
        now = responder(outgoing)
        found: list[Reply] = []
        for name in dict.fromkeys(reversed(self._written)):
            if len(found) < _MOST_NAMES and (other := _about(outgoing, name, _another(name))) is not None:
                reply = _named_back(responder(other), name)
                if (reply.status, _plain(reply.body)) != (now.status, _plain(now.body)):
                    found.append(reply)
        return min(found, key=lambda each: each.status, default=None)


def _about(outgoing: Outgoing, name: str, other: str) -> Outgoing | None:
    """Return the request about `other` in place of `name`; None where it does not name that."""
    request = outgoing.request
    for one, another in ((name, other), (quote(name, safe=""), quote(other, safe=""))):
        word = rf"(?<![A-Za-z0-9]){re.escape(one)}(?![A-Za-z0-9])"
        new = another.replace("\\", r"\\")
        path, query = re.sub(word, new, request.path), re.sub(word, new, request.query)
        body = re.sub(word, new, request.body.decode("latin-1")).encode("latin-1")
        if (path, query, body) != (request.path, request.query, request.body):
            return replace(outgoing, request=replace(request, path=path, query=query, body=body))
    return None


def _another(name: str) -> str:
    """Return another name of the same length and the same kinds of characters; hexadecimal stays hexadecimal."""
    found: list[str] = []
    for letter in name:
        if letter.isdigit() and letter.isascii():
            found.append(str((int(letter) + 5) % 10))
        elif letter in "abcdefABCDEF":
            found.append(chr(ord("a" if letter.islower() else "A") + 5 - (ord(letter.lower()) - ord("a"))))
        elif letter.isascii() and letter.isalpha():
            base = ord("g" if letter.islower() else "G")
            found.append(chr(base + (ord(letter) - base + 10) % 20))
        else:
            found.append(letter)
    return "".join(found)


def _plain(body: bytes) -> bytes:
    """A body without the request's id, which differs in each reply."""
    return _REQUEST_ID.sub(b"", body)


def _named_back(reply: Reply, name: str) -> Reply:
    return replace(reply, body=reply.body.replace(_another(name).encode(), name.encode()))
