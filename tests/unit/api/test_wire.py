import pytest

from formwork.api.wire import (
    ApiError,
    check_constraints,
    load_service,
    parse_json_request,
    parse_query_request,
    render_json_error,
    render_query_error,
    render_query_response,
)
from formwork.api.wire.errors import unknown_operation

CLOUDFORMATION = load_service("cloudformation")
CLOUDCONTROL = load_service("cloudcontrol")


def test_a_request():
    fields = [
        ("Action", "CreateStack"),
        ("Version", "2010-05-15"),
        ("StackName", "s"),
        ("Parameters.member.2.ParameterKey", "b"),
        ("Parameters.member.10.ParameterKey", "c"),
        ("Parameters.member.1.ParameterKey", "a"),
        ("Parameters.member.1.UsePreviousValue", "true"),
        ("Capabilities", ""),
        ("TimeoutInMinutes", "5"),
        ("Unknown.member.1", "x"),
    ]
    assert parse_query_request(CLOUDFORMATION.operation("CreateStack"), fields) == {
        "StackName": "s",
        "Parameters": [{"ParameterKey": "a", "UsePreviousValue": True}, {"ParameterKey": "b"}, {"ParameterKey": "c"}],
        "Capabilities": [],
        "TimeoutInMinutes": 5,
    }


def test_a_value_of_the_wrong_form():
    with pytest.raises(ApiError, match="Value 'soon' at 'TimeoutInMinutes' is not of type integer"):
        parse_query_request(CLOUDFORMATION.operation("CreateStack"), [("TimeoutInMinutes", "soon")])
    with pytest.raises(ApiError, match="at 'TypeName' is not of type string"):
        parse_json_request(CLOUDCONTROL.operation("CreateResource"), b'{"TypeName": 5}')
    with pytest.raises(ApiError) as caught:
        parse_json_request(CLOUDCONTROL.operation("CreateResource"), b"[]")
    assert caught.value.code == "SerializationException"


def test_too_many_fields():
    with pytest.raises(ApiError, match="more than 50,000 fields"):
        parse_query_request(CLOUDFORMATION.operation("CreateStack"), (("x", "y") for _ in range(50_001)))


def test_an_answer_without_output():
    body = render_query_response(CLOUDFORMATION, CLOUDFORMATION.operation("DeleteStack"), {}, "id")
    assert body == (
        b'<DeleteStackResponse xmlns="http://cloudformation.amazonaws.com/doc/2010-05-15/">'
        b"<ResponseMetadata><RequestId>id</RequestId></ResponseMetadata></DeleteStackResponse>"
    )


def test_characters_that_xml_cannot_hold_are_left_out():
    operation = CLOUDFORMATION.operation("ValidateTemplate")
    assert b"<Description>a&lt;b&#13;c</Description>" in render_query_response(
        CLOUDFORMATION, operation, {"Description": "a<\x00b\rc\x1b"}, "id"
    )


@pytest.mark.parametrize(
    ("name", "code", "status"),
    [
        ("ChangeSetNotFoundException", "ChangeSetNotFound", 404),
        ("ChangeSetNotFound", "ChangeSetNotFound", 404),
        ("TypeNotFoundException", "TypeNotFoundException", 404),
        ("CFNRegistryException", "CFNRegistryException", 400),
        ("AlreadyExistsException", "AlreadyExistsException", 400),
    ],
)
def test_modelled_errors(name, code, status):
    error = ApiError.modelled(CLOUDFORMATION, name, "m")
    assert (error.code, error.status, error.fault) == (code, status, "Sender")
    assert f"<Code>{code}</Code>".encode() in render_query_error(CLOUDFORMATION, error, "id")


def test_an_error_that_no_model_has():
    with pytest.raises(LookupError):
        ApiError.modelled(CLOUDFORMATION, "Nope", "m")


def test_json_errors_name_their_type():
    body = render_json_error(CLOUDCONTROL, ApiError.modelled(CLOUDCONTROL, "TypeNotFoundException", "m"))
    assert body == b'{"__type": "CloudApiService#TypeNotFoundException", "Message": "m"}'


def test_unknown_operations_are_named():
    assert "Could not find operation Fly" in unknown_operation(CLOUDFORMATION, "Fly").message
    assert "StartResourceScan is not available" in unknown_operation(CLOUDFORMATION, "StartResourceScan").message


@pytest.mark.parametrize(
    ("operation", "request_", "message"),
    [
        (
            "BatchDescribeTypeConfigurations",
            {},
            (
                "1 validation error detected: Value null at 'typeConfigurationIdentifiers' failed to satisfy constraint: "
                "Member must not be null"
            ),
        ),
        (
            "ListTypes",
            {"MaxResults": 0, "Visibility": "SECRET"},
            (
                "2 validation errors detected: Value 'SECRET' at 'visibility' failed to satisfy constraint: Member must "
                "satisfy enum value set: [PUBLIC, PRIVATE]; Value '0' at 'maxResults' failed to satisfy constraint: Member "
                "must have value greater than or equal to 1"
            ),
        ),
        (
            "SetTypeConfiguration",
            {"Configuration": "x", "ConfigurationAlias": "a b"},
            (
                "1 validation error detected: Value 'a b' at 'configurationAlias' failed to satisfy constraint: Member must "
                "satisfy regular expression pattern: ^[a-zA-Z0-9]{1,256}$"
            ),
        ),
    ],
)
def test_constraints(operation, request_, message):
    with pytest.raises(ApiError) as caught:
        check_constraints(CLOUDFORMATION.operation(operation), request_)
    assert (caught.value.code, caught.value.message) == ("ValidationError", message)


def test_a_good_request_passes():
    check_constraints(CLOUDFORMATION.operation("ListTypes"), {"MaxResults": 5, "Visibility": "PRIVATE"})
