"""No secret is in a cassette: whatever place of a call it was in, and in whatever form."""

import base64
import gzip
import json
from urllib.parse import quote

import pytest

from formwork.diagnostics.secrets import mask_text
from formwork.egress.cassettes.recorder import Recorder
from formwork.egress.cassettes.replay import open_replay
from formwork.egress.messages import Reply
from support.egress_calls import Scripted, json_reply, outgoing, xml_reply

CANARY = "Canary/5ecr3t+v4lue&=<é>"
PLAIN = "c4naryc4naryc4nary"
URL = "https://api.example.com/v1/things"


def forms(secret):
    """The forms in which a secret may be found in a file."""
    data = secret.encode()
    shifted = [base64.b64encode(bytes(size) + data).decode()[4:-4] for size in range(3)]
    return [
        secret,
        json.dumps(secret)[1:-1],
        quote(secret, safe=""),
        quote(secret),
        data.hex(),
        data.hex().upper(),
        *shifted,
    ]


def recorded(tmp_path, *pairs, mask=lambda text: text):
    recorder = Recorder(tmp_path, mask)
    responder = recorder.around(Scripted(*(reply for _, reply in pairs)))
    for request, _ in pairs:
        responder(request)
    return "".join(path.read_text(encoding="utf-8") for path in recorder.close())


def everywhere(secret):
    """Calls with a secret in every place that a request and a reply have, in several forms."""
    encoded = base64.b64encode(secret.encode()).decode()
    binary = b"\xff\xfe" + secret.encode() + b"\0"
    for form in (secret, quote(secret, safe=""), encoded, secret.encode().hex(), json.dumps({"a": secret})):
        safe = form.encode().decode("latin-1")
        headers = dict.fromkeys(("authorization", "cookie", "x_api_key", "x_other", "range", "x_amz_tagging"), safe)
        yield (
            outgoing("GET", f"{URL}/{quote(form, safe='')}?q={quote(form)}&{quote(form)}=1", **headers),
            json_reply({}),
        )
        yield (
            outgoing("POST", URL, {"a": [form], form: {"b": f"x{form}y"}}),
            json_reply({"c": form, form: 1}, location=form),
        )
        yield (
            outgoing("POST", URL, f"a={quote(form, safe='')}&{quote(form, safe='')}=1"),
            xml_reply(f"<a b='{form}'>{form}</a>"),
        )
        yield (
            outgoing("PUT", URL, form.encode(), content_type="text/plain"),
            Reply(200, form.encode(), (("x-h", safe),)),
        )
    yield outgoing("PUT", URL, binary), Reply(200, binary)
    yield (
        outgoing("PUT", URL, gzip.compress(secret.encode()), content_encoding="gzip"),
        Reply(200, gzip.compress(secret.encode()), (("content-encoding", "gzip"), ("set-cookie", f"s={secret}"))),
    )


@pytest.mark.parametrize("secret", [CANARY, PLAIN])
def test_what_the_run_knows_is_nowhere(tmp_path, secret):
    text = recorded(tmp_path, *everywhere(secret), mask=lambda text: mask_text(text, {secret}))
    assert [form for form in forms(secret) if form in text] == []
    assert "********" in text
    for entry in json.loads(text)["calls"]:
        for part in entry.values():
            data = base64.b64decode(part.get("base64", ""))
            assert secret.encode() not in data
    open_replay(tmp_path)  # what is left can be read


@pytest.mark.parametrize(
    "headers",
    [
        {"authorization": f"Bearer {PLAIN}"},
        {"authorization": "Basic " + base64.b64encode(f"user:{PLAIN}".encode()).decode()},
        {"authorization": f'Digest user="u", response="{PLAIN}"'},
        {"cookie": f"a=b; session={PLAIN}"},
        {"x_api_key": PLAIN},
        {"x_auth_token": PLAIN},
        {"x_amz_security_token": PLAIN},
        {"authorization": f"AWS4-HMAC-SHA256 Credential={PLAIN}/20260101/us-east-1/s3/aws4_request, Signature=abc"},
    ],
)
def test_a_credential_in_a_header_is_masked_where_it_is_repeated(tmp_path, headers):
    text = recorded(
        tmp_path,
        (outgoing("GET", f"{URL}?who={PLAIN}"), json_reply({"echo": PLAIN})),  # before it is known
        (outgoing("POST", URL, {"a": base64.b64encode(PLAIN.encode()).decode()}, **headers), json_reply([PLAIN])),
    )
    assert [form for form in forms(PLAIN) if form in text] == []


@pytest.mark.parametrize(
    ("request_", "reply"),
    [
        (outgoing("GET", f"{URL}?api_key={PLAIN}"), json_reply({})),
        (outgoing("GET", f"{URL}?key={PLAIN}"), json_reply({})),
        (outgoing("GET", f"{URL}?X-Amz-Security-Token={PLAIN}&X-Amz-Signature={PLAIN}"), json_reply({})),
        (outgoing("POST", URL, f"grant_type=x&client_secret={PLAIN}&code={PLAIN}"), json_reply({})),
        (outgoing("POST", URL, {"user": {"password": PLAIN}}), json_reply({})),
        (outgoing("POST", URL, {"SecretString": json.dumps({"a": PLAIN})}), json_reply({})),
        (outgoing("POST", URL, {"document": json.dumps({"masterPassword": PLAIN})}), json_reply({})),
        (outgoing("GET", URL), json_reply({"access_token": PLAIN, "expires_in": 3600})),
        (outgoing("GET", URL), xml_reply(f"<C><SecretAccessKey>{PLAIN}</SecretAccessKey><a>{PLAIN}</a></C>")),
        (outgoing("GET", URL), Reply(200, b"", (("x-auth-token", PLAIN), ("set-cookie", f"a={PLAIN}; Path=/")))),
    ],
)
def test_what_a_name_says_is_secret_is_masked(tmp_path, request_, reply):
    text = recorded(tmp_path, (request_, reply), (outgoing("GET", f"{URL}/{PLAIN}"), json_reply(PLAIN)))
    assert PLAIN not in text


@pytest.mark.parametrize(
    "secret",
    [
        "AKIAIOSFODNN7EXAMPLE",
        "ASIAIOSFODNN7EXAMPLE",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.SflKxwRJSMeKKF2QT4",
        "-----BEGIN RSA PRIVATE KEY-----\nMIIEow\n-----END RSA PRIVATE KEY-----",
    ],
)
def test_what_has_the_form_of_a_credential_is_masked(tmp_path, secret):
    text = recorded(tmp_path, (outgoing("POST", URL, {"a": f"x {secret} y"}), json_reply({"b": secret})))
    assert secret[:30] not in text.replace("\\n", "\n")


def test_a_password_in_a_url_is_masked(tmp_path):
    text = recorded(tmp_path, (outgoing("POST", URL, {"a": "postgres://user:hunter2@db/x"}), json_reply({})))
    assert "postgres://********@db/x" in text


def test_numbers_stay_numbers_and_harmless_names_stay(tmp_path):
    sent = {"pin": {"password": 12345678}, "nextToken": "page-two", "KeyName": "k", "Key": "tag", "on": True}
    text = recorded(tmp_path, (outgoing("POST", URL, sent), json_reply({"n": 12345678})))
    call = json.loads(text)["calls"][0]
    assert call["request"]["json"] == {**sent, "pin": {"password": 0}}
    assert call["reply"]["json"] == {"n": 0}


def test_a_masked_value_matches_any(tmp_path):
    recorded(tmp_path, (outgoing("POST", URL, {"password": "one-two-three", "a": 1}), json_reply({"token": PLAIN})))
    reply = open_replay(tmp_path)(outgoing("POST", URL, {"password": "something else", "a": 1}))
    assert json.loads(reply.body) == {"token": "********"}
