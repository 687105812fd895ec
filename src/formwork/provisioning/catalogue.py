"""Which types can be provisioned here, and by whom: this process, registered handlers, the simulator.

One of AWS's own types that is not registered is simulated if its schema is available; third-party types never are.
"""

import functools
import hashlib
import json
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from formwork.aws import local_credentials
from formwork.aws.access import AwsAccess
from formwork.aws.scope import Scope
from formwork.aws.stored_values import StoredValues
from formwork.documents import load_document
from formwork.durable import Database
from formwork.extensions import ExtensionKind
from formwork.hooks import MOST_CALLS, ActiveHook, HookCall, HookOutcome, HookSettings, read_hook_settings
from formwork.hooks.guard.invocation import GuardEvaluator
from formwork.hooks.guard.sources import RuleSource
from formwork.hooks.lambda_function import MOST_CALLS_OF_FUNCTION, LambdaEvaluator
from formwork.invoke import CredentialSource, HandlerSession
from formwork.object_store.store import ObjectStore
from formwork.provisioning.call_limits import CallLimits
from formwork.provisioning.functions.finding import FunctionInvoker
from formwork.provisioning.handlers import HandlerProvisioner
from formwork.provisioning.own import OwnTypes
from formwork.provisioning.provisioner import Provisioner
from formwork.provisioning.stand_ins import StandIns, read_schema
from formwork.registry import managed
from formwork.registry.errors import RegistryError
from formwork.registry.registry import Registry
from formwork.registry.types import RegisteredVersion
from formwork.schema import ResourceSchema
from formwork.schema.configuration_secrets import configuration_secrets
from formwork.template import Template, read_template

_HOOK_HANDLERS = {"CREATE": "preCreate", "UPDATE": "preUpdate", "DELETE": "preDelete"}
_HOOK_TEXTS = ("description", "sourceUrl", "documentationUrl")


class Catalogue:
    """The provisioners of every account and Region; without `stand_ins` types need handlers, as they do in AWS.

    `aws` is the AWS that handlers have: their credentials, and what the dynamic references of configurations stand for.
    `credentials_in` gives the credentials of handlers where they differ between accounts and Regions.
    `limits` are the service's by default. Guard hooks read `rule_folders` in place of the buckets of their names.
    """

    def __init__(  # noqa: PLR0913, PLR0917 - what depends on how the process is run
        self,
        registry: Registry,
        database: Database,
        stand_ins: StandIns | None,
        own: OwnTypes,
        objects: ObjectStore,
        functions: FunctionInvoker,
        aws: AwsAccess | None = None,
        *,
        limits: CallLimits | None = None,
        rule_folders: Mapping[str, Path] | None = None,
        credentials_in: Callable[[Scope], CredentialSource] | None = None,
    ) -> None:
        self._registry = registry
        self._limits = limits or CallLimits()
        self._database = database
        self._stand_ins = stand_ins
        self._own = own
        self._objects = objects
        self._functions = functions
        self._rule_folders = rule_folders or {}
        credentials = local_credentials if aws is None else aws.credentials
        self._credentials_in = credentials_in or (lambda _scope: credentials)
        self._stored = StoredValues(aws)
        self._lock = threading.Lock()
        self._registered: dict[tuple[str, str], HandlerProvisioner] = {}
        self._hooks: dict[tuple[str, str], ActiveHook] = {}

    def find(self, scope: Scope, type_name: str, version: str | None = None) -> Provisioner | None:
        """See `Provisioners.find`."""
        if (own := self._own.find(scope, type_name)) is not None:
            return own
        try:
            found = self._registry.expect_type(scope, type_name, ExtensionKind.RESOURCE, version)
        except RegistryError:
            if version is not None or self._stand_ins is None:
                return None
            return self._stand_ins.find(scope, type_name)
        return self._handlers(found)

    def list_types(self, scope: Scope) -> list[str]:
        """Return the types of which an account and Region may have resources: registered ones, and stand-ins in use."""
        stand_ins = [] if self._stand_ins is None else self._stand_ins.list_types(scope)
        return sorted({*self._registry.list_resource_types(scope), *stand_ins})

    def explain(self, _scope: Scope, type_name: str) -> str | None:
        """Return why an unregistered type can't be provisioned and what to do; None if there is nothing to add."""
        return None if self._stand_ins is None else self._stand_ins.explain(type_name)

    def find_module(self, scope: Scope, type_name: str) -> Template | None:
        """Return the fragment of the default version of a registered module, None if it is not registered."""
        try:
            version = self._registry.expect_type(scope, type_name, ExtensionKind.MODULE)
        except RegistryError:
            return None
        fragments = sorted(each for each in (version.package.files / "fragments").iterdir() if each.is_file())
        return read_template(load_document(fragments[0], short_tags=True)).template if fragments else None

    def active_hooks(self, scope: Scope) -> tuple[ActiveHook, ...]:
        """Return the registered hooks that are enabled; see `Hooks.active`."""
        return tuple(
            hook for version in self._registry.list_hooks(scope) if (hook := self._hook(version)).settings.enabled
        )

    def _hook(self, version: RegisteredVersion) -> ActiveHook:
        configuration = json.dumps(version.configuration, sort_keys=True)
        key = version.arn, configuration
        with self._lock:
            if key not in self._hooks:
                settings = read_hook_settings(version.configuration)
                handlers = version.schema.get("handlers", {})
                about = {name: str(version.schema[name]) for name in _HOOK_TEXTS if name in version.schema}
                if version.original_name is not None:
                    about["originalTypeName"] = version.original_name
                self._hooks[key] = ActiveHook(
                    type_name=version.name,
                    type_arn=version.type_arn,
                    version=version.version_id,
                    configuration_version=hashlib.sha256(configuration.encode()).hexdigest()[:32],
                    settings=settings,
                    targets={
                        action: tuple(handlers[name].get("targetNames", ()))
                        for action, name in _HOOK_HANDLERS.items()
                        if name in handlers
                    },
                    open_session=functools.cache(lambda: self._hook_session(version, settings)),
                    evaluate=self._managed(version, settings),
                    most_calls=MOST_CALLS_OF_FUNCTION if version.original_name == managed.LAMBDA_HOOK else MOST_CALLS,
                    log=self._registry.handler_log(version).keep,
                    about=about,
                    configured=configuration_secrets(version.schema),
                )
            return self._hooks[key]

    def _managed(self, version: RegisteredVersion, settings: HookSettings) -> Callable[[HookCall], HookOutcome] | None:
        """Return the evaluator of one of AWS's managed hooks; None for a hook with handlers."""
        scope, name = version.scope, version.name

        def configuration() -> dict[str, Any]:
            return dict(self._stored.resolve(scope.region, dict(settings.properties)))

        match version.original_name:
            case managed.GUARD_HOOK:
                return GuardEvaluator(
                    source=RuleSource(self._objects, scope.account, self._rule_folders),
                    scope=scope,
                    type_name=name,
                    version=version.version_id,
                    configuration=configuration,
                )
            case managed.LAMBDA_HOOK:
                return LambdaEvaluator(
                    invoke=lambda function, payload: self._functions.invoke(scope, function, payload),
                    scope=scope,
                    type_name=name,
                    version=version.version_id,
                    configuration=configuration,
                    seconds=self._limits.hook,
                )
            case _:
                return None

    def _hook_session(self, version: RegisteredVersion, settings: HookSettings) -> HandlerSession:
        defaults = {
            name: node["default"]
            for name, node in version.schema.get("typeConfiguration", {}).get("properties", {}).items()
            if isinstance(node, dict) and "default" in node
        }
        return HandlerSession(
            self._registry.transport(version),
            version.name,
            account=version.scope.account,
            region=version.scope.region,
            type_version=version.version_id,
            credentials=self._credentials_in(version.scope),
            type_configuration={**defaults, **settings.properties},
            resolve=lambda configuration: self._stored.resolve(version.scope.region, configuration),
            invocation_timeout=self._limits.hook,
        )

    def _handlers(self, version: RegisteredVersion) -> HandlerProvisioner:
        key = version.arn, json.dumps(version.configuration, sort_keys=True)
        with self._lock:
            if key not in self._registered:
                self._registered[key] = HandlerProvisioner(
                    _read_schema(json.dumps(version.schema), version.name),
                    self._registry.transport(version),
                    scope=version.scope,
                    version=version.version_id,
                    credentials=self._credentials_in(version.scope),
                    type_configuration=version.configuration or None,
                    resolve=lambda configuration: self._stored.resolve(version.scope.region, configuration),
                    log=self._registry.handler_log(version).keep,
                    watch=self._registry.call_watcher,
                    call_seconds=self._limits.resource,
                )
            return self._registered[key]


def _read_schema(text: str, name: str) -> ResourceSchema:
    schema, problem = read_schema(text, name)
    if schema is None:
        raise LookupError(problem)
    return schema


class RegisteredHooks:
    """`Hooks` of a catalogue."""

    def __init__(self, catalogue: Catalogue) -> None:
        self.active = catalogue.active_hooks
