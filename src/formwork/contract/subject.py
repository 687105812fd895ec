"""The subject of contract tests: a resource type or a hook, with its handlers behind a session, inputs and limits."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import Any, Generic, TypeAlias, TypedDict, TypeVar, Unpack

from formwork.contract.hook_inputs import HookInputs
from formwork.contract.hook_targets import InvocationPoint, TargetUnderTest, expand_targets, sample_targets
from formwork.contract.inputs import Inputs
from formwork.contract.memory import Effort, Limits, Memory
from formwork.contract.models import Model, has_identifier, without
from formwork.contract.patience import Patience
from formwork.contract.sent_texts import SentTexts
from formwork.contract_results.clauses import clauses_of
from formwork.extensions import ExtensionKind
from formwork.invoke import Exchange, HandlerSession
from formwork.invoke.masking import Masker
from formwork.invoke.requests import called_handler
from formwork.schema import HookSchema, PropertyPath, ResourceSchema
from formwork.schema.configuration_secrets import configuration_secrets
from formwork.schema.defaults import SchemaDefaults

SLOW_CREATE = 0.5  # seconds
_MOST_SAMPLED = 40  # targets of one handler of a hook in a quick run


class RunOptions(TypedDict, total=False):
    """Options of a run, for all kinds of subjects.

    `before_test` is called before each test, for instance to reset a simulated back end. `patience` is the session's
    own sleep and clock, notified where an operation begins; `memory` is shared by the subjects of one run.
    """

    limits: Limits | None
    effort: Effort
    before_test: Callable[[], None]
    patience: Patience | None
    memory: Memory
    seed: int


SchemaT = TypeVar("SchemaT", bound=ResourceSchema | HookSchema)
InputsT = TypeVar("InputsT", bound=Inputs | HookInputs)


class Subject(ABC, Generic[SchemaT, InputsT]):
    """An extension under test, of any kind, which tests share; each created resource belongs to one test."""

    kind: ExtensionKind

    def __init__(
        self, schema: SchemaT, session: HandlerSession, inputs: InputsT, **options: Unpack[RunOptions]
    ) -> None:
        self.schema = schema
        self.session = session
        self.inputs = inputs
        self.limits = options.get("limits") or Limits()
        self.effort = options.get("effort", Effort.QUICK)
        self.before_test = options.get("before_test", lambda: None)
        self.patience = options.get("patience")
        self.seed = options.get("seed", 0)
        self.memory = options.get("memory") or Memory()

    @property
    def has_given_up(self) -> bool:
        """Whether a handler is not called again."""
        return self.memory.has_given_up(self.limits)

    @abstractmethod
    def has(self, handler: str) -> bool:
        """Return whether the schema declares the handler of a marker (`create`, `create_pre_provision`)."""

    def concerns(self, clause: str) -> bool:
        """Return whether the clause applies to the kind of extension."""
        return clause in clauses_of(self.kind)

    @abstractmethod
    def handler_of(self, request: Mapping[str, Any]) -> str | None:
        """Return the schema's name of the handler that a request calls (`create`, `preCreate`); None of no other."""

    @property
    @abstractmethod
    def permissions(self) -> Mapping[str, tuple[str, ...]]:
        """The permissions of each handler of the schema, by its name there."""

    @abstractmethod
    def masker(self) -> Masker:
        """Return a new masker of the secrets that a report must not show."""

    def claims(self, *, several: bool = False) -> frozenset[str]:
        """Return the names in the inputs that only one test at a time may use; `several` includes all input sets.

        Nothing by default: a hook creates nothing.
        """
        del several
        return frozenset()

    @property
    def asks_for_twins(self) -> bool:
        """Whether tests wait for one another until the type is seen to have two resources with the same input."""
        return False

    @property
    def creates_slowly(self) -> bool:
        """Whether a create takes so long that a test with every input set would take minutes."""
        return self.memory.pace.decide("slow creates", lambda: (self.memory.fastest_create or 0.0) > SLOW_CREATE)

    def sampled(self) -> tuple[str, ...]:
        """Return the report's lines about targets that were not tested; only hooks have targets."""
        return ()

    def nameless(self, exchanges: Iterable[Exchange]) -> int:
        """Return how many resources, at least, were created that no answer and no request identifies."""
        del exchanges
        return 0


class ResourceSubject(Subject[ResourceSchema, Inputs]):
    """A resource type under test; `examples` is how many sequences the whole-life test tries."""

    kind = ExtensionKind.RESOURCE

    def __init__(
        self,
        schema: ResourceSchema,
        session: HandlerSession,
        inputs: Inputs,
        *,
        examples: int | None = None,
        **options: Unpack[RunOptions],
    ) -> None:
        super().__init__(schema, session, inputs, **options)
        self.examples = examples
        self.sent_texts = SentTexts(schema)

    def claims(self, *, several: bool = False) -> frozenset[str]:
        """Return the names in the inputs that only one test at a time may use; `several` includes all input sets.

        Two resources with the same input are one too many for a type that keeps a title unique, say, until it is seen
        to have them.
        """
        named = self.inputs.claims(several=several)
        if self.memory.existing.twins is True:
            return named
        alike = self.inputs.likenesses(several=several)
        return named | alike | ({"any"} if self.memory.existing.twins is False and not alike else set())

    @property
    def asks_for_twins(self) -> bool:
        """Whether tests wait for one another until the type is seen to have two resources with the same input."""
        unknown = self.memory.existing.twins is None
        return unknown and self.generated_identifier and bool(self.inputs.likenesses())

    @cached_property
    def shape(self) -> Any:
        """The validator for returned models, by which clause event.shape is judged."""
        return self.schema.shape_validator

    @cached_property
    def _input(self) -> Any:
        return self.schema.input_validator

    @cached_property
    def defaults(self) -> SchemaDefaults:
        """The defaults that the schema declares."""
        return SchemaDefaults(self.schema)

    def is_valid_input(self, model: Model) -> bool:
        """Return whether a test may ask for `model`: it is valid, readOnly properties and identifiers aside."""
        plain: Model = model
        for path in self.schema.read_only:
            if "*" not in path:
                plain = without(plain, path)
        return bool(self._input.is_valid(dict(plain)))

    def masker(self) -> Masker:
        """Return a new masker for reports."""
        return Masker.of_resource(self.schema)

    def handler_of(self, request: Mapping[str, Any]) -> str | None:
        """Return the handler that a request calls (`create`)."""
        name = called_handler(request)
        return name if name in self.schema.handlers else None

    @property
    def permissions(self) -> Mapping[str, tuple[str, ...]]:
        """The permissions of each handler, by its name."""
        return {name: info.permissions for name, info in self.schema.handlers.items()}

    def has(self, handler: str) -> bool:
        """Return whether the schema declares the handler (`create`)."""
        return handler in self.schema.handlers

    @property
    def generated_identifier(self) -> bool:
        """Whether the service decides the primary identifier, at least a part of it."""
        return any(self.is_read_only(path) for path in self.schema.primary_identifier)

    def is_read_only(self, path: PropertyPath) -> bool:
        """Return whether the service decides the value at `path`."""
        return any(path[: len(each)] == each for each in self.schema.read_only)

    def knows_identifier(self, model: Model) -> bool:
        """Return whether a create request alone says what the primary identifier will be."""
        return not self.generated_identifier and has_identifier(self.schema, model)

    def nameless(self, exchanges: Iterable[Exchange]) -> int:
        """Return how many resources, at least, were created that no answer and no request identifies."""
        created = (each for each in exchanges if each.status == "SUCCESS" and each.request.get("action") == "CREATE")
        return sum(
            not has_identifier(self.schema, (each.event or {}).get("resourceModel"))
            and not self.knows_identifier(each.request["requestData"].get("resourceProperties") or {})
            for each in created
        )


class HookSubject(Subject[HookSchema, HookInputs]):
    """A hook under test; `known` are the schemas of the target types at hand, by name."""

    kind = ExtensionKind.HOOK

    def __init__(
        self,
        schema: HookSchema,
        session: HandlerSession,
        inputs: HookInputs,
        known: Mapping[str, ResourceSchema],
        **options: Unpack[RunOptions],
    ) -> None:
        super().__init__(schema, session, inputs, **options)
        self.known = known

    def masker(self) -> Masker:
        """Return a new masker for reports: writeOnly properties of targets, and secrets of the configuration."""
        targets = self.known.values()
        return Masker(
            tuple(dict.fromkeys(path for each in targets for path in each.write_only)),
            public=frozenset().union(*(each.public_values for each in targets)),
            configured=configuration_secrets(self.schema.value),
        )

    def has(self, marker: str) -> bool:
        """Return whether the schema declares the handler of a marker (`create_pre_provision`)."""
        return any(each.marker == marker and each.handler in self.schema.handlers for each in InvocationPoint)

    def handler_of(self, request: Mapping[str, Any]) -> str | None:
        """Return the handler that a request calls (`preCreate`)."""
        name = called_handler(request)
        return name if name in self.schema.handlers else None

    @property
    def permissions(self) -> Mapping[str, tuple[str, ...]]:
        """The permissions of each handler, by its name."""
        return {name: handler.permissions for name, handler in self.schema.handlers.items()}

    def targets(self, point: InvocationPoint) -> tuple[list[TargetUnderTest], list[str]]:
        """Return the targets that the point's handler is tested with, and the wildcards that no available type matches.

        If there are many, a quick run tests a sample, chosen by its seed, and all targets that the inputs name.
        """
        targets, empty = expand_targets(self.schema, point, self.known, self.inputs.target_names)
        if self.effort is Effort.QUICK:
            return sample_targets(targets, most=_MOST_SAMPLED, seed=self.seed, always=self.inputs.target_names), empty
        return targets, empty

    def sampled(self) -> tuple[str, ...]:
        """Return one line per invocation point that is tested with only a sample of its targets."""
        found = []
        for point in InvocationPoint:
            asked, _ = self.targets(point)
            targets, _ = expand_targets(self.schema, point, self.known, self.inputs.target_names)
            if len(asked) < len(targets):
                numbers = f"{len(asked):,} of its {len(targets):,} targets"
                more = "`--effort thorough` asks about all"
                found.append(f"{point.handler}: asked about {numbers}, chosen by the seed; {more}")
        return tuple(found)

    def target_names(self, point: InvocationPoint) -> tuple[str, ...]:
        """Return the target names as the schema has them, wildcards too."""
        handler = self.schema.handlers.get(point.handler)
        return handler.target_names if handler else ()


AnySubject: TypeAlias = ResourceSubject | HookSubject
