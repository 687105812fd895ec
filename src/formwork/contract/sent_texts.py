"""The texts in which a type's handlers were sent booleans and numbers, which they may answer again.

The service sends every scalar as a text. A handler without typed models keeps what it is given, and answers a text
where the schema has a number; the service reads it as that number. Any other text there breaks `event.shape`.
"""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from formwork.invoke import Exchange
from formwork.schema import PropertyPath, ResourceSchema
from formwork.schema.coercion import parse_texts

_PROPERTIES = ("resourceProperties", "previousResourceProperties")


class SentTexts(Struct):
    """The texts that all tests of a type have sent so far; safe to use from several threads."""

    schema: ResourceSchema
    _sent: set[tuple[PropertyPath, str]] = field(default_factory=set)

    def note(self, request: Mapping[str, Any]) -> None:
        """Remember the texts of a request."""
        for member in _PROPERTIES:
            if properties := request["requestData"].get(member):
                parse_texts(self.schema, properties, self._remember)

    def typed(self, exchange: Exchange) -> Exchange:
        """Return the exchange; booleans and numbers that were sent as texts are restored in its event's models."""
        event = exchange.event
        if event is None:
            return exchange
        typed: dict[str, Any] = {}
        if isinstance(model := event.get("resourceModel"), dict):
            typed["resourceModel"] = self._typed_model(model)
        if isinstance(models := event.get("resourceModels"), list):
            typed["resourceModels"] = [self._typed_model(each) for each in models]
        return replace(exchange, event={**event, **typed}) if typed else exchange

    def _typed_model(self, model: Any) -> Any:
        if not isinstance(model, dict):
            return model
        return parse_texts(self.schema, model, lambda path, text: (path, text) in self._sent)

    def _remember(self, path: PropertyPath, text: str) -> bool:
        self._sent.add((path, text))
        return True
