"""The Node loop: handlers of every form, what goes wrong in them, and what Lambda's runtime says about it."""

import json
import os

import pytest

from formwork.lambda_host.function import LambdaFunction
from formwork.lambda_host.host import LambdaHost
from formwork.lambda_host.outcome import OutcomeKind
from formwork.lambda_host.pool import HostSettings
from formwork.languages.typescript.launch import node_launch
from formwork.toolchain.node import find_node
from support.toolchains import needs_node

pytestmark = needs_node

HANDLERS = """
let calls = 0;
const behaviours = {
  echo: (event, context) => ({
    event,
    calls,
    id: context.awsRequestId,
    left: context.getRemainingTimeInMillis(),
    name: context.functionName,
    root: process.env.LAMBDA_TASK_ROOT,
    home: process.env.HOME,
  }),
  throw: () => { throw new RangeError('no such thing'); },
  reject: () => Promise.reject('just a text'),
  nothing: () => undefined,
  circular: () => { const made = {}; made.self = made; return made; },
  log: () => { console.log('to\\nthe %s', 'log'); console.error('an error'); process.stdout.write('raw\\n'); return 1; },
  exit: () => process.exit(7),
  unhandled: () => { Promise.reject(new Error('nobody waits')); return new Promise((done) => setTimeout(done, 5000)); },
  uncaught: () => { setTimeout(() => { throw new Error('later'); }, 1); return new Promise((done) => setTimeout(done, 5000)); },
  sleep: () => new Promise((done) => setTimeout(done, 5000)),
  big: () => 'x'.repeat(3_000_000),
  memory: () => { const kept = []; for (;;) kept.push(Buffer.alloc(1 << 20, 1)); },
};
exports.handler = async (event, context) => {
  calls += 1;
  return behaviours[event?.what ?? 'echo'](event, context);
};
exports.called = (event, context, callback) => setTimeout(() => callback(null, { by: 'callback' }), 1);
exports.failing = (event, context, callback) => callback(new TypeError('told back'));
exports.silent = () => {};
exports.nested = { deep: { handler: async () => 'deep' } };
exports.text = 'no function';
"""
FILES = {
    "dist/handlers.js": HANDLERS,
    "module.mjs": "import { ok } from 'node:assert';\nexport const handler = async () => ({ esm: typeof ok });\n",
    "broken.js": "exports.handler = async () => {",
    "missing.js": "require('left-pad');",
    "throwing.js": "throw new Error('at load');",
}


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """`run(handler, event)`: the outcome of one invocation; processes are kept between calls."""
    root = tmp_path_factory.mktemp("functions")
    for name, text in FILES.items():
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    launch = node_launch(find_node(os.environ).executable, task_root=root)
    names = [
        *(
            f"dist/handlers.{each}"
            for each in ("handler", "called", "failing", "silent", "nested.deep.handler", "text", "none")
        ),
        *("module.handler", "broken.handler", "missing.handler", "throwing.handler", "absent.handler", "malformed"),
    ]
    functions = [
        LambdaFunction(each, each, "nodejs22.x", root, lambda: launch, timeout=20.0, memory_mb=256) for each in names
    ]
    functions.append(LambdaFunction("short", names[0], "nodejs22.x", root, lambda: launch, timeout=0.5))
    lines = []
    with LambdaHost(functions, settings=HostSettings(log=lambda _name, _id, line: lines.append(line))) as host:

        def invoke(handler="dist/handlers.handler", event=None, **more):
            lines.clear()
            outcome = host.invoke(handler, json.dumps(event if event is not None else more).encode())
            return outcome, json.loads(outcome.body), list(lines)

        invoke.root = root
        yield invoke


def test_a_process_is_kept_and_knows_what_lambda_tells(run):
    first = run(a=[1, "ü", None])[1]
    second = run()[1]
    assert first["event"] == {"a": [1, "ü", None]}
    assert second["calls"] == first["calls"] + 1
    assert first["id"] != second["id"]
    assert 0 < first["left"] <= 20_000
    assert first["name"] == "dist/handlers.handler"
    assert first["root"] == str(run.root)
    assert "home" not in first, "nothing of the user's environment"


@pytest.mark.parametrize(
    ("handler", "answer"),
    [
        ("dist/handlers.called", {"by": "callback"}),
        ("dist/handlers.nested.deep.handler", "deep"),
        ("dist/handlers.silent", None),
        ("module.handler", {"esm": "function"}),
    ],
)
def test_forms_of_handlers(run, handler, answer):
    assert run(handler)[1] == answer


def test_what_a_handler_raises_is_told_as_lambda_does(run):
    outcome, body, lines = run(what="throw")
    assert outcome.kind is OutcomeKind.HANDLER_ERROR
    assert (body["errorType"], body["errorMessage"]) == ("RangeError", "no such thing")
    assert body["trace"][0] == "RangeError: no such thing"
    assert any("handlers.js" in each for each in body["trace"])
    assert "\tERROR\tInvoke Error\t" in lines[0]
    _, body, _ = run(what="reject")
    assert (body["errorType"], body["errorMessage"], body["trace"]) == ("string", "just a text", [])
    _, body, _ = run("dist/handlers.failing")
    assert body["errorType"] == "TypeError"
    assert run(what="echo")[0].init_seconds is None, "the process goes on"


def test_answers_of_every_form(run):
    assert run(what="nothing")[1] is None
    assert len(run(what="big")[1]) == 3_000_000
    _, body, _ = run(what="circular")
    assert body["errorType"] == "TypeError"
    assert len(run(event={"text": "y" * 3_000_000})[1]["event"]["text"]) == 3_000_000


def test_lines_of_the_log(run):
    outcome, _, lines = run(what="log")
    first = lines[0].split("\t")
    assert first[1:] == [outcome.request_id, "INFO", "to\rthe log"]
    assert lines[1].split("\t")[2:] == ["ERROR", "an error"]
    assert lines[2] == "raw"


@pytest.mark.parametrize(
    ("handler", "kind", "says"),
    [
        ("broken.handler", "Runtime.UserCodeSyntaxError", "SyntaxError"),
        ("missing.handler", "Runtime.ImportModuleError", "left-pad"),
        ("absent.handler", "Runtime.ImportModuleError", "'absent'"),
        ("throwing.handler", "Error", "at load"),
        ("dist/handlers.none", "Runtime.HandlerNotFound", "dist/handlers.none"),
        ("dist/handlers.text", "Runtime.HandlerNotFound", "not a function"),
        ("malformed", "Runtime.MalformedHandlerName", "malformed"),
    ],
)
def test_handlers_that_cannot_be_loaded(run, handler, kind, says):
    outcome, body, _ = run(handler)
    assert outcome.function_error == "Unhandled"
    assert body["errorType"] == kind
    assert says in body["errorMessage"]


@pytest.mark.parametrize(
    ("what", "kind", "says"),
    [
        ("unhandled", "Runtime.UnhandledPromiseRejection", "nobody waits"),
        ("uncaught", "Error", "later"),
        ("exit", "Runtime.ExitError", "exit status 7"),
    ],
)
def test_what_ends_a_process(run, what, kind, says):
    outcome, body, _ = run(what=what)
    assert outcome.function_error == "Unhandled"
    assert body["errorType"] == kind
    assert says in body["errorMessage"]
    assert run()[1]["calls"] == 1, "the next one has a process of its own"


def test_time_and_memory_are_limited(run):
    outcome, body, _ = run("short", what="sleep")
    assert "timed out after 0.50 seconds" in body["errorMessage"]
    outcome, _, _ = run(what="memory")
    assert outcome.function_error == "Unhandled"
