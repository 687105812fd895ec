"""Whatever a handler does, it is reported as what it is, and the next invocation runs on a fresh process."""

import json
import time

import pytest

from formwork.lambda_host.host import LambdaHost
from formwork.lambda_host.live_lines import lines_to
from formwork.lambda_host.outcome import OutcomeKind
from formwork.lambda_host.pool import HostSettings
from support.lambdas import alive, make_function


@pytest.fixture(scope="module")
def host(tmp_path_factory):
    root = tmp_path_factory.mktemp("functions")
    functions = [
        make_function(root / "plain"),
        make_function(root / "short", name="Short", timeout=0.75),
        make_function(root / "small", name="Small", memory_mb=80),
    ]
    with LambdaHost(functions) as made:
        yield made


def invoke(host, what=None, *, function="TypeFunction", timeout=None, **more):
    return host.invoke(function, json.dumps({"what": what, **more}).encode(), timeout=timeout)


def error_of(outcome):
    assert outcome.function_error == "Unhandled"
    details = json.loads(outcome.body)
    return details["errorType"], details["errorMessage"]


def expect_fresh(host, function="TypeFunction"):
    outcome = invoke(host, function=function)
    assert outcome.kind is OutcomeKind.RETURNED
    assert outcome.init_seconds is not None, "a process of its own"
    assert json.loads(outcome.body)["calls"] == 1


@pytest.mark.parametrize(
    ("what", "says"),
    [
        ({"what": "os._exit", "code": 0}, "Runtime exited without providing a reason"),
        ({"what": "os._exit", "code": 7}, "exit status 7"),
        ({"what": "sys.exit", "code": 0}, "Runtime exited without providing a reason"),
        ({"what": "sys.exit", "code": "gone"}, "exit status 1"),
        ({"what": "exit", "code": 3}, "exit status 3"),
        ({"what": "segfault"}, "signal: segmentation fault"),
        ({"what": "non-daemon thread"}, "Runtime exited without providing a reason"),
        ({"what": "interrupt"}, "Runtime exited with error"),
    ],
)
def test_a_process_that_ends_in_the_middle(host, what, says):
    outcome = invoke(host, **what)
    assert outcome.kind is OutcomeKind.EXITED
    kind, message = error_of(outcome)
    assert kind == "Runtime.ExitError"
    assert message == f"RequestId: {outcome.request_id} Error: {message.partition('Error: ')[2]}"
    assert says in message
    expect_fresh(host)


def test_a_handler_that_hangs(host):
    outcome = invoke(host, "sleep", function="Short", seconds=60)
    assert outcome.kind is OutcomeKind.TIMED_OUT
    assert 0.75 <= outcome.seconds < 5
    assert error_of(outcome)[1].endswith("Task timed out after 0.75 seconds")
    expect_fresh(host, "Short")


def test_the_callers_time_limit_is_kept_where_it_is_shorter(host):
    outcome = invoke(host, "sleep", seconds=60, timeout=0.2)
    assert outcome.kind is OutcomeKind.TIMED_OUT
    assert error_of(outcome)[1].endswith("Task timed out after 0.20 seconds")


def test_the_start_of_a_process_is_no_time_of_the_handlers(tmp_path):
    slow = "import time; time.sleep(0.5)\ndef handler(event, context): return context.get_remaining_time_in_millis()"
    with LambdaHost([make_function(tmp_path / "f", source=slow, timeout=0.3)]) as host:
        outcome = invoke(host)
    assert outcome.kind is OutcomeKind.RETURNED
    assert 0 < json.loads(outcome.body) <= 300
    assert outcome.init_seconds >= 0.5


def test_an_answer_of_20_megabytes(host):
    outcome = invoke(host, "big", bytes=20_000_000)
    assert outcome.kind is OutcomeKind.RESPONSE_TOO_LARGE
    assert error_of(outcome) == (
        "Function.ResponseSizeTooLarge",
        "Response payload size exceeded maximum allowed payload size (6291556 bytes).",
    )
    expect_fresh(host)


def test_an_answer_just_under_the_limit(host):
    assert len(invoke(host, "big", bytes=6_291_554).body) == 6_291_556


def test_an_answer_that_is_no_json(host):
    outcome = invoke(host, "set")
    assert outcome.kind is OutcomeKind.HANDLER_ERROR
    assert error_of(outcome) == (
        "Runtime.MarshalError",
        "Unable to marshal response: Object of type set is not JSON serializable",
    )
    assert invoke(host, "nan").body == b"NaN", "as in Lambda: passed on for the caller to judge"


def test_an_exception(host):
    outcome = invoke(host, "raise")
    assert outcome.kind is OutcomeKind.HANDLER_ERROR
    assert error_of(outcome) == ("LookupError", "no such thing")
    trace = json.loads(outcome.body)["stackTrace"]
    assert len(trace) == 1
    assert "main.py" in trace[0]
    assert "[ERROR] LookupError: no such thing" in outcome.log


def test_exceptions_that_are_hard_to_show(host):
    assert error_of(invoke(host, "unprintable")) == ("Unprintable", "(an exception that can't be shown)")
    outcome = invoke(host, "surrogate")
    assert error_of(outcome) == ("ValueError", "half \ud800")
    assert "ValueError: half \\ud800" in outcome.log


@pytest.mark.parametrize("what", ["close stdout", "no stdout"])
def test_a_handler_that_takes_its_log_away(tmp_path, what):
    with LambdaHost([make_function(tmp_path / "f")]) as host:
        assert invoke(host, what).kind is OutcomeKind.RETURNED
        assert invoke(host).kind is OutcomeKind.RETURNED
        assert error_of(invoke(host, "raise"))[0] == "LookupError"


def test_too_much_memory(host):
    outcome = invoke(host, "memory", function="Small", mb=200)
    assert outcome.kind is OutcomeKind.OUT_OF_MEMORY
    kind, message = error_of(outcome)
    assert kind == "Runtime.OutOfMemory"
    assert "memory limit of 80 MB exceeded" in message
    expect_fresh(host, "Small")


def test_what_it_prints_is_its_log_and_never_its_answer(host):
    outcome = invoke(host, "print")
    assert json.loads(outcome.body)["event"] == {"what": "print"}
    assert "to stdout\nto stderr\n\ufffd\x00 raw\n" in outcome.log
    assert f"{outcome.request_id}\tlogged\n" in outcome.log
    assert invoke(host).log == "", "the next invocation's log is its own"


def test_the_invoker_gets_each_line_of_its_own_invocation(host):
    lines = []
    with lines_to(lines.append):
        outcome = invoke(host, "print")
    assert lines == outcome.log.splitlines()
    invoke(host, "print")
    assert lines == outcome.log.splitlines(), "others are not its own"


def test_a_flood_of_output_blocks_nobody(host):
    outcome = invoke(host, "flood")
    assert outcome.kind is OutcomeKind.RETURNED
    assert len(outcome.log) < 1_100_000
    assert "bytes of log dropped" in outcome.log


def test_a_fork_that_comes_back_answers_nothing(host):
    outcome = invoke(host, "fork")
    assert json.loads(outcome.body)["event"] == {"what": "fork"}
    assert json.loads(invoke(host).body)["pid"] == json.loads(outcome.body)["pid"]


def test_children_that_outlive_the_handler_are_killed_with_it(tmp_path):
    with LambdaHost([make_function(tmp_path / "f")]) as host:
        pids = json.loads(invoke(host, "leave children").body)["pids"]
        assert all(map(alive, pids))
        invoke(host, "os._exit", code=1)
        assert not any(map(alive, pids))
        pids = json.loads(invoke(host, "leave children").body)["pids"]
    assert not any(map(alive, pids))


@pytest.mark.parametrize(
    ("source", "handler", "kind", "says"),
    [
        (
            "import nowhere_to_be_found",
            "handlers.main.handler",
            "Runtime.ImportModuleError",
            "No module named 'nowhere_to_be_found'",
        ),
        ("", "handlers.absent.handler", "Runtime.ImportModuleError", "No module named 'handlers.absent'"),
        ("def handler(:\n", "handlers.main.handler", "Runtime.UserCodeSyntaxError", "invalid syntax"),
        ("", "handlers.main.handler", "Runtime.HandlerNotFound", "'handler' missing on module 'handlers.main'"),
        ("", "handler", "Runtime.MalformedHandlerName", "Bad handler 'handler'"),
        ("1 / 0", "handlers.main.handler", "ZeroDivisionError", "division by zero"),
    ],
)
def test_a_handler_that_does_not_load(tmp_path, source, handler, kind, says):
    with LambdaHost([make_function(tmp_path / "f", source=source, handler=handler)]) as host:
        for _ in range(2):  # a fresh process each time: the mistake may be mended meanwhile
            outcome = invoke(host)
            assert outcome.kind is OutcomeKind.INIT_ERROR
            assert error_of(outcome)[0] == kind
            assert says in error_of(outcome)[1]


def test_a_module_that_exits_while_it_is_loaded(tmp_path):
    with LambdaHost([make_function(tmp_path / "f", source="import os; os._exit(5)")]) as host:
        outcome = invoke(host)
    assert outcome.kind is OutcomeKind.EXITED
    assert "exit status 5" in error_of(outcome)[1]


def test_changed_sources_are_loaded_anew(tmp_path):
    with LambdaHost([make_function(tmp_path / "f", source="def handler(event, context): return 1")]) as host:
        assert invoke(host).body == b"1"
        (tmp_path / "f" / "handlers" / "main.py").write_text("def handler(event, context): return 22", encoding="utf-8")
        time.sleep(0.3)
        assert invoke(host).body == b"22"


def test_nothing_is_written_into_the_sources(tmp_path):
    with LambdaHost([make_function(tmp_path / "f")]) as host:
        invoke(host)
    assert sorted(each.name for each in (tmp_path / "f").rglob("*")) == ["__init__.py", "handlers", "main.py"]


def test_a_frozen_process_stands_still_between_invocations(tmp_path):
    with LambdaHost([make_function(tmp_path / "f")]) as host:
        invoke(host, "tick")
        time.sleep(0.4)
        assert json.loads(invoke(host, "ticks").body)["ticks"] < 15


def test_without_freezing_it_goes_on(tmp_path):
    with LambdaHost([make_function(tmp_path / "f")], settings=HostSettings(freeze=False)) as host:
        invoke(host, "tick")
        time.sleep(0.4)
        assert json.loads(invoke(host, "ticks").body)["ticks"] > 15


def test_stopping_the_host_ends_what_runs(tmp_path):
    import threading

    host = LambdaHost([make_function(tmp_path / "f")])
    invoke(host)
    ends = []
    thread = threading.Thread(target=lambda: ends.append(invoke(host, "sleep", seconds=60)))
    thread.start()
    time.sleep(0.2)
    host.close()
    thread.join(5)
    assert ends[0].kind is OutcomeKind.STOPPED
