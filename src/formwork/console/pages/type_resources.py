"""The resources of a type, listed, made, read, changed and deleted through Cloud Control."""

import json
from collections.abc import Mapping
from typing import Any

from formwork.console.pages.type_frame import TypePage
from formwork.console.parts import CallRefusedError
from formwork.console.views.form_model import EnteredModel, patch_of
from formwork.console.views.resource_calls import create_lines, delete_lines, update_lines
from formwork.console.views.schema_form import SchemaForm
from formwork.console.visits import NotShownError, PageVisit, Redirection, ShownPage
from formwork.diagnostics import PointerError, parse_pointer
from formwork.diagnostics.secrets import mask_at
from formwork.schema import ResourceSchema

_LISTED = 100
_REQUESTS = 20


def list_resources(visit: PageVisit) -> ShownPage:
    """Show the resources that the list handler names, and the latest requests."""
    page = TypePage.of(visit)
    schema = _schema(page)
    token = visit.query.get("next", "")
    found: Mapping[str, Any] = {}
    problem = None
    if "list" in schema.handlers:
        try:
            found = page.call(
                "ListResources",
                "cloudcontrol",
                TypeName=page.name,
                MaxResults=_LISTED,
                **({"NextToken": token} if token else {}),
            )
        except CallRefusedError as error:
            problem = error.message
    requests = page.call("ListResourceRequests", "cloudcontrol", MaxResults=_REQUESTS)
    values = {
        **page.frame("resources"),
        "resources": [_listed(schema, each) for each in found.get("ResourceDescriptions") or ()],
        "following": found.get("NextToken"),
        "problem": problem,
        "handlers": schema.handlers,
        "requests": [each for each in requests["ResourceRequestStatusSummaries"] if each["TypeName"] == page.name],
        "lines": page.lines("ListResources", None, "cloudcontrol", TypeName=page.name),
    }
    return ShownPage("type_resources.html", values)


def ask_new(visit: PageVisit) -> ShownPage:
    """Show the form for a new resource."""
    page = TypePage.of(visit)
    return _form(page, _schema(page), EnteredModel(_schema(page), {}), before=None)


def ask_change(visit: PageVisit) -> ShownPage:
    """Show a resource as its read handler answers, in the form to change it."""
    page = TypePage.of(visit)
    schema = _schema(page)
    before = _read(page, schema, visit.query.get("id", ""))
    entered = EnteredModel(schema, {})
    entered.model = schema.without_read_only(before)
    return _form(page, schema, entered, before=before)


def submit(visit: PageVisit) -> ShownPage | Redirection:
    """Check what was entered, add or remove an item of a list, or begin the request."""
    page = TypePage.of(visit)
    schema = _schema(page)
    identifier = visit.query.get("id", "")
    before = _read(page, schema, identifier) if identifier else None
    entered = EnteredModel(schema, visit.form)
    if visit.field("add") or visit.field("remove") or visit.field("as"):
        _change_list(entered, schema, add=visit.field("add"), remove=visit.field("remove"))
        return _form(page, schema, entered, before=before)
    entered.check(kept=before)
    if visit.field("check") or entered.faults:
        return _form(page, schema, entered, before=before, checked=True)
    try:
        made = _begin(page, schema, entered, before, identifier)
    except CallRefusedError as error:
        entered.add("", error.message)
        return _form(page, schema, entered, before=before, checked=True)
    return page.back(f"/requests/{made['ProgressEvent']['RequestToken']}")


def delete(visit: PageVisit) -> ShownPage | Redirection:
    """Ask for a confirmation, then begin to delete a resource."""
    page = TypePage.of(visit)
    identifier = visit.query.get("id", "")
    if visit.field("confirmation") == identifier:
        made = page.call("DeleteResource", "cloudcontrol", TypeName=page.name, Identifier=identifier)
        return page.back(f"/requests/{made['ProgressEvent']['RequestToken']}")
    values = {
        **page.frame("resources"),
        "identifier": identifier,
        "problem": f'Type "{identifier}" to confirm.' if visit.field("confirmation") else None,
        "lines": delete_lines(page, identifier),
    }
    return ShownPage("resource_delete.html", values)


def show_request(visit: PageVisit) -> ShownPage:
    """Show a request and what hooks said of it, until it has ended."""
    page = TypePage.of(visit)
    token = visit.path["token"]
    found = page.call("GetResourceRequestStatus", "cloudcontrol", RequestToken=token)
    event = found["ProgressEvent"]
    if event["TypeName"] != page.name:
        raise NotShownError("this request is about another type")
    schema = _schema(page)
    model = json.loads(event.get("ResourceModel") or "null")
    values = {
        **page.frame("resources"),
        "event": event,
        "model": None if model is None else mask_at(model, schema.write_only),
        "hooks": found.get("HooksProgressEvent") or [],
        "exchanges": [each for each in visit.parts.exchanges.of_type(page.scope, page.name) if each.token == token],
        "lines": [
            *page.lines("GetResourceRequestStatus", None, "cloudcontrol", RequestToken=token),
            *page.lines_to("cancel", "CancelResourceRequest", None, "cloudcontrol", RequestToken=token),
        ],
    }
    return ShownPage("resource_request.html", values)


def cancel(visit: PageVisit) -> Redirection:
    """Cancel a request."""
    page = TypePage.of(visit)
    token = visit.path["token"]
    page.call("CancelResourceRequest", "cloudcontrol", RequestToken=token)
    return page.back(f"/requests/{token}")


def _schema(page: TypePage) -> ResourceSchema:
    if page.resource_schema is None:
        raise NotShownError(
            "resources of this type cannot be made here: its schema has errors, or it is not a resource"
        )
    return page.resource_schema


def _listed(schema: ResourceSchema, description: Mapping[str, Any]) -> dict[str, Any]:
    model = json.loads(description.get("Properties") or "{}")
    return {"identifier": description["Identifier"], "model": mask_at(model, schema.write_only)}


def _read(page: TypePage, schema: ResourceSchema, identifier: str) -> dict[str, Any]:
    found = page.call("GetResource", "cloudcontrol", TypeName=page.name, Identifier=identifier)
    model: dict[str, Any] = json.loads(found["ResourceDescription"]["Properties"])
    masked: dict[str, Any] = mask_at(model, schema.write_only)
    return masked


def _begin(
    page: TypePage, schema: ResourceSchema, entered: EnteredModel, before: Mapping[str, Any] | None, identifier: str
) -> Mapping[str, Any]:
    if before is None:
        return page.call("CreateResource", "cloudcontrol", TypeName=page.name, DesiredState=json.dumps(entered.model))
    patch = json.dumps(patch_of(schema, before, entered.model))
    return page.call("UpdateResource", "cloudcontrol", TypeName=page.name, Identifier=identifier, PatchDocument=patch)


def _change_list(entered: EnteredModel, schema: ResourceSchema, *, add: str, remove: str) -> None:
    """Add an empty item to the list at a pointer, or remove the item at one."""
    pointer = add or remove
    if not pointer:
        return
    steps = _steps(pointer)
    model: Any = entered.model
    for step in steps[:-1]:
        if isinstance(model, list):
            model = model[int(step)] if step.isdecimal() and int(step) < len(model) else {}
        else:
            model = model.setdefault(step, {}) if isinstance(model, dict) else {}
    last = steps[-1] if steps else ""
    if remove:
        if isinstance(model, list) and last.isdecimal() and int(last) < len(model):
            del model[int(last)]
        return
    place = ["*" if each.isdecimal() else each for each in steps]
    node = schema.subschema_at([*place, "*"])
    empty: Any = {} if node is not None and node.types == ("object",) else ""
    if isinstance(model, dict):
        model.setdefault(last, []).append(empty)


def _steps(pointer: str) -> tuple[str, ...]:
    try:
        return parse_pointer(pointer)
    except PointerError:  # no form of ours has it
        return ()


def _form(
    page: TypePage,
    schema: ResourceSchema,
    entered: EnteredModel,
    *,
    before: Mapping[str, Any] | None,
    checked: bool = False,
) -> ShownPage:
    form = SchemaForm(schema, entered.model, updating=before is not None)
    faults, others = entered.by_field(form)
    visit = page.visit
    identifier = visit.query.get("id", "")
    as_json = (visit.field("as") or ("json" if "json" in visit.form else "fields")) == "json"
    text = visit.field("json") if "json" in visit.form and as_json and not visit.field("as") else None
    shown = mask_at(entered.model, schema.write_only, "")
    values = {
        **page.frame("resources"),
        "identifier": identifier,
        "form": form,
        "faults": faults,
        "others": others,
        "checked": checked,
        "before": before,
        "as_json": as_json,
        "text": json.dumps(shown, indent=2, ensure_ascii=False) if text is None or shown != entered.model else text,
        "labels": {each.pointer: each.name for each in form.walk()},
        "keys": {each.pointer: each.key for each in form.walk()},
        "target": page.path("/resources/new") if before is None else page.path("/resources/one", id=identifier),
        "lines": create_lines(page, schema, entered.model)
        if before is None
        else update_lines(page, identifier, schema, before, entered.model),
    }
    if visit.partial and checked:
        return ShownPage("resource_form_faults.html", values)
    return ShownPage("resource_form.html", values, 400 if checked and entered.faults else 200)
