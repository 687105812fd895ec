"""From what a test registers to a package: a project's folder, a package, a schema, a class, a module's fragment."""

import importlib
import io
import json
import os
import sys
import zipfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from formwork.diagnostics import BadInputError, UsageError
from formwork.documents import DocumentFormat, parse_document
from formwork.extensions import ExtensionKind, hyphenated_name
from formwork.languages.packages import package_build
from formwork.package.package import package_project
from formwork.package.provider import PackagingSettings
from formwork.package.template import architecture_of
from formwork.private_files.temporary import TemporaryFolder
from formwork.project import CONFIG_FILE, Project, load_project
from formwork.project.config import ProjectConfig, parse_config, render_config
from formwork.project.schema_file import expect_project_schema
from formwork.simulate import Simulator
from formwork.testing.handlers import completed_schema, load_schema, read_class, read_schema
from formwork.testing.host_dependencies import HostDependencies

_RUNTIME = f"python3.{min(sys.version_info.minor, 14)}"
# Folders of a project that no package is built from.
_UNREAD = frozenset({".git", ".venv", "node_modules", "__pycache__", ".pytest_cache", ".mypy_cache", "tests", "build"})
_TARGETS_BESIDE_RESOURCES = ("STACK", "CHANGE_SET")
Function = Callable[[Any, Any], Any]


class Extension(Struct, frozen=True):
    """An extension that can be registered.

    `package` builds its package for an entry point; `function` is called for its handlers in this process, None where
    they run as processes. `project` is the folder of its project, None without one. `key` tells packages apart that may
    be built once in a session.
    """

    kind: ExtensionKind
    type_name: str
    package: Callable[[str], bytes]
    function: Function | None = None
    project: Path | None = None
    key: Any = None


def read_extension(
    given: Any, dependencies: HostDependencies, *, schema: Any = None, in_process: bool = False
) -> Extension:
    """Return what `CloudFormation.register` was given; see there. Packages are built in `dependencies`.

    Raises:
        FormworkError: it is not an extension, or has errors.
    """
    names_its_schema = isinstance(given, (Mapping, bytes, str, os.PathLike, type))
    if schema is not None and names_its_schema:
        raise UsageError("schema= is only for the entry point of a handler library", hint="leave it out")
    if in_process and (not isinstance(given, (str, os.PathLike)) or Path(given).is_file()):
        raise UsageError("in_process= is only for the folder of a project", hint="leave it out")
    if isinstance(given, Mapping):
        return _simulated(dict(given))
    if isinstance(given, bytes):
        return packaged_extension(given)
    if isinstance(given, (str, os.PathLike)):
        return _at(Path(given), dependencies, in_process=in_process)
    if schema is not None:
        return _with_function(read_schema(schema), given)
    extension = read_class(given)
    return Extension(
        extension.kind,
        extension.type_name,
        lambda entry_point: _in_process_package(extension.kind, extension.schema, entry_point),
        extension.function,
    )


def module_extension(type_name: str, fragment: Mapping[str, Any]) -> Extension:
    """Return a module with a fragment."""
    schema = {
        "typeName": type_name,
        "description": "A module of a test.",
        "properties": {"Resources": {"type": "object", "properties": {}}},
        "additionalProperties": True,
    }
    config = ProjectConfig(ExtensionKind.MODULE, type_name)

    def package(_entry_point: str) -> bytes:
        return _zip(
            {
                CONFIG_FILE: render_config(config),
                "schema.json": json.dumps(schema),
                "fragments/fragment.json": json.dumps(fragment),
            }
        )

    return Extension(ExtensionKind.MODULE, type_name, package)


def _at(path: Path, dependencies: HostDependencies, *, in_process: bool) -> Extension:
    if path.is_dir():
        return _project(path.resolve(), dependencies, in_process=in_process)
    if not path.is_file():
        raise UsageError(f'"{path}" is not a file or a folder', hint="the folder of a project, a package or a schema")
    if path.suffix == ".zip":
        return packaged_extension(path.read_bytes())
    return _simulated(read_schema(path))


def _project(root: Path, dependencies: HostDependencies, *, in_process: bool) -> Extension:
    project = load_project(root)
    key = (root, tuple(_stamps(root)))
    if in_process:
        schema, _ = expect_project_schema(project)
        extension = _with_function(dict(schema.value), _entry_point(project))
        return Extension(extension.kind, project.type_name, extension.package, extension.function, root)
    return Extension(
        project.kind, project.type_name, lambda _entry_point: _build(project, dependencies), project=root, key=key
    )


def _stamps(root: Path) -> Iterator[tuple[str, int, int]]:
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(each for each in folders if each not in _UNREAD)
        for name in sorted(files):
            status = (Path(folder) / name).stat()
            yield str(Path(folder) / name), status.st_mtime_ns, status.st_size


def _build(project: Project, dependencies: HostDependencies) -> bytes:
    build = None
    if project.kind is not ExtensionKind.MODULE:
        settings = PackagingSettings(
            environment=dependencies.environment,
            cache=dependencies.cache,
            say=lambda _line: None,
            architecture=architecture_of(project.root / "template.yml"),
            refresh=False,
            aws_runtime=False,
        )
        build = package_build(project, settings)
    with TemporaryFolder("package") as folder:
        path = folder / f"{project.hyphenated_name}.zip"
        package_project(project, path, build=build)
        return path.read_bytes()


def _entry_point(project: Project) -> Function:
    """Import the entry point of a project of Python into this process."""
    if not (project.language or "").startswith("python"):
        raise UsageError(
            f'the handlers in "{project.root}" are not Python: they run as processes', hint="leave in_process out"
        )
    entry_point = project.config.entrypoint or ""
    module, _, name = entry_point.rpartition(".")
    source = str(project.root / "src")
    if source not in sys.path:
        sys.path.insert(0, source)
    function: Function = getattr(importlib.import_module(module), name)
    return function


def packaged_extension(content: bytes) -> Extension:
    """Return the extension in a package.

    Raises:
        BadInputError: it is not a package.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            text = archive.read(CONFIG_FILE).decode("utf-8", "replace")
    except (zipfile.BadZipFile, KeyError) as error:
        raise BadInputError.of("package.not-a-zip", f"it is not a package: {error}") from error
    config, _ = parse_config(parse_document(text, name=CONFIG_FILE, format=DocumentFormat.JSON))
    return Extension(config.kind, config.type_name, lambda _entry_point: content)


def _simulated(schema: dict[str, Any]) -> Extension:
    whole = completed_schema(schema)
    return _with_function(whole, Simulator(load_schema(whole)))


def _with_function(schema: dict[str, Any], function: Function) -> Extension:
    hook = any(name.startswith("pre") for name in schema.get("handlers", {}))
    kind = ExtensionKind.HOOK if hook else ExtensionKind.RESOURCE
    return Extension(
        kind, schema["typeName"], lambda entry_point: _in_process_package(kind, schema, entry_point), function
    )


def _in_process_package(kind: ExtensionKind, schema: Mapping[str, Any], entry_point: str) -> bytes:
    """Return the package of an extension whose handlers are called in this process: it contains no code."""
    config = ProjectConfig(
        kind,
        schema["typeName"],
        language=_RUNTIME.replace(".", ""),
        runtime=_RUNTIME,
        entrypoint=entry_point,
        test_entrypoint=entry_point,
        settings={"protocolVersion": "2.0.0"},
    )
    members: dict[str, str | bytes] = {
        CONFIG_FILE: render_config(config),
        "schema.json": json.dumps(schema),
        "handler.zip": _zip({"README": "The handlers are called in the process of the tests.\n"}),
    }
    return _zip(members)


def _zip(members: Mapping[str, str | bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in members.items():
            archive.writestr(zipfile.ZipInfo(name), content)  # without times: the same members are the same package
    return buffer.getvalue()


def package_key(type_name: str) -> str:
    """Return the name of the object that the package of a type is uploaded as."""
    return f"{hyphenated_name(type_name)}.zip"


def enabled_hook(schema: Mapping[str, Any], properties: Mapping[str, Any]) -> dict[str, Any]:
    """Return the configuration with which a hook is called for all of its targets, and refuses what fails."""
    targets = {target for handler in schema.get("handlers", {}).values() for target in handler.get("targetNames", ())}
    hook = {
        "HookInvocationStatus": "ENABLED",
        "FailureMode": "FAIL",
        "TargetOperations": ["RESOURCE", *(each for each in _TARGETS_BESIDE_RESOURCES if each in targets)],
        "Properties": dict(properties),
    }
    return {"CloudFormationConfiguration": {"HookConfiguration": hook}}
