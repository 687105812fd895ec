"""Where the `cfn` script starts: so small that Ctrl-C is answered properly from the first millisecond."""

# What `signal` wraps: built in, so that nothing is imported before Ctrl-C is taken over.
import _signal  # type: ignore[import-not-found]
import sys


def run() -> int:
    """Run `cfn` and return its exit code."""
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
