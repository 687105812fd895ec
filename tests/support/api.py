"""The API on a real socket in this process, with whatever operations a test gives it, and clients for it."""

import contextlib
import http.client
from dataclasses import dataclass, field
from pathlib import Path

import boto3
from botocore.config import Config

from formwork.api.app import ApiApp, ApiParts
from formwork.api.authentication import Authenticator
from formwork.api.dispatch import LazyOperationTable
from formwork.api.long_polling import ChangeNotifier
from formwork.api.server import ApiServer
from formwork.aws.temporary_keys import TemporaryKeys
from formwork.lambda_host.http_messages import Response
from formwork.object_store.store import ObjectStore
from formwork.stand_ins.iam import iam_operations
from formwork.stand_ins.logs import logs_operations
from formwork.stand_ins.sts import sts_operations

CREDENTIALS = {"aws_access_key_id": "AKIAIOSFODNN7EXAMPLE", "aws_secret_access_key": "secret"}


@dataclass
class Served:
    """A running API; `objects` is the folder of what is uploaded."""

    url: str
    objects: Path
    changes: ChangeNotifier
    bugs: list = field(default_factory=list)
    answered: list = field(default_factory=list)

    @property
    def port(self):
        return int(self.url.rpartition(":")[2])

    def client(self, service, *, account=None, region="us-east-1", config=None, **more):
        """A boto3 client that retries nothing."""
        credentials = CREDENTIALS | ({"aws_access_key_id": account} if account else {}) | more
        settings = Config(retries={"max_attempts": 0}, read_timeout=70)
        return boto3.client(
            service,
            endpoint_url=self.url,
            region_name=region,
            config=settings.merge(config) if config else settings,
            **credentials,
        )

    def send(self, method, path, *, headers=None, body=None):
        """A request by hand: status, headers, body."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        with contextlib.closing(connection):
            connection.request(method, path, body=body, headers=headers or {})
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read()


@contextlib.contextmanager
def serve_api(folder, *, operations=None, make=None, keys=None, hold_seconds=50.0, invoke=None, seed=None):
    """Serve `operations` (a table), or what `make` makes when it is needed."""
    temporary = TemporaryKeys(seed)
    served = Served("", folder / "objects", ChangeNotifier())
    late = LazyOperationTable(make or (lambda: operations or {}))
    parts = ApiParts(
        early={**sts_operations(temporary), **logs_operations(folder / "logs"), **iam_operations(folder / "iam")},
        late=late,
        objects=ObjectStore(served.objects),
        invoke=(lambda request, _scope: invoke(request)) if invoke else (lambda *_asked: Response(404, b"{}")),
        authenticator=Authenticator(temporary, keys),
        changes=served.changes,
        on_error=served.bugs.append,
        on_request=served.answered.append,
        hold_seconds=hold_seconds,
    )
    server = ApiServer(host="127.0.0.1", port=0)
    try:
        server.start(ApiApp(parts))
        served.url = server.url
        yield served
        assert served.bugs == []
    finally:
        served.changes.close()
        server.close()
        late.close()
