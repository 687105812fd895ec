"""The wire codecs against botocore in both directions, over every operation of the two services and all their shapes."""

import contextlib
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import parse_qsl, urlencode

import pytest
from botocore.parsers import create_parser
from botocore.serialize import create_serializer
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from formwork.api.wire import (
    ApiError,
    Protocol,
    load_service,
    parse_json_request,
    parse_query_request,
    render_json_error,
    render_json_response,
    render_query_error,
    render_query_response,
)
from formwork.aws.temporary_keys import TemporaryKeys
from formwork.stand_ins.iam import iam_operations
from formwork.stand_ins.logs import logs_operations
from formwork.stand_ins.sts import sts_operations

SERVICES = ("cloudformation", "cloudcontrol")
# Of the other services what is served here; of these two everything.
SMALL = [*sts_operations(TemporaryKeys()), *logs_operations(Path("logs")), *iam_operations(Path("iam"))]
OPERATIONS = [(name, each) for name in SERVICES for each in load_service(name).model.operation_names] + SMALL
TEXT = st.text(
    st.characters(codec="utf-8", exclude_categories=["Cs", "Cc"], exclude_characters="\ufffe\uffff"), max_size=8
)
TIMES = st.integers(0, 4_000_000_000).map(lambda seconds: datetime.fromtimestamp(seconds, tz=UTC))


def values(shape, depth=0):  # noqa: PLR0911 - a return a shape
    """What a shape can hold; recursive shapes end after a few levels."""
    match shape.type_name:
        case "structure":
            members = {} if depth > 5 else {name: values(each, depth + 1) for name, each in shape.members.items()}
            required = {name: each for name, each in members.items() if name in shape.required_members}
            optional = {name: each for name, each in members.items() if name not in shape.required_members}
            return st.fixed_dictionaries(required, optional=optional)
        case "list":
            return st.lists(values(shape.member, depth + 1), max_size=2)
        case "map":
            return st.dictionaries(TEXT.filter(bool), values(shape.value, depth + 1), max_size=2)
        case "integer" | "long":
            return st.integers(-(2**31), 2**31)
        case "float" | "double":
            return st.floats(allow_nan=False, allow_infinity=False)
        case "boolean":
            return st.booleans()
        case "timestamp":
            return TIMES
        case "blob":
            return st.binary(max_size=8)
        case _:
            return TEXT


def without_empty(value):
    """botocore sends nothing for an empty map or structure, in lists neither, so those cannot arrive."""
    if isinstance(value, dict):
        inner = {key: without_empty(each) for key, each in value.items()}
        return {key: each for key, each in inner.items() if each != {}}
    if isinstance(value, list):
        inner = [each for each in map(without_empty, value) if each != {}]
        return inner if inner or not value else {}
    return value


FEW = settings(max_examples=4, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large], deadline=None)


@pytest.mark.parametrize(("service_name", "name"), OPERATIONS)
@FEW
@given(data=st.data())
def test_requests_as_botocore_writes_them(service_name, name, data):
    service = load_service(service_name)
    operation = service.operation(name)
    value = data.draw(values(operation.input_shape)) if operation.input_shape is not None else {}
    protocol = "query" if service.protocol is Protocol.QUERY else "json"
    request = create_serializer(protocol, include_validation=False).serialize_to_request(value, operation)
    if service.protocol is Protocol.QUERY:
        form = urlencode(request["body"])
        read = parse_query_request(operation, parse_qsl(form, keep_blank_values=True))
        assert without_empty(read) == without_empty(value)
    else:
        body = request["body"]
        read = parse_json_request(operation, body if isinstance(body, bytes) else body.encode())
        assert read == value


@pytest.mark.parametrize(("service_name", "name"), OPERATIONS)
@FEW
@given(data=st.data())
def test_responses_as_botocore_reads_them(service_name, name, data):
    service = load_service(service_name)
    operation = service.operation(name)
    value = data.draw(values(operation.output_shape)) if operation.output_shape is not None else {}
    if service.protocol is Protocol.QUERY:
        body, parser = render_query_response(service, operation, value, "an-id"), create_parser("query")
    else:
        body, parser = render_json_response(operation, value), create_parser("json")
    read = parser.parse({"status_code": 200, "headers": {}, "body": body}, operation.output_shape)
    assert read.pop("ResponseMetadata")["HTTPStatusCode"] == 200
    assert read == value


@given(TEXT, TEXT)
def test_errors_as_botocore_reads_them(code, message):
    for name in SERVICES:
        service = load_service(name)
        error = ApiError("Code" + "".join(filter(str.isalnum, code)), message, status=404)
        is_query = service.protocol is Protocol.QUERY
        body = render_query_error(service, error, "an-id") if is_query else render_json_error(service, error)
        read = create_parser("query" if is_query else "json").parse(
            {"status_code": 404, "headers": {}, "body": body}, None
        )
        assert read["Error"]["Code"] == error.code
        assert (read["Error"]["Message"] or "") == message


@given(st.lists(st.tuples(st.text(max_size=30), st.text(max_size=10)), max_size=8), st.sampled_from(OPERATIONS))
def test_no_form_crashes(fields, operation):
    with contextlib.suppress(ApiError):
        parse_query_request(load_service(operation[0]).operation(operation[1]), fields)


@given(st.binary(max_size=60), st.sampled_from(OPERATIONS))
def test_no_body_crashes(body, operation):
    with contextlib.suppress(ApiError):
        parse_json_request(load_service(operation[0]).operation(operation[1]), body)
