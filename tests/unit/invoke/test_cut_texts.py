"""Texts that are cut before they are masked keep no part of a secret at the edge."""

import base64
import json
import os
from urllib.parse import quote

import pytest

from formwork.diagnostics.secrets import mask_text
from formwork.invoke.answer import Answer, parse_event
from formwork.invoke.endpoint import decode_log
from formwork.lambda_host.logs import KEPT_BYTES, LogPipe

SECRET = "canary-4711-0815-canary"


def parts(secret):
    """What a text may hold no part of: five characters of the secret in a row."""
    return {secret[at : at + 5] for at in range(len(secret) - 4)}


@pytest.mark.parametrize("length", range(170, 201, 5))
@pytest.mark.parametrize(
    "body",
    [
        "{fill} {secret}{more}",  # no JSON
        '["{fill}", "{secret}{more}"]',
        '"{fill}{secret}{more}"',
    ],
)
@pytest.mark.parametrize("secret", [SECRET, 'open sesame <ä> "canary" 4711 and so on', "sesame\nand canaries' keys"])
def test_no_part_of_a_secret_stands_where_an_excerpt_of_an_answer_is_cut(secret, body, length):
    text = body.format(fill="x" * (length - 12), secret=json.dumps(secret)[1:-1], more="y" * 200)
    _, problem = parse_event(Answer(text.encode()))
    told = mask_text(f"no event: {problem.message}; 5 s", [secret])
    assert not [each for each in parts(secret) if each in told]
    assert told.endswith("…; 5 s")


def test_a_short_answer_is_quoted_whole():
    _, problem = parse_event(Answer(json.dumps(["a b", "c"]).encode()))
    assert problem.message == 'the answer is not a JSON object: ["a b", "c"]'


def written(*texts):
    """What a pipe keeps, and hands out line by line, of what is written."""
    lines = []
    reading, writing = os.pipe()
    pipe = LogPipe(reading, on_line=lines.append)
    kept = ""
    for each in texts:
        view = memoryview(each.encode())
        while view:
            view = view[os.write(writing, view) :]
    os.close(writing)
    pipe._thread.join(30)
    kept = pipe.take()
    pipe.close()
    return kept, lines


def test_a_log_that_lost_its_beginning_begins_with_a_whole_line():
    line = f"{SECRET} and more\n"
    kept, _ = written("x" * 3 + "\n", line * (KEPT_BYTES // len(line) + 100))
    head, first, *rest = kept.splitlines()
    assert "bytes of log dropped" in head
    assert {first, *rest} == {line.rstrip()}


def test_a_line_without_end_is_dropped_where_its_beginning_is_lost():
    kept, _ = written(SECRET * (KEPT_BYTES // len(SECRET) + 100))
    assert kept.endswith("bytes of log dropped]\n")


@pytest.mark.parametrize("secret", [SECRET, "open sesame canary, 4711 and so on"])
def test_a_long_line_is_handed_out_in_parts_without_parts_of_secrets(secret):
    text = " ".join([secret] * 2000)
    _, lines = written(text)
    assert len(lines) > 5
    assert " ".join(lines).replace("… …", "").removesuffix("…") == text
    shown = "\n".join(mask_text(each, [secret]) for each in lines)
    assert not [each for each in parts(secret) if each in shown]


def test_a_word_of_some_kilobytes_is_handed_out_whole():
    word = SECRET * 1000
    _, lines = written(f"{word[:10_000]}", f"{word[10_000:]} {word}\n")
    assert " ".join(lines).split() == [word, word]


def test_a_log_that_ends_within_a_secret_has_no_part_of_it():
    secret = 'open sesame <ä> "canary" 4711'
    for text in (secret, json.dumps(secret)[1:-1], json.dumps(secret, ensure_ascii=False)[1:-1], quote(secret)):
        for end in range(5, len(text)):
            for piece in (f"say {text[:end]}", f"{text[-end:]} is said"):
                told = mask_text(piece, [secret], cut=True)
                assert not [each for each in parts(secret) if each in told], piece
    coded = base64.b64encode(secret.encode()).decode()
    for end in range(6, len(coded)):
        assert coded[2:6] not in mask_text(f"say {coded[:end]}", [secret], cut=True)


def test_the_end_of_a_log_that_a_service_answers_begins_with_a_whole_line():
    log = (f"{SECRET}\n" * 300).encode()[-4096:]
    assert set(decode_log(base64.b64encode(log).decode()).split()) == {SECRET}
    assert decode_log(base64.b64encode(b"two\nlines\n").decode()) == "two\nlines\n"
