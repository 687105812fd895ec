"""Ctrl-C as one KeyboardInterrupt, a request to end as an orderly exit, but neither in the middle of an import.

Some extension modules cannot bear it there: jsonschema-rs panics, and says so in Rust's words. Such a signal is told
again a moment later, when the import is over. SIGTERM would end Python at once, and leave unfinished files behind.
"""

import signal
from types import FrameType

_AGAIN_SECONDS = 0.02


def install_handler() -> None:
    """Take over Ctrl-C and SIGTERM from Python's own handling, and from nobody else; not off the main thread."""
    try:
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, _interrupt)
        if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
            signal.signal(signal.SIGTERM, _interrupt)
    except ValueError:  # not the main thread: signals are not ours to handle
        return


def _interrupt(number: int, frame: FrameType | None) -> None:
    if not _is_importing(frame):
        raise KeyboardInterrupt if number == signal.SIGINT else SystemExit(128 + number)
    from threading import Timer

    later = Timer(_AGAIN_SECONDS, _tell_again, [number])
    later.daemon = True
    later.start()


def _tell_again(number: int) -> None:
    from threading import main_thread

    if hasattr(signal, "pthread_kill"):  # to the main thread itself, so that what it waits for ends
        signal.pthread_kill(main_thread().ident or 0, number)
    else:
        signal.raise_signal(number)


def _is_importing(frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False
