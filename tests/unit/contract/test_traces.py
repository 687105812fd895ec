"""Exceptions in handlers' logs: found in every language's layout, placed in the author's own code."""

import pytest

from formwork.contract_results.traces import find_trace

PYTHON = """[ERROR]\t2026-01-01T00:00:00Z\tid\tThe handler failed:
Traceback (most recent call last):
  File "/x/cloudformation_cli_python_lib/invocation.py", line 62, in answer
    event = prepared.call()
            ^^^^^^^^^^^^^^^
  File "/p/src/acme/handlers.py", line 7, in create_handler
    make(request)
  File "/p/.venv/lib/python3.11/site-packages/boto3/x.py", line 3, in call
    raise KeyError("zone")
KeyError: 'zone'
[INFO] something later
"""
CHAINED = """Traceback (most recent call last):
  File "/p/src/a.py", line 1, in one
    one()
ValueError: first

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "/p/src/a.py", line 9, in two
    two()
RuntimeError: second
"""
NODE = """ERROR The handler failed:
TypeError: Cannot read properties of undefined (reading 'x')
    at create (/p/src/handlers.ts:12:5)
    at process.processTicksAndRejections (node:internal/process/task_queues:95:5)
"""
JAVA = """java.lang.RuntimeException: outer
\tat software.amazon.cloudformation.Wrapper.run(Wrapper.java:10)
Caused by: java.lang.IllegalStateException: no zone
\tat java.util.Objects.check(Objects.java:4)
\tat com.acme.CreateHandler.handleRequest(CreateHandler.java:21)
\tat software.amazon.cloudformation.Wrapper.run(Wrapper.java:9)
\t... 3 more
"""
GO = """2026/01/01 The handler panicked: assignment to entry in nil map
goroutine 1 [running]:
runtime/debug.Stack()
\t/usr/local/go/src/runtime/debug/stack.go:24 +0x5e
main.Create(...)
\t/p/cmd/resource/resource.go:33 +0x12
"""


@pytest.mark.parametrize(
    ("log", "error", "place"),
    [
        (PYTHON, "KeyError: 'zone'", "src/acme/handlers.py:7 in create_handler"),
        (CHAINED, "RuntimeError: second", "src/a.py:9 in two"),
        (NODE, "TypeError: Cannot read properties of undefined (reading 'x')", "src/handlers.ts:12 in create"),
        (
            JAVA,
            "java.lang.IllegalStateException: no zone",
            "CreateHandler.java:21 in com.acme.CreateHandler.handleRequest",
        ),
        (GO, "panic: assignment to entry in nil map", "cmd/resource/resource.go:33"),
    ],
)
def test_the_error_and_the_authors_innermost_line_are_found(log, error, place):
    found = find_trace(log)
    assert (found.error, found.frame.render("/p")) == (error, place)


def test_who_called_the_handler_is_left_out_and_a_chain_is_kept():
    assert find_trace(PYTHON).lines[1] == '  File "/p/src/acme/handlers.py", line 7, in create_handler'
    assert find_trace(PYTHON).lines[-1] == "KeyError: 'zone'"
    assert "ValueError: first" in find_trace(CHAINED).lines


def test_very_long_traces_are_cut_in_the_middle():
    deep = "".join(f'  File "/p/a.py", line {n}, in f\n    f()\n' for n in range(500))
    lines = find_trace(f"Traceback (most recent call last):\n{deep}RecursionError: too deep\n").lines
    assert len(lines) < 30
    assert lines[-1] == "RecursionError: too deep"


@pytest.mark.parametrize("log", ["", "all is well\n", "look at this", "Traceback (most recent call last):"])
def test_ordinary_logs_have_none_or_an_empty_one(log):
    found = find_trace(log)
    assert found is None or found.error == ""
