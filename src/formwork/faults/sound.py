"""One life of a resource without failures: what its handlers call, and what exists after each operation."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from msgspec import Struct, field

from formwork.contract.listing import required_by_list
from formwork.contract.models import Model, identity_of, only, with_value
from formwork.contract.outcomes import is_deleted, model_of, outcome
from formwork.contract.subject import ResourceSubject
from formwork.diagnostics import BadInputError
from formwork.egress.faults.observing import SeenCall
from formwork.faults.operations import FaultyOperation, OperationRunner
from formwork.faults.world import Contents, World, counted, made_since
from formwork.instances import Extent
from formwork.schema.paths import value_at

_MOST_PAGES = 20


class LivingResource(Struct, frozen=True):
    """An existing resource: the model of its create's answer, its identity, and the services' contents before it."""

    model: dict[str, Any]
    identity: str
    before: Contents


class SoundLife(Struct):
    """What a life without failures shows.

    `request` and `change` are the models that creates and updates ask for (`change` None without update). `seen` are
    the calls of each action, `created` and `updated` how many keys each place has then that it had not before, `noise`
    the places that keep something after the delete. `read` is the model that READ answers with after the create.
    `lists_by_model` says that the list handler wants a model.
    """

    request: dict[str, Any]
    change: dict[str, Any] | None
    seen: dict[str, tuple[SeenCall, ...]] = field(default_factory=dict)
    created: Counter[str] = field(default_factory=Counter)
    updated: Counter[str] = field(default_factory=Counter)
    noise: frozenset[str] = frozenset()
    read: dict[str, Any] | None = None
    lists_by_model: bool = False


class Life:
    """The operations of lives of one type's resources, with and without failures."""

    def __init__(self, subject: ResourceSubject, runner: OperationRunner, world: World) -> None:
        self.subject = subject
        self.schema = subject.schema
        self.runner = runner
        self.world = world

    def observe(self) -> SoundLife:
        """Run one life of a resource without failures, twice: the first run creates the services' default items.

        Raises:
            BadInputError: an operation does not succeed.
        """
        inputs = self.subject.inputs.fork("faults")
        request = inputs.create(Extent.MAXIMAL)
        change = inputs.update(request, Extent.MAXIMAL) if self.subject.has("update") else None
        sound = SoundLife(request, change)
        self.world.reset()
        self._live(sound)
        before = self.world.contents()
        self._live(sound)
        sound.noise = frozenset(made_since(before, self.world.contents()))
        for counts in (sound.created, sound.updated):
            for place in sound.noise:
                del counts[place]
        return sound

    def warm(self, sound: SoundLife) -> None:
        """Create the services' default items again after a reset, as they were in the life without failures.

        Raises:
            BadInputError: an operation does not succeed.
        """
        made = self.make(sound)
        self._sound(sound, "DELETE", self.runner.run("DELETE", self.identifier(made.model)))

    def _live(self, sound: SoundLife) -> None:
        made = self.make(sound)
        sound.created = counted(made_since(made.before, self.world.contents()))
        if self.subject.has("read"):
            read = self._sound(sound, "READ", self.runner.run("READ", self.identifier(made.model)))
            sound.read = model_of(read.operation)
        if self.subject.has("list"):
            self._observe_list(sound, made)
        if sound.change is not None:
            self._sound(sound, "UPDATE", self.update(made, sound.change))
            sound.updated = counted(made_since(made.before, self.world.contents()))
        self._sound(sound, "DELETE", self.runner.run("DELETE", self.identifier(made.model)))

    def _observe_list(self, sound: SoundLife, made: LivingResource) -> None:
        for by_model in (False, True):
            sound.lists_by_model = by_model
            listed = self.runner.run("LIST", self.list_model(sound, made))
            if listed.succeeded:
                sound.seen["LIST"] = listed.seen
            if listed.succeeded and made.identity in self.identities(listed):
                return

    def _sound(self, sound: SoundLife, action: str, done: FaultyOperation) -> FaultyOperation:
        if not (is_deleted(done.operation) if action == "DELETE" else done.succeeded):
            raise not_sound(action, done)
        sound.seen[action] = done.seen
        return done

    # -- operations

    def make(self, sound: SoundLife) -> LivingResource:
        """Create a resource without failures.

        Raises:
            BadInputError: the create does not succeed.
        """
        before = self.world.contents()
        created = self._sound(sound, "CREATE", self.runner.run("CREATE", sound.request))
        model = model_of(created.operation) or {}
        identity = identity_of(self.schema, model)
        if identity is None:
            raise not_sound("CREATE", created)
        return LivingResource(model, identity, before)

    def update(self, made: LivingResource, change: Model, **members: Any) -> FaultyOperation:
        """Update a resource to `change`."""
        return self.runner.run("UPDATE", self.with_identifier(change, made.model), made.model, **members)

    def with_identifier(self, model: Model, of: Model) -> Model:
        """Return `model` with the primary identifier of another."""
        result: Model = model
        for path in self.schema.primary_identifier:
            result = with_value(result, path, value_at(of, path, None))
        return result

    def identifier(self, model: Model) -> dict[str, Any]:
        """Return the primary identifier alone."""
        return only(model, self.schema.primary_identifier)

    def list_model(self, sound: SoundLife, made: LivingResource) -> Mapping[str, Any]:
        """Return the model that a request for LIST has."""
        if sound.lists_by_model:
            return made.model
        return {name: made.model[name] for name in required_by_list(self.schema) if name in made.model}

    def identities(self, listed: FaultyOperation) -> set[str]:
        """Return the identities of a list, all pages of it."""
        found: set[str] = set()
        page: FaultyOperation = listed
        for _ in range(_MOST_PAGES):
            event = page.operation.event or {}
            models = event.get("resourceModels")
            found |= {each for one in models or () if (each := identity_of(self.schema, one)) is not None}
            token = event.get("nextToken")
            if not isinstance(token, str) or not token:
                break
            request = page.final.request["requestData"]["resourceProperties"]
            page = self.runner.run("LIST", request or {}, next_token=token)
        return found


def not_sound(action: str, done: FaultyOperation) -> BadInputError:
    """Return the error for an operation that does not succeed without any failure."""
    event = done.operation.event or {}
    said = event.get("message") or (done.operation.problem.message if done.operation.problem is not None else "")
    return BadInputError.of(
        "faults.not-sound",
        f"{action} does not succeed without failures: {outcome(done.operation)}" + (f": {said}" if said else ""),
        hint="`cfn test` without --faults says what is wrong",
    )
