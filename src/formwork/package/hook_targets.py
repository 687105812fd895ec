"""The target types of a hook as its package carries them: `target-info.json` and `target-schemas/`."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any

from msgspec import Struct

from formwork.diagnostics import BadInputError, Diagnostic, Location, Severity
from formwork.extensions import hyphenated_name
from formwork.package.archive import ArchiveMember
from formwork.project import Project
from formwork.project.targets import (
    TARGET_INFO_FILE,
    TARGET_SCHEMAS_FOLDER,
    TargetType,
    hook_targets,
    is_wildcard,
    resource_targets,
)
from formwork.schema import HookSchema
from formwork.schema.at_hand import knows_awss_types

_AWS = "AWS::"


class PackagedTargets(Struct, frozen=True):
    """Archive members of target schemas, the types whose schemas were taken from this machine, and warnings."""

    members: list[ArchiveMember]
    at_hand: tuple[str, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()


def package_targets(project: Project, schema: HookSchema) -> PackagedTargets:
    """`target-info.json`, then a schema a target.

    Raises:
        BadInputError: the files are wrong, or nothing in the project describes a target.
    """
    names = resource_targets(schema)
    loaded = hook_targets(project, names)
    if any(each.severity is Severity.ERROR for each in loaded.diagnostics):
        raise BadInputError(loaded.diagnostics)
    infos: dict[str, Mapping[str, Any]] = {}
    unknown: list[str] = []
    for name in _expand(names, loaded.targets, schema):
        target = loaded.targets.get(name, TargetType(name, None, {}))
        if target.schema is None:
            unknown.append(name)
        infos[name] = _info(target)
    diagnostics = _judge_unknown(unknown, project, schema)
    if any(each.severity is Severity.ERROR for each in diagnostics):
        raise BadInputError(diagnostics)
    schemas = (
        ArchiveMember(f"{TARGET_SCHEMAS_FOLDER}/{hyphenated_name(name)}.json", _render(info["Schema"]))
        for name, info in infos.items()
        if info["SchemaFileAvailable"]
    )
    at_hand = tuple(name for name in infos if name in loaded.at_hand)
    return PackagedTargets([ArchiveMember(TARGET_INFO_FILE, _render(infos)), *schemas], at_hand, tuple(diagnostics))


def _info(target: TargetType) -> dict[str, Any]:
    return {
        "TypeName": target.type_name,
        "TargetName": target.type_name,
        "TargetType": "RESOURCE",
        **target.info,
        **({} if target.schema is None else {"Schema": target.schema}),
        "IsCfnRegistrySupportedType": target.schema is not None,
        "SchemaFileAvailable": target.schema is not None,
    }


def _expand(names: Iterable[str], known: Iterable[str], schema: HookSchema) -> Iterator[str]:
    known = sorted(known)
    expanded: set[str] = set()
    for name in sorted(names):
        if not is_wildcard(name):
            expanded.add(name)
            continue
        matching = [each for each in known if fnmatchcase(each, name)]
        if not matching:
            raise BadInputError.of(
                "package.no-target",
                f'no type in the project or on this machine matches the target "{name}"',
                location=schema.document.locate(("handlers",)),
                hint=_hint("them", f"put them into {TARGET_SCHEMAS_FOLDER}/"),
            )
        expanded.update(matching)
    yield from sorted(expanded)


def _judge_unknown(names: Sequence[str], project: Project, schema: HookSchema) -> list[Diagnostic]:
    """Return a warning about targets without a schema: types of AWS that this machine does not know."""
    here = project.schemas_at_hand
    retired = [name for name in names if name.startswith(_AWS)]
    if here is None or (retired and not knows_awss_types(here)):
        retired = []
    found = [_unknown(name, project) for name in names if name not in retired]
    if retired:
        some = ", ".join(retired[:3]) + (f" and {len(retired) - 3} more" if len(retired) > 3 else "")
        message = f"packaged without a schema, since AWS's types on this machine lack them: {some}"
        hint = "remove types that AWS has retired from targetNames, and correct misspelt names"
        location = schema.document.locate(("handlers",), key=True)
        found.append(Diagnostic("package.target-without-schema", Severity.WARNING, message, location, hint=hint))
    return found


def _unknown(name: str, project: Project) -> Diagnostic:
    path = project.root / TARGET_SCHEMAS_FOLDER / f"{hyphenated_name(name)}.json"
    return Diagnostic(
        "package.no-target",
        Severity.ERROR,
        f'the schema of the target "{name}" is not in the project or on this machine',
        Location(str(path)),
        expected="the resource type's schema, or an array of schemas",
        hint=_hint("it", f"put it there, or into {TARGET_INFO_FILE}"),
    )


def _hint(what: str, otherwise: str) -> str:
    return (
        f"`cfn generate` fetches {what} from a registry and keeps {what}; or name a folder by --schemas, {otherwise}, "
        "or install cfn-lint, which has those of AWS's types"
    )


def _render(value: Any) -> bytes:
    return json.dumps(value, indent=4).encode()
