"""`formwork.registry`: a registry in this process, for one account and Region."""

import contextlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from formwork.diagnostics import BadInputError
from formwork.documents import Document, open_source
from formwork.extensions import ExtensionKind
from formwork.library.embedded import EmbeddedService, RequestRefusedError
from formwork.testing.operations import poll
from formwork.testing.registering import Extension, enabled_hook, package_key, packaged_extension, read_extension

_NOT_FOUND = "TypeNotFoundException"
DEFAULT_ACCOUNT, DEFAULT_REGION = "123456789012", "us-east-1"


@dataclass(frozen=True, slots=True)
class RegisteredExtension:
    """A version of a type, hook or module; `version` is its id, such as "00000001", `live` says if it is registered."""

    kind: ExtensionKind
    type_name: str
    version: str
    arn: str
    is_default: bool
    live: bool
    provisioning: str
    schema: Mapping[str, Any] = field(repr=False)


class _NotRegisteredError(RequestRefusedError):
    """A type that is not registered as the kind that was asked for."""


class LocalRegistry:
    """A registry; it ends with `close`, or as a context manager with its block."""

    def __init__(self, service: EmbeddedService) -> None:
        """`service` is what answers; `open_registry` starts one."""
        self._service = service
        self._functions = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the registry and the handlers; without effect the second time."""
        self._service.close()

    def register(
        self,
        extension: object,
        *,
        schema: Mapping[str, Any] | None = None,
        configuration: Mapping[str, Any] | None = None,
    ) -> RegisteredExtension:
        """Register a version of a resource type, hook or module, and make it the default one.

        `extension` is the path of a project's folder, of a package (`.zip`) or of a schema; the bytes of a package; a
        schema as text or value, whose resources are simulated; a class as for `formwork.testing`, or with `schema` an
        entry point `(event, context)`, whose handlers are called in this process.

        A hook is enabled for all of its targets, with `configuration` as its properties; a type gets it as it is.

        Raises:
            BadInputError: the extension has errors, or its registration fails.
            RequestRefusedError: the configuration is refused.
        """
        read = self._read(extension, schema)
        location, _ = self._service.put("packages", package_key(read.type_name), self._package(read))
        token = self._service.call(
            "RegisterType", Type=read.kind.value, TypeName=read.type_name, SchemaHandlerPackage=location
        )["RegistrationToken"]
        done = poll(
            lambda: self._service.call("DescribeTypeRegistration", RegistrationToken=token),
            lambda found: found["ProgressStatus"] != "IN_PROGRESS",
        )
        if done["ProgressStatus"] != "COMPLETE":
            message = f"the registration of {read.type_name} failed: {done.get('Description')}"
            raise BadInputError.of("submit.failed", message)
        version = str(done["TypeVersionArn"]).rpartition("/")[2]
        self.set_default(read.type_name, version, kind=read.kind)
        if configuration is not None or read.kind is ExtensionKind.HOOK:
            self.configure(read.type_name, configuration or {}, kind=read.kind)
        return self.describe(read.type_name, version=version, kind=read.kind)

    def _read(self, extension: object, schema: Mapping[str, Any] | None) -> Extension:
        dependencies = self._service.server.dependencies
        match extension:
            case bytes():
                return packaged_extension(extension)
            case str() | Document():
                return read_extension(open_source(extension, name="<schema>").value, dependencies)
            case _:
                return read_extension(extension, dependencies, schema=schema)

    def _package(self, extension: Extension) -> bytes:
        self._functions += 1
        entry_point = f"formwork.registry.{self._service.account}.{self._functions}"
        if extension.function is not None:
            self._service.server.add_function(entry_point, extension.function)
        return extension.package(entry_point)

    def describe(self, type_name: str, *, version: str = "", kind: ExtensionKind | None = None) -> RegisteredExtension:
        """Return a version, by default the default one; without `kind` a type is found first, then a hook or module.

        Raises:
            RequestRefusedError: it was never registered.
        """
        more = {"VersionId": version} if version else {}
        *others, last = ExtensionKind if kind is None else (kind,)
        for each in others:
            with contextlib.suppress(_NotRegisteredError):
                return self._describe(each, type_name, more)
        return self._describe(last, type_name, more)

    def _describe(self, kind: ExtensionKind, type_name: str, more: Mapping[str, str]) -> RegisteredExtension:
        try:
            return _version(self._service.call("DescribeType", Type=kind.value, TypeName=type_name, **more))
        except RequestRefusedError as error:
            if error.code == _NOT_FOUND:
                raise _NotRegisteredError(error.code, error.message) from error
            raise

    def types(self) -> tuple[RegisteredExtension, ...]:
        """Return the default versions of everything that is registered, sorted by kind and name."""
        found = [
            self.describe(each["TypeName"], kind=kind)
            for kind in ExtensionKind
            for each in self._service.pages("ListTypes", "TypeSummaries", Type=kind.value, Visibility="PRIVATE")
        ]
        return tuple(sorted(found, key=lambda each: (each.kind, each.type_name)))

    def versions(self, type_name: str, *, kind: ExtensionKind | None = None) -> tuple[RegisteredExtension, ...]:
        """Return the versions of a type, hook or module that are not deregistered, oldest first.

        Raises:
            RequestRefusedError: it is not registered.
        """
        known = self.describe(type_name, kind=kind).kind
        pages = self._service.pages("ListTypeVersions", "TypeVersionSummaries", Type=known.value, TypeName=type_name)
        names = sorted(each["VersionId"] for each in pages)
        return tuple(self.describe(type_name, version=name, kind=known) for name in names)

    def set_default(self, type_name: str, version: str, *, kind: ExtensionKind | None = None) -> None:
        """Make a version the default one, which stacks use.

        Raises:
            RequestRefusedError: it is not registered.
        """
        known = kind or self.describe(type_name).kind
        self._service.call("SetTypeDefaultVersion", Type=known.value, TypeName=type_name, VersionId=version)

    def configure(self, type_name: str, configuration: Mapping[str, Any], *, kind: ExtensionKind | None = None) -> None:
        """Set the configuration of a type, or the properties of a hook, which is enabled by it.

        Raises:
            RequestRefusedError: it is not registered, or the configuration is not valid.
        """
        described = self.describe(type_name, kind=kind)
        if described.kind is ExtensionKind.HOOK and "CloudFormationConfiguration" not in configuration:
            configuration = enabled_hook(dict(described.schema), configuration)
        text = json.dumps(dict(configuration))
        kind = described.kind
        self._service.call("SetTypeConfiguration", Type=kind.value, TypeName=type_name, Configuration=text)

    def deregister(self, type_name: str, *, version: str = "", kind: ExtensionKind | None = None) -> None:
        """Deregister a version that is not the default one, or by default everything of that name.

        Raises:
            RequestRefusedError: it is not registered, or it is the default version of several.
        """
        known = kind or self.describe(type_name).kind
        if version:
            self._service.call("DeregisterType", Type=known.value, TypeName=type_name, VersionId=version)
            return
        for each in self.versions(type_name, kind=known):
            if not each.is_default:
                self._service.call("DeregisterType", Type=known.value, TypeName=type_name, VersionId=each.version)
        self._service.call("DeregisterType", Type=known.value, TypeName=type_name)


def open_registry(
    folder: os.PathLike[str] | None = None,
    *,
    environment: Mapping[str, str] | None = None,
    cache: os.PathLike[str] | None = None,
    account: str = DEFAULT_ACCOUNT,
    region: str = DEFAULT_REGION,
) -> LocalRegistry:
    """Return a new registry, which a folder keeps for the next time; without one it is gone at the end.

    `environment` are the variables for pip, npm, Go and Maven, such as `os.environ`; `cache` is a folder that keeps
    what they make. `formwork.stacks.open_stacks` has a registry, too.

    Raises:
        EnvironmentProblemError: the extra `serve` is not installed, or another process uses the folder.
        UsageError: the account or the Region is not valid.
    """
    service = EmbeddedService(
        None if folder is None else Path(folder),
        environment=environment,
        cache=None if cache is None else Path(cache),
        account=account,
        region=region,
        aws="simulated",
    )
    return LocalRegistry(service)


def _version(answer: Mapping[str, Any]) -> RegisteredExtension:
    return RegisteredExtension(
        kind=ExtensionKind(answer["Type"]),
        type_name=answer["TypeName"],
        version=answer["Arn"].rpartition("/")[2],
        arn=answer["Arn"],
        is_default=bool(answer.get("IsDefaultVersion")),
        live=answer.get("DeprecatedStatus") != "DEPRECATED",
        provisioning=answer.get("ProvisioningType", ""),
        schema=json.loads(answer.get("Schema") or "{}"),
    )
