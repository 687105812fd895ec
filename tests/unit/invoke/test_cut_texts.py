"""Texts that are cut before they are masked keep no part of a secret at the edge."""

import base64
import json
import os

import pytest

from formwork.invoke.answer import Answer, parse_event
from formwork.invoke.endpoint import decode_log
from formwork.lambda_host.logs import KEPT_BYTES, LogPipe

SECRET = "canary-4711-0815-canary"


@pytest.mark.parametrize("length", range(170, 201, 5))
@pytest.mark.parametrize(
    "body",
    [
        "{fill} {secret}{more}",  # no JSON
        '["{fill}", "{secret}{more}"]',
        '["{fill}", "open sesame {secret}{more}"]',
        '"{fill}{secret}{more}"',
    ],
)
def test_an_excerpt_of_an_answer_ends_before_the_word_that_does_not_fit(body, length):
    text = body.format(fill="x" * (length - 12), secret=SECRET, more="y" * 200)
    _, problem = parse_event(Answer(text.encode()))
    assert "ca" not in problem.message
    assert "sesame" not in problem.message
    assert problem.message.endswith("…")


def test_a_short_answer_is_quoted_whole():
    _, problem = parse_event(Answer(json.dumps(["a b", "c"]).encode()))
    assert problem.message == 'the answer is no JSON object but ["a b", "c"]'


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


def test_a_long_line_is_handed_out_between_words():
    words = [SECRET] * 4000
    _, lines = written(" ".join(words))
    assert len(lines) > 1
    assert [word for line in lines for word in line.split()] == words


def test_the_end_of_a_log_that_a_service_answers_begins_with_a_whole_line():
    log = (f"{SECRET}\n" * 300).encode()[-4096:]
    assert set(decode_log(base64.b64encode(log).decode()).split()) == {SECRET}
    assert decode_log(base64.b64encode(b"two\nlines\n").decode()) == "two\nlines\n"
