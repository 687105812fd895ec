"""Go, as `formwork.languages.interface.Language`; each part is imported when it is asked for."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from formwork.diagnostics import BadInputError, UsageError
from formwork.languages.go import ENTRY

if TYPE_CHECKING:
    from formwork.extensions import ExtensionKind
    from formwork.generate.handlers import Handlers, Question, Toolchain
    from formwork.generate.plan import Plan
    from formwork.invoke.project_host import ProjectHostSettings
    from formwork.lambda_host import Launch
    from formwork.languages.go.project import GoProject
    from formwork.languages.go.provider import GoBuild
    from formwork.languages.interface import LaunchSettings, UnpackedPackage
    from formwork.model import TypeModel
    from formwork.package.provider import PackagingSettings
    from formwork.project import Project
    from formwork.project.config import ProjectConfig


class GoLanguage:
    """Go."""

    runtimes = ENTRY.runtimes

    @property
    def reserved_model_names(self) -> frozenset[str]:
        """Names that no model may have."""
        from formwork.languages.go.generate.naming import RESERVED_MODEL_NAMES

        return RESERVED_MODEL_NAMES

    def questions(self, type_name: str, kind: "ExtensionKind") -> "Sequence[Question]":
        """Ask for the module's import path."""
        from formwork.extensions import hyphenated_name
        from formwork.generate.handlers import Question

        del kind
        return (Question("import_path", "Import path of the Go module", default=hyphenated_name(type_name)),)

    def settings(self, type_name: str, kind: "ExtensionKind", answers: Mapping[str, str]) -> Mapping[str, Any]:
        """Return the import path, and that the project has our runtime."""
        from formwork.extensions import hyphenated_name
        from formwork.languages.go.generate.settings import IMPORT_PATH, LIBRARY_SETTING, OWN_LIBRARY

        del kind
        path = (answers.get("import_path") or hyphenated_name(type_name)).rstrip("/")
        if IMPORT_PATH.fullmatch(path) is None:
            raise UsageError(
                f'"{path}" is no import path of a Go module',
                hint="such as github.com/acme/store-thing, without https://",
            )
        return {"import_path": path, LIBRARY_SETTING: OWN_LIBRARY}

    def toolchain(self, type_name: str, kind: "ExtensionKind", settings: Mapping[str, Any]) -> "Toolchain":
        """Return one program for both functions, which an environment variable tells apart."""
        from formwork.extensions import ExtensionKind
        from formwork.generate.handlers import Toolchain

        del type_name, settings
        package = "hook" if kind is ExtensionKind.HOOK else "resource"
        return Toolchain(
            "provided.al2023",
            "bootstrap",
            "bootstrap",
            "bin/",
            handlers=f"cmd/{package}/{package}.go",
            unit_tests="`go test ./...` runs the unit tests.",
            test_variables={"MODE": "Test"},
        )

    def plan_handlers(self, handlers: "Handlers") -> "Plan":
        """Plan the handlers with their tests, the module's file and what else a Go project starts with."""
        from formwork.languages.go.generate.scaffold import plan_go_scaffold

        return plan_go_scaffold(handlers)

    def plan_models(
        self, types: "TypeModel", targets: Mapping[str, Mapping[str, Any]], settings: Mapping[str, Any]
    ) -> "Plan":
        """Plan the models, and `main.go`."""
        from formwork.languages.go.generate.planning import plan_go_models

        return plan_go_models(types, targets, settings)

    def settings_of_files(self, root: Path) -> Mapping[str, Any]:
        """Return the import path that go.mod has: an import of another would find other code, or none."""
        from formwork.languages.go.generate.settings import IMPORT_PATH
        from formwork.languages.go.module import find_module

        if not (root / "cmd").is_dir():
            return {}
        try:
            module = find_module(root)
        except BadInputError:  # none yet
            return {}
        path = module.import_path(root)
        return {"import_path": path} if IMPORT_PATH.fullmatch(path) else {}

    def remarks(self, project: "Project", written: Mapping[str, str]) -> Sequence[str]:
        """Say that the path in go.mod was taken, where the config names another one."""
        taken = self.settings_of_files(project.root).get("import_path") if "cmd/main.go" in written else None
        named = str(project.settings.get("import_path", project.settings.get("importpath"))).rstrip("/")
        if taken is None or taken == named:
            return ()
        return (f'cmd/main.go imports {taken}, as go.mod has it; "import_path" in .rpdk-config is "{named}"',)

    def project_runtime(self, project: "Project", settings: "ProjectHostSettings") -> "GoProject":
        """Build the project's program and run it."""
        from formwork.languages.go.project import GoProject

        return GoProject(project, settings)

    def package_build(self, project: "Project", settings: "PackagingSettings") -> "GoBuild":
        """Build the project's program for Lambda's machine."""
        from formwork.languages.go.provider import GoBuild

        del project
        return GoBuild(settings)

    def missing_entry_point(self, package: "UnpackedPackage", handler: str) -> str | None:
        """Look for the program."""
        from formwork.languages.go.packaged import missing

        return missing(package, handler)

    def launch_package(
        self, package: "UnpackedPackage", config: "ProjectConfig", settings: "LaunchSettings", temporary: Path
    ) -> "Launch":
        """Start the program."""
        from formwork.languages.go.packaged import launch

        return launch(package, config, settings, temporary)

    def loads_like_lambda(
        self, package: "UnpackedPackage", config: "ProjectConfig", settings: "LaunchSettings"
    ) -> bool:
        """Compare the program's machine with this one."""
        from formwork.languages.go.packaged import judged

        return judged(package, config, settings)
