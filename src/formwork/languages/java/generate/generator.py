"""Plans the files of a Java project that are specific to Java."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from formwork.extensions import ExtensionKind, hyphenated_name
from formwork.generate.plan import Plan, PlannedFile, managed
from formwork.languages.java.generate.models import Place, render_model
from formwork.languages.java.generate.naming import RESERVED_MODEL_NAMES, namespace_of
from formwork.languages.java.generate.runtime import RUNTIME_SETTING, Runtime
from formwork.languages.java.generate.wrappers import render_wrappers
from formwork.languages.java.runtime_version import find_runtime_version
from formwork.model import ObjectModel, TypeModel
from formwork.project import Project

if TYPE_CHECKING:
    from formwork.generate.handlers import Handlers, Question, Toolchain

DEFAULT_VERSION = "17"
SOURCES = "target/generated-sources/rpdk"
_NO_CONFIGURATION = ObjectModel(
    "TypeConfigurationModel", ("typeConfiguration",), (), description="There is no configuration."
)


class JavaGenerator:
    """Generates projects in Java on AWS's published runtime."""

    @property
    def reserved_model_names(self) -> frozenset[str]:
        """Return names that no model may have."""
        return RESERVED_MODEL_NAMES

    def questions(self, type_name: str, kind: ExtensionKind) -> "Sequence[Question]":
        """Return the questions about package, style of handlers, and version of Java."""
        from formwork.languages.java.generate.questions import java_questions  # noqa: PLC0415 - only for init

        return java_questions(type_name, kind)

    def settings(self, type_name: str, kind: ExtensionKind, answers: Mapping[str, str]) -> Mapping[str, Any]:
        """Return `namespace` as a list of its parts, and `codegen_template_path`."""
        from formwork.languages.java.generate.questions import java_settings  # noqa: PLC0415 - only for init

        del kind
        return java_settings(type_name, answers)

    def settings_of_files(self, root: Path) -> Mapping[str, Any]:
        """Return the version of AWS's runtime in pom.xml."""
        return {RUNTIME_SETTING: find_runtime_version(root)}

    def toolchain(self, type_name: str, kind: ExtensionKind, settings: Mapping[str, Any]) -> "Toolchain":
        """Return the runtime and the entry points, which are methods of the generated wrapper."""
        from formwork.generate.handlers import Toolchain  # noqa: PLC0415 - only for init

        prefix = "Hook" if kind is ExtensionKind.HOOK else ""
        wrapper = ".".join((*namespace_of(type_name, settings), f"{prefix}HandlerWrapper"))
        return Toolchain(
            f"java{settings.get('java_version', DEFAULT_VERSION)}",
            f"{wrapper}::handleRequest",
            f"{wrapper}::testEntrypoint",
            f"./target/{hyphenated_name(type_name)}-handler-1.0-SNAPSHOT.jar",
            f"{wrapper}Executable",
            handlers="/".join(("src/main/java", *namespace_of(type_name, settings), "")),
            unit_tests="`mvn test` runs the unit tests in `src/test/java/`.",
        )

    def plan_models(
        self, types: TypeModel, targets: Mapping[str, Mapping[str, Any]], settings: Mapping[str, Any]
    ) -> Plan:
        """Return the sources that Maven compiles beside the author's own, all below `target/`."""
        return plan_java_models(types, targets, settings)

    def plan_handlers(self, handlers: "Handlers") -> Plan:
        """Return the handlers, their tests, the build and other initial files."""
        from formwork.languages.java.generate.scaffold import plan_java_scaffold  # noqa: PLC0415 - only for init

        return plan_java_scaffold(handlers, str(handlers.settings.get("java_version", DEFAULT_VERSION)))

    def remarks(self, project: Project, written: Mapping[str, str]) -> Sequence[str]:
        """Return none."""
        del project, written
        return ()


def plan_java_models(types: TypeModel, targets: Mapping[str, Mapping[str, Any]], settings: Mapping[str, Any]) -> Plan:
    """Return the sources that Maven compiles beside the author's own.

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


def _model(model: ObjectModel, types: TypeModel, place: Place) -> str:
    return render_model(model, types, place, root=model is types.root and types.kind is ExtensionKind.RESOURCE)
