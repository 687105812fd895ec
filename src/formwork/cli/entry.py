"""Where the `cfn` script starts: so small that Ctrl-C is answered properly from the first millisecond.

The reasons are in docs/decisions/0205.
"""

# What `signal` wraps: built in, so that nothing is imported before Ctrl-C is taken over.
import _signal  # type: ignore[import-not-found]
import atexit
import gc
import os
import sys

# A command makes 100,000 objects while it starts, and a server 400,000, hardly any of them garbage: at Python's 700 the
# collector would look through them all again and again (8 and 50 ms).
OBJECTS_BETWEEN_COLLECTIONS = 500_000


def run() -> int:
    """Run `cfn` and end the process with its exit code; return the code where the interpreter's own end is needed."""
    gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS)
    code = _run()
    if not _is_watched() and _flush():
        os._exit(code)  # the memory ends with the process: an interpreter that ends looks at all of it once more (3 ms)
    gc.freeze()  # as above (10 ms)
    return code


def _is_watched() -> bool:
    """Whether the interpreter's own end is needed: by threads, functions of `atexit`, a profiler, a debugger, a caller.

    A caller such as a test runner is known by `threading`, which it has loaded.
    """
    monitoring = getattr(sys, "monitoring", None)  # from Python 3.12 on
    return bool(
        "threading" in sys.modules
        or atexit._ncallbacks()  # noqa: SLF001 - it can't be asked for in another way
        or sys.getprofile()
        or sys.gettrace()
        or sys.flags.inspect
        or (monitoring and any(map(monitoring.get_tool, range(6))))
    )


def _flush() -> bool:
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except (OSError, ValueError, AttributeError):  # gone, closed, never there: as Python takes it
        return False
    return True


def _run() -> int:
    told: list[int] = []
    ours = _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler
    try:
        if ours:  # amid an import an interrupt would leave it half done: it is remembered meanwhile
            _signal.signal(_signal.SIGINT, lambda number, _frame: told.append(number))
        from formwork.cli.main import main

        if ours:
            _signal.signal(_signal.SIGINT, _signal.default_int_handler)
        if not told:
            return main()
    except KeyboardInterrupt:  # before the first or during the last words
        pass
    sys.stderr.write("interrupted\n")
    return 130
