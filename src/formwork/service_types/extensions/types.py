"""The registry's types by name."""

from collections.abc import Callable, Mapping

from formwork.aws.scope import Scope
from formwork.extensions import ExtensionKind
from formwork.provisioning import OwnProvisioner, OwnTypes
from formwork.provisioning.own import read_own_schema
from formwork.registry import Registry
from formwork.registry.builtin import builtin_types
from formwork.service_types.extensions.activation import activation_handlers
from formwork.service_types.extensions.asking import Desk, Handler
from formwork.service_types.extensions.configuring import configuration_handlers
from formwork.service_types.extensions.defaults import default_handlers
from formwork.service_types.extensions.publishing import public_version_handlers, publisher_handlers
from formwork.service_types.extensions.versions import version_handlers

_MAKERS: Mapping[str, tuple[ExtensionKind, Callable[[Desk], Mapping[str, Handler]]]] = {
    "ResourceVersion": (ExtensionKind.RESOURCE, version_handlers),
    "ResourceDefaultVersion": (ExtensionKind.RESOURCE, default_handlers),
    "ModuleVersion": (ExtensionKind.MODULE, version_handlers),
    "ModuleDefaultVersion": (ExtensionKind.MODULE, default_handlers),
    "HookVersion": (ExtensionKind.HOOK, version_handlers),
    "HookDefaultVersion": (ExtensionKind.HOOK, default_handlers),
    "HookTypeConfig": (ExtensionKind.HOOK, configuration_handlers),
    "Publisher": (ExtensionKind.RESOURCE, publisher_handlers),
    "PublicTypeVersion": (ExtensionKind.RESOURCE, public_version_handlers),
    "TypeActivation": (ExtensionKind.RESOURCE, activation_handlers),
}


def add_extension_types(own: OwnTypes, registry: Registry) -> None:
    """Have the registry's types found among the own types."""

    def provisioner(scope: Scope, type_name: str) -> OwnProvisioner:
        kind, make = _MAKERS[type_name.rpartition("::")[2]]
        schema = read_own_schema(builtin_types()[type_name])
        return OwnProvisioner(schema, make(Desk(registry, scope, kind)))

    for name in _MAKERS:
        own.add(f"AWS::CloudFormation::{name}", provisioner)
