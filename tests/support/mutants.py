"""Deliberate violations of the handler contract: each a small change to conforming handlers, and the clause it breaks.

Written from the clauses. A mutation is a function (conforming handler, event, simulator) → answer.
"""

import contextlib
import copy
import json
from collections.abc import Callable
from dataclasses import dataclass

from formwork.documents import DocumentFormat, parse_document
from formwork.invoke import Answer
from formwork.invoke.answer import UNHANDLED
from formwork.schema.resource import build_resource_schema
from formwork.simulate import Behaviour, Simulator
from formwork.simulate.resources import SimulatedResource
from formwork.simulate.simulator import failure
from formwork.simulate.store import ServiceError

ALL = ("named", "generated", "composite")
WRITABLE = ("named", "composite")


@dataclass(frozen=True)
class Mutant:
    name: str
    clause: str
    change: Callable
    shapes: tuple = ALL
    slow: bool = False  # handlers that stabilize over callbacks
    warns: bool = False  # a SHOULD: reported, and never failing


MUTANTS = []


def mutant(clause, *, shapes=ALL, slow=False, warns=False):
    def register(change):
        MUTANTS.append(Mutant(f"{clause}:{change.__name__}", clause, change, shapes, slow, warns))
        return change

    return register


def answer_of(action, status, tweak, clause, name, **options):
    """A mutant that changes the answers of an action (None: any) with a status (None: any)."""

    def change(handler, event, simulator):
        answer = handler(event)
        if action in (None, event["action"]) and status in (None, answer.get("status")):
            answer = copy.deepcopy(answer)
            changed = tweak(answer)
            answer = answer if changed is None else changed
        return answer

    change.__name__ = name
    mutant(clause, **options)(change)


def with_model(**members):
    def tweak(answer):
        if isinstance(answer.get("resourceModel"), dict):
            answer["resourceModel"].update(members)

    return tweak


def without_model(*names):
    def tweak(answer):
        for name in names:
            (answer.get("resourceModel") or {}).pop(name, None)

    return tweak


def with_members(**members):
    return lambda answer: answer.update(members)


def without_members(*names):
    def tweak(answer):
        for name in names:
            answer.pop(name, None)

    return tweak


def desired(event):
    return event["requestData"]["resourceProperties"] or {}


# ── every event ──────────────────────────────────────────────────────────────────────────────────────────────────────
for action in ("CREATE", "READ", "UPDATE", "DELETE", "LIST"):
    answer_of(action, "SUCCESS", with_members(status="COMPLETE"), "event.status", f"unknown_status_of_{action}")
    answer_of(action, "SUCCESS", lambda answer: [answer], "event.object", f"array_from_{action}")
    clause = "event.time.rl" if action in ("READ", "LIST") else "event.time.cud"
    answer_of(action, None, with_members(_seconds=61.5), clause, f"late_{action}")
    answer_of(action, "SUCCESS", with_members(errorCode="Throttling"), "event.success.quiet", f"code_with_{action}")
    answer_of(action, "SUCCESS", with_members(callbackDelaySeconds=5), "event.success.quiet", f"delay_with_{action}")
for action in ("READ", "UPDATE", "DELETE"):
    answer_of(action, "FAILED", without_members("errorCode"), "event.failed.code", f"no_code_from_{action}")
    answer_of(action, "FAILED", with_members(errorCode="NoSuchThing"), "event.failed.code", f"odd_code_from_{action}")
    answer_of(action, "FAILED", without_members("message"), "event.failed.message", f"no_message_from_{action}")
    answer_of(action, "FAILED", with_members(message=" "), "event.failed.message", f"blank_message_from_{action}")
    answer_of(action, "FAILED", with_members(callbackDelaySeconds=3), "event.failed.quiet", f"delay_of_failed_{action}")
    answer_of(action, "FAILED", with_members(resourceModels=[]), "event.failed.quiet", f"models_of_failed_{action}")
    answer_of(action, "FAILED", with_members(errorCode="AlreadyExists"), "event.failed.scope", f"exists_from_{action}")
answer_of("READ", "FAILED", with_members(errorCode="NotUpdatable"), "event.failed.scope", "not_updatable_from_read")
answer_of("DELETE", "FAILED", with_members(errorCode="NotUpdatable"), "event.failed.scope", "not_updatable_from_delete")
answer_of("READ", "SUCCESS", without_members("status"), "event.object", "no_status")


@mutant("event.object")
def raises_on_read(handler, event, simulator):
    if event["action"] == "READ":
        raise RuntimeError("boom")
    return handler(event)


@mutant("event.time.cud")
def hangs_on_update(handler, event, simulator):
    if event["action"] == "UPDATE":
        return Answer(
            b'{"errorType": "Sandbox.Timedout", "errorMessage": "Task timed out after 60 s"}', UNHANDLED, 62.0
        )
    return handler(event)


for action in ("CREATE", "READ", "UPDATE"):
    answer_of(action, "SUCCESS", with_model(Size="-12"), "event.shape", f"text_for_a_number_from_{action}")
    answer_of(action, "SUCCESS", with_model(Extra=1), "event.shape", f"undeclared_property_from_{action}")
    answer_of(action, "SUCCESS", with_model(Kind="tiny"), "event.shape", f"outside_the_enum_from_{action}")
    answer_of(
        action,
        "SUCCESS",
        with_model(Settings={"Mode": "fast", "Deep": 1}),
        "event.shape",
        f"nested_extra_from_{action}",
    )
    answer_of(action, "SUCCESS", with_model(Title=None), "event.null", f"null_from_{action}")
    answer_of(action, "SUCCESS", with_model(Settings={"Mode": None}), "event.null", f"nested_null_from_{action}")
    answer_of(action, "SUCCESS", with_model(Password="secret-value-1"), "event.writeonly", f"secret_from_{action}")
answer_of("READ", "SUCCESS", with_model(Title="x" * 41), "event.shape", "too_long")
answer_of("READ", "SUCCESS", with_model(Arn="not-an-arn"), "event.shape", "pattern")


def each_listed(change):
    def tweak(answer):
        for model in answer["resourceModels"]:
            change(model)

    return tweak


answer_of(
    "LIST", "SUCCESS", each_listed(lambda model: model.update(Size="-3")), "event.shape", "listed_text_for_number"
)
answer_of("LIST", "SUCCESS", each_listed(lambda model: model.update(Title=None)), "event.null", "listed_null")
answer_of("LIST", "SUCCESS", each_listed(lambda m: m.update(Password="12345678")), "event.writeonly", "listed_secret")
for action in ("CREATE", "UPDATE"):
    answer_of(action, "SUCCESS", without_members("resourceModel"), "event.identifier", f"no_model_from_{action}")
    answer_of(action, "SUCCESS", without_model("Name", "Id"), "event.identifier", f"no_identifier_from_{action}")
    answer_of(
        action,
        "IN_PROGRESS",
        without_members("resourceModel"),
        "event.identifier",
        f"no_model_on_the_way_of_{action}",
        slow=True,
    )
    answer_of(
        action,
        "IN_PROGRESS",
        without_model("Name", "Id"),
        "event.identifier",
        f"no_identifier_on_the_way_of_{action}",
        slow=True,
    )
answer_of(
    "CREATE",
    "FAILED",
    with_members(resourceModel={"Title": "x"}),
    "event.identifier",
    "failed_model_without_it",
    shapes=("named",),
)
answer_of(
    "UPDATE", "FAILED", with_members(resourceModel={"Title": "x"}), "event.identifier", "failed_update_without_it"
)
for action in ("CREATE", "UPDATE", "DELETE"):
    answer_of(
        action,
        "IN_PROGRESS",
        with_members(resourceModels=[]),
        "event.progress.quiet",
        f"models_on_the_way_of_{action}",
        slow=True,
    )
    answer_of(
        action,
        "IN_PROGRESS",
        with_members(errorCode="Throttling"),
        "event.progress.quiet",
        f"code_on_the_way_of_{action}",
        slow=True,
        warns=True,
    )
    answer_of(
        action,
        "IN_PROGRESS",
        with_members(callbackDelaySeconds=-1),
        "event.delay",
        f"never_again_from_{action}",
        slow=True,
    )
answer_of("DELETE", "IN_PROGRESS", without_members("resourceModel"), "delete.progress", "no_model", slow=True)


def never_ends(action):
    def change(handler, event, simulator):
        answer = handler(event)
        if event["action"] == action and answer["status"] == "SUCCESS":
            model = desired(event) if action == "DELETE" else answer["resourceModel"]
            context = {"turn": (event.get("callbackContext") or {}).get("turn", 0) + 1, "left": 0}
            return {
                "status": "IN_PROGRESS",
                "resourceModel": model,
                "callbackContext": context,
                "callbackDelaySeconds": 60,
            }
        return answer

    change.__name__ = f"{action}_never_ends"
    mutant("event.progress.ends")(change)


for action in ("CREATE", "UPDATE"):
    never_ends(action)


# ── create ───────────────────────────────────────────────────────────────────────────────────────────────────────────
def stored_otherwise(action, clause, name, spoil, **options):
    """A mutant whose answer is right and whose store is not; `spoil(stored model, earlier model)` mends it wrongly."""

    def change(handler, event, simulator):
        before = {key: copy.deepcopy(each.model) for key, each in simulator.store.resources.items()}
        answer = handler(event)
        if event["action"] == action and answer["status"] == "SUCCESS":
            resource = simulator.store.find(answer["resourceModel"])
            spoil(resource.model, before.get(resource.key, {}))
        return answer

    change.__name__ = name
    mutant(clause, **options)(change)


def keep(name):
    return lambda model, before: model.update({name: before[name]}) if name in before else model.pop(name, None)


stored_otherwise("CREATE", "create.applied", "forgets_title", lambda model, _: model.pop("Title", None))
stored_otherwise("CREATE", "create.applied", "stores_another_size", lambda model, _: model.update(Size=49))
stored_otherwise(
    "CREATE",
    "create.applied",
    "stores_one_color",
    lambda model, _: model.update(Colors=model.get("Colors", [])[:1] * 2),
)
stored_otherwise(
    "CREATE", "create.applied", "forgets_nested_note", lambda model, _: model.get("Settings", {}).pop("Note", None)
)
stored_otherwise(
    "CREATE", "create.applied", "turns_steps_around", lambda model, _: model.update(Steps=model.get("Steps", [])[::-1])
)
stored_otherwise("CREATE", "create.tags", "forgets_tags", lambda model, _: model.pop("Tags", None))
stored_otherwise(
    "CREATE", "create.tags", "stores_one_tag", lambda model, _: model.update(Tags=model.get("Tags", [])[:1])
)
answer_of("CREATE", "SUCCESS", without_model("Title"), "create.echo", "leaves_out_title")
answer_of("CREATE", "SUCCESS", with_model(Title="something else"), "create.echo", "says_another_title")
answer_of(
    "CREATE",
    "SUCCESS",
    lambda a: a["resourceModel"].update(Steps=a["resourceModel"].get("Steps", [])[::-1]),
    "create.echo",
    "turns_steps_around",
)


def without_limit(answer):
    answer["resourceModel"].get("Settings", {}).pop("Limit", None)


def without_default(answer):
    if answer["resourceModel"].get("Size") == 3:
        del answer["resourceModel"]["Size"]


answer_of("CREATE", "SUCCESS", without_limit, "create.echo", "leaves_out_nested_limit")
answer_of(
    "CREATE",
    "SUCCESS",
    lambda a: a["resourceModel"].get("Labels", {}).update(surplus="x"),
    "create.echo",
    "adds_a_label",
)
answer_of("CREATE", "SUCCESS", without_model("Arn"), "create.complete", "leaves_out_arn", shapes=("named", "generated"))
answer_of("CREATE", "SUCCESS", without_default, "create.complete", "leaves_out_default")
answer_of(
    "CREATE",
    "IN_PROGRESS",
    with_model(Labels={"invented": "x"}),
    "create.partial",
    "invents_on_the_way",
    slow=True,
    warns=True,
)


@mutant("create.read.primary")
def read_wants_the_title_too(handler, event, simulator):
    if event["action"] == "READ" and "Title" not in desired(event):
        return failure("NotFound", "which one?")
    return handler(event)


@mutant("create.read.primary")
def read_returns_another(handler, event, simulator):
    answer = handler(event)
    if event["action"] == "READ" and answer["status"] == "SUCCESS":
        name = "Id" if "Id" in answer["resourceModel"] else "Name"
        answer["resourceModel"][name] = "abcdefghijkl"
    return answer


@mutant("create.read.additional", shapes=("composite",))
def read_knows_no_arn(handler, event, simulator):
    if event["action"] == "READ" and "Name" not in desired(event) and "Arn" in desired(event):
        return failure("NotFound", "by Arn I know nobody")
    return handler(event)


@mutant("create.read.additional", shapes=("composite",))
def read_refuses_alias(handler, event, simulator):
    if event["action"] == "READ" and "Name" not in desired(event) and "Alias" in desired(event):
        return failure("InvalidRequest", "Name is required")
    return handler(event)


@mutant("create.list")
def list_hides_the_newest(handler, event, simulator):
    if event["action"] == "LIST":
        newest = list(simulator.store.resources)[-1:]
        kept = {key: simulator.store.resources.pop(key) for key in newest}
        answer = handler(event)
        simulator.store.resources.update(kept)
        return answer
    return handler(event)


@mutant("create.list")
def list_is_empty(handler, event, simulator):
    return {"status": "SUCCESS", "resourceModels": []} if event["action"] == "LIST" else handler(event)


@mutant("create.idempotent", shapes=("generated",))
def token_is_ignored(handler, event, simulator):
    if event["action"] == "CREATE" and not event.get("callbackContext"):
        simulator.serial = getattr(simulator, "serial", 0) + 1
        return handler({**event, "bearerToken": f"{event['bearerToken']}-{simulator.serial}"})
    return handler(event)


@mutant("create.idempotent", shapes=WRITABLE, warns=True)
def token_repeated_fails(handler, event, simulator):
    return token_is_ignored(handler, event, simulator)


@mutant("create.idempotent", shapes=("generated",), slow=True)
def each_callback_makes_another(handler, event, simulator):
    answer = handler(event)
    if event["action"] == "CREATE" and event.get("callbackContext") and answer["status"] == "SUCCESS":
        if event["callbackContext"].get("left") == 0 and simulator.__dict__.get("last") == event["callbackContext"]:
            resource = simulator.store.create(
                {n: v for n, v in desired(event).items() if n not in ("Id", "Arn")}, f"{event['bearerToken']}-again"
            )
            return {"status": "SUCCESS", "resourceModel": simulator.shown(resource)}
        simulator.last = event["callbackContext"]
    return answer


@mutant("practice.redelivery", slow=True, warns=True)
def second_delivery_fails(handler, event, simulator):
    seen = simulator.__dict__.setdefault("seen", set())
    key = (event["bearerToken"], str(event.get("callbackContext")))
    if event.get("callbackContext") and key in seen:
        return failure("InternalFailure", "this step was done before")
    seen.add(key)
    return handler(event)


@mutant("practice.invalid", warns=True)
def anything_is_accepted(handler, event, simulator):
    simulator.store.generator.is_valid = lambda _model: True
    return handler(event)


def _overwrites(handler, event, simulator):
    if event["action"] == "CREATE" and not event.get("callbackContext"):
        with contextlib.suppress(ServiceError):
            simulator.store.delete(simulator.store.find(desired(event)))
    return handler(event)


@mutant("create.exists", shapes=("named",))
def create_overwrites(handler, event, simulator):
    return _overwrites(handler, event, simulator)


answer_of(
    "CREATE", "FAILED", with_members(errorCode="InvalidRequest"), "create.exists", "another_code", shapes=("named",)
)
answer_of(
    "CREATE", "FAILED", with_members(errorCode="ResourceConflict"), "create.exists", "conflict", shapes=("named",)
)


def _shadow(simulator, model):
    twin = copy.deepcopy(model)
    simulator.store.serial += 1
    letters = "abcdefghij"
    suffix = "".join(letters[int(digit)] for digit in f"{simulator.store.serial:08d}")
    for name in ("Name", "Id"):
        if name in twin:
            twin[name] = suffix + "lost"
    for name in ("Arn", "Alias"):
        twin.pop(name, None)
    simulator.store.resources[f"shadow {simulator.store.serial}"] = SimulatedResource(
        f"shadow {simulator.store.serial}", twin, ""
    )


@mutant("create.one")
def create_makes_two(handler, event, simulator):
    answer = handler(event)
    if event["action"] == "CREATE" and answer["status"] == "SUCCESS":
        _shadow(simulator, simulator.store.find(answer["resourceModel"]).model)
    return answer


@mutant("delete.leak")
def create_leaves_a_child_behind(handler, event, simulator):
    return create_makes_two(handler, event, simulator)


@mutant("create.readonly", warns=True)
def read_only_is_taken(handler, event, simulator):
    if event["action"] == "CREATE":
        event = copy.deepcopy(event)
        for path in simulator.schema.read_only:
            desired(event).pop(path[0], None)
    return handler(event)


@mutant("tags.system", warns=True)
def system_tags_are_refused(handler, event, simulator):
    if event["action"] == "CREATE" and event["requestData"].get("systemTags"):
        return failure("InvalidRequest", "aws: is reserved")
    return handler(event)


@mutant("create.applied")
def create_of_valid_input_fails(handler, event, simulator):
    return failure("GeneralServiceException", "not today") if event["action"] == "CREATE" else handler(event)


@mutant("event.identifier", shapes=WRITABLE)
def failed_create_leaves_the_resource(handler, event, simulator):
    answer = handler(event)
    if event["action"] == "CREATE" and answer["status"] == "SUCCESS":
        return failure("NotStabilized", "gave up waiting")
    return answer


# ── update ───────────────────────────────────────────────────────────────────────────────────────────────────────────
for name in ("Title", "Size", "Colors", "Steps", "Labels"):
    stored_otherwise("UPDATE", "update.applied", f"ignores_{name}", keep(name))
stored_otherwise("UPDATE", "update.tags", "ignores_tags", keep("Tags"))
stored_otherwise(
    "UPDATE",
    "update.tags",
    "adds_tags_only",
    lambda model, before: model.update(
        Tags=model.get("Tags", []) + [t for t in before.get("Tags", []) if t not in model.get("Tags", [])]
    ),
)
answer_of("UPDATE", "SUCCESS", with_model(Title="something else"), "update.echo", "says_another_title")
answer_of("UPDATE", "SUCCESS", without_model("Title"), "update.echo", "leaves_out_title")
answer_of("UPDATE", "SUCCESS", without_model("Colors"), "update.echo", "leaves_out_colors")
answer_of("UPDATE", "SUCCESS", without_model("Arn"), "update.complete", "leaves_out_arn")
answer_of(
    "UPDATE",
    "IN_PROGRESS",
    with_model(Labels={"invented": "x"}),
    "update.partial",
    "invents_on_the_way",
    slow=True,
    warns=True,
)
answer_of(
    "UPDATE",
    "SUCCESS",
    with_model(Name="abcdefghijkl", Id="abcdefghijkl"),
    "update.identity",
    "says_another_name",
    shapes=("named",),
)
answer_of(
    "UPDATE", "SUCCESS", with_model(Id="abcdefghijkl"), "update.identity", "says_another_id", shapes=("generated",)
)
answer_of(
    "UPDATE",
    "IN_PROGRESS",
    with_model(Name="abcdefghijkl"),
    "update.identity",
    "another_name_on_the_way",
    shapes=WRITABLE,
    slow=True,
)


def merged(name, merge, **options):
    """A mutant that merges where it must replace, in store and answer alike."""

    def change(handler, event, simulator):
        before = {key: copy.deepcopy(each.model) for key, each in simulator.store.resources.items()}
        answer = handler(event)
        if event["action"] == "UPDATE" and answer["status"] == "SUCCESS":
            resource = simulator.store.find(answer["resourceModel"])
            earlier = before.get(resource.key, {})
            if name in earlier and name in resource.model:
                resource.model[name] = merge(earlier[name], resource.model[name])
                answer["resourceModel"][name] = copy.deepcopy(resource.model[name])
        return answer

    change.__name__ = f"merges_{name}"
    mutant("update.replace", **options)(change)


merged("Colors", lambda old, new: new + [each for each in old if each not in new])
merged("Steps", lambda old, new: old + [each for each in new if each not in old])
merged("Labels", lambda old, new: {**old, **new})
merged("Settings", lambda old, new: {**old, **new})


@mutant("update.dropped", warns=True)
def update_keeps_what_is_left_out(handler, event, simulator):
    if event["action"] == "UPDATE" and not event.get("callbackContext"):
        try:
            earlier = simulator.store.find(desired(event)).model
        except ServiceError:
            return handler(event)
        event = copy.deepcopy(event)
        for name in ("Title", "Labels", "Settings", "Colors", "Steps", "Size"):
            if name in earlier:
                desired(event).setdefault(name, earlier[name])
    return handler(event)


@mutant("update.additional", shapes=("composite",))
def update_knows_no_arn(handler, event, simulator):
    if event["action"] == "UPDATE" and "Name" not in desired(event):
        return failure("NotFound", "by Arn I know nobody")
    return handler(event)


@mutant("update.identity", shapes=("generated",))
def update_writes_to_the_oldest(handler, event, simulator):
    if event["action"] == "UPDATE" and len(simulator.store.resources) > 1:
        oldest = next(iter(simulator.store.resources.values()))
        event = copy.deepcopy(event)
        desired(event).update({name: oldest.model[name] for name in ("Id", "Kind") if name in oldest.model})
    return handler(event)


@mutant("create.applied")
def update_changes_a_neighbour(handler, event, simulator):
    answer = handler(event)
    if event["action"] == "UPDATE" and answer["status"] == "SUCCESS":
        own = simulator.store.find(answer["resourceModel"]).key
        for key, each in simulator.store.resources.items():
            if key != own:
                each.model["Title"] = answer["resourceModel"].get("Title", "none")
    return answer


@mutant("create.read.primary")
def delete_takes_the_next_along(handler, event, simulator):
    answer = handler(event)
    if event["action"] == "DELETE" and answer["status"] == "SUCCESS":
        for key in list(simulator.store.resources)[:1]:
            del simulator.store.resources[key]
    return answer


@mutant("update.missing")
def update_makes_it(handler, event, simulator):
    if event["action"] == "UPDATE":
        try:
            simulator.store.find(desired(event))
        except ServiceError:
            return {"status": "SUCCESS", "resourceModel": {n: v for n, v in desired(event).items() if n != "Password"}}
    return handler(event)


@mutant("update.missing")
def update_of_missing_is_invalid(handler, event, simulator):
    answer = handler(event)
    if event["action"] == "UPDATE" and answer.get("errorCode") == "NotFound":
        answer["errorCode"] = "InvalidRequest"
    return answer


@mutant("update.one")
def update_gives_a_new_arn(handler, event, simulator):
    answer = handler(event)
    if event["action"] == "UPDATE" and answer["status"] == "SUCCESS":
        simulator.store.serial += 1
        arn = f"arn:aws:acme:newthing/{simulator.store.serial:08d}"
        simulator.store.find(answer["resourceModel"]).model["Arn"] = arn
        answer["resourceModel"]["Arn"] = arn
    return answer


@mutant("update.one")
def update_makes_another(handler, event, simulator):
    answer = handler(event)
    if event["action"] == "UPDATE" and answer["status"] == "SUCCESS":
        _shadow(simulator, simulator.store.find(answer["resourceModel"]).model)
    return answer


@mutant("update.createonly", warns=True)
def kind_can_be_changed(handler, event, simulator):
    if event["action"] == "UPDATE":
        kind = desired(event).get("Kind")
        try:
            if kind is not None:
                simulator.store.find(desired(event)).model["Kind"] = kind
        except ServiceError:
            pass
    return handler(event)


@mutant("update.list")
def updated_is_not_listed(handler, event, simulator):
    hidden = simulator.__dict__.setdefault("hidden", set())
    answer = handler(event)
    if event["action"] == "UPDATE" and answer["status"] == "SUCCESS":
        hidden.add(simulator.store.find(answer["resourceModel"]).key)
    if event["action"] == "LIST":
        answer["resourceModels"] = [m for m in answer["resourceModels"] if simulator.store.key_of(m) not in hidden]
    return answer


# ── delete ───────────────────────────────────────────────────────────────────────────────────────────────────────────
@mutant("delete.minimal")
def delete_wants_the_arn_too(handler, event, simulator):
    if event["action"] == "DELETE" and "Arn" not in desired(event):
        return failure("InvalidRequest", "Arn is required")
    return handler(event)


@mutant("delete.additional", shapes=("composite",))
def delete_wants_the_name(handler, event, simulator):
    if event["action"] == "DELETE" and "Name" not in desired(event):
        return failure("InvalidRequest", "Name is required")
    return handler(event)


@mutant("delete.additional", shapes=("composite",))
def delete_by_alias_does_nothing(handler, event, simulator):
    if event["action"] == "DELETE" and "Name" not in desired(event) and "Alias" in desired(event):
        return {"status": "SUCCESS"}
    return handler(event)


answer_of("DELETE", "SUCCESS", with_members(resourceModel={"Title": "gone"}), "delete.empty", "returns_a_model")
answer_of("DELETE", "SUCCESS", with_members(resourceModel={}), "delete.empty", "returns_an_empty_model")


@mutant("delete.missing")
def delete_of_missing_succeeds(handler, event, simulator):
    answer = handler(event)
    if event["action"] == "DELETE" and answer.get("errorCode") == "NotFound":
        return {"status": "SUCCESS"}
    return answer


answer_of("DELETE", "FAILED", with_members(errorCode="InvalidRequest"), "delete.missing", "another_code")
answer_of("DELETE", "FAILED", with_members(errorCode="GeneralServiceException"), "delete.missing", "general_code")


def _does_nothing(clause):
    def change(handler, event, simulator):
        return {"status": "SUCCESS"} if event["action"] == "DELETE" else handler(event)

    change.__name__ = "delete_does_nothing"
    mutant(clause)(change)


for clause in ("delete.read", "delete.list", "delete.leak", "delete.update"):
    _does_nothing(clause)


@mutant("delete.read")
def deleted_can_be_read(handler, event, simulator):
    graves = simulator.__dict__.setdefault("graves", {})
    if event["action"] == "DELETE":
        try:
            found = simulator.store.find(desired(event))
            graves[simulator.store.key_of(found.model)] = simulator.shown(found)
        except ServiceError:
            pass
    answer = handler(event)
    if event["action"] == "READ" and answer["status"] == "FAILED":
        model = graves.get(simulator.store.key_of(desired(event)))
        return {"status": "SUCCESS", "resourceModel": model} if model else answer
    return answer


answer_of("READ", "FAILED", with_members(errorCode="InvalidRequest"), "delete.read", "another_code")
answer_of("UPDATE", "FAILED", with_members(errorCode="GeneralServiceException"), "delete.update", "another_code")


@mutant("delete.list")
def deleted_is_still_listed(handler, event, simulator):
    graves = simulator.__dict__.setdefault("graves", [])
    if event["action"] == "DELETE":
        with contextlib.suppress(ServiceError):
            graves.append(simulator.identifier_of(simulator.store.find(desired(event))))
    answer = handler(event)
    if event["action"] == "LIST" and answer["status"] == "SUCCESS" and "nextToken" not in answer:
        answer["resourceModels"] = [*answer["resourceModels"], *graves]
    return answer


@mutant("delete.create", shapes=WRITABLE)
def names_are_used_up(handler, event, simulator):
    used = simulator.__dict__.setdefault("used", set())
    if event["action"] == "CREATE" and simulator.store.key_of(desired(event)) in used:
        return failure("AlreadyExists", "this name was taken once")
    if event["action"] == "DELETE" and handler({**event, "action": "READ"})["status"] == "SUCCESS":
        used.add(simulator.store.key_of(desired(event)))
    return handler(event)


# ── read ─────────────────────────────────────────────────────────────────────────────────────────────────────────────
answer_of("READ", "SUCCESS", with_members(status="IN_PROGRESS"), "read.final", "in_progress")
answer_of("READ", "SUCCESS", with_members(status="PENDING"), "read.final", "pending")
answer_of("READ", "SUCCESS", without_members("resourceModel"), "read.model", "no_model")
answer_of("READ", "SUCCESS", with_members(resourceModel=None), "read.model", "null_model")
answer_of("READ", "SUCCESS", without_model("Arn"), "read.complete", "leaves_out_arn")
answer_of("READ", "SUCCESS", without_model("Size"), "read.complete", "leaves_out_size")
answer_of("READ", "SUCCESS", without_model("Settings"), "read.complete", "leaves_out_settings")
answer_of("READ", "FAILED", with_members(errorCode="InvalidRequest"), "read.missing", "another_code")
answer_of("READ", "FAILED", with_members(errorCode="GeneralServiceException"), "read.missing", "general_code")


@mutant("read.missing")
def missing_is_an_echo(handler, event, simulator):
    answer = handler(event)
    if event["action"] == "READ" and answer["status"] == "FAILED":
        return {"status": "SUCCESS", "resourceModel": desired(event)}
    return answer


def _unstable(name, spoil):
    def change(handler, event, simulator):
        answer = handler(event)
        if event["action"] == "READ" and answer["status"] == "SUCCESS":
            simulator.turn = getattr(simulator, "turn", 0) + 1
            if simulator.turn % 2 == 0:
                spoil(answer["resourceModel"])
        return answer

    change.__name__ = name
    mutant("read.stable")(change)


_unstable("turns_steps_around", lambda model: model.update(Steps=model.get("Steps", [])[::-1]))
_unstable("forgets_title_at_times", lambda model: model.pop("Title", None))
_unstable("counts_in_size", lambda model: model.update(Size=model["Size"] + 1))


# ── list ─────────────────────────────────────────────────────────────────────────────────────────────────────────────
answer_of("LIST", "SUCCESS", with_members(status="IN_PROGRESS"), "list.final", "in_progress")
answer_of("LIST", "SUCCESS", without_members("resourceModels"), "list.array", "no_array")
answer_of("LIST", "SUCCESS", with_members(resourceModels={}), "list.array", "an_object")
answer_of(
    "LIST",
    "SUCCESS",
    lambda a: None if a["resourceModels"] else a.update(resourceModels=None),
    "list.array",
    "null_for_none",
)
answer_of(
    "LIST",
    "SUCCESS",
    each_listed(lambda m: m.pop("Name", None) or m.pop("Id", None)),
    "list.identifiers",
    "without_identifier",
)
answer_of(
    "LIST",
    "SUCCESS",
    lambda a: a.update(resourceModels=[{"Title": "x"} for _ in a["resourceModels"]]),
    "list.identifiers",
    "titles_only",
)


@mutant("list.readable")
def list_shows_a_ghost(handler, event, simulator):
    answer = handler(event)
    if event["action"] == "LIST" and "nextToken" not in answer:
        ghost = (
            {"Id": "ghostghostgh"}
            if "Id" in simulator.schema.properties
            else {"Parent": "ghosts", "Name": "ghostghost"}
        )
        ghost = {name: value for name, value in ghost.items() if name in simulator.schema.properties}
        answer["resourceModels"] = [*answer["resourceModels"], ghost]
    return answer


@mutant("list.token")
def pages_skip_one(handler, event, simulator):
    answer = handler(event)
    if event["action"] == "LIST" and "nextToken" in answer:
        answer["nextToken"] = str(int(answer["nextToken"]) + 1)
    return answer


@mutant("list.token")
def pages_overlap(handler, event, simulator):
    answer = handler(event)
    if event["action"] == "LIST" and "nextToken" in answer:
        answer["nextToken"] = str(int(answer["nextToken"]) - 1)
    return answer


@mutant("list.token")
def second_page_is_never_offered(handler, event, simulator):
    answer = handler(event)
    if event["action"] == "LIST":
        answer.pop("nextToken", None)
    return answer


@mutant("list.ends")
def token_is_never_null(handler, event, simulator):
    answer = handler(event)
    if event["action"] == "LIST":
        answer["nextToken"] = "again"
    return answer


@mutant("list.ends")
def tokens_grow_for_ever(handler, event, simulator):
    answer = handler(event)
    if event["action"] == "LIST":
        answer.setdefault("nextToken", str(int(event.get("nextToken") or 0) + 100))
    return answer


@mutant("list.ends")
def token_is_ignored_by_list(handler, event, simulator):
    return handler({**event, "nextToken": None}) | {"nextToken": "1"} if event["action"] == "LIST" else handler(event)


@mutant("list.ends")
def last_token_is_empty(handler, event, simulator):
    answer = handler(event)
    if event["action"] == "LIST":
        answer.setdefault("nextToken", "")
    return answer


# ── what a schema says of itself ─────────────────────────────────────────────────────────────────────────────────────
@dataclass(frozen=True)
class SchemaMutant:
    name: str
    clause: str
    change: Callable
    warns: bool = False
    slow: bool = False


def _changed_schema(schema, **members):
    value = {name: each for name, each in {**schema.value, **members}.items() if each is not None}
    return build_resource_schema(parse_document(json.dumps(value), name="changed.json", format=DocumentFormat.JSON))


SCHEMA_MUTANTS = [
    SchemaMutant(
        "tags.declared:says_nothing", "tags.declared", lambda schema: _changed_schema(schema, tagging=None), warns=True
    ),
    SchemaMutant(
        "tags.declared:names_a_property_that_is_not_there",
        "tags.declared",
        lambda schema: _changed_schema(
            schema, tagging={**schema.value["tagging"], "tagProperty": "/properties/Etiquettes"}
        ),
    ),
]


def behaviour_of(each):
    return Behaviour(stabilization=2 if each.slow else 0, page_size=2)


def mutated(each, schema):
    """The mutant's handlers over `schema`, as a Lambda function."""
    simulator = Simulator(schema, behaviour_of(each), seed=11)

    def function(event, _context):
        return each.change(simulator, event, simulator)

    return function
