"""Java, as `formwork.languages.interface.Language`; each part is imported when it is asked for."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from formwork.languages.java import ENTRY

if TYPE_CHECKING:
    from formwork.extensions import ExtensionKind
    from formwork.generate.handlers import Handlers, Question, Toolchain
    from formwork.generate.plan import Plan
    from formwork.invoke.project_host import ProjectHostSettings
    from formwork.lambda_host import Launch
    from formwork.languages.interface import LaunchSettings, UnpackedPackage
    from formwork.languages.java.project import JavaProject
    from formwork.languages.java.provider import JavaBuild
    from formwork.model import TypeModel
    from formwork.package.provider import PackagingSettings
    from formwork.project import Project
    from formwork.project.config import ProjectConfig


class JavaLanguage:
    """Java on AWS's published runtime."""

    runtimes = ENTRY.runtimes

    @property
    def reserved_model_names(self) -> frozenset[str]:
        """Names that no model may have."""
        from formwork.languages.java.generate.naming import RESERVED_MODEL_NAMES

        return RESERVED_MODEL_NAMES

    def questions(self, type_name: str, kind: "ExtensionKind") -> "Sequence[Question]":
        """Ask for the package, the style of the handlers, and the version of Java."""
        from formwork.languages.java.generate.questions import java_questions

        return java_questions(type_name, kind)

    def settings(self, type_name: str, kind: "ExtensionKind", answers: Mapping[str, str]) -> Mapping[str, Any]:
        """Return `namespace` as a list of its parts, and `codegen_template_path`."""
        from formwork.languages.java.generate.questions import java_settings

        del kind
        return java_settings(type_name, answers)

    def toolchain(self, type_name: str, kind: "ExtensionKind", settings: Mapping[str, Any]) -> "Toolchain":
        """Return the entry points, which are methods of the generated wrapper."""
        from formwork.extensions import ExtensionKind, hyphenated_name
        from formwork.generate.handlers import Toolchain
        from formwork.languages.java.generate.naming import namespace_of
        from formwork.languages.java.generate.questions import java_version_of

        prefix = "Hook" if kind is ExtensionKind.HOOK else ""
        wrapper = ".".join((*namespace_of(type_name, settings), f"{prefix}HandlerWrapper"))
        return Toolchain(
            f"java{java_version_of(settings)}",
            f"{wrapper}::handleRequest",
            f"{wrapper}::testEntrypoint",
            f"./target/{hyphenated_name(type_name)}-handler-1.0-SNAPSHOT.jar",
            f"{wrapper}Executable",
            handlers="/".join(("src/main/java", *namespace_of(type_name, settings), "")),
            unit_tests="`mvn test` runs the unit tests in `src/test/java/`.",
        )

    def plan_handlers(self, handlers: "Handlers") -> "Plan":
        """Plan the handlers with their tests, the build and what else a Java project starts with."""
        from formwork.languages.java.generate.questions import java_version_of
        from formwork.languages.java.generate.scaffold import plan_java_scaffold

        return plan_java_scaffold(handlers, java_version_of(handlers.settings))

    def plan_models(
        self, types: "TypeModel", targets: Mapping[str, Mapping[str, Any]], settings: Mapping[str, Any]
    ) -> "Plan":
        """Plan the sources that Maven compiles beside the author's own, all below `target/`."""
        from formwork.languages.java.generate.planning import plan_java_models

        return plan_java_models(types, targets, settings)

    def settings_of_files(self, root: Path) -> Mapping[str, Any]:
        """Return the version of AWS's runtime that pom.xml names."""
        from formwork.languages.java.generate.runtime import RUNTIME_SETTING
        from formwork.languages.java.runtime_version import find_runtime_version

        return {RUNTIME_SETTING: find_runtime_version(root)}

    def remarks(self, project: "Project", written: Mapping[str, str]) -> Sequence[str]:
        """Return none."""
        del project, written
        return ()

    def project_runtime(self, project: "Project", settings: "ProjectHostSettings") -> "JavaProject":
        """Have Maven compile the project, and run it in a JVM."""
        from formwork.languages.java.project import JavaProject

        return JavaProject(project, settings)

    def package_build(self, project: "Project", settings: "PackagingSettings") -> "JavaBuild":
        """Have Maven make the jar."""
        from formwork.languages.java.provider import JavaBuild

        del project
        return JavaBuild(settings)

    def missing_entry_point(self, package: "UnpackedPackage", handler: str) -> str | None:
        """Look for a jar, or classes; whether the class is in it is seen when it is loaded."""
        from formwork.languages.java.packaged import missing

        return missing(package, handler)

    def launch_package(
        self, package: "UnpackedPackage", config: "ProjectConfig", settings: "LaunchSettings", temporary: Path
    ) -> "Launch":
        """Start a JVM of the runtime's version or later."""
        from formwork.languages.java.packaged import launch

        return launch(package, config, settings, temporary)

    def loads_like_lambda(
        self, package: "UnpackedPackage", config: "ProjectConfig", settings: "LaunchSettings"
    ) -> bool:
        """Look for such a JVM."""
        from formwork.languages.java.packaged import judged

        return judged(package, config, settings)
