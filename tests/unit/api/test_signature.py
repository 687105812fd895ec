"""Signatures are read from headers and presigned URLs member by member, or refused with what is wrong."""

from urllib.parse import urlencode

import pytest

from formwork.api.signature import Algorithm, AuthError, AuthProblem, Signature, parse_signature

HEX = "0123456789abcdef" * 4
CREDENTIAL = "AKIDEXAMPLE/20261121/eu-west-1/cloudformation/aws4_request"
HEADER = f"AWS4-HMAC-SHA256 Credential={CREDENTIAL}, SignedHeaders=Host;x-amz-date, Signature={HEX}"
QUERY = {
    "X-Amz-Algorithm": "AWS4-HMAC-SHA256",
    "X-Amz-Credential": CREDENTIAL.replace("cloudformation", "s3"),
    "X-Amz-Date": "20261121T040000Z",
    "X-Amz-SignedHeaders": "host",
    "X-Amz-Signature": HEX,
}
FROM_HEADER = Signature(
    Algorithm.V4,
    "AKIDEXAMPLE",
    "20261121",
    "eu-west-1",
    "cloudformation",
    ("host", "x-amz-date"),
    HEX,
    "20261121T040000Z",
)


def header(text=HEADER, **more):
    return {"authorization": text, "x-amz-date": "20261121T040000Z", **more}


def query(**changes):
    fields = {**QUERY, **{f"X-Amz-{name.replace('_', '-')}": value for name, value in changes.items()}}
    return urlencode({name: value for name, value in fields.items() if value is not None})


def refusal(headers, text=""):
    with pytest.raises(AuthError) as caught:
        parse_signature(headers, text)
    assert caught.value.problem is AuthProblem.INCOMPLETE
    assert str(caught.value) == caught.value.message
    return caught.value.message


def test_a_header():
    assert parse_signature(header(), "") == FROM_HEADER


def test_a_header_with_a_session_token():
    assert parse_signature(header(**{"x-amz-security-token": "TOKEN"}), "").token == "TOKEN"


def test_the_date_header_stands_in_for_x_amz_date():
    assert parse_signature({"authorization": HEADER, "date": "20261121T050000Z"}, "").timestamp == "20261121T050000Z"
    both = {"authorization": HEADER, "date": "20261121T050000Z", "x-amz-date": "20261121T060000Z"}
    assert parse_signature(both, "").timestamp == "20261121T060000Z"


def test_a_header_of_version_4a_has_no_region():
    text = HEADER.replace("HMAC-SHA256", "ECDSA-P256-SHA256").replace("/eu-west-1", "")
    found = parse_signature(header(text), "")
    assert (found.algorithm, found.region, found.service) == (Algorithm.V4A, "us-east-1", "cloudformation")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (f"Bearer {'x' * 80}", "'Bearer', must be one of: AWS4-HMAC-SHA256, AWS4-ECDSA-P256-SHA256."),
        ("B" * 50, f"'{'B' * 40}',"),
        (f"{HEADER}, nonsense", "'nonsense' not a valid key=value pair (missing equal-sign)"),
        (f"{HEADER}, {'n' * 50}", f"'{'n' * 40}' not a valid key=value pair"),
        (
            "AWS4-HMAC-SHA256 SignedHeaders=host",
            "Authorization header requires 'Credential' parameter. Authorization header requires 'Signature' parameter.",
        ),
        (HEADER.replace(f"Signature={HEX}", "Signature="), "requires 'Signature' parameter."),
        (HEADER.replace("/cloudformation", "", 1).replace("/eu-west-1", ""), "exactly 5 slash-delimited elements"),
        (HEADER.replace("/eu-west-1", ""), "exactly 5 slash-delimited elements"),
        (HEADER.replace(CREDENTIAL, "C" * 100), f"got '{'C' * 80}'."),
        (HEADER.replace(HEX, HEX[1:]), "hexadecimal"),
        (HEADER.replace("Host;", ""), "'Host' must be a 'SignedHeader'"),
    ],
)
def test_headers_that_are_refused(text, words):
    assert words in refusal(header(text))


def test_a_header_without_a_date():
    assert "'X-Amz-Date' or a 'Date' header" in refusal({"authorization": HEADER})


def test_a_date_in_another_form():
    said = refusal(header(**{"x-amz-date": "Sat, 21 Nov 2026 04:00:00 GMT and some more"}))
    assert said == "Date must be in ISO-8601 'basic format'. Got 'Sat, 21 Nov 2026 04:00:00 GMT and some m'."


def test_a_presigned_url():
    found = parse_signature({}, query(Expires="60", Security_Token="TOKEN"))
    assert (found.expires, found.token, found.service) == (60, "TOKEN", "s3")
    assert (found.algorithm, found.access_key_id, found.date) == (Algorithm.V4, "AKIDEXAMPLE", "20261121")
    assert (found.signed_headers, found.value, found.timestamp) == (("host",), HEX, "20261121T040000Z")


def test_a_presigned_url_is_good_for_a_quarter_of_an_hour_unless_it_says_otherwise():
    found = parse_signature({}, query())
    assert (found.expires, found.token) == (900, None)


@pytest.mark.parametrize("seconds", ["1", "604800"])
def test_the_longest_and_shortest_times(seconds):
    assert parse_signature({}, query(Expires=seconds)).expires == int(seconds)


@pytest.mark.parametrize("seconds", ["0", "604801", "-1", "x", "", "1.5", "٣"])
def test_times_that_are_refused(seconds):
    assert "between 1 and 604800" in refusal({}, query(Expires=seconds))


def test_what_a_presigned_url_lacks():
    said = refusal({}, query(Credential=None, Date=""))
    assert said == "AWS query-string parameters must include X-Amz-Credential, X-Amz-Date."


def test_a_presigned_url_of_an_unknown_algorithm():
    assert refusal({}, query(Algorithm="N" * 50)) == f"Unsupported AWS 'algorithm': '{'N' * 40}'."


def test_an_old_presigned_url():
    fields = {"AWSAccessKeyId": "KEY", "Signature": "abc=", "Expires": "1790000000"}
    expected = Signature(Algorithm.V2_QUERY, "KEY", "", "us-east-1", "s3", (), "abc=", "1790000000")
    assert parse_signature({}, urlencode(fields)) == expected


@pytest.mark.parametrize("expires", ["", "soon", "1.5", "٣"])
def test_old_presigned_urls_without_a_time(expires):
    fields = {"AWSAccessKeyId": "KEY", "Signature": "abc=", "Expires": expires}
    assert "seconds since the epoch" in refusal({}, urlencode(fields))


@pytest.mark.parametrize("text", ["", "Action=ListStacks", "Signature=abc", "AWSAccessKeyId=KEY&Signature="])
def test_requests_without_a_signature(text):
    assert parse_signature({}, text) is None


def test_a_query_that_names_an_algorithm_and_has_no_signature_is_incomplete():
    assert refusal({}, query(Signature=None)) == "AWS query-string parameters must include X-Amz-Signature."
