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
