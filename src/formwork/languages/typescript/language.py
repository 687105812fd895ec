"""TypeScript, as `formwork.languages.interface.Language`; each part is imported when it is asked for."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from formwork.languages.typescript import ENTRY

if TYPE_CHECKING:
    from formwork.extensions import ExtensionKind
    from formwork.generate.handlers import Handlers, Question, Toolchain
    from formwork.generate.plan import Plan
    from formwork.invoke.project_host import ProjectHostSettings
    from formwork.lambda_host import Launch
    from formwork.languages.interface import LaunchSettings, UnpackedPackage
    from formwork.languages.typescript.project import NodeProject
    from formwork.languages.typescript.provider import NodeBuild
    from formwork.model import TypeModel
    from formwork.package.provider import PackagingSettings
    from formwork.project import Project
    from formwork.project.config import ProjectConfig


class TypeScriptLanguage:
    """TypeScript, on our handler library in new projects and on AWS's in those that were made with the incumbent."""

    runtimes = ENTRY.runtimes

    @property
    def reserved_model_names(self) -> frozenset[str]:
        """Names that no model may have."""
        from formwork.languages.typescript.generate.naming import RESERVED_MODEL_NAMES

        return RESERVED_MODEL_NAMES

    def questions(self, type_name: str, kind: "ExtensionKind") -> "Sequence[Question]":
        """Ask nothing of its own."""
        del type_name, kind
        return ()

    def settings(self, type_name: str, kind: "ExtensionKind", answers: Mapping[str, str]) -> Mapping[str, Any]:
        """Return that a new project is written for our library."""
        from formwork.languages.typescript.generate.runtime import LIBRARY_SETTING, OWN_LIBRARY

        del type_name, kind, answers
        return {LIBRARY_SETTING: OWN_LIBRARY}

    def toolchain(self, type_name: str, kind: "ExtensionKind", settings: Mapping[str, Any]) -> "Toolchain":
        """Return the newest of Lambda's runtimes that the library runs on, and the entry points in what tsc writes."""
        from formwork.generate.handlers import Toolchain

        del type_name, kind, settings
        return Toolchain(
            "nodejs22.x",
            "dist/handlers.entrypoint",
            "dist/handlers.testEntrypoint",
            "./",
            handlers="src/handlers.ts",
            unit_tests="`npm ci` installs the compiler, and `npm test` runs the unit tests in `tests/`.",
        )

    def plan_handlers(self, handlers: "Handlers") -> "Plan":
        """Plan the handlers with their tests, and what builds them."""
        from formwork.languages.typescript.generate.scaffold import plan_typescript_scaffold

        return plan_typescript_scaffold(handlers)

    def plan_models(
        self, types: "TypeModel", targets: Mapping[str, Mapping[str, Any]], settings: Mapping[str, Any]
    ) -> "Plan":
        """Plan `models.ts`, and the handler library."""
        from formwork.languages.typescript.generate.planning import plan_typescript_models

        return plan_typescript_models(types, targets, settings)

    def settings_of_files(self, root: Path) -> Mapping[str, Any]:
        """Return none."""
        del root
        return {}

    def remarks(self, project: "Project", written: Mapping[str, str]) -> Sequence[str]:
        """Return none."""
        del project, written
        return ()

    def project_runtime(self, project: "Project", settings: "ProjectHostSettings") -> "NodeProject":
        """Compile the project, and run it on Node."""
        from formwork.languages.typescript.project import NodeProject

        return NodeProject(project, settings)

    def package_build(self, project: "Project", settings: "PackagingSettings") -> "NodeBuild":
        """Compile the project, and add the packages that it runs with."""
        from formwork.languages.typescript.provider import NodeBuild

        del project
        return NodeBuild(settings)

    def missing_entry_point(self, package: "UnpackedPackage", handler: str) -> str | None:
        """Look for the module."""
        from formwork.languages.typescript.packaged import missing

        return missing(package, handler)

    def launch_package(
        self, package: "UnpackedPackage", config: "ProjectConfig", settings: "LaunchSettings", temporary: Path
    ) -> "Launch":
        """Start the module on the Node that is installed."""
        from formwork.languages.typescript.packaged import launch

        return launch(package, config, settings, temporary)

    def loads_like_lambda(
        self, package: "UnpackedPackage", config: "ProjectConfig", settings: "LaunchSettings"
    ) -> bool:
        """Look for compiled modules, which are for Linux."""
        from formwork.languages.typescript.packaged import judged

        return judged(package, config, settings)
