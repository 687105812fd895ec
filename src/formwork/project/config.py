"""`.rpdk-config`: what the project develops and in which language; read and written as the incumbent does."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct, field

from formwork.diagnostics import BadInputError, Diagnostic, Severity
from formwork.documents import Document
from formwork.extensions import TYPE_NAME_RULE, ExtensionKind, is_type_name
from formwork.project.runtimes import OUTDATED_LANGUAGES, OUTDATED_RUNTIMES

CONFIG_FILE = ".rpdk-config"
MAX_CONFIG_BYTES = 10 * 1024
PROTOCOL_VERSIONS = ("1.0.0", "2.0.0")

# Field of ProjectConfig → key of the file, in the order of the file.
_TEXT_KEYS = {
    "language": "language",
    "runtime": "runtime",
    "entrypoint": "entrypoint",
    "test_entrypoint": "testEntrypoint",
    "executable_entrypoint": "executableEntrypoint",
}
_REQUIRED_KEYS = ("language", "runtime")
_KNOWN_KEYS = frozenset({"artifact_type", "typeName", "settings", "canarySettings", *_TEXT_KEYS.values()})


class ProjectConfig(Struct, frozen=True):
    """The values of `.rpdk-config`; `language`, `runtime` and the entry points are None in a module's.

    `extra` holds the keys that only other tools know, kept when the file is written again.
    """

    kind: ExtensionKind
    type_name: str
    language: str | None = None
    runtime: str | None = None
    entrypoint: str | None = None
    test_entrypoint: str | None = None
    executable_entrypoint: str | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    canary_settings: Mapping[str, Any] = field(default_factory=dict)
    extra: Mapping[str, Any] = field(default_factory=dict)

    @property
    def protocol_version(self) -> str:
        """The version of the handler protocol; a config without one was written for 1.0.0."""
        return str(self.settings.get("protocolVersion", "1.0.0"))

    @property
    def keeps_aws_library(self) -> bool:
        """Whether the settings keep AWS's handler library for models, runs and packages alike."""
        return self.settings.get("aws_runtime") is True


def parse_config(document: Document, *, registered: str | None = None) -> tuple[ProjectConfig, tuple[Diagnostic, ...]]:
    """Return the config in `document`, and what should be changed in it (warnings).

    `registered` is the name under which the package of the config is registered: AWS takes such a config without
    `typeName` and `language` (recorded answers), hence that name stands for a missing one, and the runtime tells the
    language.

    Raises:
        BadInputError: with everything that is wrong, when anything is.
    """
    found = [*_problems(document, registered=registered)]
    if any(each.severity is Severity.ERROR for each in found):
        raise BadInputError(found)
    value = document.value
    texts = {name: value.get(key) for name, key in _TEXT_KEYS.items()}
    config = ProjectConfig(
        kind=_kind_of(value) or ExtensionKind.RESOURCE,
        type_name=value.get("typeName", registered),
        settings=value.get("settings") or {},
        canary_settings=value.get("canarySettings") or {},
        extra={key: member for key, member in value.items() if key not in _KNOWN_KEYS},
        **texts,
    )
    return config, tuple(found)


def render_config(config: ProjectConfig) -> str:
    """Return the text of `.rpdk-config`, byte for byte in the incumbent's layout."""
    value: dict[str, Any] = {"artifact_type": str(config.kind), "typeName": config.type_name}
    if config.kind is not ExtensionKind.MODULE:
        value |= {key: getattr(config, name) for name, key in _TEXT_KEYS.items()}
        if config.executable_entrypoint is None:
            del value["executableEntrypoint"]
    value["settings"] = dict(config.settings)
    if config.canary_settings:
        value["canarySettings"] = dict(config.canary_settings)
    return json.dumps(value | dict(config.extra), indent=4, ensure_ascii=False) + "\n"


def _problems(document: Document, *, registered: str | None) -> Iterator[Diagnostic]:
    value = document.value
    if not isinstance(value, dict):
        yield _error(document, (), "config-not-an-object", "the config is not a JSON object", "an object")
        return
    size = len(json.dumps(value).encode())
    if size > MAX_CONFIG_BYTES:
        yield _error(
            document, (), "config-too-large", f"the config has {size} bytes", f"at most {MAX_CONFIG_BYTES} bytes"
        )
    yield from _kind_problems(document)
    kind = _kind_of(value) or ExtensionKind.RESOURCE
    if registered is None or "typeName" in value:
        yield from _type_name_problems(document, kind)
    yield from _settings_problems(document, kind)
    if kind is not ExtensionKind.MODULE:
        yield from _language_problems(document, _REQUIRED_KEYS if registered is None else ("runtime",))
        yield from _outdated(document)


def _kind_of(value: Mapping[str, Any]) -> ExtensionKind | None:
    named = value.get("artifact_type")
    try:
        return ExtensionKind.from_noun(named) if isinstance(named, str) else None
    except ValueError:
        return None


def _kind_problems(document: Document) -> Iterator[Diagnostic]:
    if "artifact_type" not in document.value:
        yield _warning(
            document,
            (),
            "config-no-artifact-type",
            'the config has no "artifact_type"; this is read as a resource type',
            'add "artifact_type": "RESOURCE"',
        )
    elif _kind_of(document.value) is None:
        named = document.value["artifact_type"]
        expected = '"RESOURCE", "HOOK" or "MODULE"'
        yield _error(
            document, ("artifact_type",), "config-artifact-type", f"{_show(named)} is not an artifact type", expected
        )


def _type_name_problems(document: Document, kind: ExtensionKind) -> Iterator[Diagnostic]:
    expected = f"{kind.pattern}: {TYPE_NAME_RULE}"
    if "typeName" not in document.value:
        yield _error(document, (), "config-missing-key", 'the config has no "typeName"', expected)
        return
    name = document.value["typeName"]
    if not isinstance(name, str) or not is_type_name(name, kind):
        message = f"{_show(name)} is not a valid {kind.noun} type name"
        yield _error(document, ("typeName",), "config-type-name", message, expected)


def _language_problems(document: Document, required: tuple[str, ...]) -> Iterator[Diagnostic]:
    for key in _TEXT_KEYS.values():
        member = document.value.get(key)
        if key in required and key not in document.value:
            yield _error(document, (), "config-missing-key", f'the config has no "{key}"', f'"{key}" with a string')
        elif key in _REQUIRED_KEYS and key in document.value and not isinstance(member, str):
            yield _error(document, (key,), "config-not-a-text", f'"{key}" is {_show(member)}', "a string")
        elif member is not None and not isinstance(member, str):
            yield _error(document, (key,), "config-not-a-text", f'"{key}" is {_show(member)}', "a string or null")


def _settings_problems(document: Document, kind: ExtensionKind) -> Iterator[Diagnostic]:
    value = document.value
    for key in ("settings", "canarySettings"):
        if key in value and not isinstance(value[key], dict):
            yield _error(document, (key,), "config-settings", f'"{key}" is {_show(value[key])}', "an object")
    settings = value.get("settings")
    if not isinstance(settings, dict) or kind is ExtensionKind.MODULE:
        return
    if "protocolVersion" not in settings:
        yield _warning(
            document,
            ("settings",),
            "config-no-protocol-version",
            'the settings have no "protocolVersion"; registration takes this for version 1.0.0',
            'add "protocolVersion": "2.0.0" to "settings", unless the handlers really speak version 1.0.0',
        )
    elif settings["protocolVersion"] not in PROTOCOL_VERSIONS:
        message = f"{_show(settings['protocolVersion'])} is not a protocol version"
        yield _error(
            document, ("settings", "protocolVersion"), "config-protocol-version", message, '"2.0.0" (or "1.0.0")'
        )


def _outdated(document: Document) -> Iterator[Diagnostic]:
    for key, successors in (("language", OUTDATED_LANGUAGES), ("runtime", OUTDATED_RUNTIMES)):
        named = document.value.get(key)
        if isinstance(named, str) and named in successors:
            yield _warning(
                document,
                (key,),
                f"config-outdated-{key}",
                f'the {key} "{named}" is outdated: Lambda creates no functions on it any more',
                f'set "{key}" to "{successors[named]}"'
                + (' in .rpdk-config, and "Runtime" in template.yml' if key == "runtime" else ""),
            )


def _show(value: object) -> str:
    text = json.dumps(value)
    return text if len(text) <= 80 else text[:77] + "…"


def _error(document: Document, tokens: tuple[str, ...], slug: str, message: str, expected: str) -> Diagnostic:
    return Diagnostic(f"project.{slug}", Severity.ERROR, message, document.locate(tokens), expected)


def _warning(document: Document, tokens: tuple[str, ...], slug: str, message: str, hint: str) -> Diagnostic:
    return Diagnostic(f"project.{slug}", Severity.WARNING, message, document.locate(tokens), hint=hint)
