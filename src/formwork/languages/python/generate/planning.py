"""The files that follow from a Python project's schema."""

import keyword
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from formwork.extensions import ExtensionKind, package_name
from formwork.generate.plan import Plan, PlannedFile, managed
from formwork.languages.python.generate import aws_shapes
from formwork.languages.python.generate.models import header, render_models, render_target_models
from formwork.languages.python.generate.naming import RESERVED_MODEL_NAMES
from formwork.languages.python.generate.vendored import plan_vendored
from formwork.model import TypeModel, build_type_model

Render: TypeAlias = Callable[[TypeModel], str]


def plan_python_models(types: TypeModel, targets: Mapping[str, Mapping[str, Any]], settings: Mapping[str, Any]) -> Plan:
    """Plan `models.py` and what it needs in `formwork_models/`; for a hook a module a target in `target_models/`."""
    folder = f"src/{package_name(types.type_name)}"
    render, render_target, vendored = _renderers(types, settings)
    files = {f"{folder}/models.py": managed(render(types))}
    if types.kind is ExtensionKind.HOOK and targets:
        files[f"{folder}/target_models/__init__.py"] = managed(_TARGETS_DOCSTRING)
        made = _target_files(targets, render_target)
        files |= {f"{folder}/target_models/{name}": file for name, file in made.items()}
    if vendored:
        files |= {f"{folder}/{name}": file for name, file in plan_vendored().items()}
    return files


_TARGETS_DOCSTRING = f'{header("the targets")}\n"""The models of the types that this hook looks at."""\n'


def target_module(type_name: str) -> str:
    """`aws_s3_bucket`: the module that holds a target's models."""
    name = package_name(type_name)
    return f"{name}_" if keyword.iskeyword(name) or not name.isidentifier() else name


def target_class(type_name: str) -> str:
    """`AwsS3Bucket`: the model of a target's properties."""
    return "".join(each[:1].upper() + each[1:].lower() for each in type_name.split("::"))


def _renderers(types: TypeModel, settings: Mapping[str, Any]) -> tuple[Render, Render, bool]:
    """How models and target models are rendered, and whether they need copies of modules of our handler library."""
    if aws_shapes.has_aws_shapes(settings) and aws_shapes.can_have_aws_shapes(types):
        from formwork.languages.python.generate.aws_models import render_aws_models, render_aws_target_models  # noqa: PLC0415

        return render_aws_models, render_aws_target_models, False
    return render_models, render_target_models, True


def _target_files(targets: Mapping[str, Mapping[str, Any]], render: Render) -> dict[str, PlannedFile]:
    files: dict[str, PlannedFile] = {}
    for type_name, schema in targets.items():
        types = build_type_model(
            _loosened(schema),
            kind=ExtensionKind.RESOURCE,
            root_name=target_class(type_name),
            reserved=RESERVED_MODEL_NAMES,
            open_ended=True,
        )
        files[f"{target_module(type_name)}.py"] = managed(render(types), sweeps=True)
    return files


def _loosened(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """A target's schema with untyped tags: existing hooks read them as plain JSON, as they were given it before."""
    properties = schema.get("properties")
    if not isinstance(properties, dict) or "Tags" not in properties:
        return schema
    return {**schema, "properties": {**properties, "Tags": {}}}
