"""The classes of a hook's targets: one package per target, and the targets' schemas on the class path."""

import json
from collections.abc import Mapping
from typing import Any

from formwork.extensions import ExtensionKind, hyphenated_name
from formwork.generate.plan import PlannedFile, managed
from formwork.generate.templates import render_template
from formwork.languages.java.generate.models import Place, render_model
from formwork.languages.java.generate.naming import RESERVED_MODEL_NAMES, target_class, target_package
from formwork.languages.java.generate.templates import TEMPLATES
from formwork.languages.java.generate.text import header, literal
from formwork.model import build_type_model

SCHEMAS_FOLDER = "target/loaded-target-schemas"


def plan_targets(sources: str, package: str, targets: Mapping[str, Mapping[str, Any]]) -> dict[str, PlannedFile]:
    """Return the files of all targets; `sources` is the folder of generated sources, `package` the hook's."""
    files: dict[str, PlannedFile] = {}
    for type_name, schema in targets.items():
        schema_file = f"{hyphenated_name(type_name)}.json"
        files[f"{SCHEMAS_FOLDER}/{schema_file}"] = managed(json.dumps(schema, indent=4, ensure_ascii=False) + "\n")
        own = (*package.split("."), *target_package(type_name))
        folder = "/".join((sources, *own))
        made = _render_target(type_name, schema, Place(package=".".join(own), type_name=type_name), schema_file)
        files |= {f"{folder}/{name}.java": managed(text, sweeps=True) for name, text in made.items()}
    return files


def _render_target(type_name: str, schema: Mapping[str, Any], place: Place, schema_file: str) -> dict[str, str]:
    name = target_class(type_name)
    reserved = RESERVED_MODEL_NAMES | {f"{name}TargetModel", "ResourceHookTargetModel"}
    types = build_type_model(schema, kind=ExtensionKind.RESOURCE, root_name=name, reserved=reserved)
    words = {
        "header": header(type_name),
        "package": place.package,
        "target": type_name,
        "target_class": name,
        "target_name": literal(type_name),
    }
    files = {f"{name}TargetModel": render_template(TEMPLATES / "TargetModel.java.txt", words)}
    for each in types.models:
        root = each is types.root
        files[each.name] = render_model(each, types, place, root=root, target=schema_file if root else "")
    return files
