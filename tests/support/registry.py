"""Packages of every kind, storage and background work for tests of the registry."""

import io
import itertools
import json
import zipfile

from formwork.aws.scope import Scope
from formwork.durable import open_database
from formwork.extensions import ExtensionKind, package_name
from formwork.registry.errors import registry_error
from formwork.registry.registry import Registry
from formwork.registry.requests import RegisterTypeRequest, TypeReference
from formwork.registry.settings import RegistrySettings

HERE = Scope("111111111111", "us-east-1")
ELSEWHERE = Scope("111111111111", "eu-west-1")
STRANGER = Scope("222222222222", "us-east-1")

THING = "Acme::Store::Thing"
GUARD = "Acme::Store::Guard"
SHELF = "Acme::Store::Shelf::MODULE"
ROLE = "arn:aws:iam::111111111111:role/handlers"


class AtOnce:
    """Runs workflows as they are started, in the starting thread; like `Workflows`, each id once."""

    def __init__(self):
        self.bodies = {}
        self.started = set()
        self.held = None

    def register(self, name, body):
        self.bodies[name] = body

    def start(self, name, workflow_id, *arguments):
        if workflow_id in self.started:
            return
        self.started.add(workflow_id)
        if self.held is not None:
            self.held.append((name, arguments))
        else:
            self.bodies[name](*arguments)

    def step(self, _name, function, *arguments):
        # What a checkpoint keeps is JSON.
        return json.loads(json.dumps(function(*arguments)))

    def sleep(self, seconds):
        pass

    def hold(self):
        """From now on only note what is started."""
        self.held = []

    def release(self):
        """Do what was noted."""
        held, self.held = self.held, None
        for name, arguments in held:
            self.bodies[name](*arguments)


class Storage:
    """Packages by URL."""

    def __init__(self):
        self.objects = {}
        self.delivered = {}
        self._numbers = itertools.count(1)

    def put(self, content):
        url = f"s3://packages/{next(self._numbers)}.zip"
        self.objects[url] = content
        return url

    def fetch(self, _scope, url):
        if url not in self.objects:
            raise registry_error(f"there is no {url}")
        return self.objects[url]

    def deliver(self, _scope, bucket, key, content):
        self.delivered[bucket, key] = content


def zipped(members):
    """A zip file of {name: text or bytes}."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def resource_schema(name=THING, *, handlers=("create", "read", "update", "delete", "list"), **more):
    return {
        "typeName": name,
        "description": "A thing in a store.",
        "sourceUrl": "https://example.com/thing.git",
        "properties": {"Name": {"type": "string"}, "Secret": {"type": "string"}},
        "required": ["Name"],
        "createOnlyProperties": ["/properties/Name"],
        "writeOnlyProperties": ["/properties/Secret"],
        "primaryIdentifier": ["/properties/Name"],
        "additionalProperties": False,
        "tagging": {"taggable": False},
        "handlers": {each: {"permissions": []} for each in handlers},
        **more,
    }


def hook_schema(name=GUARD, **more):
    return {
        "typeName": name,
        "description": "Things are guarded.",
        "documentationUrl": "https://example.com/guard.md",
        "typeConfiguration": {
            "properties": {"Strict": {"type": "boolean", "default": True}, "ApiKey": {"type": "string"}},
            "additionalProperties": False,
        },
        "handlers": {"preCreate": {"targetNames": ["AWS::S3::Bucket"], "permissions": []}},
        "additionalProperties": False,
        **more,
    }


FRAGMENT = {
    "Parameters": {"Label": {"Type": "String", "Description": "What stands on it"}},
    "Resources": {"Bucket": {"Type": "AWS::S3::Bucket", "Properties": {"BucketName": {"Ref": "Label"}}}},
}

# Answers every event with success, without any library.
HANDLERS = "def resource(event, context):\n    return {'status': 'SUCCESS', 'resourceModel': {}, 'message': ''}\n"


def config(name, kind, **more):
    value = {"artifact_type": str(kind), "typeName": name, "settings": {"protocolVersion": "2.0.0"}}
    if kind is not ExtensionKind.MODULE:
        entry = f"{package_name(name)}.handlers.resource"
        value |= {"language": "python311", "runtime": "python3.11", "entrypoint": entry, "testEntrypoint": entry}
    return value | more


def resource_package(name=THING, *, schema=None, handlers=HANDLERS, files=None, config_more=None):
    """The package of a resource type as bytes; `files` come on top of its members, None removes one."""
    schema = resource_schema(name) if schema is None else schema
    members = _members(name, config(name, ExtensionKind.RESOURCE, **(config_more or {})), schema, handlers)
    return _with(members, files)


def hook_package(name=GUARD, *, schema=None, handlers=HANDLERS, files=None, config_more=None):
    schema = hook_schema(name) if schema is None else schema
    members = _members(name, config(name, ExtensionKind.HOOK, **(config_more or {})), schema, handlers)
    return _with(members, files)


def module_package(name=SHELF, *, fragment=FRAGMENT, files=None):
    schema = {
        "typeName": name,
        "description": f"Schema for Module Fragment of type {name}",
        "properties": {"Resources": {"type": "object", "properties": {}}},
        "additionalProperties": True,
    }
    members = {
        ".rpdk-config": json.dumps(config(name, ExtensionKind.MODULE)),
        "schema.json": json.dumps(schema),
        "fragments/sample.json": json.dumps(fragment),
    }
    return _with(members, files)


def _members(name, settings, schema, handlers):
    package = package_name(name)
    provider = zipped({f"{package}/__init__.py": "", f"{package}/handlers.py": handlers})
    return {
        ".rpdk-config": json.dumps(settings),
        "schema.json": json.dumps(schema),
        "ResourceProvider.zip": provider,
        f"src/{package}/handlers.py": handlers,
    }


def _with(members, files):
    members = {**members, **(files or {})}
    return zipped({each: content for each, content in members.items() if content is not None})


class Desk:
    """A registry over a database, with what it is given from outside in reach."""

    def __init__(self, database, *, work=None, keep_database=False, **settings):
        self.database = database
        self._keep_database = keep_database
        self.work = work or AtOnce()
        self.storage = Storage()
        self.time = 1_700_000_000.0
        self.settings = RegistrySettings(
            fetch=self.storage.fetch, deliver=self.storage.deliver, now=self._now, **settings
        )
        self.registry = Registry(database, self.work, self.settings)

    def _now(self):
        self.time += 1
        return self.time

    @property
    def state(self):
        return self.database.state

    def submit(self, content, name, kind, *, scope=HERE, **more):
        """Register a package; the token."""
        request = RegisterTypeRequest(type_name=name, kind=kind, package_url=self.storage.put(content), **more)
        return self.registry.register_type(scope, request)

    def register(self, name=THING, *, scope=HERE, content=None, **more):
        """Register a package of the name's kind, which must succeed; the version's ARN."""
        kind, made = kind_of(name)
        token = self.submit(made(name) if content is None else content, name, kind, scope=scope, **more)
        status = self.registry.describe_type_registration(scope, token)
        assert status.status == "COMPLETE", status
        return status.version_arn

    def refuse(self, content, name=THING, kind=ExtensionKind.RESOURCE, **more):
        """Register a package, which must fail; the description."""
        status = self.registry.describe_type_registration(HERE, self.submit(content, name, kind, **more))
        assert status.status == "FAILED", status
        return status.description

    def close(self):
        self.registry.close()
        if not self._keep_database:
            self.database.close()


def kind_of(name):
    if name.endswith("::MODULE"):
        return ExtensionKind.MODULE, module_package
    if "Guard" in name:
        return ExtensionKind.HOOK, hook_package
    return ExtensionKind.RESOURCE, resource_package


def by_name(name=THING, version=None):
    return TypeReference(kind=kind_of(name)[0], name=name, version=version)


def open_desk(folder, **more):
    database = open_database(folder)
    database.migrate()
    return Desk(database, **more)
