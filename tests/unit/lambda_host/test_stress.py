"""Many callers and much misbehaviour at once: each gets the answer to its own question, and nothing is left."""

import concurrent.futures
import json
import random
import threading
import time
from pathlib import Path

from formwork.lambda_host.host import LambdaHost
from formwork.lambda_host.outcome import OutcomeKind
from formwork.lambda_host.pool import HostSettings
from support.lambdas import make_function

QUESTIONS = [
    ({}, OutcomeKind.RETURNED),
    ({}, OutcomeKind.RETURNED),
    ({}, OutcomeKind.RETURNED),
    ({"what": "raise"}, OutcomeKind.HANDLER_ERROR),
    ({"what": "os._exit", "code": 3}, OutcomeKind.EXITED),
    ({"what": "segfault"}, OutcomeKind.EXITED),
    ({"what": "sleep", "seconds": 30}, OutcomeKind.TIMED_OUT),
    ({"what": "big", "bytes": 7_000_000}, OutcomeKind.RESPONSE_TOO_LARGE),
    ({"what": "print"}, OutcomeKind.RETURNED),
]


def descriptors():
    folder = Path("/proc/self/fd")
    return len(list(folder.iterdir())) if folder.is_dir() else 0


def left():
    return descriptors(), threading.active_count()


def is_gone(before):
    return all(now <= then + 1 for now, then in zip(left(), before, strict=True))


def test_many_callers_of_a_function_that_misbehaves(tmp_path):
    chance = random.Random(4711)
    questions = [(number, *chance.choice(QUESTIONS)) for number in range(60)]
    before = left()
    with LambdaHost([make_function(tmp_path / "f", timeout=1.5)], settings=HostSettings(concurrency=4)) as host:

        def ask(question):
            number, event, _ = question
            return host.invoke("TypeFunction", json.dumps({**event, "number": number}).encode())

        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            outcomes = list(pool.map(ask, questions))
    assert [each.kind for each in outcomes] == [expected for _, _, expected in questions]
    for (number, _, expected), outcome in zip(questions, outcomes, strict=True):
        if expected is OutcomeKind.RETURNED:
            assert json.loads(outcome.body)["event"]["number"] == number
    ends = time.monotonic() + 20  # the last readers of pipes see their ends when this thread is at rest
    while not is_gone(before) and time.monotonic() < ends:
        time.sleep(0.02)
    assert is_gone(before), f"sockets, pipes and threads: {before} before, {left()} afterwards"
