"""Templates and programs that use a type, with values that its schema allows."""

import json
from typing import Any

from formwork.cdk.constructs import CFN_TAG, Construct, ConstructProperty, module_construct, resource_construct
from formwork.instances import InstanceGenerator
from formwork.instances.errors import UnsatisfiableError
from formwork.languages.typescript.generate.text import key, literal
from formwork.model import ListType, MapType, ModelType, ScalarType, SetType, Type, UnionType
from formwork.schema.module import ModuleSchema
from formwork.schema.resource import ResourceSchema
from formwork.template import render_yaml
from formwork.type_pages.blocks import Block, CodeExample, Heading, Prose

_NO_FIT = -1000
_KINDS: dict[str, Any] = {"string": str, "boolean": bool, "integer": int, "number": (int, float)}


def resource_examples(schema: ResourceSchema) -> list[Block]:
    """Return the least template and the fullest one, in YAML, JSON and as a construct; the values are valid."""
    generator = InstanceGenerator(schema, seed=1)
    blocks: list[Block] = [Heading("Example")]
    try:
        least, fullest = generator.minimal(), generator.maximal()
    except UnsatisfiableError:
        return [*blocks, Prose("No values were found that the schema allows.")]
    blocks.append(Prose("What is required. The values are examples that the schema allows."))
    blocks += _forms(schema, least)
    if fullest != least:
        blocks += [Heading("Example with every property"), *_forms(schema, fullest)]
    return blocks


def module_program(schema: ModuleSchema, properties: dict[str, Any]) -> str:
    """Return the construct of a module with some properties."""
    construct = module_construct(schema)
    return f"new {construct.class_name}(this, 'Example', {_object(construct, construct.properties, properties, '')});"


def _forms(schema: ResourceSchema, model: dict[str, Any]) -> list[Block]:
    construct = resource_construct(schema)
    settable = {each.wire for each in construct.properties}
    # Without the objects of which only the service sets members.
    model = {name: each for name, each in model.items() if name in settable or each != {}}
    resource: dict[str, Any] = {"Type": schema.type_name, **({"Properties": model} if model else {})}
    template = {"Resources": {"Example": resource}}
    program = f"new {construct.class_name}(this, 'Example', {_object(construct, construct.properties, model, '')});"
    return [
        CodeExample("YAML", render_yaml(template).rstrip()),
        CodeExample("JSON", json.dumps(template, indent=2, ensure_ascii=False)),
        CodeExample("CDK (TypeScript)", program),
    ]


def _object(construct: Construct, properties: tuple[ConstructProperty, ...], value: dict[str, Any], indent: str) -> str:
    by_wire = {each.wire: each for each in properties}
    lines = []
    for name, each in value.items():
        known = by_wire.get(name)
        if known is None and each == {}:
            continue  # an object of which only the service sets members
        of = None if known is None else known.type
        shown = _value(construct, of, each, f"{indent}  ")
        lines.append(f"{indent}  {key(name if known is None else known.name)}: {shown},")
    return "\n".join(["{", *lines, f"{indent}}}"]) if lines else "{}"


def _value(construct: Construct, of: Type | None, value: Any, indent: str) -> str:
    if isinstance(of, UnionType):
        of = max(of.alternatives, key=lambda each: _fit(construct, each, value))
    match value:
        case dict():
            properties = _members(construct, of)
            if properties is not None:
                return _object(construct, properties, value, indent)
            inner = of.value if isinstance(of, MapType) else None
            lines = [
                f"{indent}  {key(name)}: {_value(construct, inner, each, indent + '  ')},"
                for name, each in value.items()
            ]
            return "\n".join(["{", *lines, f"{indent}}}"]) if lines else "{}"
        case list():
            item = of.item if isinstance(of, ListType | SetType) else None
            lines = [f"{indent}  {_value(construct, item, each, indent + '  ')}," for each in value]
            return "\n".join(["[", *lines, f"{indent}]"]) if lines else "[]"
        case str():
            return literal(value)
        case _:
            return json.dumps(value)


def _members(construct: Construct, of: Type | None) -> tuple[ConstructProperty, ...] | None:
    if not isinstance(of, ModelType):
        return None
    if of.name == CFN_TAG:
        return tuple(
            ConstructProperty(name.lower(), name, of, required=True, description="") for name in ("Key", "Value")
        )
    return next(each.properties for each in construct.interfaces if each.name == of.name)


def _fit(construct: Construct, of: Type, value: Any) -> int:
    """How well a value fits an alternative: by its kind of JSON, then by the members that it names."""
    match of:
        case ModelType():
            if not isinstance(value, dict):
                return _NO_FIT
            properties = _members(construct, of) or ()
            known = {each.wire for each in properties}
            missing = sum(each.required and each.wire not in value for each in properties)
            return 2 + len(known & set(value)) - 10 * (len(set(value) - known) + missing)
        case MapType():
            return 1 if isinstance(value, dict) else _NO_FIT
        case ListType(item) | SetType(item):
            return min([2, *(_fit(construct, item, each) for each in value)]) if isinstance(value, list) else _NO_FIT
        case ScalarType(scalar):
            fits = isinstance(value, _KINDS[scalar]) and isinstance(value, bool) == (scalar == "boolean")
            return 2 if fits else _NO_FIT
        case _:
            return 0
