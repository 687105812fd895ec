"""What a project leaves to its user: type configuration, values of exports, templates of stacks.

What it shows of these itself is taken first: a file of its own, or an example in its README.
"""

import json
import re
from pathlib import Path
from typing import Any

from bench.real_projects.projects import RealProject
from formwork.diagnostics import BadInputError
from formwork.documents import load_document, parse_document
from formwork.instances import InstanceGenerator, UnsatisfiableError
from formwork.schema import load_resource_schema
from formwork.schema.at_hand import find_schemas

_EXPORT = re.compile(r"\{\{\s*([\w:-]+)\s*\}\}")
_PUBLIC_KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKjXhJhe+fbs4uCOUZsWlxirPXWrCnwCqk05fIgf7OoD made-up"
_HOOK = {"TargetStacks": "ALL", "FailureMode": "FAIL", "Properties": {}}
_CONFIGURATIONS = ("type_config.json", ".type_config.json", "typeConfiguration.json", "test/configuration.json")
_EXAMPLE = re.compile(r"^\{$.*?^\}$", re.MULTILINE | re.DOTALL)
# What properties whose names end like this can't do with any text.
_NAMED = {
    "AccountId": "123456789012",
    "Region": "us-east-1",
    "Template": json.dumps({"Resources": {"It": {"Type": "AWS::CloudFormation::WaitConditionHandle"}}}),
}
_DEFAULTS = {"Number": 1, "CommaDelimitedList": "a,b", "List<Number>": "1,2"}


def type_configuration(project: RealProject) -> dict[str, Any] | None:
    """The document with values for what its configuration requires; None where it has none."""
    if project.kind == "HOOK":
        return _shown_configuration(project) or _made_configuration(project)
    schema = project.schema.get("typeConfiguration")
    if not schema:
        return None
    definitions = project.schema.get("definitions", {})
    return _instance({"definitions": definitions, **schema})


def _shown_configuration(project: RealProject) -> dict[str, Any] | None:
    """A hook's configuration in a file of the project, or as an example in its README."""
    files = [each for name in _CONFIGURATIONS if (each := project.root / name).is_file()]
    texts = [each.read_text(encoding="utf-8") for each in files]
    readme = project.root / "README.md"
    if readme.is_file():
        texts += _EXAMPLE.findall(readme.read_text(encoding="utf-8"))
    for text in texts:
        try:
            value = json.loads(text)
            value["CloudFormationConfiguration"]["HookConfiguration"]["TargetStacks"]
        except (KeyError, TypeError, ValueError):
            continue
        return value
    return None


def _made_configuration(project: RealProject) -> dict[str, Any]:
    path = project.root / (project.type_name.replace("::", "-").lower() + "-configuration.json")
    schema = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return {"CloudFormationConfiguration": {"HookConfiguration": {**_HOOK, "Properties": _instance(schema)}}}


def target_schemas(project: RealProject) -> dict[str, str]:
    """The schemas of a hook's targets that are at hand, by type; AWS's registry, which has them, is out of reach."""
    if project.kind != "HOOK":
        return {}
    named = {name for each in project.schema.get("handlers", {}).values() for name in each.get("targetNames", [])}
    find = find_schemas().find
    return {name: text for name in sorted(named) if "*" not in name and (text := find(name)) is not None}


def exports(project: RealProject) -> dict[str, str]:
    """A value for each export that its inputs name."""
    texts = (each.read_text(errors="replace") for each in (project.root / "inputs").glob("*.json"))
    named = sorted({name for text in texts for name in _EXPORT.findall(text)})
    return {name: _PUBLIC_KEY if "PublicKey" in name else f"made-up-{index}" for index, name in enumerate(named)}


def setup_template(project: RealProject) -> Path | None:
    """The project's own template of what its inputs and its integration template need beforehand, if it has one."""
    return next(
        (each for name in ("setup", "integ-setup") for each in sorted((project.root / "test").glob(f"{name}.y*ml"))),
        None,
    )


def template(project: RealProject) -> tuple[str, dict[str, str]]:
    """The template to deploy (its own integration template where it has one), and values of its parameters."""
    for name in ("integ", "integ-succeed"):
        for own in sorted((project.root / "test").glob(f"{name}.y*ml")):
            return own.read_text(encoding="utf-8"), {}
    made = {"MODULE": _of_module, "HOOK": _of_hook, "RESOURCE": _of_resource}[project.kind](project)
    return json.dumps({"Resources": {"It": made}}, indent=2), {}


def _of_resource(project: RealProject) -> dict[str, Any]:
    for own in sorted((project.root / "inputs").glob("inputs_1_create.json")):
        text = own.read_text(encoding="utf-8")
        for name, value in exports(project).items():
            text = re.sub(r"\{\{\s*" + re.escape(name) + r"\s*\}\}", value, text)
        return {"Type": project.type_name, "Properties": parse_document(text, name=own.name).value}
    model = _model(project.schema)
    for name in (each for each in model if isinstance(model[each], str)):
        model[name] = next((value for end, value in _NAMED.items() if name.endswith(end)), model[name])
    return {"Type": project.type_name, "Properties": model}


def _of_hook(project: RealProject) -> dict[str, Any]:
    """A target with the properties of the first inputs, and what its schema requires beside them."""
    for own in sorted((project.root / "inputs").glob("inputs_*_pre_create.json")):
        for target, model in json.loads(own.read_text(encoding="utf-8")).items():
            properties = model.get("resourceProperties", {})
            return {"Type": target, "Properties": {**_required_of(target), **properties}}
    handlers = project.schema.get("handlers", {})
    targets = [name for each in handlers.values() for name in each.get("targetNames", [])]
    target = next((name for name in targets if "*" not in name), "AWS::S3::Bucket")
    return {"Type": target, "Properties": _required_of(target)}


def _required_of(target: str) -> dict[str, Any]:
    text = find_schemas().find(target)
    return _model(json.loads(text)) if text else {}


def _of_module(project: RealProject) -> dict[str, Any]:
    schema_path = project.root / "schema.json"
    schema = json.loads(schema_path.read_text(encoding="utf-8")) if schema_path.is_file() else {}
    described = schema.get("properties", {}).get("Parameters", {}).get("properties", {})
    fragment = next(iter(_fragments(project)), {})
    given = {
        name: _DEFAULTS.get(str(each.get("Type")), "example")
        for name, each in (fragment.get("Parameters") or {}).items()
        if "Default" not in each and (name in described or not described)
    }
    for name, each in (fragment.get("Parameters") or {}).items():
        if name in given and each.get("AllowedValues"):
            given[name] = each["AllowedValues"][0]
    return {"Type": project.type_name, "Properties": given}


def _fragments(project: RealProject) -> list[dict[str, Any]]:
    return [
        load_document(path, short_tags=True).value
        for path in sorted((project.root / "fragments").glob("*"))
        if path.suffix in {".json", ".yaml", ".yml"}
    ]


def _model(schema: dict[str, Any]) -> dict[str, Any]:
    try:
        loaded = load_resource_schema(parse_document(json.dumps(schema), name="schema.json")).schema
        return InstanceGenerator(loaded or schema, seed=1).minimal()
    except (UnsatisfiableError, BadInputError):
        return {}


def _instance(schema: dict[str, Any]) -> dict[str, Any]:
    try:
        value = InstanceGenerator(schema, seed=1).minimal() if schema else {}
    except UnsatisfiableError:
        return {}
    return value if isinstance(value, dict) else {}
