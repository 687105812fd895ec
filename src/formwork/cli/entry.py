"""Where the `cfn` script starts: so small that Ctrl-C is answered properly from the first millisecond."""

import sys


def run() -> int:
    """Run `cfn` and return its exit code."""
    try:
        from formwork.cli.main import main

        return main()
    except KeyboardInterrupt:  # while the imports went on, or during the last words
        sys.stderr.write("interrupted\n")
        return 130
