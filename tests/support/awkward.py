"""Handlers that keep the contract in ways that few do: the suite must be quiet about each of them.

Each changes how the simulated handlers answer, and none breaks a clause. A change is a function (handler, event, state)
→ answer; `state` is a dictionary that outlives the calls.
"""

import copy
from collections.abc import Callable
from dataclasses import dataclass, field

from formwork.simulate import Behaviour, Simulator
from formwork.simulate.simulator import failure

ACTIONS = ("CREATE", "READ", "UPDATE", "DELETE", "LIST")
WRITES = ("CREATE", "UPDATE", "DELETE")
_STABILIZING = Behaviour(stabilization=3, page_size=2)


@dataclass(frozen=True)
class Awkward:
    name: str
    change: Callable
    shapes: tuple
    behaviour: Behaviour
    state: dict = field(default_factory=dict)


AWKWARD = []


def awkward(*shapes, behaviour=Behaviour(page_size=2), name=None):  # noqa: B008 - it is frozen
    def register(change):
        shape_names = shapes or ("named", "generated", "composite")
        AWKWARD.append(Awkward(name or change.__name__, change, shape_names, behaviour))
        return change

    return register


def handlers_of(each, schema, *, seed=11):
    """The function, and the simulator behind it."""
    simulator = Simulator(schema, each.behaviour, seed=seed)
    state = {}

    def function(event, context=None):
        return copy.deepcopy(each.change(simulator, event, {"simulator": simulator, "all": state}))

    return function, simulator


def seen(state, *key):
    """How often this was asked before."""
    known = state["all"]
    known[key] = known.get(key, 0) + 1
    return known[key] - 1


def request_key(event):
    """What a retry of a request has in common with it."""
    return event["action"], event["bearerToken"], str(event.get("callbackContext")), event.get("nextToken")


# ── transient failures ───────────────────────────────────────────────────────────────────────────────────────────────
def fails_at_first(action, code, times=1):
    def change(handler, event, state):
        if event["action"] == action and seen(state, *request_key(event)) < times:
            return failure(code, "try again")
        return handler(event)

    return change


CODES = ("Throttling", "NetworkFailure", "ServiceInternalError", "ResourceConflict", "Throttling")
for _action, _code in zip(ACTIONS, CODES, strict=True):
    awkward("named", "generated", name=f"every {_action} is {_code} once")(fails_at_first(_action, _code))
awkward(name="every request is Throttling four times")(
    lambda handler, event, state: (
        failure("Throttling", "slow down") if seen(state, *request_key(event)) < 4 else handler(event)
    )
)


def fails_at_a_callback(action, number, code):
    def change(handler, event, state):
        context = event.get("callbackContext") or {}
        due = event["action"] == action and context.get("left") == 3 - number
        if not due or seen(state, action, event["bearerToken"]):
            return handler(event)
        model = event["requestData"]["resourceProperties"]
        identifier = {name: model[name] for name in ("Id", "Parent", "Name") if name in model}
        return {**failure(code, "try again"), "resourceModel": identifier}

    return change


for _action in WRITES:
    for _number, _code in ((1, "Throttling"), (2, "ServiceInternalError")):
        awkward(behaviour=_STABILIZING, name=f"callback {_number} of each {_action} is {_code} once")(
            fails_at_a_callback(_action, _number, _code)
        )


@awkward("named", "generated")
def every_third_call_is_lost_on_the_way(handler, event, state):
    return failure("NetworkFailure", "no route") if seen(state, "call") % 3 == 2 else handler(event)


def answer_is_lost(action):
    """The work is done, the answer is a transient failure, and the same request finds it done."""

    def change(handler, event, state):
        answer = handler(event)
        if event["action"] == action and answer["status"] == "SUCCESS" and not seen(state, *request_key(event)):
            lost = failure("ServiceInternalError", "the answer was lost")
            return {**lost, "resourceModel": answer["resourceModel"]} if action != "DELETE" else lost
        return answer

    return change


for _action in WRITES:
    awkward(name=f"the answer to each {_action} is lost once")(answer_is_lost(_action))


@awkward("named", "composite")
def a_deleted_name_is_free_after_three_tries(handler, event, state):
    if event["action"] not in {"CREATE", "DELETE"}:
        return handler(event)
    key = "busy", str(state["simulator"].store.key_of(event["requestData"]["resourceProperties"] or {}))
    if event["action"] == "CREATE" and state["all"].get(key):
        state["all"][key] -= 1
        return failure("ResourceConflict", "still being deleted")
    answer = handler(event)
    if event["action"] == "DELETE" and answer["status"] == "SUCCESS":
        state["all"][key] = 3
    return answer
