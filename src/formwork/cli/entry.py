"""Where the `cfn` script starts: so small that Ctrl-C is answered properly from the first millisecond.

The reasons are in docs/decisions/0205.
"""

# What `signal` wraps: built in, so that nothing is imported before Ctrl-C is taken over.
import _signal  # type: ignore[import-not-found]
import gc
import sys

# A command makes 100,000 objects while it starts, and a server 400,000, hardly any of them garbage: at Python's 700 the
# collector would look through them all again and again (8 and 50 ms).
OBJECTS_BETWEEN_COLLECTIONS = 500_000


def run() -> int:
    """Run `cfn` and return its exit code."""
    gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS)
    code = _run()
    gc.freeze()  # the process ends, and its memory with it: nothing to look through once more (10 ms)
    return code


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
