"""A hook under test: its schema, its handlers behind a session, its targets, the inputs."""

from collections.abc import Callable, Mapping

from formwork.contract.hook_inputs import HookInputs
from formwork.contract.hook_targets import HookTarget, InvocationPoint, expand_targets, sample_targets
from formwork.contract.patience import Patience
from formwork.contract.subject import Effort, Limits, Memory
from formwork.invoke import HandlerSession
from formwork.invoke.masking import Masker
from formwork.schema import HookSchema, ResourceSchema
from formwork.schema.configuration_secrets import configuration_secrets

# What the suite says of a hook besides the clauses `hook.*`: those of an answer as such.
_EVENT_CLAUSES = frozenset(
    {
        "event.status",
        "event.object",
        "event.failed.code",
        "event.failed.quiet",
        "event.progress.ends",
        "event.delay",
    }
)

_MOST_SAMPLED = 40  # targets of one handler in a quick run


class HookSubject:
    """A hook under test; `known` are the schemas of the target types at hand, by name."""

    def __init__(  # noqa: PLR0913 - what a run consists of
        self,
        schema: HookSchema,
        session: HandlerSession,
        inputs: HookInputs,
        known: Mapping[str, ResourceSchema],
        *,
        limits: Limits | None = None,
        effort: Effort = Effort.QUICK,
        before_test: Callable[[], None] = lambda: None,
        patience: Patience | None = None,
        memory: Memory | None = None,
        seed: int = 0,
    ) -> None:
        self.schema = schema
        self.session = session
        self.inputs = inputs
        self.known = known
        self.limits = limits or Limits()
        self.effort = effort
        self.before_test = before_test
        self.patience = patience
        self.memory = memory or Memory()
        self.seed = seed

    @staticmethod
    def claims(*, several: bool = False) -> frozenset[str]:
        """Nothing: a hook makes nothing."""
        del several
        return frozenset()

    @property
    def has_given_up(self) -> bool:
        """Whether a handler is not called again."""
        return self.memory.has_given_up(self.limits)

    def masker(self) -> Masker:
        """A new masker for what a report shows: what a target calls writeOnly, and what the configuration hides."""
        targets = self.known.values()
        return Masker(
            tuple(dict.fromkeys(path for each in targets for path in each.write_only)),
            public=frozenset().union(*(each.public_values for each in targets)),
            configured=configuration_secrets(self.schema.value),
        )

    def has(self, marker: str) -> bool:
        """Whether the schema declares the handler of a marker (`create_pre_provision`)."""
        return any(each.marker == marker and each.handler in self.schema.handlers for each in InvocationPoint)

    def concerns(self, clause: str) -> bool:
        """Whether the clause speaks of hooks."""
        return clause.startswith("hook.") or clause in _EVENT_CLAUSES

    def targets(self, point: InvocationPoint) -> tuple[list[HookTarget], list[str]]:
        """The targets that the point's handler is asked about, and the wildcards that no type at hand matches.

        Of very many, a quick run asks about a sample, chosen by its seed, and about all that the inputs speak of.
        """
        targets, empty = expand_targets(self.schema, point, self.known, self.inputs.target_names)
        if self.effort is Effort.QUICK:
            return sample_targets(targets, most=_MOST_SAMPLED, seed=self.seed, always=self.inputs.target_names), empty
        return targets, empty

    def sampled(self) -> list[tuple[InvocationPoint, int, int]]:
        """The points of which a sample of the targets is asked: how many of how many."""
        found = []
        for point in InvocationPoint:
            asked, _ = self.targets(point)
            targets, _ = expand_targets(self.schema, point, self.known, self.inputs.target_names)
            if len(asked) < len(targets):
                found.append((point, len(asked), len(targets)))
        return found

    def target_names(self, point: InvocationPoint) -> tuple[str, ...]:
        """The target names as the schema has them, wildcards too."""
        handler = self.schema.handlers.get(point.handler)
        return handler.target_names if handler else ()
