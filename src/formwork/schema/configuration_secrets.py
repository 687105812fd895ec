"""Which values of a type configuration are secret: what its schema marks, else what the names of properties tell.

Marks are `"format": "password"`, `"writeOnly": true` and `writeOnlyProperties`. A schema that has one decides for all
the properties that it declares; names decide for others, and where a schema marks nothing.

Masking all values turns messages into asterisks; names alone give authors no way to correct a wrong guess; marks alone
would show the API keys of most types, whose schemas mark nothing.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct

from formwork.diagnostics import PointerError, parse_pointer
from formwork.diagnostics.secret_forms import leaf_texts
from formwork.diagnostics.secrets import secrets_at, strings_in
from formwork.schema.paths import ANY, PropertyPath
from formwork.schema.public_values import public_values
from formwork.schema.secret_names import may_name_a_secret, names_a_secret
from formwork.schema.view import SchemaView, Subschema

# Shorter values under names that only may name secrets are algorithms and regions.
_SHORTEST_MAYBE = 12


class ConfigurationSecrets(Struct, frozen=True):
    """Finds the secrets of a type's configurations; without a schema, names of members decide.

    `schema` is that of the configuration if it marks anything, `write_only` are the paths that it lists, `public` the
    values that it names.
    """

    schema: Subschema | None = None
    write_only: tuple[PropertyPath, ...] = ()
    public: frozenset[str] = frozenset()

    def find(self, configuration: Any) -> frozenset[str]:
        """Return the texts and numbers in a configuration that no message may repeat."""
        nodes = [] if self.schema is None else [self.schema]
        found = frozenset(self._secrets(nodes, configuration)) | secrets_at(configuration, self.write_only)
        return found - self.public

    def _secrets(self, nodes: Sequence[Subschema], value: Any) -> Iterator[str]:
        """Yield the secrets in `value`, which `nodes` of the schema describe."""
        branches = [branch for node in nodes for branch in node.branches()]
        if any(_marks_itself(each) for each in branches):
            yield from leaf_texts(value)
            return
        match value:
            case dict():
                for name, each in value.items():
                    below = _children(branches, name)
                    yield from self._secrets(below, each) if below else self._named(name, each)
            case list():
                below = _children(branches, ANY)
                for each in value:
                    yield from self._secrets(below, each)
            case _:
                pass

    def _named(self, name: str, value: Any) -> Iterator[str]:
        if names_a_secret(name):
            yield from leaf_texts(value)
        elif may_name_a_secret(name):
            yield from (each for each in strings_in(value) if len(each) >= _SHORTEST_MAYBE)
        else:
            yield from self._secrets((), value)


def _children(branches: Sequence[Subschema], name: str) -> list[Subschema]:
    """Return the schemas of a property; where there are none, those of all properties."""
    named = [child for branch in branches if (child := branch.child(name)) is not None]
    return named or [child for branch in branches if (child := branch.child(ANY)) is not None]


def configuration_secrets(schema: Any) -> ConfigurationSecrets:
    """Return the finder of secrets in configurations of a type; a schema with errors is used as far as possible."""
    configuration = schema.get("typeConfiguration") if isinstance(schema, dict) else None
    if not isinstance(configuration, dict):
        return ConfigurationSecrets()
    whole = {"definitions": schema.get("definitions", {}), "typeConfiguration": configuration}
    view = SchemaView({**whole, **configuration})
    paths = tuple(view.normalise(each)[0] for each in _pointers(schema, configuration))
    public = public_values(whole)
    return ConfigurationSecrets(view.root if paths or _marks_anything(view.root) else None, paths, public)


def _pointers(schema: dict[str, Any], configuration: dict[str, Any]) -> Iterator[tuple[str, ...]]:
    """Yield the pointers into the configuration: its own list, and those of the type's list that lead into it."""
    yield from _parsed(configuration.get("writeOnlyProperties"))
    for each in _parsed(schema.get("writeOnlyProperties")):
        if each[:1] == ("typeConfiguration",):
            yield each[1:]
        elif "properties" not in schema:  # of a hook, whose only properties are the configuration's
            yield each


def _parsed(pointers: Any) -> Iterator[tuple[str, ...]]:
    for each in pointers if isinstance(pointers, list) else ():
        try:
            tokens = parse_pointer(str(each))
        except PointerError:
            continue
        if tokens:
            yield tuple(tokens)


def _marks_itself(node: Subschema) -> bool:
    return node.get("format") == "password" or node.get("writeOnly") is True


def _marks_anything(root: Subschema) -> bool:
    """Return whether any property of the configuration, also behind references, is marked as secret."""
    pending, seen = [root], set[Subschema]()
    while pending:
        for node in pending.pop().branches():
            if node in seen:
                continue
            seen.add(node)
            if _marks_itself(node):
                return True
            pending += [child for name in (*node.properties, ANY) if (child := node.child(name)) is not None]
    return False
