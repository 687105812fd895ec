"""Requests to the small S3 and to Lambda's API, written and read as botocore does, without a socket."""

from functools import cache
from urllib.parse import urlencode

from botocore.loaders import Loader
from botocore.model import ServiceModel
from botocore.parsers import create_parser
from botocore.serialize import create_serializer

from formwork.api.s3.answers import FileSlice
from formwork.api.s3.documents import render_s3_error
from formwork.api.s3.incoming import IncomingBody
from formwork.api.s3.operations import S3Api
from formwork.api.s3.request import parse_s3_request
from formwork.aws.scope import Scope
from formwork.lambda_host.http_messages import Request
from formwork.object_store.errors import S3Error
from support.recordings.service import Refused

_MOST = 1 << 20


class _Headers(dict):
    """Headers by names in any case."""

    def __init__(self, headers):
        super().__init__({name.lower(): value for name, value in headers.items()})

    def __getitem__(self, name):
        return super().__getitem__(name.lower())

    def __contains__(self, name):
        return super().__contains__(name.lower())

    def get(self, name, default=None):
        return super().get(name.lower(), default)


class RestService:
    """A service whose operations are methods and paths."""

    def __init__(self, name):
        self.model = ServiceModel(Loader().load_service_model(name, "service-2"), name)
        protocol = self.model.metadata["protocol"]
        self._serializer, self._parser = create_serializer(protocol, False), create_parser(protocol)

    def write(self, operation, request):
        """Return (method, path, query, headers, body) of a request."""
        made = self._serializer.serialize_to_request(request, self.model.operation_model(operation))
        path, _, query = made["url_path"].partition("?")
        more = made["query_string"]
        pairs = list(more.items()) if isinstance(more, dict) else list(more)
        query = "&".join(filter(None, (query, urlencode(pairs, doseq=True))))
        body = made["body"]
        body = body.encode() if isinstance(body, str) else bytes(body or b"")
        headers = {name.lower(): str(value) for name, value in made["headers"].items()}
        return made["method"], path, query, headers, body

    def read(self, operation, status, headers, body):
        """Return what botocore reads of an answer; an error is raised."""
        shape = self.model.operation_model(operation).output_shape
        answer = self._parser.parse({"status_code": status, "headers": _Headers(headers), "body": body}, shape)
        if status >= 300:
            answer["Error"].setdefault("Message", answer["Error"].get("message", ""))
            raise Refused(operation, answer)
        return answer


@cache
def rest_service(name):
    """The service of botocore's name."""
    return RestService(name)


def call_s3(world, operation, request):
    """What the small S3 answers."""
    service = rest_service("s3")
    method, path, query, headers, body = service.write(operation, request)
    try:
        answer = _answer(world, parse_s3_request(method, path, query, headers), body)
        content = answer.body
        if isinstance(content, FileSlice):
            with content.file as file:
                file.seek(content.start)
                content = file.read(content.length)
        content = b"" if method == "HEAD" else content
        status, told = answer.status, {**answer.headers, "Content-Length": str(answer.length)}
    except S3Error as error:
        content, status, told = render_s3_error(error, resource=path, request_id="r"), error.status, error.headers
    return service.read(operation, status, told, content)


def _answer(world, asked, body):
    objects = world.service.parts.objects
    api = S3Api(objects)
    if not asked.carries_object:
        return api.respond(asked, world.caller, body)
    objects.expect_bucket(asked.bucket, account=world.account)
    path = objects.new_file()
    try:
        with IncomingBody(path, asked.headers, limit=_MOST) as incoming:
            incoming.write(body)
            received = incoming.finish()
        return api.respond(asked, world.caller, received)
    finally:
        path.unlink(missing_ok=True)


def call_lambda(world, operation, request):
    """What Lambda's API answers."""
    service = rest_service("lambda")
    method, path, query, headers, body = service.write(operation, request)
    asked = Request(method, path, query, headers, body)
    answer = world.saved["lambda"].respond(asked, Scope(world.account, world.region))
    return service.read(operation, answer.status, {"content-type": "application/json", **answer.headers}, answer.body)
