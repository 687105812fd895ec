"""The files that follow from a TypeScript project's schema."""

from collections.abc import Mapping
from typing import Any

from formwork.extensions import ExtensionKind, hyphenated_name
from formwork.generate.plan import Plan, PlannedFile, managed
from formwork.languages.typescript.generate.models import render_models, render_target_models
from formwork.languages.typescript.generate.naming import RESERVED_MODEL_NAMES
from formwork.languages.typescript.generate.runtime import LIBRARY_SETTING, OWN_LIBRARY, plan_runtime
from formwork.model import TypeModel, build_type_model


def plan_typescript_models(
    types: TypeModel, targets: Mapping[str, Mapping[str, Any]], settings: Mapping[str, Any]
) -> Plan:
    """Plan `models.ts`, for a hook a module a target in `target-models/`, and the handler library.

    Without our library, or with `aws_runtime`, `models.ts` alone, in the form of AWS's library.
    """
    if settings.get(LIBRARY_SETTING) != OWN_LIBRARY or settings.get("aws_runtime") is True:
        from formwork.languages.typescript.generate.aws_models import (  # noqa: PLC0415 - the library in use
            render_aws_models,
        )

        return {"src/models.ts": managed(render_aws_models(types))}
    files = {"src/models.ts": managed(render_models(types)), **plan_runtime("src/formwork")}
    if types.kind is ExtensionKind.HOOK:
        files |= {f"src/target-models/{name}": file for name, file in _target_files(targets).items()}
    return files


def target_interface(type_name: str) -> str:
    """`AwsS3Bucket`: the model of a target's properties."""
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
