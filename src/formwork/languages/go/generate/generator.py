"""Plans the files of a Go project that are specific to Go.

There are two kinds of project: new ones contain Formwork's runtime in `internal/cfn/`, as their settings say; those
without that setting were made with AWS's plugin and keep AWS's runtime, whose files `aws.py` writes.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from formwork.diagnostics import BadInputError, UsageError
from formwork.extensions import ExtensionKind, hyphenated_name
from formwork.generate.plan import Plan, PlannedFile, managed
from formwork.generate.templates import render_template
from formwork.languages.go.generate.library import FOLDER, plan_library
from formwork.languages.go.generate.models import render_models
from formwork.languages.go.generate.naming import RESERVED_MODEL_NAMES, target_package, target_type
from formwork.languages.go.generate.settings import (
    IMPORT_PATH,
    LIBRARY_SETTING,
    OWN_LIBRARY,
    handler_names,
    has_own_runtime,
    import_path_of,
    package_of,
)
from formwork.languages.go.generate.templates import TEMPLATES
from formwork.languages.go.generate.text import aligned, header, literal
from formwork.model import TypeModel, build_type_model
from formwork.project import Project
from formwork.toolchain.go_module import import_path_in

if TYPE_CHECKING:
    from pathlib import Path

    from formwork.generate.handlers import Handlers, Question, Toolchain


class GoGenerator:
    """Generates projects in Go."""

    @property
    def reserved_model_names(self) -> frozenset[str]:
        """Return names that no model may have."""
        return RESERVED_MODEL_NAMES

    def questions(self, type_name: str, kind: ExtensionKind) -> "Sequence[Question]":
        """Return the question about the module's import path."""
        from formwork.generate.handlers import Question  # noqa: PLC0415 - only for init

        del kind
        return (Question("import_path", "Import path of the Go module", default=hyphenated_name(type_name)),)

    def settings(self, type_name: str, kind: ExtensionKind, answers: Mapping[str, str]) -> Mapping[str, Any]:
        """Return the import path, and that the project has Formwork's runtime."""
        del kind
        path = (answers.get("import_path") or hyphenated_name(type_name)).rstrip("/")
        if IMPORT_PATH.fullmatch(path) is None:
            raise UsageError(
                f'"{path}" is not an import path of a Go module',
                hint="such as github.com/acme/store-thing, without https://",
            )
        return {"import_path": path, LIBRARY_SETTING: OWN_LIBRARY}

    def toolchain(self, type_name: str, kind: ExtensionKind, settings: Mapping[str, Any]) -> "Toolchain":
        """Return the settings of one program for both functions; an environment variable selects the function."""
        from formwork.generate.handlers import Toolchain  # noqa: PLC0415 - only for init

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

    def plan_models(
        self, types: TypeModel, targets: Mapping[str, Mapping[str, Any]], settings: Mapping[str, Any]
    ) -> Plan:
        """Return models, `main.go`, the runtime, and for a hook one package per target; or files for AWS's runtime."""
        path = import_path_of(settings)
        if not has_own_runtime(settings):
            from formwork.languages.go.generate.aws import plan_aws_models  # noqa: PLC0415 - projects of one kind only

            return plan_aws_models(types, path)
        files = {f"cmd/{name}": managed(text) for name, text in _package_files(types, path).items()}
        files["makebuild"] = managed(render_template(TEMPLATES / "makebuild.txt", {}))
        if types.kind is ExtensionKind.HOOK:
            files |= _target_files(targets, path)
        return {**files, **plan_library(path)}

    def settings_of_files(self, root: "Path") -> Mapping[str, Any]:
        """Return the import path in go.mod, by which generated files must import their packages."""
        if not (root / "cmd").is_dir():
            return {}
        try:
            path = import_path_in(root)
        except BadInputError:  # no go.mod yet
            return {}
        return {"import_path": path} if IMPORT_PATH.fullmatch(path) else {}

    def plan_handlers(self, handlers: "Handlers") -> Plan:
        """Return the handlers, their tests, go.mod and other initial files."""
        from formwork.languages.go.generate.scaffold import plan_go_scaffold  # noqa: PLC0415 - only for init

        return plan_go_scaffold(handlers)

    def remarks(self, project: Project, written: Mapping[str, str]) -> Sequence[str]:
        """Return a remark if .rpdk-config names another import path than go.mod, which was used."""
        taken = self.settings_of_files(project.root).get("import_path") if "cmd/main.go" in written else None
        named = str(project.settings.get("import_path", project.settings.get("importpath"))).rstrip("/")
        if taken is None or taken == named:
            return ()
        return (f'cmd/main.go imports {taken}, the path in go.mod; "import_path" in .rpdk-config is "{named}"',)


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
