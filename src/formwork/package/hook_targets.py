"""The target types of a hook as its package carries them: `target-info.json` and `target-schemas/`."""

import json
from collections.abc import Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from typing import Any

from formwork.diagnostics import BadInputError, Location, Severity
from formwork.package.archive import Member
from formwork.project import Project, hyphenated_name
from formwork.project.targets import TARGET_INFO_FILE, TARGET_SCHEMAS_FOLDER, load_targets
from formwork.schema import HookSchema

# Invocation points that are no resource types.
_NO_TYPES = frozenset({"STACK", "CHANGE_SET"})


def hook_target_members(project: Project, schema: HookSchema) -> list[Member]:
    """`target-info.json`, then a schema a target.

    Raises:
        BadInputError: the files are wrong, or nothing in the project describes a target.
    """
    loaded = load_targets(project)
    if any(each.severity is Severity.ERROR for each in loaded.diagnostics):
        raise BadInputError(loaded.diagnostics)
    names = {name for handler in schema.handlers.values() for name in handler.target_names} - _NO_TYPES
    infos: dict[str, Mapping[str, Any]] = {}
    for name in _expand(names, loaded.targets, schema):
        target = loaded.targets.get(name)
        if target is None or target.schema is None:
            raise _unknown(name, project)
        infos[name] = {
            "TypeName": name,
            "TargetName": name,
            "TargetType": "RESOURCE",
            **target.info,
            "Schema": target.schema,
            "IsCfnRegistrySupportedType": True,
            "SchemaFileAvailable": True,
        }
    schemas = (
        Member(f"{TARGET_SCHEMAS_FOLDER}/{hyphenated_name(name)}.json", _render(info["Schema"]))
        for name, info in infos.items()
    )
    return [Member(TARGET_INFO_FILE, _render(infos)), *schemas]


def _expand(names: Iterable[str], known: Iterable[str], schema: HookSchema) -> Iterator[str]:
    known = sorted(known)
    expanded: set[str] = set()
    for name in sorted(names):
        if "*" not in name and "?" not in name:
            expanded.add(name)
            continue
        matching = [each for each in known if fnmatchcase(each, name)]
        if not matching:
            raise BadInputError.of(
                "package.no-target",
                f'no type that this project describes matches the target "{name}"',
                location=schema.document.locate(("handlers",)),
                hint=f"`cfn generate` fetches them from the registry; or put them into {TARGET_SCHEMAS_FOLDER}/",
            )
        expanded.update(matching)
    yield from sorted(expanded)


def _unknown(name: str, project: Project) -> BadInputError:
    path = project.root / TARGET_SCHEMAS_FOLDER / f"{hyphenated_name(name)}.json"
    return BadInputError.of(
        "package.no-target",
        f'the schema of the target "{name}" is not in the project',
        location=Location(str(path)),
        expected="the resource type's schema, or an array of schemas",
        hint=f"`cfn generate` fetches it from the registry; or put it there, or into {TARGET_INFO_FILE}",
    )


def _render(value: Any) -> bytes:
    return json.dumps(value, indent=4).encode()
