"""Plans the files of a Python project that are specific to Python."""

import keyword
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from formwork.extensions import ExtensionKind, package_name
from formwork.generate.plan import Plan, PlannedFile, managed
from formwork.languages.python.generate import aws_shapes
from formwork.languages.python.generate.models import header, render_models, render_target_models
from formwork.languages.python.generate.naming import RESERVED_MODEL_NAMES
from formwork.languages.python.generate.vendored import plan_vendored
from formwork.model import TypeModel, build_type_model
from formwork.project import Project

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from typing import TypeAlias

    from formwork.generate.handlers import Handlers, Question, Toolchain

    Render: TypeAlias = Callable[[TypeModel], str]


class PythonGenerator:
    """Generates projects in Python; `version` is such as "3.12"."""

    def __init__(self, version: str) -> None:
        self.version = version

    @property
    def reserved_model_names(self) -> frozenset[str]:
        """Return names that no model may have."""
        return RESERVED_MODEL_NAMES

    def questions(self, type_name: str, kind: ExtensionKind) -> "Sequence[Question]":
        """Return none."""
        del type_name, kind
        return ()

    def settings(self, type_name: str, kind: ExtensionKind, answers: Mapping[str, str]) -> Mapping[str, Any]:
        """Return none."""
        del type_name, kind, answers
        return {}

    def toolchain(self, type_name: str, kind: ExtensionKind, settings: Mapping[str, Any]) -> "Toolchain":
        """Return the runtime of this version, and the entry points in the type's package."""
        from formwork.generate.handlers import Toolchain  # noqa: PLC0415 - only for init

        del settings
        module = f"{package_name(type_name)}.handlers"
        return Toolchain(
            f"python{self.version}",
            f"{module}.{kind.noun}",
            f"{module}.test_entrypoint",
            "build/",
            handlers=f"src/{package_name(type_name)}/handlers.py",
            unit_tests=(
                "`python -m pytest` runs the unit tests in `tests/`. They import the handler library: `pip install -r "
                "requirements.txt pytest`, or the environment that `cfn` is in."
            ),
        )

    def plan_models(
        self, types: TypeModel, targets: Mapping[str, Mapping[str, Any]], settings: Mapping[str, Any]
    ) -> Plan:
        """Plan `models.py`, its support in `formwork_models/`, and one module per target of a hook."""
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

    def settings_of_files(self, root: "Path") -> Mapping[str, Any]:
        """Return the form of models that the project's handlers were written for."""
        return {aws_shapes.FOUND: aws_shapes.shapes_of_project(root)}

    def plan_handlers(self, handlers: "Handlers") -> Plan:
        """Return the handlers, their tests, the requirements and other initial files."""
        from formwork.languages.python.generate.scaffold import plan_python_scaffold  # noqa: PLC0415 - only for init

        return plan_python_scaffold(handlers)

    def remarks(self, project: Project, written: Mapping[str, str]) -> Sequence[str]:
        """Return a remark if the models keep the form of AWS's generator, when that was decided or models changed."""
        del project
        return [
            f'{name} keeps the shapes of AWS\'s generator ("{aws_shapes.SETTING}": "{aws_shapes.OWN}" in .rpdk-config '
            "changes them)"
            for name, text in written.items()
            if name.rpartition("/")[2] == "models.py" and aws_shapes.AWS_MARK in text
        ]


_TARGETS_DOCSTRING = f'{header("the targets")}\n"""The models of the target types of this hook."""\n'


def target_module(type_name: str) -> str:
    """Return the module of a target's models, such as `aws_s3_bucket`."""
    name = package_name(type_name)
    return f"{name}_" if keyword.iskeyword(name) or not name.isidentifier() else name


def target_class(type_name: str) -> str:
    """Return the name of the model of a target's properties, such as `AwsS3Bucket`."""
    return "".join(each[:1].upper() + each[1:].lower() for each in type_name.split("::"))


def _renderers(types: TypeModel, settings: Mapping[str, Any]) -> "tuple[Render, Render, bool]":
    """Return the functions that render models and target models, and whether these need copies of library modules."""
    if aws_shapes.has_aws_shapes(settings) and aws_shapes.can_have_aws_shapes(types):
        from formwork.languages.python.generate.aws_models import render_aws_models, render_aws_target_models  # noqa: PLC0415

        return render_aws_models, render_aws_target_models, False
    return render_models, render_target_models, True


def _target_files(targets: Mapping[str, Mapping[str, Any]], render: "Render") -> dict[str, PlannedFile]:
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
    """Return a target's schema with untyped tags, which existing hooks read as plain JSON."""
    properties = schema.get("properties")
    if not isinstance(properties, dict) or "Tags" not in properties:
        return schema
    return {**schema, "properties": {**properties, "Tags": {}}}
