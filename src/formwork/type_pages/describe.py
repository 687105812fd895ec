"""From the schema of an extension to the blocks of its page (docs/decisions/1351)."""

import json
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TypeAlias

from msgspec import Struct

from formwork.diagnostics import Severity
from formwork.extensions import ExtensionKind, hyphenated_name
from formwork.model import build_type_model
from formwork.model.types import ModelType, ObjectModel, TypeModel
from formwork.schema.hook import HookSchema
from formwork.schema.module import ModuleSchema
from formwork.schema.resource import ResourceSchema
from formwork.schema_changes import compare_hooks, compare_schemas
from formwork.template import render_yaml
from formwork.type_pages.blocks import Block, CellTable, CodeExample, Heading, PropertyTree, Prose
from formwork.type_pages.examples import module_program, resource_examples
from formwork.type_pages.tree import property_nodes, type_in_words

Schema: TypeAlias = ResourceSchema | HookSchema | ModuleSchema
_WEIGHTS = {Severity.ERROR: "breaking", Severity.WARNING: "risky", Severity.INFO: "compatible"}
_MAX_DEPTH = 5


class DescribedType(Struct, frozen=True):
    """The page of an extension."""

    kind: ExtensionKind
    type_name: str
    description: str
    blocks: tuple[Block, ...]

    @property
    def stem(self) -> str:
        """The name of its file, without the ending."""
        return hyphenated_name(self.type_name)


def describe_type(schema: Schema, versions: Sequence[tuple[str, Schema]] = ()) -> DescribedType:
    """Return the page of an extension; `versions` are its schemas by label, oldest first, the shown one last."""
    if isinstance(schema, ResourceSchema):
        kind, blocks = ExtensionKind.RESOURCE, _resource(schema)
    elif isinstance(schema, HookSchema):
        kind, blocks = ExtensionKind.HOOK, _hook(schema)
    else:
        kind, blocks = ExtensionKind.MODULE, _module(schema)
    return DescribedType(kind, schema.type_name, schema.description, (*blocks, *_changes(versions)))


def _resource(schema: ResourceSchema) -> Iterator[Block]:
    types = build_type_model(schema, kind=ExtensionKind.RESOURCE)
    yield from resource_examples(schema)
    yield Heading("Properties")
    nodes = property_nodes(types, types.root, read_only=False)
    yield PropertyTree(nodes) if nodes else Prose("A template sets no property.")
    yield Heading("Return values")
    yield from _return_values(types)
    if types.type_configuration is not None and types.type_configuration.properties:
        yield Heading("Type configuration")
        yield Prose("What SetTypeConfiguration takes, once for an account and Region.")
        yield PropertyTree(property_nodes(types, types.type_configuration, read_only=False))
    if schema.handlers:
        yield Heading("Permissions")
        yield Prose("What the handlers call with the execution role.")
        rows = [
            (name, f"{each.timeout_in_minutes} min", ", ".join(each.permissions) or "none")
            for name, each in schema.handlers.items()
        ]
        yield CellTable(("Handler", "Timeout", "Actions"), tuple(rows), frozenset({0, 2}))


def _return_values(types: TypeModel) -> Iterator[Block]:
    rows = []
    if types.primary_identifier:
        named = " | ".join(".".join(path) for path in types.primary_identifier)
        rows.append(("Ref", named, "The identifier of the resource."))
    rows += [(f"Fn::GetAtt {name}", kind, text) for name, kind, text in _attributes(types, types.root, ())]
    yield CellTable(("Function", "Gives", "Description"), tuple(rows), frozenset({0, 1}))


def _attributes(types: TypeModel, model: ObjectModel, path: tuple[str, ...]) -> Iterator[tuple[str, str, str]]:
    for each in model.properties:
        here = (*path, each.name)
        if each.read_only:
            yield ".".join(here), type_in_words(each.type), each.description
        elif isinstance(each.type, ModelType) and len(here) < _MAX_DEPTH:
            yield from _attributes(types, types.expect_model(each.type.name), here)


def _hook(schema: HookSchema) -> Iterator[Block]:
    types = build_type_model(schema, kind=ExtensionKind.HOOK)
    yield Heading("Example")
    yield Prose("A configuration that activates the hook, for SetTypeConfiguration.")
    settings = {
        "HookInvocationStatus": "ENABLED",
        "FailureMode": "FAIL",
        "TargetOperations": ["RESOURCE"],
        "Properties": {},
    }
    yield CodeExample("JSON", json.dumps({"CloudFormationConfiguration": {"HookConfiguration": settings}}, indent=2))
    yield Heading("Targets")
    rows = [
        (name, ", ".join(each.target_names), ", ".join(each.permissions) or "none")
        for name, each in schema.handlers.items()
    ]
    yield CellTable(("Invoked", "Targets", "Actions it calls"), tuple(rows), frozenset({0, 1, 2}))
    if types.type_configuration is not None and types.type_configuration.properties:
        yield Heading("Properties")
        yield PropertyTree(property_nodes(types, types.type_configuration, read_only=False))


def _module(schema: ModuleSchema) -> Iterator[Block]:
    properties = dict.fromkeys(schema.parameters, "…")
    resource = {"Type": schema.type_name, **({"Properties": properties} if properties else {})}
    yield Heading("Example")
    yield CodeExample("YAML", render_yaml({"Resources": {"Example": resource}}).rstrip())
    yield CodeExample("JSON", json.dumps({"Resources": {"Example": resource}}, indent=2, ensure_ascii=False))
    yield CodeExample("CDK (TypeScript)", module_program(schema, properties))
    yield Heading("Parameters")
    rows = tuple((name, each.description or "") for name, each in schema.parameters.items())
    yield CellTable(("Name", "Description"), rows, frozenset({0})) if rows else Prose("The module takes no parameters.")
    yield Heading("Resources")
    yield CellTable(("Logical id", "Type"), tuple(schema.resources.items()), frozenset({0, 1}))


def _changes(versions: Sequence[tuple[str, Schema]]) -> Iterator[Block]:
    if len(versions) < 2:
        return
    yield Heading("Changes")
    rows = []
    for (old, before), (new, after) in reversed(list(pairwise(versions))):
        label = f"{old} → {new}"
        if isinstance(before, ResourceSchema) and isinstance(after, ResourceSchema):
            found = compare_schemas(before, after)
        elif isinstance(before, HookSchema) and isinstance(after, HookSchema):
            found = compare_hooks(before, after)
        else:
            rows.append((label, "", "not compared: versions of modules differ in their fragments"))
            continue
        rows += [(label, _WEIGHTS[each.severity], each.message) for each in found] or [(label, "", "no change")]
    yield CellTable(("Versions", "For users", "Change"), tuple(rows), frozenset({0}))
