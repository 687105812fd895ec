"""Requests and answers as they may be shown: credentials, writeOnly properties and type configurations masked."""

import json
import threading
from collections.abc import Mapping, Sequence
from typing import Any

from formwork.diagnostics.secrets import (
    MASK,
    marked_secrets,
    mask_at,
    mask_copies,
    mask_leaves,
    mask_text,
    secrets_at,
    strings_in,
)
from formwork.schema.secret_names import may_name_a_secret

# Where a request, and the guide's test event, hold models.
_REQUEST_MODELS = (
    ("requestData", "resourceProperties"),
    ("requestData", "previousResourceProperties"),
    ("requestData", "targetModel", "resourceProperties"),
    ("requestData", "targetModel", "previousResourceProperties"),
    ("request", "desiredResourceState"),
    ("request", "previousResourceState"),
    ("request", "hookContext", "targetModel", "resourceProperties"),
    ("request", "hookContext", "targetModel", "previousResourceProperties"),
)
_EVENT_MODELS = (("resourceModel",), ("resourceModels", "*"))
_CREDENTIALS = (("requestData", "callerCredentials"), ("requestData", "providerCredentials"), ("credentials",))
_CONFIGURATIONS = (
    ("requestData", "typeConfiguration"),
    ("request", "typeConfiguration"),
    ("hookModel",),
    ("typeConfiguration",),
)
# Shorter values of a configuration are regions, names and numbers: masking their copies would garble everything.
_SHORTEST_CONFIGURED = 12
# A service that runs all day must not look for every secret it ever saw.
_MOST_REMEMBERED = 500


class Masker:
    """Masks what is shown of one type's traffic; remembers the secrets of the requests it was shown.

    `write_only` are the property paths of the model that holds secrets: the type's own, or of a hook its target's.
    """

    def __init__(self, write_only: Sequence[Sequence[str]]) -> None:
        self._write_only = tuple(tuple(each) for each in write_only)
        self._secrets: dict[str, None] = {}  # in the order of their last use
        self._lock = threading.Lock()

    def learn(self, request: Mapping[str, Any]) -> None:
        """Remember the secrets in a request, so that copies of them are masked wherever they turn up."""
        found = {*marked_secrets(request), *secrets_at(request, self._at(_REQUEST_MODELS))}
        for place in _CREDENTIALS:
            for each in _credentials(_get(request, place)):
                found |= secrets_at(each, (("secretAccessKey",), ("sessionToken",)))
        for place in _CONFIGURATIONS:
            configured = _configured_secrets(_get(request, place))
            found |= {each for each in configured if len(each) >= _SHORTEST_CONFIGURED}
        with self._lock:
            for each in found:
                self._secrets.pop(each, None)
                self._secrets[each] = None
            for each in list(self._secrets)[:-_MOST_REMEMBERED]:
                del self._secrets[each]

    def request(self, request: Mapping[str, Any]) -> Any:
        """A request (or a test event) as it may be shown."""
        self.learn(request)
        shown = mask_at(dict(request), self._at(_REQUEST_MODELS))
        for place in _CREDENTIALS:
            shown = _replace(shown, place, lambda found: MASK if isinstance(found, str) else mask_leaves(found))
        for place in _CONFIGURATIONS:
            shown = _replace(shown, place, mask_leaves)
        return mask_copies(shown, self._known())

    def event(self, event: Any) -> Any:
        """A handler's answer as it may be shown."""
        return mask_copies(mask_at(event, self._at(_EVENT_MODELS)), self._known())

    def copies(self, value: Any) -> Any:
        """A part of a model, without copies of what is secret elsewhere."""
        return mask_copies(value, self._known())

    def text(self, text: str) -> str:
        """A line of a log, or an error's message."""
        return mask_text(text, self._known())

    def _known(self) -> list[str]:
        with self._lock:
            return list(self._secrets)

    def _at(self, models: Sequence[tuple[str, ...]]) -> list[tuple[str, ...]]:
        return [(*model, *path) for model in models for path in self._write_only]


def _configured_secrets(value: Any) -> frozenset[str]:
    """The texts of a type configuration that may be secrets, by the names of their properties.

    The others are settings: a hook that compares a resource with them says so in its message.
    """
    match value:
        case dict():
            found = [
                frozenset(strings_in(each)) if may_name_a_secret(name) else _configured_secrets(each)
                for name, each in value.items()
            ]
        case list():
            found = [_configured_secrets(each) for each in value]
        case _:
            found = []
    return frozenset().union(*found)


def _credentials(found: Any) -> list[Any]:
    """Credentials as an object; a hook's are a JSON document in a string."""
    if isinstance(found, str):
        try:
            return [json.loads(found)]
        except (ValueError, RecursionError):
            return []
    return [found]


def _get(value: Any, place: Sequence[str]) -> Any:
    for step in place:
        value = value.get(step) if isinstance(value, Mapping) else None
    return value


def _replace(value: Any, place: Sequence[str], change: Any) -> Any:
    """A copy of `value` with what stands at `place` changed; `value` itself where nothing does."""
    if not place:
        return change(value)
    step, *rest = place
    if not isinstance(value, dict) or value.get(step) is None:
        return value
    return {**value, step: _replace(value[step], rest, change)}
