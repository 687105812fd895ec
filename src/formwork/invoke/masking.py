"""Requests and answers as they may be shown: credentials, writeOnly properties and type configurations masked.

The reasons are in docs/decisions/1293.
"""

import json
import threading
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any

from msgspec.structs import replace

from formwork.aws.credentials import local_credentials
from formwork.diagnostics.secret_forms import SHORTEST_ANYWHERE, leaf_texts, secret_spans
from formwork.diagnostics.secrets import (
    MASK,
    marked_secrets,
    mask_at,
    mask_copies,
    mask_leaves,
    mask_text,
    secrets_at,
)
from formwork.invoke.operation import Exchange
from formwork.invoke.vocabulary import ERROR_CODES, SKIP_STACK_HOOK, STATUSES
from formwork.schema import ResourceSchema
from formwork.schema.configuration_secrets import ConfigurationSecrets, configuration_secrets

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
# What of an answer goes into the next request, or is worked with.
_CARRIED = frozenset({"resourceModel", "resourceModels", "callbackContext", "nextToken", "callbackDelaySeconds"})
_WORDS = frozenset({*STATUSES, *ERROR_CODES, SKIP_STACK_HOOK})
_EVENT_MODELS = (("resourceModel",), ("resourceModels", "*"))
_CREDENTIALS = (("requestData", "callerCredentials"), ("requestData", "providerCredentials"), ("credentials",))
_CONFIGURATIONS = (
    ("requestData", "typeConfiguration"),
    ("request", "typeConfiguration"),
    ("hookModel",),
    ("typeConfiguration",),
)
# A service that runs all day must not look for every secret it ever saw.
_MOST_REMEMBERED = 500

# What handlers get that have no credentials: their own words would be taken for parts of it.
_KNOWN_TO_ALL = frozenset(
    secret.reveal() for secret in (local_credentials().secret_access_key, local_credentials().session_token)
)


class Masker:
    """Masks what is shown of one type's traffic; remembers the secrets of the requests it was shown.

    `write_only` are the property paths of the model that holds secrets: the type's own, or of a hook its target's.
    `public` are values that the model's schema names, which are never secret; `configured` finds the secrets of the
    type configuration.
    """

    def __init__(
        self,
        write_only: Sequence[Sequence[str]],
        *,
        public: frozenset[str] = frozenset(),
        configured: ConfigurationSecrets | None = None,
    ) -> None:
        self.write_only = tuple(tuple(each) for each in write_only)
        self._public = public
        self._configured = configured or ConfigurationSecrets()
        self._secrets: dict[str, None] = {}  # in the order of their last use
        self._known: frozenset[str] = frozenset()
        self._lock = threading.Lock()
        self._parent: Masker | None = None

    @classmethod
    def of_resource(cls, schema: ResourceSchema) -> "Masker":
        """Return what masks the traffic of a resource type."""
        configured = configuration_secrets(schema.value)
        return cls(schema.write_only, public=schema.public_values, configured=configured)

    def learn(self, request: Mapping[str, Any], more: Iterable[str] = ()) -> None:
        """Remember the secrets in a request, and `more`, so that copies of them are masked wherever they turn up."""
        found = {*marked_secrets(request), *secrets_at(request, self._at(_REQUEST_MODELS)), *more}
        for place in _CREDENTIALS:
            for each in _credentials(_get(request, place)):
                found |= secrets_at(each, (("secretAccessKey",), ("sessionToken",)))
        for place in _CONFIGURATIONS:
            found |= self._configured.find(_get(request, place))
        self._remember(found - self._public - _KNOWN_TO_ALL)

    def learn_model(self, model: Mapping[str, Any]) -> None:
        """Remember the secrets in a model, and the texts that were made of a known one: a handler may encode those."""
        self._remember({*marked_secrets(model), *secrets_at(model, self.write_only)} - self._public)
        known = self._known
        if known:
            self._remember({each for each in leaf_texts(model) if each not in known and secret_spans(each, known)})

    def _remember(self, found: AbstractSet[str]) -> None:
        with self._lock:
            for each in found:
                self._secrets.pop(each, None)
                self._secrets[each] = None
            for each in list(self._secrets)[:-_MOST_REMEMBERED]:
                del self._secrets[each]
            if found:
                self._known = frozenset(self._secrets)
        if self._parent is not None:
            self._parent._remember(found)  # noqa: SLF001 - of the same class

    def for_one(self) -> "Masker":
        """Return a masker for one request that also knows long secrets of earlier requests, which handlers may repeat.

        Short ones are masked in what belongs to their request only: elsewhere they are there by chance.
        """
        own = Masker(self.write_only, public=self._public, configured=self._configured)
        own._parent = self
        own._remember(frozenset(each for each in self._known if len(each) >= SHORTEST_ANYWHERE))
        return own

    def exchange(self, exchange: Exchange) -> Exchange:
        """Learn the secrets of an exchange, and return it masked so that it may be stored and reported.

        Messages, codes, annotations and logs are masked. Models, contexts and tokens stay as they are: the next request
        needs them.
        """
        self.learn(exchange.request)
        event, problem = exchange.event, exchange.problem
        told = None if event is None else {name: self._masked_member(name, each) for name, each in event.items()}
        return replace(
            exchange,
            answer=replace(exchange.answer, log=self.log(exchange.answer.log)),
            event=told,
            problem=None if problem is None else replace(problem, message=self.text(problem.message)),
        )

    def shown(self, exchange: Exchange) -> Exchange:
        """Return an exchange from `exchange` masked for display: its models and contexts are masked too."""
        event = None if exchange.event is None else self.event(exchange.event)
        return replace(exchange, request=self.request(exchange.request), event=event)

    def _masked_member(self, name: str, value: Any) -> Any:
        """Return a member of an answer with its secrets masked."""
        if name in _CARRIED:
            return value
        return self.word(value) if isinstance(value, str) else self.copies(value)

    def word(self, text: str) -> str:
        """Return a status, a code or a message: the protocol's own words stay as they are."""
        return text if text in _WORDS else self.text(text)

    def request(self, request: Mapping[str, Any]) -> Any:
        """Return a request (or a test event) as it may be shown."""
        self.learn(request)
        shown = mask_at(dict(request), self._at(_REQUEST_MODELS))
        for place in _CREDENTIALS:
            shown = _replace(shown, place, lambda found: MASK if isinstance(found, str) else mask_leaves(found))
        for place in _CONFIGURATIONS:
            shown = _replace(shown, place, mask_leaves)
        return mask_copies(shown, self._known)

    def event(self, event: Any) -> Any:
        """Return a handler's answer as it may be shown."""
        return mask_copies(mask_at(event, self._at(_EVENT_MODELS)), self._known)

    def copies(self, value: Any) -> Any:
        """Return a part of a model with copies of known secrets masked."""
        return mask_copies(value, self._known)

    def text(self, text: str) -> str:
        """Return a line of a log, or an error's message."""
        return mask_text(text, self._known)

    def log(self, text: str) -> str:
        """Return a piece of a log: a process that is stopped or still writes leaves it within a secret."""
        return mask_text(text, self._known, cut=True)

    def _at(self, models: Sequence[tuple[str, ...]]) -> list[tuple[str, ...]]:
        return [(*model, *path) for model in models for path in self.write_only]


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
    """Return a copy of `value` with the part at `place` changed; `value` itself if there is none."""
    if not place:
        return change(value)
    step, *rest = place
    if not isinstance(value, dict) or value.get(step) is None:
        return value
    return {**value, step: _replace(value[step], rest, change)}
