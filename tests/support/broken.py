"""Handlers that are broken as a whole: one action always fails, fails from its second page, crashes, answers late, or
makes or keeps something twice. Each with the clauses that must be violated, and those that must not be called proved.

A change is a function (simulator, event, state) → answer; `state` is a dictionary that outlives the calls.
"""

import copy
from collections.abc import Callable
from dataclasses import dataclass

from formwork.contract.inputs import GeneratedInputs
from formwork.contract.patience import Patience
from formwork.contract.subject import ResourceSubject
from formwork.invoke import Answer, HandlerSession
from formwork.invoke.answer import UNHANDLED
from formwork.simulate import Behaviour, Simulator
from formwork.simulate.resources import SimulatedResource
from formwork.simulate.simulator import failure
from support.contract_subjects import Clock, Transport

ACTIONS = ("CREATE", "READ", "UPDATE", "DELETE", "LIST")
WRITES = ("CREATE", "UPDATE", "DELETE")
# What no run can show in which the action never works; a name that ends with a dot stands for its whole group.
SHOWN_BY = {
    "CREATE": ("create.", "read.", "update.", "delete.", "list.", "event.", "tags.", "practice."),
    "READ": (
        *("read.model", "read.complete", "read.missing", "read.stable", "create.applied", "create.complete"),
        *("create.read.primary", "create.read.additional", "create.tags", "update.applied", "update.complete"),
        *("update.replace", "update.tags", "update.dropped", "update.createonly", "list.readable", "delete.read"),
    ),
    "UPDATE": ("update.", "delete.update", "create.runtime"),
    "DELETE": ("delete.",),
    "LIST": (
        *("list.array", "list.identifiers", "list.readable", "list.token", "list.ends", "create.list", "create.one"),
        *("update.list", "update.one", "delete.list", "delete.leak"),
    ),
}
SUCCESS_OF = {
    "CREATE": "create.applied",
    "READ": "create.read.primary",
    "UPDATE": "update.applied",
    "DELETE": "delete.minimal",
    "LIST": "list.array",
}
SLOW = Behaviour(stabilization=2, page_size=2, delay_seconds=1)
PAGED = Behaviour(page_size=2)


@dataclass(frozen=True)
class Broken:
    name: str
    change: Callable
    clauses: frozenset  # violated, all of them
    unproved: tuple = ()
    shape: str = "generated"
    behaviour: Behaviour = PAGED
    waits: bool = False  # it gets all the time that it asks for

    def hollow(self, proved):
        """The clauses of `proved` that these handlers cannot have shown."""
        return {
            clause
            for clause in proved
            if any(clause.startswith(each) if each.endswith(".") else clause == each for each in self.unproved)
        }


BROKEN = []


def broken(*clauses, unproved=(), shape="generated", behaviour=PAGED, name=None, waits=False):
    def register(change):
        named = name or change.__name__
        BROKEN.append(Broken(named, change, frozenset(clauses), tuple(unproved), shape, behaviour, waits))
        return change

    return register


def at(action, answer, *, first=True, callback=True):
    """A change of every answer to the action: of first calls, of callbacks, or both."""

    def change(simulator, event, state):
        called_back = bool(event.get("callbackContext"))
        if event["action"] == action and (callback if called_back else first):
            return answer(simulator, event)
        return simulator(event)

    return change


def time_clause(action):
    return "event.time.rl" if action in {"READ", "LIST"} else "event.time.cud"


def crash(_simulator, _event):
    raise RuntimeError("boom")


def killed(_simulator, _event):
    return Answer(b'{"errorType": "Runtime.ExitError", "errorMessage": "exit status 1"}', UNHANDLED, 0.1)


def hung(_simulator, event):
    seconds = 32.0 if event["action"] in {"READ", "LIST"} else 62.0
    return Answer(b'{"errorType": "Sandbox.Timedout", "errorMessage": "timed out"}', UNHANDLED, seconds)


def late(simulator, event):
    return {**simulator(event), "_seconds": 31.0 if event["action"] in {"READ", "LIST"} else 61.0}


def refuses(code):
    return lambda _simulator, _event: failure(code, "no")


# ── an action that always fails, crashes, kills its process, hangs, is late ──────────────────────────────────────────
for action in ACTIONS:
    word, alone = action.lower(), SHOWN_BY[action]
    for code in ("InternalFailure", "NotFound" if action != "CREATE" else "AlreadyExists"):
        broken(SUCCESS_OF[action], unproved=alone, name=f"{word}_always_{code}")(at(action, refuses(code)))
    broken("event.object", unproved=alone, name=f"{word}_crashes")(at(action, crash))
    broken("event.object", unproved=alone, name=f"{word}_kills_its_process")(at(action, killed))
    broken(time_clause(action), unproved=alone, name=f"{word}_hangs")(at(action, hung))
    broken(time_clause(action), name=f"{word}_is_late")(at(action, late))
# ── the same at callbacks only ───────────────────────────────────────────────────────────────────────────────────────
for action in WRITES:
    word, alone = action.lower(), SHOWN_BY[action]
    broken("event.object", unproved=alone, behaviour=SLOW, name=f"{word}_crashes_at_its_callback")(
        at(action, crash, first=False)
    )
    broken(SUCCESS_OF[action], unproved=alone, behaviour=SLOW, name=f"{word}_fails_at_its_callback")(
        at(action, refuses("GeneralServiceException"), first=False)
    )
    broken("event.time.cud", behaviour=SLOW, name=f"{word}_is_late_at_its_callback")(at(action, late, first=False))
    broken("event.progress.ends", unproved=alone, behaviour=SLOW, waits=True, name=f"{word}_never_ends")(
        at(action, lambda simulator, event: {**simulator(event), **unfinished(simulator, event)})
    )


def unfinished(simulator, event):
    data = event["requestData"]["resourceProperties"]
    model = simulator(event).get("resourceModel") or data
    return {"status": "IN_PROGRESS", "resourceModel": model, "callbackContext": {"left": 9}, "callbackDelaySeconds": 30}


# ── lists ────────────────────────────────────────────────────────────────────────────────────────────────────────────
LATER = ("list.token", "list.ends")
for named, answer, clause in (
    ("fails", refuses("InternalFailure"), "list.token"),
    ("refuses_its_token", refuses("InvalidRequest"), "list.token"),
    ("crashes", crash, "event.object"),
    ("hangs", hung, "event.time.rl"),
    ("is_no_array", lambda *_: {"status": "SUCCESS"}, "list.array"),
    ("is_in_progress", lambda *_: {"status": "IN_PROGRESS", "callbackDelaySeconds": 1}, "list.final"),
):

    def second_page(simulator, event, state, answer=answer):
        if event["action"] == "LIST" and event.get("nextToken"):
            return answer(simulator, event)
        return simulator(event)

    broken(clause, unproved=LATER, behaviour=Behaviour(page_size=1), name=f"second_page_{named}")(second_page)


@broken("list.array")
def list_fails_where_nothing_exists(simulator, event, state):
    if event["action"] == "LIST" and not simulator.store.resources:
        return failure("NotFound", "there is nothing")
    return simulator(event)


@broken("list.token")
def lists_the_first_twice(simulator, event, state):
    answer = simulator(event)
    if event["action"] == "LIST" and answer["resourceModels"]:
        answer["resourceModels"].append(answer["resourceModels"][0])
    return answer


@broken("list.ends", unproved=LATER)
def list_never_ends(simulator, event, state):
    answer = simulator(event)
    return {**answer, "nextToken": "0"} if event["action"] == "LIST" else answer


# ── makes twice ──────────────────────────────────────────────────────────────────────────────────────────────────────
def another(simulator, event):
    """The resource of the event once more, under a token of its own."""
    data = event["requestData"]
    wanted = dict(data["resourceProperties"])
    for path in simulator.schema.read_only:
        wanted.pop(path[0], None)
    token = f"{event['bearerToken']}-again"
    again = {"bearerToken": token, "callbackContext": None, "requestData": {**data, "resourceProperties": wanted}}
    simulator(copy.deepcopy({**event, **again}))


@broken("create.one")
def create_makes_two(simulator, event, state):
    if event["action"] == "CREATE":
        another(simulator, event)
    return simulator(event)


@broken("create.idempotent")
def create_ignores_its_token(simulator, event, state):
    if event["action"] == "CREATE":
        state["calls"] = state.get("calls", 0) + 1
        event = {**event, "bearerToken": f"{event['bearerToken']}-{state['calls']}"}
    return simulator(event)


@broken("create.one", behaviour=SLOW)
def every_callback_of_create_makes_another(simulator, event, state):
    if event["action"] == "CREATE" and event.get("callbackContext"):
        another(simulator, event)
    return simulator(event)


@broken("update.one")
def update_makes_another(simulator, event, state):
    answer = simulator(event)
    if event["action"] == "UPDATE" and answer["status"] == "SUCCESS":
        old = simulator.store.find(event["requestData"]["resourceProperties"])
        model = copy.deepcopy(old.model)
        for path in simulator.schema.primary_identifier:
            model[path[0]] = f"{model[path[0]]}"[:-1] + ("x" if not f"{model[path[0]]}".endswith("x") else "y")
        model.pop("Arn", None)
        key = simulator.store.key_of(model)
        simulator.store.resources[key] = SimulatedResource(key, model, "copy")
    return answer


# ── keeps ────────────────────────────────────────────────────────────────────────────────────────────────────────────
@broken("delete.read", "delete.list", "delete.missing", unproved=("delete.leak", "delete.update"))
def delete_does_nothing(simulator, event, state):
    if event["action"] != "DELETE":
        return simulator(event)
    try:
        simulator.store.find(event["requestData"]["resourceProperties"])
    except Exception:  # noqa: BLE001 - the service's, whatever it is
        return failure("NotFound", "no")
    return {"status": "SUCCESS"}


def _remembers(action, event, simulator, state):
    """Keep what is deleted, by its key; the resource that the event names if it was deleted."""
    kept = state.setdefault("kept", {})
    key = simulator.store.key_of(event["requestData"]["resourceProperties"] or {})
    known = simulator.store.resources.get(key)
    if event["action"] == "DELETE" and known is not None:
        kept[key] = known
    return kept.get(key) if event["action"] == action and known is None else None


@broken("delete.read")
def deleted_can_still_be_read(simulator, event, state):
    gone = _remembers("READ", event, simulator, state)
    if gone is not None:
        return {"status": "SUCCESS", "resourceModel": simulator.shown(gone)}
    return simulator(event)


@broken("delete.update")
def deleted_can_still_be_updated(simulator, event, state):
    gone = _remembers("UPDATE", event, simulator, state)
    if gone is not None:
        return {"status": "SUCCESS", "resourceModel": simulator.shown(gone)}
    return simulator(event)


@broken("delete.missing")
def deleted_can_be_deleted_again(simulator, event, state):
    gone = _remembers("DELETE", event, simulator, state)
    return {"status": "SUCCESS"} if gone is not None else simulator(event)


@broken("delete.list")
def deleted_is_still_listed(simulator, event, state):
    _remembers("", event, simulator, state)
    answer = simulator(event)
    if event["action"] == "LIST" and "nextToken" not in answer:
        answer["resourceModels"] += [simulator.identifier_of(each) for each in state["kept"].values()]
    return answer


@broken("delete.leak")
def create_leaves_a_child_behind(simulator, event, state):
    answer = simulator(event)
    if event["action"] == "CREATE" and answer["status"] == "SUCCESS":
        another(simulator, event)
    return answer


@broken("delete.create", shape="named")
def deleted_names_stay_taken(simulator, event, state):
    gone = _remembers("CREATE", event, simulator, state)
    return failure("AlreadyExists", "it was here before") if gone is not None else simulator(event)


@broken("event.identifier", "create.applied", unproved=SHOWN_BY["CREATE"], shape="named")
def failed_create_keeps_the_resource(simulator, event, state):
    answer = simulator(event)
    return failure("GeneralServiceException", "no") if event["action"] == "CREATE" else answer


# ── works once ───────────────────────────────────────────────────────────────────────────────────────────────────────
def every_second(action, answer):
    def change(simulator, event, state):
        if event["action"] == action:
            state["calls"] = state.get("calls", 0) + 1
            if state["calls"] % 2 == 0:
                return answer(simulator, event)
        return simulator(event)

    return change


for action in ("CREATE", "READ", "UPDATE"):
    word = action.lower()
    broken(SUCCESS_OF[action], name=f"every_second_{word}_fails")(
        every_second(action, refuses("GeneralServiceException"))
    )


def subject_of(each, schema, *, seed=3):
    """The handlers as `cfn test` meets them by default, without waiting, and a list of the seconds slept."""
    simulator, state, slept = Simulator(schema, each.behaviour, seed=11), {}, []

    def function(event, _context=None):
        answer = each.change(simulator, event, state)
        return answer if isinstance(answer, Answer) else copy.deepcopy(answer)

    patience = Clock().patience() if each.waits else Patience(20.0, sleep=slept.append)
    session = HandlerSession(Transport(function), schema.type_name, sleep=patience.sleep, clock=patience.clock)
    inputs = GeneratedInputs(schema, seed=seed)
    return ResourceSubject(schema, session, inputs, patience=patience, examples=2, seed=seed), slept
