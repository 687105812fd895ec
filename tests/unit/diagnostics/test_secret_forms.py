"""Secrets are found in every form, and short ones do not turn texts into asterisks."""

import base64
import html
import json
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formwork.diagnostics.secrets import MASK, mask_copies, mask_text

END = "Zz9x8Qw"
ESCAPES = (
    json.dumps,
    lambda text: json.dumps(text, ensure_ascii=False),
    repr,
    lambda text: repr(text.encode()),
    html.escape,
    quote,
    quote_plus,
    lambda text: quote(text, safe=""),
)


@given(st.text("aB3\"'\\/%+ <>&=äß€😀\n\t\x1b-_.;", min_size=1), st.lists(st.sampled_from(ESCAPES), max_size=4))
def test_a_secret_is_found_however_often_it_is_escaped(middle, escapes):
    secret = text = f"{END}{middle}{END}"
    for each in escapes:
        text = each(text)
    assert END not in mask_text(f"before {text} after", [secret])


@given(st.text(min_size=6), st.binary(max_size=5), st.sampled_from([base64.b64encode, base64.urlsafe_b64encode]))
def test_a_secret_is_found_in_base64_wherever_it_begins(middle, before, encode):
    secret = f"{END}{middle}"
    coded = encode(before + secret.encode(errors="replace") + b" and more").decode()
    assert base64.b64encode(END.encode()).decode()[2:6] not in mask_text(coded, [secret])
    assert MASK in mask_text(coded, [secret])


def gos_json(text):
    """JSON as Go, Gson and others write it, for use in HTML."""
    return "".join(f"\\u{ord(each):04x}" if each in "<>&'=" else each for each in json.dumps(text, ensure_ascii=False))


def javascripts_escape(text):
    units = text.encode("utf-16-be")
    codes = (int.from_bytes(units[at : at + 2]) for at in range(0, len(units), 2))
    return "".join(
        chr(each) if 0x30 <= each < 0x7F else f"%{each:02X}" if each <= 0xFF else f"%u{each:04X}" for each in codes
    )


def in_base64(text):
    """What the text alone decides of its base64, by what precedes it."""
    return [base64.b64encode(b"x" * n + text.encode()).decode()[(0, 2, 3)[n] : -4] for n in range(3)]


ENCODINGS = (base64.b64encode, base64.urlsafe_b64encode, bytes.hex, lambda raw: raw.hex().upper())


@given(
    st.text("aB3\"'\\/%+ <>&=äß€😀\n\t\x1b-_.;", min_size=1),
    st.sampled_from((*ESCAPES, gos_json, javascripts_escape)),
    st.sampled_from(ENCODINGS),
    st.binary(max_size=5),
)
def test_a_secret_that_was_escaped_is_found_in_what_is_encoded(middle, escape, encode, before):
    secret = f"{END}{middle}{END}"
    coded = encode(before + escape(secret).encode() + b" and more")
    text = coded if isinstance(coded, str) else coded.decode()
    shown = mask_text(f"before <{text}> after", [secret])
    assert MASK in shown
    assert shown.startswith("before <")
    assert shown.endswith("> after")
    forms = {END, END.encode().hex(), END.encode().hex().upper()}
    assert not [each for each in (*forms, *in_base64(END)) if each in shown]


def test_what_stands_beside_a_secret_in_base64_stays():
    coded = base64.b64encode(json.dumps({"user": "someone", "key": "Zz9x8Qw<&>1", "more": "y" * 9}).encode()).decode()
    shown = mask_text(f"got {coded} from afar", ["Zz9x8Qw<&>1"])
    assert shown.startswith(f"got {coded[:30]}")
    assert shown.endswith(f"{coded[-20:]} from afar")
    assert MASK in shown


@pytest.mark.parametrize(
    ("secret", "text", "shown"),
    [
        ("abc", "key abc, abcissa, x_abc, k=abc;", f"key {MASK}, abcissa, x_abc, k={MASK};"),
        ("7", "exit code 7 of '7', 17", f"exit code 7 of '{MASK}', 17"),
        ("7", "7", MASK),
        ("true", "it is true", "it is true"),
        ("", "nothing", "nothing"),
        ('{"user": "someone", "pin": 123456}', "someone with 123456", f"{MASK} with {MASK}"),
        ("https://me:p4ssw0rd@example.com/", "p4ssw0rd at example.com", f"{MASK} at example.com"),
        ("-----BEGIN-----\nabcdefgh\nijklmnop\n", "ijklmnop", MASK),
    ],
)
def test_parts_and_short_values(secret, text, shown):
    assert mask_text(text, [secret]) == shown


def test_overlapping_secrets_are_masked_as_one():
    assert mask_text("abcdefghi", ["abcdef", "defghi"]) == MASK


def test_numbers_and_member_names_repeat_secrets_too():
    assert mask_copies({"n": 123456, "abcdefg": [12, True]}, ["123456", "abcdefg"]) == {"n": MASK, MASK: [12, True]}
