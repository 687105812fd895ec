"""Models and `main.go` for AWS's runtime (`cloudformation-cli-go-plugin`), in the form of that plugin.

The types are those of AWS's plugin: pointers to scalars, `Model` for the resource, `TypeConfiguration` with a function
that reads it. Properties that the plugin can't generate (of several types, lists of lists) become `interface{}` or the
nested type, and a lower-case property keeps its name in JSON.
"""

from collections.abc import Sequence

from formwork.diagnostics import BadInputError
from formwork.extensions import ExtensionKind
from formwork.generate.plan import PlannedFile, managed, seed
from formwork.generate.templates import render_template
from formwork.languages.go.generate.naming import field_names, type_name
from formwork.languages.go.generate.templates import TEMPLATES
from formwork.languages.go.generate.text import aligned, comment, header, literal
from formwork.languages.go.generate.types import property_type
from formwork.model import ObjectModel, TypeModel

_PACKAGE = "cmd/resource"


def plan_aws_models(types: TypeModel, import_path: str) -> dict[str, PlannedFile]:
    """Return the files that AWS's `cfn generate` writes; `makebuild` only if it is missing.

    Raises:
        BadInputError: it is a hook, which AWS's runtime for Go does not support.
    """
    if types.kind is ExtensionKind.HOOK:
        raise BadInputError.of(
            "generate.language",
            "AWS's runtime for Go has no hooks",
            expected='"handler_library": "formwork" in the settings of .rpdk-config',
        )
    configuration = types.type_configuration or ObjectModel("TypeConfigurationModel", ("typeConfiguration",), ())
    models = [each for each in types.models if each is not types.type_configuration]
    words = {"header": header(types.type_name), "import_path": import_path}
    texts = {
        "cmd/main.go": render_template(TEMPLATES / "aws_main.go.txt", words),
        f"{_PACKAGE}/model.go": _file(words["header"], models),
        f"{_PACKAGE}/config.go": render_template(
            TEMPLATES / "aws_config.go.txt", {**words, "configuration": "\n".join(_struct(configuration))}
        ),
    }
    build = seed(render_template(TEMPLATES / "makebuild.txt", {}))
    return {**{path: managed(text) for path, text in texts.items()}, "makebuild": build}


def _file(first: str, models: Sequence[ObjectModel]) -> str:
    structs = ["\n".join(_struct(each)) for each in models]
    return "\n".join([first, "", "package resource", "", "\n\n".join(structs), ""])


def _struct(model: ObjectModel) -> list[str]:
    name = type_name(model.name)
    fields = field_names(each.name for each in model.properties)
    rows = []
    for each in model.properties:
        field = fields[each.name]
        wire = "" if each.name == field else each.name
        rows.append((field, property_type(each.type, aws_runtime=True), _tag(wire)))
    lines = comment(f"{name} is an object of the schema.")
    return [*lines, f"type {name} struct {{", *aligned(rows), "}"] if rows else [*lines, f"type {name} struct{{}}"]


def _tag(name: str) -> str:
    if "," in name:  # a tag can't quote such a name; no other property may get it either
        return '`json:"-"`'
    return (
        f'`json:"{name},omitempty"`'
        if "`" not in name and literal(name) == f'"{name}"'
        else literal(f"json:{literal(f'{name},omitempty')}")
    )
