"""`models.py` in the form of AWS's generator: dataclasses that work with AWS's handler library and the toolkit's.

Maps, alternatives and arrays of arrays are plain JSON, `{}` reads as None, and names that only AWS's modules have
(`set_or_none`, `_ResourceModel`) exist, so that handlers and unit tests written for them keep working.
"""

from collections.abc import Sequence
from typing import assert_never

from formwork.extensions import ExtensionKind
from formwork.languages.python.generate.aws_shapes import AWS_MARK
from formwork.languages.python.generate.models import header
from formwork.languages.python.generate.text import docstring
from formwork.model import (
    AnyType,
    ListType,
    MapType,
    ModelType,
    ObjectModel,
    Property,
    Scalar,
    ScalarType,
    SetType,
    Type,
    TypeModel,
    UnionType,
)

_SCALARS = {Scalar.STRING: "str", Scalar.INTEGER: "int", Scalar.NUMBER: "float", Scalar.BOOLEAN: "bool"}
_REQUESTS = {
    ExtensionKind.RESOURCE: '''@dataclass
class ResourceHandlerRequest(BaseResourceHandlerRequest):
    """The request of a handler, with the models of this type."""

    desiredResourceState: Optional["ResourceModel"]
    previousResourceState: Optional["ResourceModel"]
    typeConfiguration: Optional["TypeConfigurationModel"]''',
    ExtensionKind.HOOK: '''class HookHandlerRequest(BaseHookHandlerRequest):
    """The request of a handler."""''',
}
_BASES = {ExtensionKind.RESOURCE: "BaseResourceHandlerRequest", ExtensionKind.HOOK: "BaseHookHandlerRequest"}
_SET_OR_NONE = '''def set_or_none(value: Optional[Sequence[Any]]) -> Optional[AbstractSet[Any]]:
    """Return the items as a set, None if there are none."""
    return set(value) if value else None'''


def render_aws_models(types: TypeModel) -> str:
    """Return the module with the models of a resource or hook, its type configuration and its request."""
    models = list(types.models)
    if types.type_configuration is None:
        models.append(ObjectModel("TypeConfigurationModel", ("typeConfiguration",), ()))
    recast = types.root.name if types.kind is ExtensionKind.RESOURCE else None
    return _render(types.type_name, models, recast, base=_BASES[types.kind], request=_REQUESTS[types.kind])


def render_aws_target_models(types: TypeModel) -> str:
    """Return the module with the models of one target type of a hook."""
    return _render(types.type_name, list(types.models), types.root.name)


def _render(
    type_name: str,
    models: Sequence[ObjectModel],
    recast: str | None,
    *,
    base: str | None = None,
    request: str | None = None,
) -> str:
    interface = ", ".join(sorted(["BaseModel", *([base] if base else [])]))
    head = [
        header(type_name),
        AWS_MARK,
        "import sys",
        "from dataclasses import dataclass",
        "from inspect import getmembers, isclass",
        "from typing import AbstractSet, Any, Mapping, MutableMapping, Optional, Sequence",
        "",
        f"from cloudformation_cli_python_lib.interface import {interface}",
        "from cloudformation_cli_python_lib.recast import recast_object",
        "from cloudformation_cli_python_lib.utils import deserialize_list",
    ]
    classes = [_class(model, recasts=model.name == recast) for model in models]
    return "\n\n\n".join(["\n".join(head), _SET_OR_NONE, *([request] if request else []), *classes]) + "\n"


def _class(model: ObjectModel, *, recasts: bool) -> str:
    name = model.name
    lines = ["@dataclass", f"class {name}(BaseModel):"]
    lines += docstring(model.description or f"The object {name} of the schema.", "    ")
    if model.properties:
        lines.append("")
    lines += [f"    {each.name}: Optional[{_annotation(each.type)}]" for each in model.properties]
    lines += [
        "",
        "    @classmethod",
        f'    def _deserialize(cls, json_data: Optional[Mapping[str, Any]]) -> Optional["_{name}"]:',
        "        if not json_data:",
        "            return None",
    ]
    if recasts:
        # AWS's library resolves forward references from these classes.
        lines += [
            "        classes = {name: each for name, each in getmembers(sys.modules[__name__]) if isclass(each)}",
            "        recast_object(cls, json_data, classes)",
        ]
    arguments = [f"            {each.name}={_read(each)}," for each in model.properties]
    lines += ["        return cls(", *arguments, "        )"] if arguments else ["        return cls()"]
    # A property may have the name of its model; the annotation must then not refer to the property.
    return "\n".join([*lines, "", "", f"_{name} = {name}"])


def _annotation(of: Type) -> str:
    match of:
        case ScalarType(scalar):
            return _SCALARS[scalar]
        case ModelType(name):
            return f'"_{name}"'
        case ListType(item):
            return f"Sequence[{_annotation(item)}]"
        case SetType(item):
            return f"AbstractSet[{_annotation(item)}]"
        case MapType(value):
            return f"MutableMapping[str, {_annotation(value)}]"
        case AnyType() | UnionType():
            return "Any"
        case _:
            assert_never(of)


def _read(of: Property) -> str:
    value = f'json_data.get("{of.name}")'
    match of.type:
        case ModelType(name):
            return f"{name}._deserialize({value})"
        case ListType(ModelType(name)):
            return f"deserialize_list({value}, {name})"
        case SetType():
            return f"set_or_none({value})"
        case _:
            return value
