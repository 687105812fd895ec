"""Python, as `formwork.languages.interface.Language`; each part is imported when it is asked for."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from formwork.languages.python import ENTRY

if TYPE_CHECKING:
    from formwork.extensions import ExtensionKind
    from formwork.generate.handlers import Handlers, Question, Toolchain
    from formwork.generate.plan import Plan
    from formwork.invoke.project_host import ProjectHostSettings
    from formwork.lambda_host import Launch
    from formwork.languages.interface import LaunchSettings, UnpackedPackage
    from formwork.languages.python.packaging.provider import PythonBuild
    from formwork.languages.python.project import PythonProject
    from formwork.model import TypeModel
    from formwork.package.provider import PackagingSettings
    from formwork.project import Project
    from formwork.project.config import ProjectConfig


class PythonLanguage:
    """Python; `version` is "3.12"."""

    runtimes = ENTRY.runtimes

    def __init__(self, version: str) -> None:
        self.version = version

    @property
    def reserved_model_names(self) -> frozenset[str]:
        """Names that no model may have."""
        from formwork.languages.python.generate.naming import RESERVED_MODEL_NAMES

        return RESERVED_MODEL_NAMES

    def questions(self, type_name: str, kind: "ExtensionKind") -> "Sequence[Question]":
        """Ask nothing of its own."""
        del type_name, kind
        return ()

    def settings(self, type_name: str, kind: "ExtensionKind", answers: Mapping[str, str]) -> Mapping[str, Any]:
        """Return none."""
        del type_name, kind, answers
        return {}

    def toolchain(self, type_name: str, kind: "ExtensionKind", settings: Mapping[str, Any]) -> "Toolchain":
        """Return the runtime of this version, and the entry points in the type's package."""
        from formwork.extensions import package_name
        from formwork.generate.handlers import Toolchain

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

    def plan_handlers(self, handlers: "Handlers") -> "Plan":
        """Plan the handlers with their tests, the requirements and what else a Python project starts with."""
        from formwork.languages.python.generate.scaffold import plan_python_scaffold

        return plan_python_scaffold(handlers)

    def plan_models(
        self, types: "TypeModel", targets: Mapping[str, Mapping[str, Any]], settings: Mapping[str, Any]
    ) -> "Plan":
        """Plan `models.py` and what it needs."""
        from formwork.languages.python.generate.planning import plan_python_models

        return plan_python_models(types, targets, settings)

    def settings_of_files(self, root: Path) -> Mapping[str, Any]:
        """Return the model shapes that the project's handlers were written against."""
        from formwork.languages.python.generate.aws_shapes import FOUND, shapes_of_project

        return {FOUND: shapes_of_project(root)}

    def remarks(self, project: "Project", written: Mapping[str, str]) -> Sequence[str]:
        """Say that AWS's model shapes were kept, when that was decided or models changed."""
        from formwork.languages.python.generate.aws_shapes import AWS_MARK, OWN, SETTING

        del project
        return [
            f'{name} keeps the shapes of AWS\'s generator ("{SETTING}": "{OWN}" in .rpdk-config changes them)'
            for name, text in written.items()
            if Path(name).name == "models.py" and AWS_MARK in text
        ]

    def project_runtime(self, project: "Project", settings: "ProjectHostSettings") -> "PythonProject":
        """Install the project's requirements, and run its code on the interpreter of the runtime, or the nearest."""
        from formwork.languages.python.project import PythonProject

        return PythonProject(project, settings)

    def package_build(self, project: "Project", settings: "PackagingSettings") -> "PythonBuild":
        """Have pip resolve the requirements for Lambda."""
        from formwork.languages.python.packaging.provider import python_build

        return python_build(project, settings)

    def missing_entry_point(self, package: "UnpackedPackage", handler: str) -> str | None:
        """Look for the module."""
        from formwork.languages.python.packaged import missing

        return missing(package, handler)

    def launch_package(
        self, package: "UnpackedPackage", config: "ProjectConfig", settings: "LaunchSettings", temporary: Path
    ) -> "Launch":
        """Start the module on the interpreter of the runtime, or the nearest."""
        from formwork.languages.python.packaged import launch

        return launch(package, config, settings, temporary)

    def loads_like_lambda(
        self, package: "UnpackedPackage", config: "ProjectConfig", settings: "LaunchSettings"
    ) -> bool:
        """Compare the interpreter's version, and look for compiled modules, which are for Linux."""
        from formwork.languages.python.packaged import judged

        return judged(package, config, settings)
