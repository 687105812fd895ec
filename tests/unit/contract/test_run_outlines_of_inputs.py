"""Outlines of runs with inputs of every source, and of types with fewer handlers, compared with golden files."""

import dataclasses
import json

import pytest

from formwork.contract.hook_inputs import HookInputs
from formwork.contract.inputs import GeneratedInputs, GivenInputs
from formwork.contract.suite import run_suite
from formwork.diagnostics import Location
from formwork.documents import DocumentFormat, parse_document
from formwork.project.inputs import InputKind
from formwork.project.overrides import Override, Overrides
from formwork.schema.resource import build_resource_schema
from formwork.simulate import Behaviour, Simulator
from formwork.simulate.simulator import failure
from support.broken import BROKEN
from support.broken import subject_of as broken_subject
from support.contract_subjects import subject_of
from support.hooks import conforming, hook_schema, hook_subject, slow
from support.mutants import MUTANTS, mutated
from support.run_outlines import check_outlines
from support.shapes import SHAPES, nested, shape


def small(name, **members):
    """A type with few properties, one of which may be changed on conditions only."""
    return shape(
        name,
        {"Name": {"type": "string", "pattern": "^[a-z]{8,20}$"}},
        required=["Name"],
        **{
            "primaryIdentifier": ["/properties/Name"],
            "createOnlyProperties": ["/properties/Name"],
            "conditionalCreateOnlyProperties": ["/properties/Title", "/properties/Settings/Note"],
            "readOnlyProperties": ["/properties/Arn"],
            **members,
        },
    )


def handlers(*names):
    return {name: {"permissions": []} for name in names}


def refuses_conditional_changes(simulator):
    def function(event, context=None):
        data = event["requestData"]
        titles = [(data.get(each) or {}).get("Title") for each in ("resourceProperties", "previousResourceProperties")]
        if event["action"] == "UPDATE" and titles[0] != titles[1]:
            return failure("NotUpdatable", "the title cannot be changed now")
        return simulator(event, context)

    return function


def test_types_with_conditions_and_fewer_handlers(golden):
    tagging = {"taggable": True, "tagOnCreate": True, "tagUpdatable": False, "tagProperty": "/properties/Tags"}
    types = {
        "conditional": (small("Conditional"), None),
        "conditional, refused": (small("Conditional"), refuses_conditional_changes),
        "tags of create": (small("TagsOfCreate", tagging=tagging), None),
        "no update": (small("NoUpdate", handlers=handlers("create", "read", "delete", "list")), None),
        "no list": (small("NoList", handlers=handlers("create", "read", "update", "delete")), None),
        "no read": (small("NoRead", handlers=handlers("create", "update", "delete", "list")), None),
        "create and delete": (small("Least", handlers=handlers("create", "delete"), tagging={"taggable": False}), None),
        "nested": (nested(), None),
    }
    found = []
    for name, (schema, change) in types.items():
        simulator = Simulator(schema, Behaviour(page_size=2), seed=1)
        function = simulator if change is None else change(simulator)
        found.append((name, run_suite(subject_of(function, schema, seed=1))))
    check_outlines("few-handlers", found, golden)


CREATE = {"Name": "somename", "Title": "One", "Size": "7", "Colors": ["red", "blue"], "Settings": {"Mode": "fast"}}
UPDATE = {"Title": "Two", "Size": 8, "Colors": ["green"], "Settings": {"Limit": 3, "Note": "new"}}
INVALID = {"Name": "somename", "Size": 99}
SETS = {
    "create": {"create": CREATE},
    "create and update": {"create": CREATE, "update": UPDATE},
    "all": {"create": CREATE, "update": UPDATE, "invalid": INVALID},
    "three sets": {
        "create": CREATE,
        "update": UPDATE,
        "invalid": INVALID,
        "others": [{**CREATE, "Name": "anothername"}, {**CREATE, "Name": "thirdname"}],
    },
    "not valid": {"create": {**CREATE, "Size": 99}},
    "another kind": {"create": {**CREATE, "Kind": "small"}, "update": {**UPDATE, "Kind": "large"}},
}


@pytest.mark.parametrize("name", ["named", "generated"])
def test_inputs_of_the_author(name, golden):
    found = []
    for words, models in SETS.items():
        schema = SHAPES[name]()
        simulator = Simulator(schema, Behaviour(page_size=2), seed=1)
        given = {
            **models,
            "create": {key: value for key, value in models["create"].items() if key in schema.properties},
        }
        subject = subject_of(simulator, schema, seed=1)
        subject.inputs = GivenInputs(schema, seed=1, **given)
        found.append((words, run_suite(subject)))
    check_outlines(f"given-{name}", found, golden)


def test_overrides(golden):
    found = []
    for name, make in SHAPES.items():
        schema = make()
        create = {("Title",): "Fixed", ("Colors", "0"): "pink", ("Settings", "Note"): "said", ("Steps", "9"): "no room"}
        subject = subject_of(Simulator(schema, Behaviour(page_size=2), seed=1), schema, seed=1)
        subject.inputs = GeneratedInputs(
            schema, seed=1, create_overrides=create, update_overrides={("Title",): "Changed", ("Labels", "abcd"): "x"}
        )
        found.append((name, run_suite(subject)))
    check_outlines("overrides", found, golden)


def override(action, path, value, part="resourceProperties", target="Acme::Store::Box"):
    return Override(action, path, value, Location("overrides.json", 1, 1), target, part)


def hooks():
    """Inputs of each source, for hooks on types, on all types, on stacks and on change sets."""
    yield "generated", {"inputs": HookInputs(seed=2)}
    locked = [override("CREATE_PRE_PROVISION", ("Locked",), True), override("INVALID", ("Locked",), False)]
    before = override("UPDATE_PRE_PROVISION", ("Name",), "before", "previousResourceProperties")
    yield "overrides", {"inputs": HookInputs(overrides=Overrides((*locked, before), ()), seed=2)}
    model = {"resourceProperties": {"Name": "abc", "Locked": True}}
    bad = {"resourceProperties": {"Name": "abc", "Locked": False}}
    one = {InputKind.PRE_CREATE: {"Acme::Store::Box": model}, InputKind.INVALID: {"Acme::Store::Box": bad}}
    yield "files of one target", {"inputs": HookInputs(one, seed=2)}
    yield "no schemas", {"inputs": HookInputs(one, seed=2), "known": {}}
    for target in ("STACK", "CHANGE_SET"):
        yield target, {"inputs": HookInputs(seed=2), "schema": hook_schema(targets=[target])}
    yield "every type", {"inputs": HookInputs(seed=2), "schema": hook_schema(targets=["*"])}
    yield "nothing known of its types", {"inputs": HookInputs(seed=2), "known": {}}
    yield "one point", {"schema": hook_schema(handlers=["preUpdate"])}
    secret = {"Key": {"type": "string", "minLength": 8}}
    yield "configuration", {"schema": hook_schema(**secret), "configuration": {"Key": "a long secret"}}


def passes(event, _context=None):
    return {"hookStatus": "SUCCESS", "message": "fine", "clientRequestToken": event["clientRequestToken"]}


@pytest.mark.parametrize("handler", [conforming, slow, passes], ids=lambda each: each.__name__)
def test_inputs_of_hooks(handler, golden):
    check_outlines(
        f"hooks-{handler.__name__}",
        [(name, run_suite(hook_subject(handler, **given))) for name, given in hooks()],
        golden,
    )


NAMES_ARE_SEEN_AGAIN = (
    *("delete_does_nothing", "deleted_names_stay_taken", "deleted_can_still_be_read", "deleted_is_still_listed"),
    *("deleted_can_still_be_updated", "create_makes_two", "create_ignores_its_token", "update_makes_another"),
    *("every_second_create_fails", "create_always_AlreadyExists", "update_always_NotFound", "second_page_fails"),
    *("failed_create_keeps_the_resource", "every_callback_of_create_makes_another", "create_never_ends"),
)


@pytest.mark.parametrize("sets", ["all", "three sets"])
def test_broken_handlers_with_inputs_of_the_author(sets, golden):
    schema, found = SHAPES["named"](), []
    for each in BROKEN:
        if each.name in NAMES_ARE_SEEN_AGAIN:
            subject, _ = broken_subject(each, schema)
            subject.inputs = GivenInputs(schema, seed=1, **SETS[sets])
            found.append((each.name, run_suite(subject)))
    check_outlines(f"given-broken-{sets}", found, golden)


def test_creates_that_make_two_and_are_slow(golden):
    """Of these, what a second delivery of a callback made is told from what every create makes."""
    schema, found = SHAPES["generated"](), []
    for name in ("create_makes_two", "every_callback_of_create_makes_another", "create_leaves_a_child_behind"):
        each = next(each for each in BROKEN if each.name == name)
        slow_one = dataclasses.replace(each, behaviour=Behaviour(stabilization=2, page_size=2, delay_seconds=1))
        found.append((name, run_suite(broken_subject(slow_one, schema)[0])))
    check_outlines("two-slowly", found, golden)


def list_needs_a_model(simulator):
    """A list handler that needs the values of a resource, which only a run that finds this out can satisfy."""

    def function(event, context=None):
        if event["action"] == "LIST" and not event["requestData"]["resourceProperties"]:
            return failure("InvalidRequest", "Name is missing")
        return simulator(event, context)

    return function


TAGGING = {"taggable": True, "tagOnCreate": True, "tagUpdatable": True, "tagProperty": "/properties/Tags"}


def test_types_that_say_odd_things_of_tags_and_lists(golden):
    elsewhere = {"additionalProperties": False, "tagging": {**TAGGING, "tagProperty": "/properties/Missing"}}
    types = {
        "list with a model": (small("ListModel"), list_needs_a_model),
        "tags elsewhere": (small("TagsElsewhere", **elsewhere), None),
        "no tags": (small("NoTags", tagging={"taggable": False}), None),
        "system tags": (small("SystemTags", tagging={**TAGGING, "cloudFormationSystemTags": False}), None),
        "tags not on create": (small("TagsLater", tagging={**TAGGING, "tagOnCreate": False}), None),
        "deprecated and nonPublic": (
            small(
                "Hidden",
                deprecatedProperties=["/properties/Title"],
                nonPublicProperties=["/properties/Size"],
                conditionalCreateOnlyProperties=["/properties/Tags/*/Key"],
            ),
            None,
        ),
    }
    found = []
    for name, (schema, change) in types.items():
        simulator = Simulator(schema, Behaviour(page_size=2), seed=1)
        function = simulator if change is None else change(simulator)
        found.append((name, run_suite(subject_of(function, schema, seed=1))))
    check_outlines("odd-types", found, golden)


def test_small_violations_with_inputs_of_the_author(golden):
    """A property that no answer has is reported with the first of few input sets, and not of many."""
    schema, found = SHAPES["named"](), []
    wanted = ("leaves_out_arn", "update_writes_to_the_oldest", "update_changes_a_neighbour", "update_keeps_what")
    for each in MUTANTS:
        if "named" in each.shapes and any(name in each.name for name in wanted):
            for sets in ("create and update", "three sets"):
                subject = subject_of(mutated(each, schema), schema, seed=1)
                subject.inputs = GivenInputs(schema, seed=1, **SETS[sets])
                found.append((f"{each.name}, {sets}", run_suite(subject)))
    check_outlines("given-mutants", found, golden)


def test_a_type_of_texts_and_numbers_alone(golden):
    value = {
        "typeName": "Acme::Shapes::Flat",
        "description": "Neither lists nor objects",
        "properties": {name: {"type": "string", "pattern": "^[a-z]{8}$"} for name in ("Name", "Text")}
        | {"Count": {"type": "integer", "minimum": 1}, "On": {"type": "boolean"}},
        "required": ["Name"],
        "primaryIdentifier": ["/properties/Name"],
        "createOnlyProperties": ["/properties/Name"],
        "additionalProperties": False,
        "handlers": handlers("create", "read", "update", "delete", "list"),
    }
    found = []
    for name, more in (
        ("says nothing of tags", {}),
        ("taggable", {"taggable": True}),
        ("no tags", {"taggable": False}),
    ):
        text = json.dumps({**value, **more})
        schema = build_resource_schema(parse_document(text, name="flat.json", format=DocumentFormat.JSON))
        found.append((name, run_suite(subject_of(Simulator(schema, seed=1), schema, seed=1))))
    check_outlines("flat", found, golden)


def test_tokens_of_lists_that_lead_nowhere(golden):
    schema, found = SHAPES["named"](), []
    for token in (5, "", {"page": 2}, "again"):
        simulator = Simulator(schema, seed=1)

        def function(event, context=None, simulator=simulator, token=token):
            answer = simulator(event, context)
            return {**answer, "nextToken": token} if event["action"] == "LIST" else answer

        subject = subject_of(function, schema, seed=1)
        found.append((repr(token), run_suite(subject, names=["contract_list_pages", "contract_create_list"])))
    check_outlines("tokens", found, golden)
