"""Functions for tests of the local Lambda service: a handler module that misbehaves on request."""

import sys
from pathlib import Path

from formwork.lambda_host.function import LambdaFunction
from formwork.languages.python.launch import python_launch

INTERPRETER = Path(getattr(sys, "_base_executable", sys.executable))

HANDLER = """
import json, logging, os, signal, subprocess, sys, threading, time

calls = 0

def handler(event, context):
    global calls
    calls += 1
    what = event.get("what")
    if what == "os._exit": os._exit(event["code"])
    if what == "sys.exit": sys.exit(event["code"])
    if what == "exit": exit(event["code"])
    if what == "segfault": os.kill(os.getpid(), signal.SIGSEGV)
    if what == "sleep": time.sleep(event["seconds"])
    if what == "big": return "x" * event["bytes"]
    if what == "set": return {1, 2}
    if what == "nan": return float("nan")
    if what == "raise": raise LookupError("no such thing")
    if what == "interrupt": raise KeyboardInterrupt
    if what == "unprintable":
        class Unprintable(Exception):
            def __str__(self): raise RuntimeError("no")
        raise Unprintable
    if what == "surrogate": raise ValueError("half \\ud800")
    if what == "close stdout": sys.stdout.close()
    if what == "no stdout": sys.stdout = sys.stderr = None
    if what == "print":
        print("to stdout")
        print("to stderr", file=sys.stderr)
        os.write(1, b"\\xff\\x00 raw\\n")
        logging.getLogger("mine").warning("logged")
    if what == "flood":
        for _ in range(40_000): os.write(1, b"x" * 100)
    if what == "lines":
        for _ in range(100): print("x" * 99)
    if what == "memory":
        kept = b"x" * (event["mb"] << 20)
        time.sleep(10)
    if what == "fork":
        if os.fork() == 0:
            return "from the child"
    if what == "leave children":
        own = subprocess.Popen(["sleep", "600"]).pid
        daemon = subprocess.Popen(["sleep", "600"], start_new_session=True).pid
        return {"pids": [os.getpid(), own, daemon]}
    if what == "tick":
        ticks = []
        threading.Thread(target=lambda: [(ticks.append(1), time.sleep(0.01)) for _ in range(1000)], daemon=True).start()
        global last
        last = ticks
    if what == "ticks": return {"ticks": len(last)}
    if what == "environment": return dict(os.environ)
    if what == "path": return {"path": sys.path, "argv": sys.argv}
    if what == "context":
        return {name: getattr(context, name) for name in event["names"]}
    if what == "non-daemon thread":
        threading.Thread(target=lambda: time.sleep(600)).start()
        sys.exit(0)
    return {"event": event, "pid": os.getpid(), "calls": calls, "left_ms": context.get_remaining_time_in_millis()}
"""


def make_function(root, *, name="TypeFunction", handler="handlers.main.handler", source=HANDLER, **settings):
    """A function whose handler stands in `root`, with a package around it."""
    package = root / "handlers"
    package.mkdir(parents=True, exist_ok=True)
    (package / "__init__.py").touch()
    (package / "main.py").write_text(source, encoding="utf-8")
    launch = settings.pop("launch", {})
    bytecode = root.parent / f"{root.name}-bytecode"
    return LambdaFunction(
        name,
        handler,
        "python3.11",
        root,
        lambda: python_launch(INTERPRETER, task_root=root, bytecode=bytecode, **launch),
        **{"timeout": 20.0, "memory_mb": 256, "sources": (root,), **settings},
    )


def alive(pid):
    """Whether a process still runs (a zombie does not)."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
