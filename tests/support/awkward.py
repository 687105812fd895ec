"""Handlers that keep the contract in ways that few do: the suite must be quiet about each of them.

Each changes how the simulated handlers answer, and none breaks a clause. A change is a function (handler, event, state)
→ answer; `state` is a dictionary that outlives the calls.
"""

import copy
from collections.abc import Callable
from dataclasses import dataclass

from formwork.simulate import Behaviour, Simulator
from formwork.simulate.simulator import failure
from support.shapes import SHAPES, nested

ACTIONS = ("CREATE", "READ", "UPDATE", "DELETE", "LIST")
WRITES = ("CREATE", "UPDATE", "DELETE")
_STABILIZING = Behaviour(stabilization=3, page_size=2)


@dataclass(frozen=True)
class Awkward:
    name: str
    change: Callable
    shapes: tuple
    behaviour: Behaviour
    warns: frozenset = frozenset()  # what it need not do, and should

    def false_alarms(self, result):
        """What the suite says of these handlers, and has no reason to."""
        told = [one for one in result.findings if one.is_violation or one.clause not in self.warns]
        return [f"{one.clause}: {one.message} {one.differences}" for one in told]


AWKWARD = []


def schema_of(shape):
    return nested() if shape == "nested" else SHAPES[shape]()


def awkward(*shapes, behaviour=Behaviour(page_size=2), name=None, warns=()):  # noqa: B008 - it is frozen
    def register(change):
        shape_names = shapes or ("named", "generated", "composite")
        AWKWARD.append(Awkward(name or change.__name__, change, shape_names, behaviour, frozenset(warns)))
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


# ── slow, paging, eventually consistent ──────────────────────────────────────────────────────────────────────────────
def as_simulated(handler, event, state):
    del state
    return handler(event)


awkward(behaviour=Behaviour(page_size=1), name="lists one by one")(as_simulated)
awkward(behaviour=Behaviour(lag=4), name="sits out an eventually consistent back end")(as_simulated)
awkward(behaviour=Behaviour(stabilization=9, delay_seconds=60), name="waits nine minutes")(as_simulated)
awkward(behaviour=Behaviour(throttled=3, page_size=1), name="sits out throttling itself")(as_simulated)
awkward(behaviour=Behaviour(stabilization=2, lag=2, page_size=1), name="slow throughout")(
    lambda handler, event, state: (
        failure("Throttling", "slow down") if not seen(state, *request_key(event)) else handler(event)
    )
)


def answering(action, status, tweak, name, *, behaviour=Behaviour(page_size=2), shapes=()):  # noqa: B008 - it is frozen
    """Handlers whose answers to an action (None: any) of a status (None: any) are otherwise, and as good."""

    def change(handler, event, state):
        del state
        answer = copy.deepcopy(handler(event))
        if action in (None, event["action"]) and status in (None, answer["status"]):
            tweak(answer, event)
        return answer

    awkward(*shapes, behaviour=behaviour, name=name)(change)


def _in_each_model(tweak):
    def change(answer, _event):
        for model in [answer.get("resourceModel"), *(answer.get("resourceModels") or [])]:
            if model:
                tweak(model)

    return change


def _turn_around(*names):
    def tweak(model):
        for name in names:
            if isinstance(model.get(name), list):
                model[name].reverse()

    return _in_each_model(tweak)


def _only_identifier(answer, _event):
    model = answer["resourceModel"]
    answer["resourceModel"] = {name: model[name] for name in ("Id", "Parent", "Name") if name in model}


answering("LIST", "SUCCESS", lambda answer, _: answer["resourceModels"].reverse(), "lists each page backwards")
answering("READ", "SUCCESS", _turn_around("Colors", "Tags"), "reads sets in another order")
answering("CREATE", "SUCCESS", _turn_around("Colors", "Tags"), "creates sets in another order")
answering(None, None, lambda answer, _: answer.update(message="done"), "has a message for everything")
answering(
    None,
    None,
    lambda answer, _: [answer.setdefault(name) for name in ("errorCode", "nextToken", "resourceModels", "result")],
    "names every member and leaves it null",
)
answering(None, "SUCCESS", lambda answer, _: answer.update(callbackDelaySeconds=0), "ends with a delay of 0")
answering(None, "FAILED", lambda answer, _: answer.update(callbackDelaySeconds=0), "fails with a delay of 0")
for _action in WRITES:
    answering(
        _action,
        "IN_PROGRESS",
        lambda answer, _: answer.update(status="PENDING"),
        f"is PENDING on the way of {_action}",
        behaviour=_STABILIZING,
    )
answering("DELETE", "IN_PROGRESS", _only_identifier, "shows the identifier on the way", behaviour=_STABILIZING)
answering(
    None,
    "IN_PROGRESS",
    lambda answer, _: answer["callbackContext"].update(notes=["x" * 200] * 50, started=1.5),
    "carries a long callback context",
    behaviour=_STABILIZING,
)
answering(
    None,
    "IN_PROGRESS",
    lambda answer, _: answer.update(callbackDelaySeconds=0.5),
    "asks for half a second",
    behaviour=_STABILIZING,
)
answering(
    None,
    "IN_PROGRESS",
    lambda answer, _: answer.pop("callbackDelaySeconds"),
    "asks for no delay",
    behaviour=_STABILIZING,
)
answering(
    "CREATE",
    "IN_PROGRESS",
    lambda answer, event: answer["resourceModel"].update(
        {name: each for name, each in (event["requestData"]["resourceProperties"] or {}).items() if name == "Password"}
    ),
    "hands the secret to itself",
    behaviour=_STABILIZING,
)


@awkward()
def lists_an_empty_page_first(handler, event, state):
    del state
    if event["action"] == "LIST" and event.get("nextToken") is None:
        return {"status": "SUCCESS", "resourceModels": [], "nextToken": "0"}
    return handler(event)


@awkward()
def lists_whole_models(handler, event, state):
    answer = handler(event)
    if event["action"] == "LIST" and answer["status"] == "SUCCESS":
        simulator = state["simulator"]
        answer["resourceModels"] = [simulator.shown(simulator.store.find(each)) for each in answer["resourceModels"]]
    return answer


@awkward()
def has_opaque_list_tokens(handler, event, state):
    del state
    token = event.get("nextToken")
    answer = handler({**event, "nextToken": token and token.removeprefix('{"start": ').removesuffix("}")})
    if answer.get("nextToken") is not None:
        answer["nextToken"] = f'{{"start": {answer["nextToken"]}}}'
    return answer


@awkward("generated")
def keeps_titles_unique(handler, event, state):
    """The identifier is the service's, and so is a title."""
    desired = event["requestData"]["resourceProperties"] or {}
    store = state["simulator"].store
    taken = any(
        each.model.get("Title") == desired.get("Title") and each.token != event["bearerToken"]
        for each in store.resources.values()
    )
    if event["action"] == "CREATE" and not event.get("callbackContext") and taken:
        return failure("AlreadyExists", "the title is taken")
    return handler(event)


@awkward("generated", "named")
def has_room_for_five(handler, event, state):
    full = len(state["simulator"].store.resources) >= 5
    new = event["action"] == "CREATE" and state["simulator"].store.resources.with_token(event["bearerToken"]) is None
    return failure("ServiceLimitExceeded", "no room") if full and new else handler(event)


# ── every retriable code in every action, and at every callback ──────────────────────────────────────────────────────
RETRIABLE = ("Throttling", "NetworkFailure", "ServiceInternalError", "ResourceConflict")
for _code in RETRIABLE:
    awkward("nested", "composite", name=f"every request is {_code} once")(
        lambda handler, event, state, code=_code: (
            failure(code, "try again") if not seen(state, *request_key(event)) else handler(event)
        )
    )
    for _action in WRITES:
        for _number in (1, 2, 3):
            if any(each.name == f"callback {_number} of each {_action} is {_code} once" for each in AWKWARD):
                continue
            awkward("named", behaviour=_STABILIZING, name=f"callback {_number} of each {_action} is {_code} once")(
                fails_at_a_callback(_action, _number, _code)
            )
awkward("generated", "nested", behaviour=Behaviour(stabilization=3, page_size=1), name="every page and callback twice")(
    lambda handler, event, state: (
        failure("NetworkFailure", "no route") if seen(state, *request_key(event)) < 2 else handler(event)
    )
)


# ── what the service decides inside objects and the items of lists ───────────────────────────────────────────────────
awkward("nested", behaviour=Behaviour(stabilization=2, lag=1, page_size=1), name="decides values inside lists, slowly")(
    as_simulated
)


@awkward("nested")
def decides_values_inside_lists_anew_at_each_answer(handler, event, state):
    """As a status, or the time of the last contact, in each item."""
    answer = handler(event)
    for model in [answer.get("resourceModel"), *(answer.get("resourceModels") or [])]:
        for item in (model or {}).get("Hosts", ()):
            item["Id"] = f"seen-at-{seen(state, 'answers'):06}"
    return answer


@awkward("nested")
def takes_values_inside_lists_back(handler, event, state):
    """CloudFormation's clients send models that they have read: what the service decides in them is ignored."""
    del state
    event = copy.deepcopy(event)
    for item in (event["requestData"]["resourceProperties"] or {}).get("Hosts", ()):
        item.pop("Id", None)
    return handler(event)


# ── partial updates ──────────────────────────────────────────────────────────────────────────────────────────────────
def patches(handler, event, state):
    """An update sets what it names, as HTTP's PATCH does: what it leaves out stays, though it should be gone."""
    if event["action"] != "UPDATE" or event.get("callbackContext"):
        return handler(event)
    store = state["simulator"].store
    resource = store.resources.get(store.key_of(event["requestData"]["resourceProperties"]))
    before = {} if resource is None else copy.deepcopy(resource.model)
    answer = handler(event)
    if answer["status"] in {"SUCCESS", "IN_PROGRESS"}:
        changed = store.find(answer["resourceModel"])
        missing = {name: value for name, value in before.items() if name not in changed.model}
        changed.model |= missing
        answer = {**answer, "resourceModel": state["simulator"].shown(changed)}
    return answer


awkward(warns=["update.dropped"], name="patches what an update names")(patches)
awkward(behaviour=_STABILIZING, warns=["update.dropped"], name="patches what an update names, slowly")(patches)


@awkward()
def sends_its_service_only_what_changes(handler, event, state):
    """An update without any change is no call at all, and any other is one of the properties that differ."""
    data = event["requestData"]
    if event["action"] == "UPDATE" and data["resourceProperties"] == data.get("previousResourceProperties"):
        return handler({**event, "action": "READ"})
    return handler(event)


# ── names ────────────────────────────────────────────────────────────────────────────────────────────────────────────
@awkward("generated")
def derives_its_name_from_a_title(handler, event, state):
    """The identifier is the title, and a number after it where another resource has the title."""
    answer = handler(event)
    if event["action"] != "CREATE" or answer["status"] != "SUCCESS":
        return answer
    store = state["simulator"].store
    resource = store.find(answer["resourceModel"])
    named = state["all"].setdefault("names", {})
    if event["bearerToken"] not in named:
        slug = "".join(each for each in resource.model["Title"].lower() if each.isascii() and each.isalnum())
        named[event["bearerToken"]] = f"{slug[:8]:x<8}{len(named):04}"
        del store.resources[resource.key]
        resource.model["Id"] = named[event["bearerToken"]]
        resource.key = store.key_of(resource.model)
        store.resources[resource.key] = resource
    return {**answer, "resourceModel": state["simulator"].shown(resource)}


@awkward("named", "composite")
def a_name_used_again_is_another_resource(handler, event, state):
    """Deleted names are free at once, and their next bearer has an Arn of its own."""
    answer = handler(event)
    if event["action"] == "CREATE" and answer["status"] == "SUCCESS":
        store = state["simulator"].store
        resource = store.find({name: each for name, each in answer["resourceModel"].items() if name != "Arn"})
        serials = state["all"].setdefault("serials", {})
        serial = serials.setdefault(event["bearerToken"], len(serials))
        resource.model["Arn"] = f"arn:aws:acme:resource/{serial:08}"
        store.resources[resource.key] = resource
        answer = {**answer, "resourceModel": state["simulator"].shown(resource)}
    return answer


def strangers(schema):
    """Resources that were there before the run, with names that others may be derived from."""
    if ("Id",) in schema.primary_identifier:
        return [{"Id": f"stranger{number:04}"} for number in range(5)]
    last = [{"Name": f"somebodyelse{letter}"} for letter in "abcde"]
    return [{**({"Parent": "parent"} if len(schema.primary_identifier) > 1 else {}), **each} for each in last]


@awkward()
def is_not_alone_in_the_account(handler, event, state):
    """The account has five resources, which are listed first, and can be read."""
    others = strangers(state["simulator"].schema)
    names = set(others[0])
    desired = event["requestData"]["resourceProperties"] or {}
    if event["action"] == "READ" and {name: desired.get(name) for name in names} in others:
        return {"status": "SUCCESS", "resourceModel": {name: desired[name] for name in names}}
    if event["action"] == "LIST" and event.get("nextToken") is None:
        return {"status": "SUCCESS", "resourceModels": others, "nextToken": "0"}
    return handler(event)
