"""A server with secrets at every place that takes one, and the search for them in all that it answers and writes."""

import contextlib
import json
import os
import sqlite3

from botocore.exceptions import ClientError, WaiterError

from formwork.durable.sealing import Sealer
from support.api_sweep import sweep
from support.canaries import Canaries
from support.console import ConsoleBrowser
from support.console_crawl import crawl
from support.forked import ForkedCommand
from support.serving import serving, upload
from support.stored_secrets import stored_secrets
from support.telltales import VAULT, WARDEN, vault_package, vault_properties, warden_package

# Where (a pattern of the place), what (a pattern of where it was planted), and why it is no leak.
ALLOWED = (
    (r"^cloudformation:GetTemplate ", r"^literal:", "the template's text, as its author wrote it"),
    (r"^cloudformation:DescribeStacks ", r"^NoEcho parameter in Output$", "the service shows Outputs in clear, too"),
    (r"^console /registry/[^ ]*/resources/", r"^NoEcho parameter", "GetResource returns properties in clear, too"),
    (
        r"^console /registry/[^ ]*/calls/",
        r": short$",
        "a short secret is masked in its own request's answer only: `Masker.for_one`",
    ),
)


class World:
    """A server with everything in it that can hold a secret."""

    def __init__(self, server, canaries, folder):
        self.server, self.canaries, self.folder = server, canaries, folder
        self.cloudformation, self.control = server.client("cloudformation"), server.client("cloudcontrol")
        self.stacks, self.change_sets, self.tokens, self.identifiers = [], [], [], []

    def register(self, kind, name, content):
        url = upload(self.server, content, key=f"{name.replace('::', '-')}.zip")
        token = self.cloudformation.register_type(Type=kind, TypeName=name, SchemaHandlerPackage=url)
        self.cloudformation.get_waiter("type_registration_complete").wait(RegistrationToken=token["RegistrationToken"])

    def configure(self, kind, name, value):
        self.cloudformation.set_type_configuration(Type=kind, TypeName=name, Configuration=json.dumps(value))

    def stack(self, name, resources, *, parameters=None, outputs=None, **more):
        """Create a stack, whatever comes of it; NoEcho parameters by name and value."""
        body = template(resources, parameters, outputs)
        given = [{"ParameterKey": key, "ParameterValue": value} for key, value in (parameters or {}).items()]
        arn = self.cloudformation.create_stack(
            StackName=name, TemplateBody=body, Parameters=given, DisableRollback=True, **more
        )["StackId"]
        self.stacks.append(arn)
        self.wait("stack_create_complete", arn)
        return arn

    def update(self, arn, resources, *, parameters=None, outputs=None):
        body = template(resources, parameters, outputs)
        given = [{"ParameterKey": key, "ParameterValue": value} for key, value in (parameters or {}).items()]
        self.cloudformation.update_stack(StackName=arn, TemplateBody=body, Parameters=given)
        self.wait("stack_update_complete", arn)

    def wait(self, waiter, name):
        with contextlib.suppress(WaiterError):
            self.cloudformation.get_waiter(waiter).wait(StackName=name)

    def statuses(self):
        """What became of the resources of all stacks."""
        pages = self.cloudformation.get_paginator("describe_stack_events")
        return {
            event["ResourceStatus"]
            for arn in self.stacks
            for page in pages.paginate(StackName=arn)
            for event in page["StackEvents"]
            if event["ResourceType"] == VAULT
        }

    def request(self, operation, **given):
        """A request of Cloud Control to its end."""
        given = {"TypeName": VAULT, **given}
        if operation == "create":
            self.identifiers.append(json.loads(given["DesiredState"])["Name"])
        try:
            event = getattr(self.control, f"{operation}_resource")(**given)["ProgressEvent"]
        except ClientError as error:
            return error.response
        self.tokens.append(event["RequestToken"])
        with contextlib.suppress(WaiterError):
            self.control.get_waiter("resource_request_success").wait(RequestToken=event["RequestToken"])
        return event


def template(resources, parameters=None, outputs=None):
    value = {"Resources": resources}
    if parameters:
        value["Parameters"] = {name: {"Type": "String", "NoEcho": True} for name in parameters}
    if outputs:
        value["Outputs"] = {name: {"Value": each} for name, each in outputs.items()}
    return json.dumps(value)


def vault(properties):
    return {"Vault": {"Type": VAULT, "Properties": properties}}


def given_vault(canaries, about, **more):
    """A vault whose secrets are NoEcho parameters, and these."""
    properties = vault_properties(canaries, about, **more)
    parameters = {}

    def taken(value):
        if not canaries.found(str(value)):
            return value
        name = f"P{len(parameters)}"
        parameters[name] = str(value)
        return {"Ref": name}

    def walk(value):
        if isinstance(value, dict) and "Fn::" not in "".join(value) and "Ref" not in value:
            return {key: walk(each) for key, each in value.items()}
        return [walk(each) for each in value] if isinstance(value, list) else taken(value)

    return vault(walk(properties)), parameters


@contextlib.contextmanager
def world_of(folder, monkeypatch, *options, package=vault_package, hook=warden_package):
    """A server with a type, and a hook, whose handlers repeat all they know; `package` and `hook` make them."""
    canaries = Canaries()
    temporary = folder / "temporary"
    temporary.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "AKIAIOSFODNN7EXAMPLE")
    for name in ("AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"):
        monkeypatch.setenv(name, canaries.plant(f"the server's {name}"))
    home = folder / "home"
    home.mkdir()
    with (
        stored_secrets(*stored_values(canaries)) as aws,
        serving(home, "--aws", aws, "--events", str(home / "events.jsonl"), *options, forked=True) as server,
    ):
        world = World(server, canaries, home)
        world.register("RESOURCE", VAULT, package(folder / "store.json"))
        world.configure("RESOURCE", VAULT, vault_configuration(canaries))
        if hook is not None:
            _register_hook(world, hook())
        yield world


def stored_values(canaries):
    """What Parameter Store and Secrets Manager hold: what `vault_configuration` refers to, among others."""
    parameters = {
        "/secure": canaries.plant("type configuration: ssm-secure"),
        "/hook": canaries.plant("hook configuration: ssm-secure"),
    }
    document = json.dumps({"user": "someone", "password": canaries.plant("type configuration: a member of a secret")})
    secrets = {
        "managed": document,
        "whole": canaries.plant("type configuration: a whole secret", "document"),
        "custom": canaries.plant("custom resource: a secret", "quoted"),
    }
    return parameters, secrets


def vault_configuration(canaries):
    """A configuration of the type with a secret at every place, given or referred to."""
    stored = {
        "Secure": "{{resolve:ssm-secure:/secure}}",
        "Managed": "{{resolve:secretsmanager:managed:SecretString:password}}",
        "Whole": "x{{resolve:secretsmanager:whole}}y",
    }
    access = {
        "Secret": canaries.plant("type configuration: nested"),
        "Token": canaries.plant("type configuration: escaped", "quoted"),
    }
    return {"ApiKey": canaries.plant("type configuration"), "Access": access, "Stored": stored}


def _register_hook(world, content):
    world.register("HOOK", WARDEN, content)
    properties = {
        "ApiKey": world.canaries.plant("hook configuration"),
        "Stored": {"Secure": "{{resolve:ssm-secure:/hook}}"},
    }
    settings = {"HookInvocationStatus": "ENABLED", "FailureMode": "FAIL", "Properties": properties}
    settings["TargetOperations"] = ["RESOURCE", "CLOUD_CONTROL"]
    world.configure("HOOK", WARDEN, {"CloudFormationConfiguration": {"HookConfiguration": settings}})


def search(world, leaks, *, database=None):
    """Search in every answer and page, then in everything that is written; `database` is the URL of one on PostgreSQL."""
    known = _known(world)
    for client in (world.cloudformation, world.control):
        for where, answer in sweep(client, known):
            leaks.search(where, answer)
    for where, printed in _commands(world):
        leaks.search(where, printed)
    for where, page in crawl(ConsoleBrowser.entered(world.server), each=6).items():
        leaks.search(f"console {where}", page)
    logs = world.server.client("logs")
    with contextlib.suppress(ClientError):
        for group in logs.describe_log_groups()["logGroups"]:
            name = group["logGroupName"]
            for stream in logs.describe_log_streams(logGroupName=name)["logStreams"]:
                events = logs.get_log_events(logGroupName=name, logStreamName=stream["logStreamName"])
                leaks.search(f"logs {name} {stream['logStreamName']}", json.dumps(events, ensure_ascii=False))
    leaks.search_files(world.folder)
    leaks.search_files(world.folder.parent / "temporary")
    code, said = world.server.stop()
    assert code == 0, said
    leaks.search("stderr", said)
    leaks.search("stdout", world.server.process.stdout.read())
    leaks.search_files(world.folder)
    file = world.folder / "state" / "formwork.db"
    values = [*(_sqlite_values(file) if database is None else _postgres_values(database))]
    assert any(where.startswith("table ") and "engine_event" in where for where, _ in values)
    for where, value in values:
        leaks.search(where, value, texts=not (isinstance(value, str) and Sealer.is_sealed(value)))


def _known(world):
    """Values of the members of requests."""
    cloudformation = world.cloudformation
    operations = []
    with contextlib.suppress(ClientError):
        operations = cloudformation.list_stack_set_operations(StackSetName="set")["Summaries"]
    return {
        "always": {"StackName", "Type", "TypeName", "RegistrationToken", "TypeConfigurationIdentifiers"},
        "StackName": [each["StackId"] for each in cloudformation.list_stacks()["StackSummaries"]],
        "ChangeSetName": world.change_sets,
        "LogicalResourceId": ["Vault", "Made", "Child"],
        "StackSetName": ["set"],
        "Type": ["RESOURCE", "HOOK"],
        "TypeName": [VAULT],
        "TypeConfigurationIdentifiers": [
            [{"Type": "RESOURCE", "TypeName": VAULT}],
            [{"Type": "HOOK", "TypeName": WARDEN}],
        ],
        "RequestToken": world.tokens,
        "Identifier": world.identifiers,
        "StackInstanceAccount": ["111111111111"],
        "StackInstanceRegion": ["us-east-1"],
        "OperationId": [each["OperationId"] for each in operations],
    }


def _commands(world):
    """What commands print of it."""
    commands = [("registry", "logs", VAULT), *(("stack", "events", each.split("/")[1]) for each in world.stacks[:1])]
    for words in commands:
        command = [*words, "--endpoint-url", world.server.url]
        with ForkedCommand(command, cwd=world.folder, env={**os.environ, "AWS_ACCESS_KEY_ID": "111111111111"}) as run:
            printed = run.stdout.read() + run.stderr.read()
            assert run.wait() == 0, printed
            yield f"cfn {' '.join(words)}", printed


def _sqlite_values(file):
    """(table and column, value) of every text and blob of a database."""
    with contextlib.closing(sqlite3.connect(file)) as connection:
        names = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        for name in names:
            found = connection.execute(f'SELECT * FROM "{name}"')
            columns = [each[0] for each in found.description]
            yield from _values(name, columns, found)


def _postgres_values(url):
    """(table and column, value) of every text and blob of a database, in all of its schemas."""
    import psycopg

    with psycopg.connect(url) as connection:
        tables = connection.execute(
            "SELECT table_schema, table_name FROM information_schema.tables"
            " WHERE table_schema NOT IN ('pg_catalog', 'information_schema')"
        ).fetchall()
        for schema, name in tables:
            found = connection.execute(f'SELECT * FROM "{schema}"."{name}"')
            yield from _values(f"{schema}.{name}", [each.name for each in found.description], found)


def _values(table, columns, rows):
    for row in rows:
        for column, value in zip(columns, row, strict=True):
            content = value.tobytes() if isinstance(value, memoryview) else value
            if isinstance(content, (str, bytes)):
                yield f"table {table}.{column}", content


def judge(leaks, canaries):
    """Nothing was found, where much was searched."""
    assert len(canaries) >= 60
    assert leaks.searched > 100
    assert not leaks, f"{leaks}"
