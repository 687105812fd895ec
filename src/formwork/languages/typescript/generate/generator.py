"""Plans the files of a TypeScript project that are specific to TypeScript."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from formwork.extensions import ExtensionKind, hyphenated_name
from formwork.generate.plan import Plan, PlannedFile, managed
from formwork.languages.typescript.generate.models import render_models, render_target_models
from formwork.languages.typescript.generate.naming import RESERVED_MODEL_NAMES
from formwork.languages.typescript.generate.runtime import LIBRARY_SETTING, OWN_LIBRARY, plan_runtime
from formwork.model import TypeModel, build_type_model
from formwork.project import Project

if TYPE_CHECKING:
    from pathlib import Path

    from formwork.generate.handlers import Handlers, Question, Toolchain


class TypeScriptGenerator:
    """Generates projects in TypeScript: new ones for the toolkit's handler library, those of AWS's CLI for AWS's."""

    @property
    def reserved_model_names(self) -> frozenset[str]:
        """Return names that no model may have."""
        return RESERVED_MODEL_NAMES

    def questions(self, type_name: str, kind: ExtensionKind) -> "Sequence[Question]":
        """Return none."""
        del type_name, kind
        return ()

    def settings(self, type_name: str, kind: ExtensionKind, answers: Mapping[str, str]) -> Mapping[str, Any]:
        """Return the setting for the toolkit's library, which new projects use."""
        del type_name, kind, answers
        return {LIBRARY_SETTING: OWN_LIBRARY}

    def toolchain(self, type_name: str, kind: ExtensionKind, settings: Mapping[str, Any]) -> "Toolchain":
        """Return the newest of Lambda's runtimes that the library supports, and the entry points."""
        from formwork.generate.handlers import Toolchain  # noqa: PLC0415 - only for init

        del type_name, kind, settings
        return Toolchain(
            "nodejs22.x",
            "dist/handlers.entrypoint",
            "dist/handlers.testEntrypoint",
            "./",
            handlers="src/handlers.ts",
            unit_tests="`npm ci` installs the compiler, and `npm test` runs the unit tests in `tests/`.",
        )

    def plan_models(
        self, types: TypeModel, targets: Mapping[str, Mapping[str, Any]], settings: Mapping[str, Any]
    ) -> Plan:
        """Plan `models.ts`, for a hook one module per target in `target-models/`, and the handler library.

        Without the toolkit's library, or with `aws_runtime`, plan only `models.ts`, for AWS's library.
        """
        if settings.get(LIBRARY_SETTING) != OWN_LIBRARY or settings.get("aws_runtime") is True:
            from formwork.languages.typescript.generate.aws_models import render_aws_models  # noqa: PLC0415 - the library in use

            return {"src/models.ts": managed(render_aws_models(types))}
        files = {"src/models.ts": managed(render_models(types)), **plan_runtime("src/formwork")}
        if types.kind is ExtensionKind.HOOK:
            files |= {f"src/target-models/{name}": file for name, file in _target_files(targets).items()}
        return files

    def plan_handlers(self, handlers: "Handlers") -> Plan:
        """Return the handlers, their tests and build files."""
        from formwork.languages.typescript.generate.scaffold import plan_typescript_scaffold  # noqa: PLC0415 - only for init

        return plan_typescript_scaffold(handlers)

    def settings_of_files(self, root: "Path") -> Mapping[str, Any]:
        """Return none."""
        del root
        return {}

    def remarks(self, project: Project, written: Mapping[str, str]) -> Sequence[str]:
        """Return none."""
        del project, written
        return ()


def target_interface(type_name: str) -> str:
    """Return the name of the model of a target's properties, such as `AwsS3Bucket`."""
    return "".join(each[:1].upper() + each[1:].lower() for each in type_name.split("::"))


def _target_files(targets: Mapping[str, Mapping[str, Any]]) -> dict[str, PlannedFile]:
    files: dict[str, PlannedFile] = {}
    for type_name, schema in targets.items():
        types = build_type_model(
            schema,
            kind=ExtensionKind.RESOURCE,
            root_name=target_interface(type_name),
            reserved=RESERVED_MODEL_NAMES,
            open_ended=True,
        )
        files[f"{hyphenated_name(type_name)}.ts"] = managed(render_target_models(types), sweeps=True)
    return files
