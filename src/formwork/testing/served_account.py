"""An account and Region of the server: how clients reach it, and what is registered in it."""

import contextlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from formwork.diagnostics import BadInputError, UsageError
from formwork.extensions import ExtensionKind
from formwork.testing.clients import make_client
from formwork.testing.environment import standard_variables, variables_set
from formwork.testing.operations import poll
from formwork.testing.registering import Extension, enabled_hook, module_extension, package_key, read_extension
from formwork.testing.rules import activate_rules, are_rules, rules_configuration, rules_extension
from formwork.testing.server import LocalServer, credentials_of
from formwork.testing.types import AccountTypes

_OWN_BUCKETS = "formwork-test-"  # with the account in their names
_PACKAGES = f"{_OWN_BUCKETS}packages"
_RULES = f"{_OWN_BUCKETS}rules"
_OWN_SERVICES = ("cloudformation", "cloudcontrol")  # also where moto answers for the others
_KNOWN_TYPES: dict[str, dict[str, Any]] = {}  # schemas of AWS's own, which no test changes


class Registered(Struct, frozen=True):
    """A registered version of an extension; `extension` is what it was made of."""

    type_name: str
    arn: str
    extension: Extension

    def __str__(self) -> str:
        return self.type_name

    @property
    def version(self) -> str:
        """The version's id, such as `00000001`."""
        return self.arn.rpartition("/")[2]


class ServedAccount:
    """An empty account and Region of a server, with what is registered in it."""

    def __init__(self, server: LocalServer, region: str) -> None:
        self.server = server
        self.account = server.new_account()
        self.region = region
        self._own_clients = server.take_clients(self.account)
        self.types = AccountTypes(self._service, _KNOWN_TYPES)
        self.registered: dict[str, Registered] = {}
        self._clients: dict[str, Any] = {}
        self._functions: list[str] = []
        self._rules: dict[str, str] = {}  # where the rules of a hook are, by its name
        self._buckets: set[str] = set()

    @property
    def endpoint_url(self) -> str:
        """The address of the server."""
        return self.server.url

    @property
    def variables(self) -> dict[str, str]:
        """The standard variables that lead a client of AWS to this account and Region."""
        return standard_variables(
            url=self.server.url,
            aws_url=self.server.aws_url,
            credentials=credentials_of(self.account),
            account=self.account,
            region=self.region,
        )

    @contextlib.contextmanager
    def environment(self) -> Iterator[None]:
        """Set the standard variables in this process until the end of the block."""
        with variables_set(self.variables):
            yield

    def client(self, service: str) -> Any:
        """Return a boto3 client of a service, in this account and Region."""
        if service not in self._clients:
            url = self.server.url if service in _OWN_SERVICES else self.server.aws_url
            given = credentials_of(self.account)
            self._clients[service] = make_client(service, url=url, region=self.region, credentials=given)
        return self._clients[service]

    def _service(self, service: str) -> Any:
        """Return a client of the server's own services for the fixture itself."""
        return self._own_clients.get(service, url=self.server.url, region=self.region)

    @property
    def cloudformation(self) -> Any:
        """A boto3 client of CloudFormation, whose calls for a status are answered when that is final."""
        return self._service("cloudformation")

    def upload(self, bucket: str, key: str, content: bytes) -> str:
        """Put an object into a bucket, which is created if it is missing; return its URL."""
        objects = self._service("s3")
        if bucket not in self._buckets:
            with contextlib.suppress(objects.exceptions.BucketAlreadyOwnedByYou):
                objects.create_bucket(Bucket=bucket, **self._location())
            self._buckets.add(bucket)
        objects.put_object(Bucket=bucket, Key=key, Body=content)
        return f"{self.server.url}/{bucket}/{key}"

    def _location(self) -> dict[str, Any]:
        """Return what CreateBucket needs outside of the Region that S3 began in."""
        return {} if self.region == "us-east-1" else {"CreateBucketConfiguration": {"LocationConstraint": self.region}}

    def register(
        self,
        extension: Any,
        *,
        schema: Any = None,
        configuration: Mapping[str, Any] | None = None,
        in_process: bool = False,
    ) -> Registered:
        """Register a resource type, hook or module, and make this version the default one.

        `extension` is the folder of a project, a package (`.zip`, or its bytes), a Python class (see
        `formwork.testing.handlers`), a schema (a dict or the path of a `.json` file), whose resources are then
        simulated, or with `schema` the entry point of a handler library. Handlers of a project run as processes; with
        `in_process` those of a Python project are imported into this one, where a debugger and coverage see them. A
        `.guard` file, or a folder of them, is a hook with these rules (`Private::Guard::NAME`, after the file), which
        needs the extra `guard`.

        `configuration` is the type configuration; of a hook it may be only what the hook itself is given. A hook is
        enabled, and refuses what fails.

        Raises:
            FormworkError: the extension has errors, or can't be registered.
        """
        if are_rules(extension):
            if schema is not None or in_process:
                raise UsageError("schema= and in_process= are not for rules", hint="leave them out")
            return self._register_rules(Path(extension), configuration or {})
        return self._register(
            read_extension(extension, self.server.dependencies, schema=schema, in_process=in_process), configuration
        )

    def _register_rules(self, path: Path, configuration: Mapping[str, Any]) -> Registered:
        extension, name = rules_extension(path)
        bucket, key = f"{_RULES}-{self.account}", f"{package_key(extension.type_name)}/{name}"
        self.upload(bucket, key, extension.package(""))
        arn = activate_rules(self.cloudformation, extension.type_name)
        registered = self.registered[extension.type_name] = Registered(extension.type_name, arn, extension)
        self._rules[extension.type_name] = f"s3://{bucket}/{key}"
        self.configure(extension.type_name, configuration)
        return registered

    def register_module(self, type_name: str, fragment: Mapping[str, Any]) -> Registered:
        """Register a module with a fragment; see `register` for one in a project's folder."""
        return self._register(module_extension(type_name, fragment), None)

    def _register(self, extension: Extension, configuration: Mapping[str, Any] | None) -> Registered:
        entry_point = f"formwork.testing.{self.account}.{len(self._functions)}"
        if extension.function is not None:
            self.server.add_function(entry_point, extension.function)
            self._functions.append(entry_point)
        if extension.key is None:
            package = extension.package(entry_point)
        else:
            package = self.server.package(extension.key, lambda: extension.package(entry_point))
        self.upload(f"{_PACKAGES}-{self.account}", package_key(extension.type_name), package)
        token = self.cloudformation.register_type(
            Type=str(extension.kind),
            TypeName=extension.type_name,
            SchemaHandlerPackage=f"s3://{_PACKAGES}-{self.account}/{package_key(extension.type_name)}",
        )["RegistrationToken"]
        arn = self._await_registration(extension.type_name, token)
        if extension.type_name in self.registered:
            self.cloudformation.set_type_default_version(Arn=arn)
        self.types.forget(extension.type_name)
        registered = self.registered[extension.type_name] = Registered(extension.type_name, arn, extension)
        if configuration is not None or extension.kind is ExtensionKind.HOOK:
            self.configure(extension.type_name, configuration or {})
        return registered

    def _await_registration(self, name: str, token: str) -> str:
        def describe() -> dict[str, Any]:
            found: dict[str, Any] = self.cloudformation.describe_type_registration(RegistrationToken=token)
            return found

        done = poll(describe, lambda found: found["ProgressStatus"] != "IN_PROGRESS")
        if done["ProgressStatus"] != "COMPLETE":
            raise BadInputError.of("submit.failed", f"the registration of {name} failed: {done.get('Description')}")
        return str(done["TypeVersionArn"])

    def configure(self, type_name: str, configuration: Mapping[str, Any]) -> None:
        """Set the configuration of a registered type or hook."""
        kind = self.registered[type_name].extension.kind
        if "CloudFormationConfiguration" in configuration:
            pass
        elif type_name in self._rules:
            configuration = rules_configuration(self._rules[type_name], configuration)
        elif kind is ExtensionKind.HOOK:
            answer = self.cloudformation.describe_type(Type="HOOK", TypeName=type_name)
            configuration = enabled_hook(json.loads(answer["Schema"]), configuration)
        self.cloudformation.set_type_configuration(
            Type=str(kind), TypeName=type_name, Configuration=json.dumps(configuration)
        )

    def _delete_bucket(self, name: str) -> None:
        objects = self._service("s3")
        for page in objects.get_paginator("list_object_versions").paginate(Bucket=name):
            for each in (*page.get("Versions", ()), *page.get("DeleteMarkers", ())):
                objects.delete_object(Bucket=name, Key=each["Key"], VersionId=each["VersionId"])
        objects.delete_bucket(Bucket=name)

    def close(self) -> None:
        """Forget what the account had in this process, and delete its buckets, whose names all accounts share."""
        for bucket in self._service("s3").list_buckets()["Buckets"]:
            if not bucket["Name"].startswith(_OWN_BUCKETS):
                self._delete_bucket(bucket["Name"])
        for entry_point in self._functions:
            self.server.remove_function(entry_point)
        self.server.exchanges.forget(self.account)
        for client in self._clients.values():
            client.close()
        self.server.return_clients(self._own_clients)
