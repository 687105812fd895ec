"""The whole service in this process, without a socket: what `cfn serve` answers from, its durable work done at once."""

import contextlib
from pathlib import Path
from unittest import mock

from botocore.parsers import create_parser

from formwork.api.caller import Caller
from formwork.api.wire import (
    ApiError,
    Protocol,
    check_constraints,
    load_service,
    render_json_error,
    render_json_response,
    render_query_error,
    render_query_response,
)
from formwork.assembly.settings import WorkSettings
from formwork.aws.stored_values import StoredParameter, StoredValues
from formwork.durable import open_database
from formwork.lambda_host.http_messages import Response
from formwork.local_service.service import ServiceSettings, run_service
from formwork.object_store.urls import deliver_object
from formwork.registry.settings import HandlerSettings
from support.engines import AtOnce, Clock

ACCOUNT = "111111111111"
REGION = "us-east-1"


class InlineWorkflows(AtOnce):
    """What `Workflows` does, in the thread that asks for it; nobody waits."""

    held = None  # what is to be started later, where a recording looks at work that goes on

    def __init__(self, _database, **_settings):
        super().__init__(Clock())

    def start(self, name, workflow_id, *arguments):
        if InlineWorkflows.held is None:
            super().start(name, workflow_id, *arguments)
        else:
            InlineWorkflows.held.append((self, name, workflow_id, *arguments))

    def __enter__(self):
        return self

    def __exit__(self, *_error):
        pass

    def launch(self, *_resume):
        """There is nothing to go on with."""


class KeptValues(StoredValues):
    """Parameter Store, with what a scenario has put there; the number of its writes is a parameter's version."""

    def __init__(self, _access):
        super().__init__(None)
        self.kept = {}
        self.secret = set()

    available = True  # there is a store to look in: this one

    def parameter(self, region, name):
        del region
        key, _, version = name.partition(":")
        written = self.kept.get(key, [])
        number = int(version or len(written))
        kind = "SecureString" if key in self.secret else "String"
        return StoredParameter(written[number - 1], kind, number) if 0 < number <= len(written) else None


class _NoSocket:
    """Stands where the server is; it keeps the application."""

    url = "http://127.0.0.1:0"

    def start(self, app):
        self.app = app

    def close(self):
        pass


class Refused(Exception):
    """An error answer, as botocore reads it."""

    def __init__(self, operation, answer):
        super().__init__(
            f"An error occurred ({answer['Error']['Code']}) when calling the {operation} operation: "
            f"{answer['Error']['Message']}"
        )
        self.answer = answer


class Service:
    """Calls operations as a client does, and answers what botocore reads of it."""

    def __init__(self, parts, stored, folder):
        self.parts = parts
        self._stored = stored
        self.folder = folder
        self.table = {**parts.early, **parts.late.expect()}
        self.caller = Caller(ACCOUNT, REGION, ACCOUNT, f"arn:aws:iam::{ACCOUNT}:root")

    def serves(self, name):
        return ("cloudformation", name) in self.table

    def store(self, parameters, *, secret=False):
        """Write parameters of Parameter Store, as SecureStrings where they are `secret`."""
        self._stored.secret |= parameters.keys() if secret else set()
        for name, value in parameters.items():
            self._stored.kept.setdefault(name, []).append(value)

    def hold(self, held):
        """From now on start nothing; or start what was held, and go on as usual."""
        works, InlineWorkflows.held = InlineWorkflows.held or [], [] if held else None
        for work, *asked in works:
            work.start(*asked)

    def drop(self):
        """Never start what was held, and go on as usual."""
        InlineWorkflows.held = None

    def put(self, bucket, key, content):
        """An object in a bucket; its URL as the console shows it."""
        self.parts.objects.create_bucket(bucket, account=ACCOUNT, region=REGION)
        deliver_object(self.parts.objects, account=ACCOUNT, bucket=bucket, key=key, content=content)
        return f"https://{bucket}.s3.{REGION}.amazonaws.com/{key}"

    def call(self, name, request, *, of="cloudformation"):
        """The answer of that service's operation.

        Raises:
            Refused: it is an error.
        """
        service = load_service(of)
        operation = service.operation(name)
        query = service.protocol is Protocol.QUERY
        try:
            check_constraints(operation, request)
            output = self.table[of, name](self.caller, request)
            status = 200
            if query:
                body = render_query_response(service, operation, output, "r")
            else:
                body = render_json_response(operation, output)
        except ApiError as error:
            body = render_query_error(service, error, "r") if query else render_json_error(service, error)
            status = error.status
        answer = create_parser(service.model.metadata["protocol"]).parse(
            {"body": body, "headers": {}, "status_code": status}, operation.output_shape
        )
        answer["ResponseMetadata"] = {"HTTPHeaders": {}, "HTTPStatusCode": status}
        if status >= 300:
            raise Refused(name, answer)
        return answer


@contextlib.contextmanager
def open_service(folder, *, workflows=InlineWorkflows, **more):
    """A service on the state in `folder`; `more` are further settings of it."""
    opened = []

    def database():
        opened.append(open_database(folder))
        return opened[0]

    work = WorkSettings(
        handlers=lambda: HandlerSettings(cache=folder / "cache", home=Path.home()),
        invoke=lambda _request: Response(404, b"{}"),
    )
    settings = ServiceSettings(**{"work": work, "on_error": _fail, **more})
    server = _NoSocket()
    stored = KeptValues(None)
    with contextlib.ExitStack() as stack:
        stack.enter_context(mock.patch("formwork.durable.workflows.Workflows", workflows))
        stack.enter_context(mock.patch("formwork.aws.stored_values.StoredValues", return_value=stored))
        stack.callback(lambda: [each.close() for each in opened])
        stack.enter_context(run_service(server, folder, database, settings))
        yield Service(server.app._parts, stored, folder)


def _fail(error):
    raise error
