"""Resources of AWS's types made in moto, where handlers and clients find what stacks have created.

Each resource is a stack of its own in moto's CloudFormation, which clients never see: its public API creates, changes
and deletes what the services behind it then have. What was created is remembered for as long as moto's process
remembers it.

The reasons are in docs/decisions/1213.
"""

import contextlib
import functools
import hashlib
import json
import threading
from collections.abc import Iterable, Mapping
from contextlib import AbstractContextManager
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from formwork.aws.access import AwsAccess, AwsClients
from formwork.aws.moto import MotoClient
from formwork.aws.scope import Scope
from formwork.diagnostics import BadInputError
from formwork.object_store.store import ObjectStore
from formwork.object_store.urls import read_object
from formwork.provisioning.aws_values import chosen_values, decided_values
from formwork.provisioning.moto_reading import READERS
from formwork.provisioning.outcomes import Failed, Outcome, Succeeded
from formwork.provisioning.provisioner import HandlerCall
from formwork.provisioning.stack_tags import with_stack_tags
from formwork.schema import ResourceSchema

ACCOUNT = "123456789012"  # the account of all of moto's resources
_RESOURCE = "Resource"
_NOTHING_TO_DO = "No updates are to be performed"


class Moto(Struct, frozen=True, dict=True):
    """A moto server: how its services are reached, and what its CloudFormation creates.

    `objects` has what clients upload before they deploy, such as the code of functions, which moto looks for in its
    own storage. `lock` is held during every request, since moto fails if it gets two at a time.
    """

    access: AwsAccess
    server: MotoClient
    objects: ObjectStore | None = None
    lock: AbstractContextManager[Any] = field(default_factory=threading.Lock)

    def find_object(self, scope: Scope, bucket: str, key: str, version: str | None) -> bytes | None:
        """Return an uploaded object, or a version of it, None if there is none that the account may read."""
        if self.objects is None:
            return None
        try:
            return read_object(self.objects, account=scope.account, bucket=bucket, key=key, version=version)
        except BadInputError:
            return None

    @functools.cached_property
    def clients(self) -> AwsClients:
        """Clients of its services."""
        return AwsClients(self.access)


class _Made(Struct, frozen=True):
    """`named` are properties that the template leaves out and that were set here: generated names."""

    stack: str
    model: dict[str, Any]
    named: dict[str, Any]


def moto_schema(value: Mapping[str, Any], abilities: list[str]) -> dict[str, Any]:
    """A type's schema with the handlers that moto has: without update changes replace, without read nothing drifts."""
    kept = {"create", "delete", *abilities, *(("read", "list") if value["typeName"] in READERS else ("list",))}
    handlers = value.get("handlers", {})
    return {**value, "handlers": {name: each for name, each in handlers.items() if name in kept}}


class MotoProvisioner:
    """One type in one account and Region; `schema` is `moto_schema`'s."""

    version = None
    note: str | None = "moto"

    def __init__(self, schema: ResourceSchema, moto: Moto, scope: Scope) -> None:
        self.schema = schema
        self._moto = moto
        self._scope = scope
        self._made: dict[str, _Made] = {}  # by primary identifier

    def invoke(self, call: HandlerCall) -> Outcome:
        """See `Provisioner.invoke`."""
        import botocore.exceptions  # noqa: PLC0415 - optional, and slow
        import botocore.parsers  # noqa: PLC0415 - the same

        try:
            with self._moto.lock:
                return self._answer(call)
        except botocore.exceptions.ClientError as error:
            return _failed(error.response["Error"])
        except botocore.exceptions.BotoCoreError as error:
            return Failed("NetworkFailure", f"moto does not answer: {error}")
        except botocore.parsers.ResponseParserError:  # a page of HTML, for an exception that it did not expect
            return Failed("InternalFailure", f"moto fails inside with this {self.schema.type_name}")

    def _answer(self, call: HandlerCall) -> Outcome:
        if call.action == "CREATE":
            return self._create(call)
        if call.action == "LIST":
            return Succeeded(None, tuple(self._identifier_model(each.model) for each in self._made.values()))
        identifier = self.schema.identifier_of(call.desired) or ""
        made = self._made.get(identifier)
        if made is None:
            return Failed("NotFound", f"moto has no {self.schema.type_name} {identifier} that was made here")
        match call.action:
            case "READ":
                return self._read(identifier, made)
            case "UPDATE":
                return self._update(call, identifier, made)
            case _:
                return self._delete(identifier, made)

    def _create(self, call: HandlerCall) -> Outcome:
        digest = hashlib.sha256(f"{self.schema.type_name} {call.token}".encode()).hexdigest()
        stack = f"formwork-{digest[:24]}"
        again = next((each for each in self._made.values() if each.stack == stack), None)
        if again is not None:
            return Succeeded(self._shown(again.model))
        desired = json.loads(json.dumps(call.desired or {}))
        if problems := self.schema.validate_model(self.schema.without_read_only(desired)):
            told = "; ".join(f"{each.location.pointer or '/'}: {each.message}" for each in problems)
            return Failed("InvalidRequest", f"Property validation failure: {told}")
        decided = decided_values(self.schema, replace(call, desired=desired), Scope(ACCOUNT, self._scope.region))
        own = {path[0] for path in self.schema.read_only}
        named = {name: each for name, each in decided.items() if name not in own and name not in desired}
        documented = chosen_values(self.schema, replace(call, desired=desired), self._scope)
        # moto puts what has no zone into one of another Region.
        named |= {name: each for name, each in documented.items() if name == "AvailabilityZone"}
        properties = with_stack_tags(self.schema, {**named, **desired}, call.tags)
        bring_objects(self._moto, self._scope, properties)
        self._begin(stack, self._template(properties))
        model = {**decided, **properties, **self._read_back(stack, documented.keys() - properties.keys())}
        identifier = self.schema.identifier_of(model)
        if identifier is None:
            self._client.delete_stack(StackName=stack)
            return Failed("InternalFailure", f"moto tells no identifier of the {self.schema.type_name} that it made")
        self._made[identifier] = _Made(stack, model, named)
        return Succeeded(self._shown(model))

    def _read(self, identifier: str, made: _Made) -> Outcome:
        read = READERS.get(self.schema.type_name)
        model: Mapping[str, Any] = made.model
        if read is not None:
            found = read(lambda service: self._moto.clients.client(service, self._scope.region), identifier, made.model)
            model = {name: each for name, each in {**model, **found}.items() if each is not None}
        return Succeeded(self._shown(model))

    def _update(self, call: HandlerCall, identifier: str, made: _Made) -> Outcome:
        desired = self.schema.without_read_only(json.loads(json.dumps(call.desired or {})))
        properties = with_stack_tags(self.schema, {**made.named, **desired}, call.tags)
        bring_objects(self._moto, self._scope, properties)
        self._change(made.stack, self._template(properties))
        before = {path[0] for path in self.schema.read_only}
        kept = {name: value for name, value in made.model.items() if name in before}
        model = {**kept, **properties, **self._read_back(made.stack)}
        if self.schema.identifier_of(model) != identifier:
            return Failed("NotUpdatable", f"moto made the {self.schema.type_name} {identifier} anew for this change")
        self._made[identifier] = _Made(made.stack, model, made.named)
        return Succeeded(self._shown(model))

    def _delete(self, identifier: str, made: _Made) -> Outcome:
        self._client.delete_stack(StackName=made.stack)
        self._made.pop(identifier, None)
        return Succeeded(None)

    @property
    def _client(self) -> Any:
        return self._moto.clients.client("cloudformation", self._scope.region)

    def _template(self, properties: Mapping[str, Any]) -> str:
        resources = {_RESOURCE: {"Type": self.schema.type_name, "Properties": properties}}
        return json.dumps({"Resources": resources})

    def _begin(self, stack: str, template: str) -> None:
        try:
            self._client.create_stack(StackName=stack, TemplateBody=template)
        except Exception:  # what is half there must not be in the way of another try
            with contextlib.suppress(Exception):
                self._client.delete_stack(StackName=stack)
            raise

    def _change(self, stack: str, template: str) -> None:
        import botocore.exceptions  # noqa: PLC0415 - optional, and slow

        try:
            self._client.update_stack(StackName=stack, TemplateBody=template)
        except botocore.exceptions.ClientError as error:
            if _NOTHING_TO_DO not in str(error):
                raise

    def _read_back(self, stack: str, documented: Iterable[str] = ()) -> dict[str, Any]:
        """Return the readOnly properties that moto knows, and the identifier, at least from the physical id.

        `documented` are other properties that moto is asked for.
        """
        own = [path[0] for path in self.schema.read_only if len(path) == 1]
        names = [*own, *documented]
        physical_id, attributes = self._moto.server.stack_resource(self._scope.region, stack, names)
        found = {name: value for name, value in attributes.items() if value not in (None, "")}
        found = {name: value for name, value in found.items() if self._fits(name, value)}
        parts = self.schema.primary_identifier
        if physical_id and len(parts) == 1 and len(parts[0]) == 1 and parts[0] in self.schema.read_only:
            name = parts[0][0]
            if not name.endswith("Arn") or physical_id.startswith("arn:"):  # a rule's physical id is its name
                found[name] = physical_id
        return found

    def _fits(self, name: str, value: Any) -> bool:
        return not self.schema.validate_model({name: value}, shape_only=True)

    def _identifier_model(self, model: Mapping[str, Any]) -> dict[str, Any]:
        identifier = self.schema.identifier_of(model)
        return dict((self.schema.parse_identifier(identifier) if identifier is not None else None) or {})

    def _shown(self, model: Mapping[str, Any]) -> dict[str, Any]:
        return dict(self.schema.without_write_only(dict(model)))


def bring_objects(moto: Moto, scope: Scope, properties: Any) -> None:
    """Copy the uploaded objects that properties refer to by `S3Bucket` and `S3Key` into moto."""
    match properties:
        case {"S3Bucket": str(bucket), "S3Key": str(key)} if (
            body := moto.find_object(scope, bucket, key, properties.get("S3ObjectVersion"))
        ) is not None:
            s3 = moto.clients.client("s3", "us-east-1")
            with contextlib.suppress(s3.exceptions.ClientError):  # it is there
                s3.create_bucket(Bucket=bucket)
            s3.put_object(Bucket=bucket, Key=key, Body=body)
        case dict():
            for each in properties.values():
                bring_objects(moto, scope, each)
        case list():
            for each in properties:
                bring_objects(moto, scope, each)
        case _:
            return


def _failed(error: Mapping[str, Any]) -> Failed:
    code, message = str(error.get("Code", "")), str(error.get("Message", ""))
    said = f"{message} ({code})"
    if "AlreadyExist" in code or "AlreadyOwned" in code or "already exists" in message:
        return Failed("AlreadyExists", said)
    if code == "404" or "NotFound" in code or "NoSuch" in code or "NonExistent" in code or "does not exist" in message:
        return Failed("NotFound", said)
    return Failed("InvalidRequest" if code and not code.startswith("5") else "GeneralServiceException", said)
