"""The registry's types by name."""

from collections.abc import Mapping

from formwork.aws.scope import Scope
from formwork.extensions import ExtensionKind
from formwork.provisioning import OwnProvisioner, OwnTypes
from formwork.provisioning.own import read_own_schema
from formwork.registry.builtin import builtin_types
from formwork.registry.registry import Registry
from formwork.service_types.extensions.activation import TypeActivationHandlers
from formwork.service_types.extensions.configuring import HookConfigurationHandlers
from formwork.service_types.extensions.defaults import DefaultVersionHandlers, ModuleDefaultVersionHandlers
from formwork.service_types.extensions.managed_hook import GuardHookHandlers, LambdaHookHandlers
from formwork.service_types.extensions.publishing import PublicVersionHandlers, PublisherHandlers
from formwork.service_types.extensions.registry_handlers import RegistryTypeHandlers
from formwork.service_types.extensions.versions import VersionHandlers

_HANDLERS: Mapping[str, tuple[ExtensionKind, type[RegistryTypeHandlers]]] = {
    "ResourceVersion": (ExtensionKind.RESOURCE, VersionHandlers),
    "ResourceDefaultVersion": (ExtensionKind.RESOURCE, DefaultVersionHandlers),
    "ModuleVersion": (ExtensionKind.MODULE, VersionHandlers),
    "ModuleDefaultVersion": (ExtensionKind.MODULE, ModuleDefaultVersionHandlers),
    "HookVersion": (ExtensionKind.HOOK, VersionHandlers),
    "HookDefaultVersion": (ExtensionKind.HOOK, DefaultVersionHandlers),
    "HookTypeConfig": (ExtensionKind.HOOK, HookConfigurationHandlers),
    "Publisher": (ExtensionKind.RESOURCE, PublisherHandlers),
    "PublicTypeVersion": (ExtensionKind.RESOURCE, PublicVersionHandlers),
    "GuardHook": (ExtensionKind.HOOK, GuardHookHandlers),
    "LambdaHook": (ExtensionKind.HOOK, LambdaHookHandlers),
    "TypeActivation": (ExtensionKind.RESOURCE, TypeActivationHandlers),
}


class ExtensionTypes:
    """The `AWS::CloudFormation::*` types that are made in a registry."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry

    def add_to(self, own: OwnTypes) -> None:
        """Add every one of them to the own types."""
        for name in _HANDLERS:
            own.add(f"AWS::CloudFormation::{name}", self)

    def provisioner(self, scope: Scope, type_name: str) -> OwnProvisioner:
        """See `OwnType.provisioner`."""
        kind, handlers = _HANDLERS[type_name.rpartition("::")[2]]
        return OwnProvisioner(read_own_schema(builtin_types()[type_name]), handlers(self._registry, scope, kind))
