"""Everything that an operation does, as one text: what it writes, whom it calls, and the moments that it reaches.

A field that changes without a reason is then seen, whichever one it is.
"""

import json
import re

from msgspec import Struct
from msgspec.structs import asdict
from sqlalchemy import select

from formwork.diagnostics.secrets import Secret
from formwork.stacks.store import tables
from support.engines import Bench

_TABLES = (
    *(tables.stacks, tables.resources, tables.leftovers, tables.operations, tables.steps, tables.change_sets),
    *(tables.hook_results, tables.signals, tables.drift_detections),
)
_BEGUN = 1_700_000_000.0
_NAMED = re.compile(
    r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\b(?!\d{12}\b)[0-9a-f]{12,64}\b|(?<=-)[0-9A-Z]{12}\b|thing-[0-9a-f]{8}|arn:thing:\d{6}"
)
_DATA_URL = re.compile(r"data:application/json;base64,[A-Za-z0-9+/=]+")


class Chronicle:
    """A bench that writes down what happens on it."""

    def __init__(self, database, *schemas, hooks=(), **more):
        self._lines = []
        self._seen = {each.name: {} for each in _TABLES}
        self._events = 0
        self._deployments = {}
        self.bench = Bench(database, *schemas, hooks=hooks, checkpoint=self._reached, **more)
        for name, provisioner in self.bench.table.by_name.items():
            self._record_calls(provisioner, name)
        for hook in hooks:
            self._record_calls(hook, hook.type_name)

    def _record_calls(self, called, name):
        invoke = called.invoke

        def recorded(call):
            self._write_changes()
            self._lines.append(f"call {name}: {_shown(call)}")
            outcome = invoke(call)
            self._lines.append(f"  answer: {type(outcome).__name__} {_shown(outcome)}")
            return outcome

        called.invoke = recorded

    def _reached(self, moment):
        self._write_changes()
        self._lines.append(f"moment {moment}")

    def say(self, what):
        """Begin a chapter."""
        self._write_changes()
        self._lines.append(f"\n== {what}")

    def text(self):
        """The chronicle, ids in the order of their appearance and times in whole seconds since the beginning."""
        self._write_changes()
        names = {}
        text = _DATA_URL.sub("<url>", "\n".join(self._lines))
        return _NAMED.sub(lambda found: names.setdefault(found[0], f"<{len(names) + 1}>"), text).lstrip() + "\n"

    def _write_changes(self):
        with self.bench.engine.database.read() as connection:
            for table in _TABLES:
                keys = [each.name for each in table.primary_key.columns]
                rows = {
                    tuple(row[key] for key in keys): dict(row) for row in connection.execute(select(table)).mappings()
                }
                self._compare(table, rows)
            query = select(tables.events).where(tables.events.c.number > self._events).order_by(tables.events.c.number)
            for row in connection.execute(query).mappings():
                self._events = row["number"]
                self._lines.append(f"  event: {_shown(self._plain(row))}")

    def _compare(self, table, rows):
        seen, name = self._seen[table.name], table.name.removeprefix("engine_")
        keys = [each.name for each in table.primary_key.columns]
        for key in seen.keys() - rows.keys():
            self._lines.append(f"  {name} is gone: {_shown(dict(zip(keys, key, strict=True)))}")
        for key, row in rows.items():
            before = seen.get(key)
            if before is None:
                self._lines.append(f"  {name}: {_shown(self._plain(row))}")
            elif before != row:
                changed = {column: value for column, value in row.items() if before[column] != value}
                without = [column for column, value in changed.items() if value is None]
                shown = _shown(self._plain({column: row[column] for column in (*keys, *changed)}))
                self._lines.append(f"  {name} becomes: {shown}{f' without {without}' if without else ''}")
        self._seen[table.name] = rows

    def _plain(self, row):
        """A row without what is null, its JSON as values; a deployment, which many rows have, is shown once."""
        found = {}
        for column, value in row.items():
            name = column.removesuffix("_json")
            if column == "number" or value is None:
                continue
            found[name] = json.loads(value) if column.endswith("_json") else value
            if column in {"deployed_json", "target_json"}:
                shown = _shown(found[name])
                if shown not in self._deployments:
                    self._deployments[shown] = f"deployment {len(self._deployments) + 1}"
                    self._lines.append(f"  {self._deployments[shown]}: {shown}")
                found[name] = self._deployments[shown]
        return found


def _shown(value):
    return json.dumps(_simple(value), sort_keys=True, ensure_ascii=False, default=str)


def _simple(value):
    """A value as JSON has it; what is empty is left out of objects."""
    if isinstance(value, Struct):
        value = asdict(value)
    match value:
        case dict():
            kept = {str(key): each for key, each in value.items() if each not in (None, (), [], {}, "")}
            return {key: _simple(each) for key, each in kept.items()}
        case list() | tuple():
            return [_simple(each) for each in value]
        case frozenset() | set():
            return sorted(map(str, value))
        case Secret():
            return value.reveal()
        case float() if value > _BEGUN - 1:
            return f"+{int(value - _BEGUN)}"
    return value
