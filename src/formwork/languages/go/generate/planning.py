"""The files that follow from a Go project's schema.

Two kinds of project: new ones have our runtime in `internal/cfn/`, as their settings say; those without that setting
were made with the incumbent's plugin and keep AWS's runtime, whose shapes and file names `aws.py` writes.
"""

from collections.abc import Mapping
from typing import Any

from formwork.extensions import ExtensionKind
from formwork.generate.plan import Plan, PlannedFile, managed
from formwork.generate.templates import render_template
from formwork.languages.go.generate.library import FOLDER, plan_library
from formwork.languages.go.generate.models import render_models
from formwork.languages.go.generate.naming import RESERVED_MODEL_NAMES, target_package, target_type
from formwork.languages.go.generate.settings import handler_names, has_own_runtime, import_path_of, package_of
from formwork.languages.go.generate.templates import TEMPLATES
from formwork.languages.go.generate.text import aligned, header, literal
from formwork.model import TypeModel, build_type_model


def plan_go_models(types: TypeModel, targets: Mapping[str, Mapping[str, Any]], settings: Mapping[str, Any]) -> Plan:
    """Plan the models, `main.go`, the runtime, and for a hook a package a target; or what AWS's runtime needs."""
    path = import_path_of(settings)
    if not has_own_runtime(settings):
        from formwork.languages.go.generate.aws import plan_aws_models  # noqa: PLC0415 - projects of one kind only

        return plan_aws_models(types, path)
    files = {f"cmd/{name}": managed(text) for name, text in _package_files(types, path).items()}
    files["makebuild"] = managed(render_template(TEMPLATES / "makebuild.txt", {}))
    if types.kind is ExtensionKind.HOOK:
        files |= _target_files(targets, path)
    return {**files, **plan_library(path)}


def _package_files(types: TypeModel, path: str) -> dict[str, str]:
    package = package_of(types.kind)
    library = f"{path}/{FOLDER}"
    files = {"main.go": _main(types, path), f"{package}/config.go": _config(types, library)}
    models = [each for each in types.models if each is not types.type_configuration]
    if types.kind is ExtensionKind.HOOK:
        models = [each for each in models if each is not types.root]
    if models:
        files[f"{package}/model.go"] = render_models(types, models, package=package, library=library)
    return files


def _main(types: TypeModel, path: str) -> str:
    package = package_of(types.kind)
    names = ["TypeName", *handler_names(types).values()]
    if types.kind is ExtensionKind.HOOK:
        kind, types_of = "Hook", "hook.TypeConfiguration"
    else:
        kind, types_of = "Resource", "resource.Model, resource.TypeConfiguration"
    words = {
        "header": header(types.type_name),
        "import_path": path,
        "package": package,
        "extension": f"{kind}[{types_of}]",
        "handlers": "\n".join(aligned([(f"{each}:", f"{package}.{each},") for each in names], "\t\t")),
    }
    return render_template(TEMPLATES / "main.go.txt", words)


def _config(types: TypeModel, library: str) -> str:
    package, hook = package_of(types.kind), types.kind is ExtensionKind.HOOK
    words = {
        "header": header(types.type_name),
        "package": package,
        "library": library,
        "type_name": literal(types.type_name),
        "request": "cfn.HookRequest[TypeConfiguration]" if hook else "cfn.Request[Model, TypeConfiguration]",
        "event": "cfn.HookEvent" if hook else "cfn.Event[Model]",
        "configuration": _configuration(types, package, library),
    }
    return render_template(TEMPLATES / "config.go.txt", words)


def _configuration(types: TypeModel, package: str, library: str) -> str:
    if types.type_configuration is None:
        return "// TypeConfiguration: this type has none.\ntype TypeConfiguration = cfn.NoConfiguration"
    text = render_models(types, [types.type_configuration], package=package, library=library)
    return text[text.index("\n// ") :].strip()


def _target_files(targets: Mapping[str, Mapping[str, Any]], path: str) -> dict[str, PlannedFile]:
    files: dict[str, PlannedFile] = {}
    for target, schema in targets.items():
        types = build_type_model(
            schema,
            kind=ExtensionKind.RESOURCE,
            root_name=target_type(target),
            reserved=RESERVED_MODEL_NAMES,
            open_ended=True,
        )
        package = target_package(target)
        text = render_models(types, types.models, package=package, library=f"{path}/{FOLDER}")
        files[f"internal/targets/{package}/model.go"] = managed(text)
    return files
