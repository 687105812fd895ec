"""`model.go`: one struct per model, with tags for encoding and decoding (docs/decisions/1121)."""

from collections.abc import Sequence

from formwork.languages.go.generate.naming import additional_field, field_names, type_name
from formwork.languages.go.generate.text import aligned, comment, header, literal
from formwork.languages.go.generate.types import property_type
from formwork.model import ObjectModel, Property, TypeModel

# The characters that encoding/json allows in a name in a tag.
_TAG_CHARACTERS = frozenset(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!#$%&()*+-./:;<=>?@[]^_{|}~ "
)


def render_models(types: TypeModel, models: Sequence[ObjectModel], *, package: str, library: str) -> str:
    """Return a file with the models; `library` is the import path of the runtime."""
    structs = ["\n".join(_struct(each, secret=each.name in _SHOWN)) for each in models]
    body = "\n\n".join(structs)
    imports = [f'import "{library}"', ""] if "cfn." in body else []
    return "\n".join([header(types.type_name), "", f"package {package}", "", *imports, body, ""])


# Models with a String method, which masks secrets: a log may print the whole model, with secrets at any depth.
_SHOWN = frozenset({"ResourceModel", "TypeConfigurationModel"})


def _struct(model: ObjectModel, *, secret: bool) -> list[str]:
    name = type_name(model.name)
    fields = field_names(each.name for each in model.properties)
    lines = comment(_about(name, model.description))
    rows = [(each, _row(each, fields[each.name])) for each in model.properties]
    body = _fields(rows)
    if not model.closed:
        field = additional_field(fields.values())
        body += [*([""] if body else []), "\t// What the schema allows and doesn't name."]
        body += [f'\t{field} map[string]any `json:"-" cfn:"additional"`']
    lines += [f"type {name} struct {{", *body, "}"] if body else [f"type {name} struct{{}}"]
    if secret or any(each.write_only for each in model.properties):
        lines += ["", "// String is for logs: what is write-only is masked."]
        lines += [f"func (m {name}) String() string {{ return cfn.Show(m) }}"]
    return lines


def _about(name: str, description: str) -> str:
    text = description.strip()
    return f"{name}: {text}" if text else f"{name} is an object of the schema."


def _row(of: Property, field: str) -> tuple[str, str, str]:
    return field, property_type(of.type), _tag(of)


def _tag(of: Property) -> str:
    flag = ' cfn:"writeOnly"' if of.write_only else ""
    # A "-" alone would exclude the property.
    if of.name and of.name != "-" and _TAG_CHARACTERS.issuperset(of.name):
        return f'`json:"{of.name},omitzero"{flag}`'
    return literal(f'json:"-" property:{literal(of.name)}{flag}')


def _fields(rows: Sequence[tuple[Property, tuple[str, str, str]]]) -> list[str]:
    """Return the fields; consecutive ones without descriptions are aligned in columns as by gofmt."""
    lines: list[str] = []
    block: list[tuple[str, str, str]] = []
    for of, row in rows:
        if of.description.strip():
            lines += aligned(block) if block else []
            lines += comment(of.description, "\t")
            block = []
        block.append(row)
    return lines + (aligned(block) if block else [])
