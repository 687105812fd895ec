"""Handlers over the simulated service, as the handler contract wants them, slow or fast."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from formwork.documents.copied import without_nulls
from formwork.instances import InstanceGenerator
from formwork.schema import ResourceSchema
from formwork.schema.coercion import parse_texts
from formwork.simulate.resources import SimulatedResource, at
from formwork.simulate.store import ServiceError, Store, drop, put

Event = dict[str, Any]


class Behaviour(Struct, frozen=True):
    """How the simulated service makes its handlers work.

    `stabilization`: so many IN_PROGRESS events before create, update and delete are done. `lag`: so many polls until a
    new resource shows, which the create handler sits out. `throttled`: so many times the service refuses a call at
    first, which handlers answer with IN_PROGRESS. `page_size`: entries on one page of a list. `delay_seconds`: the
    callback delay that handlers ask for.
    """

    stabilization: int = 0
    lag: int = 0
    throttled: int = 0
    page_size: int = 100
    delay_seconds: int = 0


class Simulator:
    """The handlers of one type: call it with a request as Lambda would. Its store outlives the calls.

    With `validates` a create is refused whose properties the schema forbids.
    """

    def __init__(
        self, schema: ResourceSchema, behaviour: Behaviour | None = None, *, seed: int = 0, validates: bool = True
    ) -> None:
        self.schema = schema
        self.behaviour = behaviour or Behaviour()
        self.store = Store(schema, InstanceGenerator(schema, seed=seed), validates=validates)

    def __call__(  # noqa: PLR0911 - one return an action
        self, event: Mapping[str, Any], _context: object = None
    ) -> Event:
        """Return the progress event for one request."""
        data = event.get("requestData") or {}
        desired = parse_texts(self.schema, data.get("resourceProperties") or {})
        callback = event.get("callbackContext") or {}
        try:
            match event.get("action"):
                case "CREATE":
                    return self.create(desired, str(event.get("bearerToken")), callback, event.get("decided"))
                case "READ":
                    return {"status": "SUCCESS", "resourceModel": self.shown(self.store.find(desired))}
                case "UPDATE":
                    return self.update(desired, callback)
                case "DELETE":
                    return self.delete(desired, callback)
                case "LIST":
                    return self.list(event.get("nextToken"))
                case action:
                    return failure("InvalidRequest", f"{action} is not an action of a resource type")
        except ServiceError as error:
            return failure(error.code, str(error))

    def create(
        self,
        desired: Mapping[str, Any],
        token: str,
        callback: Mapping[str, Any],
        decided: Mapping[str, Any] | None = None,
    ) -> Event:
        """CREATE; `decided` as in `Store.create`."""
        if "left" in callback:
            return self._go_on(self.store.find(desired), int(callback["left"]))
        resource = self.store.create(desired, token, decided)
        return self._go_on(resource, self.behaviour.throttled + self.behaviour.stabilization + self.behaviour.lag)

    def update(self, desired: Mapping[str, Any], callback: Mapping[str, Any]) -> Event:
        """UPDATE."""
        resource = self.store.find(desired)
        if "left" in callback:
            return self._go_on(resource, int(callback["left"]))
        self.store.update(resource, desired)
        return self._go_on(resource, self.behaviour.throttled + self.behaviour.stabilization)

    def delete(self, desired: Mapping[str, Any], callback: Mapping[str, Any]) -> Event:
        """DELETE."""
        resource = self.store.find(desired)
        left = int(callback.get("left", self.behaviour.throttled + self.behaviour.stabilization))
        if left > 0:
            return self._in_progress(self.identifier_of(resource), left)
        self.store.delete(resource)
        return {"status": "SUCCESS"}

    def list(self, token: Any) -> Event:
        """LIST, one page: the token is the place of its first entry."""
        resources = list(self.store.resources.values())
        start = int(token) if isinstance(token, str) and token.isdecimal() else 0
        page = resources[start : start + self.behaviour.page_size]
        answer: Event = {"status": "SUCCESS", "resourceModels": [self.identifier_of(each) for each in page]}
        if start + len(page) < len(resources):
            answer["nextToken"] = str(start + len(page))
        return answer

    def shown(self, resource: SimulatedResource) -> dict[str, Any]:
        """Return the model of a resource as answers show it: without secrets."""
        shown: dict[str, Any] = without_nulls(resource.model)
        for path in self.schema.write_only:
            drop(shown, path)
        return shown

    def identifier_of(self, resource: SimulatedResource) -> dict[str, Any]:
        """Return a model with the primary identifier alone."""
        identifier: dict[str, Any] = {}
        for path in self.schema.primary_identifier:
            put(identifier, path, at(resource.model, path))
        return identifier

    def _go_on(self, resource: SimulatedResource, left: int) -> Event:
        if left > 0:
            return self._in_progress(self.shown(resource), left)
        return {"status": "SUCCESS", "resourceModel": self.shown(resource)}

    def _in_progress(self, model: dict[str, Any], left: int) -> Event:
        return {
            "status": "IN_PROGRESS",
            "resourceModel": model,
            "callbackContext": {"left": left - 1},
            "callbackDelaySeconds": self.behaviour.delay_seconds,
        }


def failure(code: str, message: str) -> Event:
    """Return a FAILED event."""
    return {"status": "FAILED", "errorCode": code, "message": message}
