"""Keeping secrets out of messages and logs: the request's credentials and its write-only values.

Secrets are replaced in place, also inside other text. Values shorter than eight characters are not: they are
placeholders of tests rather than secrets, and masking every "t" would only make the texts unreadable.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from typing import Any

from .model import BaseModel

MASK = "********"
_SHORTEST_SECRET = 8


class Redaction:
    """Replaces known secrets in texts; one object follows a request and learns its secrets as they are read."""

    def __init__(self) -> None:
        self._secrets: list[str] = []
        self._models: list[BaseModel] = []

    def add(self, secrets: Iterable[str]) -> None:
        """Mask these values from now on, in their percent-encoded form (in signed URLs) too."""
        for secret in secrets:
            if len(secret) >= _SHORTEST_SECRET:
                encoded = secret.replace("+", "%2B").replace("/", "%2F").replace("=", "%3D")
                self._secrets += [secret, encoded] if encoded != secret else [secret]
        self._secrets.sort(key=len, reverse=True)  # a secret inside a longer one must not split it

    def add_write_only(self, *models: BaseModel | None) -> None:
        """Mask the write-only values of these models; looked up only when there is a text to mask."""
        self._models += [model for model in models if model is not None]

    def __call__(self, text: str) -> str:
        """The text with every secret masked."""
        if not text:
            return text
        while self._models:
            self.add(write_only_texts(self._models.pop()))
        for secret in self._secrets:
            text = text.replace(secret, MASK)
        return text


def write_only_texts(value: Any) -> Iterator[str]:
    """The texts inside the write-only properties of a model and of the models in it."""
    if isinstance(value, BaseModel):
        hidden = value._write_only
        for name, item in value._attributes():
            yield from _texts(item) if name in hidden else write_only_texts(item)
    elif isinstance(value, (list, tuple, AbstractSet, Mapping)):
        for item in value.values() if isinstance(value, Mapping) else value:
            yield from write_only_texts(item)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, BaseModel):
        yield from _texts(value._members())
    elif isinstance(value, (list, tuple, AbstractSet, Mapping)):
        for item in value.values() if isinstance(value, Mapping) else value:
            yield from _texts(item)
