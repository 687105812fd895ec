"""The bounded end of a server or a worker: what can't be stopped is killed, and resumed at the next start."""

import os
import threading

from formwork.command_context.output import CommandOutput

END_SECONDS = 10.0


def end_within(seconds: float, output: CommandOutput) -> None:
    """End this process after at most `seconds`, even if threads still run.

    Handler processes end with it (`lambda_host.reaper`). Everything begun is in the database: the next start
    resumes it, with the same client request tokens.
    """
    timer = threading.Timer(seconds, _end, [seconds, output])
    timer.daemon = True
    timer.start()


def _end(seconds: float, output: CommandOutput) -> None:
    output.say(f"not everything stopped within {seconds:g} s: it is killed, and resumed at the next start")
    output.err.flush()
    os._exit(0)
