"""What an operation with a failure in it is judged by: its answers, what CloudFormation does then, and what is left."""

from collections.abc import Mapping
from typing import Any

from formwork.contract.compare import DifferenceKind, compare_request
from formwork.contract.models import Model, identity_of
from formwork.contract.outcomes import is_deleted, model_of, outcome
from formwork.contract.recording import FindingRecorder, error_code
from formwork.contract.steps import takes_tags
from formwork.contract_results.clauses import Level
from formwork.egress.faults.fault import FaultKind, Persistence
from formwork.faults.operations import FaultyOperation
from formwork.faults.scenario import Scenario
from formwork.faults.sound import Life, LivingResource, SoundLife
from formwork.faults.world import Contents, counted, made_since, told
from formwork.invoke import Exchange

# The error code that says what happened: user guide, "Resource type handler error codes".
CODES: Mapping[FaultKind, str] = {
    FaultKind.THROTTLE: "Throttling",
    FaultKind.SERVER_ERROR: "ServiceInternalError",
    FaultKind.TIMEOUT: "NetworkFailure",
    FaultKind.RESET: "NetworkFailure",
    FaultKind.SLOW: "NetworkFailure",  # to a client that does not wait so long
    FaultKind.DENIED: "AccessDenied",
    FaultKind.EXPIRED: "InvalidCredentials",
}
# After these CloudFormation does not try again.
_FINAL = (FaultKind.DENIED, FaultKind.EXPIRED)
CLAUSES = (
    *("faults.code", "faults.success", "faults.once", "faults.leak", "faults.lost"),
    *("faults.recovery", "faults.end", "faults.secret"),
)


def _keys(exchange: Exchange) -> list[str]:
    """Return the secret keys in a request, those of local credentials included, which are not masked elsewhere."""
    credentials = exchange.request["requestData"].get("callerCredentials") or {}
    return [credentials[name] for name in ("secretAccessKey", "sessionToken") if credentials.get(name)]


class ScenarioJudge(FindingRecorder):
    """Runs one scenario and records its findings; `injected` says whether the failure was injected."""

    def __init__(self, life: Life, sound: SoundLife, scenario: Scenario) -> None:
        super().__init__()
        self.life = life
        self.sound = sound
        self.scenario = scenario
        self.injected = 0
        self.is_clean = True  # nothing is left behind

    def run(self) -> None:
        """Run the scenario."""
        match self.scenario.action:
            case "CREATE":
                self._create()
            case "READ":
                self._read()
            case "UPDATE":
                self._update()
            case "DELETE":
                self._delete()
            case _:
                self._list()

    # -- the operations

    def _create(self) -> None:
        before = self.life.world.contents()
        done = self._with_failure("CREATE", self.sound.request)
        identity = identity_of(self.life.schema, model_of(done.operation))
        if done.succeeded and identity is not None:
            made = LivingResource(model_of(done.operation) or {}, identity, before)
            self._judge_state("create", made, self.sound.request, self.sound.created, done)
            self._end(made, done)
            return
        self._judge_recovery(done)
        if (model := self._known_model(done)) is not None and error_code(done.operation) != "AlreadyExists":
            self._roll_back(model, done)
        self._judge_leak(before, done)

    def _read(self) -> None:
        made = self.life.make(self.sound)
        done = self._with_failure("READ", self.life.identifier(made.model))
        if done.succeeded:
            self._judge_same(self.sound.read or {}, model_of(done.operation) or {}, done)
        else:
            self._judge_recovery(done)
        self._end(made, done)

    def _list(self) -> None:
        made = self.life.make(self.sound)
        done = self._with_failure("LIST", self.life.list_model(self.sound, made))
        if not done.succeeded:
            self._judge_recovery(done)
        elif made.identity not in self.life.identities(done):
            self._violate("faults.success", "SUCCESS, and the list lacks a resource that exists", done)
        else:
            self.hold("faults.success")
        self._end(made, done)

    def _update(self) -> None:
        assert self.sound.change is not None
        made = self.life.make(self.sound)
        if self.life.subject.has("read"):  # what is read now is what a stale read shows later
            self.life.runner.run("READ", self.life.identifier(made.model))
        desired = self.life.with_identifier(self.sound.change, made.model)
        done = self._with_failure("UPDATE", desired, made.model)
        if done.succeeded:
            self._judge_state("update", made, self.sound.change, self.sound.updated, done)
        else:
            self._judge_recovery(done)
            # As CloudFormation rolls back: an update to what was before.
            back = self.life.runner.run("UPDATE", self.life.with_identifier(self.sound.request, made.model), desired)
            if not back.succeeded:
                message = f"{outcome(done.operation)}, and the update back is {outcome(back.operation)}"
                self._violate("faults.lost", message, done, back)
            else:
                self._judge_state("update", made, self.sound.request, None, back)
        self._end(made, done)

    def _delete(self) -> None:
        made = self.life.make(self.sound)
        identifier = self.life.identifier(made.model)
        done = self._with_failure("DELETE", identifier)
        gone = is_deleted(done.operation) or (done.again is not None and error_code(done.operation) == "NotFound")
        if not gone:
            self._judge_recovery(done)
            again = self.life.runner.run("DELETE", identifier)
            if not again.succeeded and error_code(again.operation) != "NotFound":
                message = (
                    f"{outcome(done.operation)}, and another delete without failures is {outcome(again.operation)}"
                )
                self._violate("faults.lost", message, done, again)
        self._judge_leak(made.before, done)

    def _with_failure(self, action: str, desired: Model, previous: Model | None = None) -> FaultyOperation:
        done = self.life.runner.run(action, desired, previous, injection=self.scenario.injection)
        self.injected = done.injected
        self.record.exchanges += done.exchanges
        if not done.injected:
            return done
        for exchange, hit in zip(done.exchanges, done.hit, strict=True):
            if exchange.event is None:
                self._judge_crash(exchange, done)
            elif hit:
                self._judge_answer(exchange, done)
            self._judge_message(exchange, done)
        if done.has_no_end:
            seconds = done.final.answer.seconds
            still = f"no answer for {seconds:.0f} s" if done.final.event is None else f"{outcome(done.operation)}"
            self._violate("faults.end", f"{still} after {len(done.exchanges)} invocations", done)
        else:
            self.hold("faults.end")
        if done.succeeded and done.passed:
            self.hold("faults.recovery")
        return done

    # -- judgements of answers

    def _judge_answer(self, exchange: Exchange, done: FaultyOperation) -> None:
        """`faults.code`: an invocation that the failure ends says which failure it was."""
        expected = CODES.get(self.scenario.injection.fault.kind)
        if exchange.event is None or exchange.status != "FAILED" or expected is None:
            return
        code = exchange.event.get("errorCode")
        if code == expected:
            self.hold("faults.code")
        else:
            self._violate("faults.code", f"FAILED with {code or 'no error code'}, not {expected}", done)

    def _judge_crash(self, exchange: Exchange, done: FaultyOperation) -> None:
        """`faults.code`: an invocation without an event says nothing, unless its process was killed or its time up."""
        problem = exchange.problem
        if problem is not None and not problem.killed and not problem.timed_out:
            self._violate("faults.code", f"no event, but an unhandled error: {problem.message}", done)

    def _judge_message(self, exchange: Exchange, done: FaultyOperation) -> None:
        """Judge `faults.secret`: the message of a failure contains no secret."""
        message = (exchange.event or {}).get("message")
        if exchange.status != "FAILED" or not isinstance(message, str):
            return
        masker = self.life.subject.masker()
        masker.learn(exchange.request)
        if masker.text(message) != message or any(each in message for each in _keys(exchange)):
            self._violate("faults.secret", "the message of the failure contains a secret", done)
        else:
            self.hold("faults.secret")

    def _judge_recovery(self, done: FaultyOperation) -> None:
        """`faults.recovery`: once the failure is over, the same request with the same token succeeds."""
        fault = self.scenario.injection.fault
        if not done.injected or done.has_no_end or fault.kind in _FINAL or fault.persistence is Persistence.ALWAYS:
            return
        said = outcome(done.operation)
        if fault.kind is FaultKind.KILL:
            # A create that fails for good after this is still rolled back.
            self._violate("faults.recovery", f"the same request again is {said}", done, level=Level.SHOULD)
        elif done.passed:
            self._violate("faults.recovery", f"the same request again, without the failure, is {said}", done)
        elif fault.kind in (FaultKind.STALE, FaultKind.SLOW):
            self._violate("faults.recovery", said, done)

    # -- judgements of what exists

    def _judge_state(
        self,
        action: str,
        made: LivingResource,
        wanted: Model,
        expected: Mapping[str, int] | None,
        done: FaultyOperation,
    ) -> None:
        """SUCCESS is judged by what READ shows then, and by how much exists."""
        answered = model_of(done.operation) or {}
        complete = True
        models = [("its model", answered, done)]
        if self.life.subject.has("read"):
            read = self.life.runner.run("READ", self.life.identifier(made.model))
            if not read.succeeded:
                clause = "faults.lost" if action == "update" else "faults.success"
                self._violate(clause, f"SUCCESS, and READ is {outcome(read.operation)}", done, read)
                return
            models.append(("what READ shows", model_of(read.operation) or {}, read))
        for named, model, shown in models:
            if found := self._differences(action, wanted, model):
                complete = False
                pointers = ", ".join(each.difference.pointer for each in found[:3])
                message = f"SUCCESS, and {named} is not what was asked for: {pointers}"
                differences = [each.difference for each in found[:5]]
                operations = [done.operation] if shown is done else [done.operation, shown.operation]
                self.violate("faults.success", self._told(message), operations, differences=differences)
                break
        if expected is not None:
            complete = self._judge_counts(made, expected, done) and complete
        if complete:
            self.hold("faults.success", "faults.lost")

    def _differences(self, action: str, wanted: Model, model: Model) -> list[Any]:
        found = compare_request(self.life.schema, wanted, model)
        if not takes_tags(self.life.schema, action):
            tags = self.life.schema.tagging.tag_property
            found = [each for each in found if each.path[: len(tags)] != tags]
        return [each for each in found if each.kind is not DifferenceKind.EXTRA]

    def _judge_counts(self, made: LivingResource, expected: Mapping[str, int], done: FaultyOperation) -> bool:
        """Nothing was made twice, and nothing is missing."""
        exists = made_since(made.before, self.life.world.contents(), self.sound.noise)
        counts = counted(exists)
        more = {place: keys for place, keys in exists.items() if counts[place] > expected.get(place, 0)}
        lacking = [place for place, number in expected.items() if counts[place] < number]
        if more:
            wanted = ", ".join(f"{counts[place]} in place of {expected.get(place, 0)}" for place in more)
            self._violate("faults.once", f"made more than once: {told(more)} ({wanted})", done)
        elif lacking:
            self._violate("faults.success", f"SUCCESS, and there are fewer {', '.join(lacking)} than without it", done)
        else:
            self.hold("faults.once")
        return not more and not lacking

    def _judge_same(self, sound: Model, model: Model, done: FaultyOperation) -> None:
        """Judge a successful read with an injected failure: its model equals that of a read without one."""
        found = self._differences("create", self.life.schema.without_read_only(sound), model)
        lacking = sorted(set(sound) - set(model))
        if found or lacking:
            named = ", ".join([*lacking, *(each.difference.pointer for each in found)][:3])
            self._violate(
                "faults.success", f"SUCCESS, and the model differs from that of a read without it: {named}", done
            )
        else:
            self.hold("faults.success")

    def _end(self, made: LivingResource, done: FaultyOperation) -> None:
        """Delete the created resource without injected failures, and judge what is left behind."""
        deleted = self.life.runner.run("DELETE", self.life.identifier(made.model))
        if not is_deleted(deleted.operation):
            message = f"{outcome(done.operation)}, and the delete after it is {outcome(deleted.operation)}"
            self._violate("faults.lost", message, done, deleted)
        self._judge_leak(made.before, done)

    def _roll_back(self, model: Model, done: FaultyOperation) -> None:
        deleted = self.life.runner.run("DELETE", self.life.identifier(model))
        if not deleted.succeeded and error_code(deleted.operation) != "NotFound":
            message = f"{outcome(done.operation)}, and the rollback's delete is {outcome(deleted.operation)}"
            self._violate("faults.leak", message, done, deleted)

    def _judge_leak(self, before: Contents, done: FaultyOperation) -> None:
        """`faults.leak`: nothing is left."""
        left = made_since(before, self.life.world.contents(), self.sound.noise)
        if not left:
            self.hold("faults.leak")
            return
        self.is_clean = False
        how = "" if done.again is None else "the same request again is "
        self._violate("faults.leak", f"{how}{outcome(done.operation)}, and this is left behind: {told(left)}", done)

    def _known_model(self, done: FaultyOperation) -> Model | None:
        """Return the last model of a failed create that identifies a resource to roll back, or None."""
        for exchange in reversed(done.exchanges):
            model = (exchange.event or {}).get("resourceModel")
            if isinstance(model, dict) and identity_of(self.life.schema, model) is not None:
                return model
        return None

    def _violate(self, clause: str, message: str, *shown: FaultyOperation, level: Level | None = None) -> None:
        operations = [exchange for each in shown for exchange in each.exchanges[-4:]]
        self.violate(clause, self._told(message), operations, level=level)

    def _told(self, message: str) -> str:
        return f"{self.scenario.action}, {self.scenario.told}: {message}"
