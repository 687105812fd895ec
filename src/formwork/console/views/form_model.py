"""What was entered in a form, as a model: values in the types of the schema, faults by the fields that they concern."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from formwork.console.views.schema_form import ModelPath, SchemaForm, choices_of, shown
from formwork.diagnostics import PointerError, parse_pointer, render_pointer
from formwork.provisioning.property_faults import PropertyFault, model_faults
from formwork.schema import ResourceSchema
from formwork.schema.view import Subschema

_PREFIX = "f:"  # of the names of fields, before their pointers
_MOST_ITEMS = 500
_JSON_FAULT = "this is not JSON"


class EnteredModel:
    """The model of a posted form.

    `faults` are messages by JSON pointer: of the field, or of the object around it where that has no such field.
    Fields that stay empty are left out of the model; an object is given where something inside it is.
    """

    def __init__(self, schema: ResourceSchema, form: Mapping[str, Sequence[str]]) -> None:
        self._schema = schema
        self.faults: dict[str, list[str]] = {}
        self.model: dict[str, Any] = {}
        if "json" in form:
            self._read_json(form["json"][-1])
        else:
            self._read_fields(form)

    def check(self, *, kept: Mapping[str, Any] | None = None) -> None:
        """Add what the schema forbids; `kept` is the model that is updated, None for a new one.

        Of a model that exists the write-only properties are not known, so they are not missed.
        """
        judged = self.model if kept is None else {**_read_only(self._schema, kept), **self.model}
        for fault in model_faults(self._schema, judged):
            if kept is not None and _is_hidden(self._schema, fault):
                continue
            self.add(render_pointer(_place(fault)), fault.early)

    def add(self, pointer: str, message: str) -> None:
        """Add a fault of a field."""
        known = self.faults.setdefault(pointer, [])
        if message not in known:
            known.append(message)

    def by_field(self, form: SchemaForm) -> tuple[dict[str, str], list[tuple[str, str]]]:
        """Return the messages by the pointers of fields, and those that no field has, with their places."""
        fields = {each.pointer for each in form.walk()}
        placed: dict[str, str] = {}
        others: list[tuple[str, str]] = []
        for pointer, messages in self.faults.items():
            where = pointer
            while where and where not in fields:
                where = where.rpartition("/")[0]
            text = "; ".join(messages)
            if not where:
                others.append((pointer, text))
                continue
            inner = f"{pointer[len(where) :]}: {text}" if where != pointer else text
            placed[where] = f"{placed[where]}; {inner}" if where in placed else inner
        return placed, others

    def _read_json(self, text: str) -> None:
        try:
            value = json.loads(text)
        except (ValueError, RecursionError) as error:
            self.add("", f"{_JSON_FAULT}: {error}")
            return
        if isinstance(value, dict):
            self.model = value
        else:
            self.add("", "a JSON object is expected")

    def _read_fields(self, form: Mapping[str, Sequence[str]]) -> None:
        entered = sorted(name for name in form if name.startswith(_PREFIX))
        for name in entered:
            pointer, text = name.removeprefix(_PREFIX), form[name][-1]
            path = _typed_path(self._schema, pointer)
            if path is None or text == "":
                continue
            node = self._schema.subschema_at([str(each) if isinstance(each, str) else "*" for each in path])
            value = self._value(node, text.replace("\r\n", "\n"), pointer)
            _put(self.model, path, value)
        for name in form.get("present", ()):
            path = _typed_path(self._schema, name)
            if path is not None:
                _put(self.model, path, _Absent)
        self.model = _compact(self.model)

    def _value(self, node: Subschema | None, text: str, pointer: str) -> Any:
        """Return the value of a text in the type of its schema; a text that is not of the type stays as it is."""
        if node is None:
            return text
        if choices := choices_of(node):
            return next((each for each in choices if shown(each) == text), text)
        if node.types == ("string",):
            return text
        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            if node.types not in {("integer",), ("number",)} and "string" not in node.types:
                self.add(pointer, f"{_JSON_FAULT}; write a text with quotes")
            return text


class _Absent:
    """Stands for a list item or an object that is in the form, and has no value yet."""


def patch_of(schema: ResourceSchema, before: Mapping[str, Any], after: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the JSON Patch from a model that was read to one that was entered, by top-level properties.

    Properties that a form cannot show (read-only and write-only ones) are not removed by being absent from it.
    """
    after = json.loads(json.dumps(after))
    for path in schema.read_only:
        _carry(path, before, after)
    unseen = {each[0] for each in (*schema.read_only, *schema.write_only) if len(each) == 1}
    unseen |= {each[0] for each in schema.write_only}
    changes: list[dict[str, Any]] = []
    for name, value in after.items():
        if name not in before:
            changes.append({"op": "add", "path": render_pointer((name,)), "value": value})
        elif before[name] != value:
            changes.append({"op": "replace", "path": render_pointer((name,)), "value": value})
    removed = [name for name in before if name not in after and name not in unseen]
    fixed = {each[0] for each in (*schema.create_only, *schema.primary_identifier) if len(each) == 1}
    return [*changes, *({"op": "remove", "path": render_pointer((name,))} for name in removed if name not in fixed)]


def _carry(path: Sequence[str], before: Any, after: Any) -> None:
    """Copy a read-only value below an object of the model: a patch that replaces the object must not change it."""
    for step in path[:-1]:
        before = before.get(step) if isinstance(before, Mapping) else None
        after = after.get(step) if isinstance(after, dict) else None
    if len(path) > 1 and isinstance(before, Mapping) and isinstance(after, dict) and path[-1] in before:
        after.setdefault(path[-1], before[path[-1]])


def _typed_path(schema: ResourceSchema, pointer: str) -> ModelPath | None:
    """Return a pointer's path with the indexes of lists as numbers, None for one that no form of the type has."""
    try:
        steps = parse_pointer(pointer)
    except PointerError:
        return None
    path: list[str | int] = []
    place: list[str] = []
    for step in steps:
        node = schema.subschema_at(place) if place else schema.view.root
        if node is None:
            return None
        if node.types == ("array",):
            if not step.isdecimal() or int(step) >= _MOST_ITEMS:
                return None
            path.append(int(step))
            place.append("*")
        else:
            path.append(step)
            place.append(step)
    return tuple(path) or None


def _put(model: Any, path: ModelPath, value: Any) -> None:
    """Set a value at a path; lists are objects by index until all are there."""
    for step in path[:-1]:
        inner = model.get(step)
        if not isinstance(inner, dict):
            inner = model[step] = {}
        model = inner
    if value is not _Absent:
        model[path[-1]] = value
    elif path[-1] not in model:
        model[path[-1]] = {}


def _compact(value: Any) -> Any:
    """Return a model with its lists as lists."""
    if not isinstance(value, dict):
        return value
    if value and all(isinstance(each, int) for each in value):
        return [_compact(value[each]) for each in sorted(value)]
    return {name: _compact(each) for name, each in value.items()}


def _place(fault: PropertyFault) -> ModelPath:
    return fault.path if fault.name is None else (*fault.path, fault.name)


def _is_hidden(schema: ResourceSchema, fault: PropertyFault) -> bool:
    return tuple("*" if isinstance(each, int) else each for each in _place(fault)) in schema.write_only


def _read_only(schema: ResourceSchema, model: Mapping[str, Any]) -> dict[str, Any]:
    names = {each[0] for each in schema.read_only}
    return {name: each for name, each in model.items() if name in names}
