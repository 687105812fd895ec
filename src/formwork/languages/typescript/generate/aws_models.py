"""`models.ts` for AWS's handler library, in the form that existing projects' handlers use: classes with decorators.

Attributes are the properties' names with a small first letter, and an underscore after a keyword; integers are
BigInts, sets Sets and maps Maps, as in that library.
"""

from formwork.extensions import ExtensionKind
from formwork.languages.typescript.generate.models import header
from formwork.languages.typescript.generate.naming import ATTRIBUTE_KEYWORDS
from formwork.languages.typescript.generate.text import comment, literal
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
from formwork.model.naming import as_identifier

LIBRARY = "@amazon-web-services-cloudformation/cloudformation-cli-typescript-lib"

_SCALARS = {
    Scalar.STRING: ("string", "String"),
    Scalar.INTEGER: ("integer", "Integer"),
    Scalar.NUMBER: ("number", "Number"),
    Scalar.BOOLEAN: ("boolean", "Boolean"),
}
# Methods of the library's classes and of generated ones.
_METHODS = frozenset(
    {
        # Names of the library.
        "deserialize",
        "getAdditionalIdentifiers",
        "getPrimaryIdentifier",
        "getTypeName",
        "serialize",
        "toJSON",
        # Members of every object, whose types no property has.
        "hasOwnProperty",
        "isPrototypeOf",
        "propertyIsEnumerable",
        "toLocaleString",
        "toString",
        "valueOf",
    }
)

_HEAD = f"""\
import {{ BaseModel, Dict, integer, Integer, Optional, transformValue }} from '{LIBRARY}';
import {{ Exclude, Expose, Transform, Type }} from 'class-transformer';

// class-transformer passes value and object as one argument from version 0.3.2 on, and as two before.
const given = (all: any[]): [any, any] => (all.length === 1 ? [all[0].value, all[0].obj] : [all[0], all[1]]);
"""


def render_aws_models(types: TypeModel) -> str:
    """Return the module with the models of a resource and its type configuration."""
    models = list(types.models)
    if types.type_configuration is None and types.kind is ExtensionKind.RESOURCE:
        models.append(ObjectModel("TypeConfigurationModel", ("typeConfiguration",), ()))
    blocks = ["\n".join(_class(each, types)) for each in models]
    return "\n\n".join([f"{header(types.type_name)}\n{_HEAD}".rstrip(), *blocks]) + "\n"


def _class(model: ObjectModel, types: TypeModel) -> list[str]:
    names = attribute_names(model)
    lines = [*comment(model.description), f"export class {model.name} extends BaseModel {{"]
    lines.append(f"    declare ['constructor']: typeof {model.name};")
    if model is types.root:
        lines += _type_name(types)
    for each in model.properties:
        lines += ["", *_property(each, names[each.name])]
    if model is types.root:
        lines += _identifiers(types, names)
    return [*lines, "}"]


def attribute_names(model: ObjectModel) -> dict[str, str]:
    """Return the attribute of each property."""
    taken: set[str] = set()
    names: dict[str, str] = {}
    for each in model.properties:
        plain = as_identifier(each.name)
        plain = plain[:1].lower() + plain[1:] if plain[:1].isalpha() else f"_{plain}"
        candidate = f"{plain}_" if plain in ATTRIBUTE_KEYWORDS | _METHODS else plain
        while candidate in taken:
            candidate += "_"
        names[each.name] = candidate
        taken.add(candidate)
    return names


def _type_name(types: TypeModel) -> list[str]:
    lines = ["", "    @Exclude()", f"    public static readonly TYPE_NAME: string = {literal(types.type_name)};"]
    for path in dict.fromkeys(
        [*types.primary_identifier, *(each for one in types.additional_identifiers for each in one)]
    ):
        pointer = "/properties/" + "/".join(path)
        lines += ["", "    @Exclude()", f"    protected readonly {_key(path)}: string = {literal(pointer)};"]
    return lines


def _key(path: tuple[str, ...]) -> str:
    return f"IDENTIFIER_KEY_{as_identifier('_'.join(path)).upper()}"


def _property(of: Property, name: str) -> list[str]:
    lines = comment(of.description, "    ")
    lines.append(f"    @Expose({{ name: {literal(of.name)} }})")
    model = _model_in(of.type)
    if model is not None:
        lines.append(f"    @Type(() => {model})")
    else:
        wrapper, containers = _wrapped(of.type)
        arguments = f"{wrapper}, {literal(name)}, ...given(all), [{', '.join(containers)}]"
        lines.append(f"    @Transform((...all: any[]) => transformValue({arguments}), {{ toClassOnly: true }})")
    return [*lines, f"    {name}?: Optional<{_annotation(of.type)}>;"]


def _annotation(of: Type) -> str:
    match of:
        case ScalarType(scalar):
            return _SCALARS[scalar][0]
        case ModelType(name):
            return name
        case ListType(item):
            return f"Array<{_annotation(item)}>"
        case SetType(item):
            return f"Set<{_annotation(item)}>"
        case MapType(value):
            return f"Map<string, {_annotation(value)}>"
        case _:
            return "object"


def _model_in(of: Type) -> str | None:
    """Return the model of a property or of its items, of which the transformer creates instances."""
    match of:
        case ModelType(name):
            return name
        case ListType(item) | SetType(item):
            return _model_in(item)
        case _:
            return None


def _wrapped(of: Type) -> tuple[str, list[str]]:
    """Return the class of the innermost values, and the containers around them, outermost first."""
    match of:
        case ScalarType(scalar):
            return _SCALARS[scalar][1], []
        case ListType(item) | SetType(item) | MapType(item):
            wrapper, containers = _wrapped(item)
            container = "Map" if isinstance(of, MapType) else "Set" if isinstance(of, SetType) else "Array"
            return wrapper, [container, *containers]
        case ModelType() | UnionType() | AnyType():
            return "Object", []


def _identifiers(types: TypeModel, names: dict[str, str]) -> list[str]:
    lines = [
        "",
        "    @Exclude()",
        "    public getPrimaryIdentifier(): Dict {",
        *_identifier(types.primary_identifier, names),
        "    }",
        "",
        "    @Exclude()",
        "    public getAdditionalIdentifiers(): Array<Dict> {",
        "        const identifiers: Array<Dict> = [];",
    ]
    numbers = range(1, len(types.additional_identifiers) + 1)
    lines += [
        f"        if (this.getIdentifier{n}() != null) identifiers.push(this.getIdentifier{n}());" for n in numbers
    ]
    lines += [
        "        // only those whose parts all have values",
        "        return identifiers.length === 0 ? null : identifiers;",
        "    }",
    ]
    for number, paths in enumerate(types.additional_identifiers, start=1):
        lines += [
            "",
            "    @Exclude()",
            f"    public getIdentifier{number}(): Dict {{",
            *_identifier(paths, names),
            "    }",
        ]
    return lines


def _identifier(paths: tuple[tuple[str, ...], ...], names: dict[str, str]) -> list[str]:
    lines = ["        const identifier: Dict = {};"]
    for path in paths:
        if not path or path[0] not in names:
            continue
        value = f"(this as Dict).{names[path[0]]}" + "".join(f"?.{_lowered(step)}" for step in path[1:])
        lines.append(f"        if ({value} != null) identifier[this.{_key(path)}] = {value};")
    return [*lines, f"        return Object.keys(identifier).length === {max(1, len(paths))} ? identifier : null;"]


def _lowered(name: str) -> str:
    plain = as_identifier(name)
    plain = plain[:1].lower() + plain[1:] if plain[:1].isalpha() else f"_{plain}"
    return f"{plain}_" if plain in ATTRIBUTE_KEYWORDS | _METHODS else plain
