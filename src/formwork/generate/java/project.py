"""What a Java project has beside the files of every project."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from formwork.generate.java.models import Place, render_model
from formwork.generate.java.naming import RESERVED_MODEL_NAMES, namespace_of
from formwork.generate.java.wrappers import render_wrappers
from formwork.generate.plan import Plan, PlannedFile, managed
from formwork.model import Kind, Model, TypeModel

if TYPE_CHECKING:
    from formwork.generate.handlers import Handlers

SOURCES = "target/generated-sources/rpdk"
_NO_CONFIGURATION = Model("TypeConfigurationModel", ("typeConfiguration",), (), description="There is no configuration.")


def plan_java_models(
    types: TypeModel, targets: Mapping[str, Mapping[str, Any]], settings: Mapping[str, Any]
) -> Plan:
    """The sources that Maven compiles beside the author's own."""
    package = ".".join(namespace_of(types.type_name, settings))
    place = Place(package=package, type_name=types.type_name)
    models = [*types.models, *([] if types.type_configuration else [_NO_CONFIGURATION])]
    texts = {f"{each.name}.java": _model(each, types, place) for each in models} | render_wrappers(types, place)
    folder = "/".join((SOURCES, *package.split(".")))
    files: dict[str, PlannedFile] = {f"{folder}/{name}": managed(text, sweeps=True) for name, text in texts.items()}
    if types.kind is Kind.HOOK:
        from formwork.generate.java.targets import plan_targets  # noqa: PLC0415 - only hooks have any

        files |= plan_targets(SOURCES, package, targets)
    return files


def _model(model: Model, types: TypeModel, place: Place) -> str:
    return render_model(model, types, place, root=model is types.root and types.kind is Kind.RESOURCE)
