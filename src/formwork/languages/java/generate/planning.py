"""The files that follow from a Java project's schema."""

from collections.abc import Mapping
from typing import Any

from formwork.extensions import ExtensionKind
from formwork.generate.plan import Plan, PlannedFile, managed
from formwork.languages.java.generate.models import Place, render_model
from formwork.languages.java.generate.naming import namespace_of
from formwork.languages.java.generate.runtime import Runtime
from formwork.languages.java.generate.wrappers import render_wrappers
from formwork.model import Model, TypeModel

SOURCES = "target/generated-sources/rpdk"
_NO_CONFIGURATION = Model(
    "TypeConfigurationModel", ("typeConfiguration",), (), description="There is no configuration."
)


def plan_java_models(types: TypeModel, targets: Mapping[str, Mapping[str, Any]], settings: Mapping[str, Any]) -> Plan:
    """The sources that Maven compiles beside the author's own.

    Raises:
        BadInputError: the project's version of AWS's runtime is too old.
    """
    runtime = Runtime(settings)
    runtime.expect(types.kind)
    package = ".".join(namespace_of(types.type_name, settings))
    place = Place(package=package, type_name=types.type_name)
    models = [*types.models, *([] if types.type_configuration else [_NO_CONFIGURATION])]
    texts = {f"{each.name}.java": _model(each, types, place) for each in models}
    texts |= render_wrappers(types, place, runtime)
    folder = "/".join((SOURCES, *package.split(".")))
    files: dict[str, PlannedFile] = {f"{folder}/{name}": managed(text, sweeps=True) for name, text in texts.items()}
    if types.kind is ExtensionKind.HOOK:
        from formwork.languages.java.generate.targets import plan_targets  # noqa: PLC0415 - only hooks have any

        files |= plan_targets(SOURCES, package, targets)
    return files


def _model(model: Model, types: TypeModel, place: Place) -> str:
    return render_model(model, types, place, root=model is types.root and types.kind is ExtensionKind.RESOURCE)
