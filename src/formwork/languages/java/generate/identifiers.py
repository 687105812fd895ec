"""The identifiers of a type in its root class: constants with their pointers, methods with their values."""

from collections.abc import Collection

from msgspec import Struct

from formwork.languages.java.generate.fields import fields_of
from formwork.languages.java.generate.text import literal
from formwork.model import ModelType, ObjectModel, TypeModel
from formwork.model.naming import as_identifier

_Path = tuple[str, ...]


class IdentifierMembers(Struct, frozen=True):
    """Lines of the class; an empty line follows each member."""

    constants: list[str]
    methods: list[str]


def identifier_members(types: TypeModel, *, reserved: Collection[str]) -> IdentifierMembers:
    """`IDENTIFIER_KEY_…`, `getPrimaryIdentifier()`, `getAdditionalIdentifiers()` and one method per additional one.

    `reserved` are names that fields of the root must not have.
    """
    keys = _name_keys([types.primary_identifier, *types.additional_identifiers])
    constants = [
        line
        for path, key in keys.items()
        for line in (f"    public static final String {key} = {literal('/properties/' + '/'.join(path))};", "")
    ]

    def method(name: str, paths: tuple[_Path, ...]) -> list[str]:
        return _identifier_method(name, [(keys[each], _getters(each, types, reserved)) for each in paths])

    methods = method("getPrimaryIdentifier", types.primary_identifier)
    named = _name_methods(types.additional_identifiers)
    methods += _all_additional(list(named))
    for name, paths in named.items():
        methods += method(name, paths)
    return IdentifierMembers(constants, methods)


def _name_keys(identifiers: list[tuple[_Path, ...]]) -> dict[_Path, str]:
    keys: dict[_Path, str] = {}
    for path in (each for identifier in identifiers for each in identifier):
        plain = candidate = "IDENTIFIER_KEY_" + "_".join(map(as_identifier, path)).upper()
        number = 2
        while path not in keys and candidate in keys.values():
            candidate, number = f"{plain}_{number}", number + 1
        keys.setdefault(path, candidate)
    return keys


def _name_methods(identifiers: tuple[tuple[_Path, ...], ...]) -> dict[str, tuple[_Path, ...]]:
    named: dict[str, tuple[_Path, ...]] = {}
    for each in identifiers:
        plain = "_".join(as_identifier(step) for path in each for step in path)
        candidate, number = f"getIdentifier_{plain}", 2
        while candidate in named and named[candidate] != each:
            candidate, number = f"getIdentifier_{plain}_{number}", number + 1
        named[candidate] = each
    return named


def _identifier_method(name: str, parts: list[tuple[str, list[str]]]) -> list[str]:
    """Return the method of an identifier from its parts: each the constant of its pointer and its getters."""
    lines = [
        "    /** @return the identifier by the pointers of its parts; null while one of them has no value */",
        "    @JsonIgnore",
        f"    public JSONObject {name}() {{",
        "        final JSONObject identifier = new JSONObject();",
    ]
    for key, getters in parts:
        chain = [".".join(getters[: count + 1]) for count in range(len(getters))]
        if chain:
            condition = " && ".join(f"this.{each} != null" for each in chain)
            lines += [
                f"        if ({condition}) {{",
                f"            identifier.put({key}, this.{chain[-1]});",
                "        }",
            ]
    wanted = max(len({key for key, _ in parts}), 1)
    return [*lines, f"        return identifier.length() == {wanted} ? identifier : null;", "    }", ""]


def _all_additional(methods: list[str]) -> list[str]:
    return [
        "    /** @return the additional identifiers that are complete, null where none is */",
        "    @JsonIgnore",
        "    public List<JSONObject> getAdditionalIdentifiers() {",
        "        final List<JSONObject> identifiers = new ArrayList<>();",
        *(
            line
            for each in methods
            for line in (
                f"        if (this.{each}() != null) {{",
                f"            identifiers.add(this.{each}());",
                "        }",
            )
        ),
        "        return identifiers.isEmpty() ? null : identifiers;",
        "    }",
        "",
    ]


def _getters(path: _Path, types: TypeModel, reserved: Collection[str]) -> list[str]:
    """Return the calls of getters to the value; none if a part of the path is not a named property."""
    model: ObjectModel | None = types.root
    calls: list[str] = []
    for step in path:
        field = fields_of(model, package="", reserved=reserved).get(step) if model else None
        if field is None:
            return []
        calls.append(field.getter)
        model = types.expect_model(field.of.type.name) if isinstance(field.of.type, ModelType) else None
        reserved = ()
    return calls
