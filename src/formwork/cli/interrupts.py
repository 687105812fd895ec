"""Ctrl-C as one KeyboardInterrupt, a request to end as an orderly exit, but neither where it would do harm or get lost.

In the middle of an import some extension modules cannot bear it: jsonschema-rs panics, and says so in Rust's words. In
a finaliser, or called from Rust, Python prints it and continues. Such a signal is raised again a moment later. SIGTERM
would end Python at once, and leave unfinished files behind; so would SIGHUP (the terminal was closed) and SIGQUIT.
"""

import signal
import sys
import threading  # here, not in the handler: an import there, in the middle of another, breaks Python's import locks
from types import FrameType

_AGAIN_SECONDS = 0.02
_interrupted = threading.Event()
# What asks a process to end, besides Ctrl-C; Windows has the first alone.
ENDING = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP", "SIGQUIT") if hasattr(signal, name))


def was_interrupted() -> bool:
    """Return whether Ctrl-C was pressed: later errors are its consequence, not bugs."""
    return _interrupted.is_set()


def install_handler() -> None:
    """Handle Ctrl-C and the other signals that ask a process to end; only in the main thread."""
    _interrupted.clear()
    try:
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, _interrupt)
            sys.unraisablehook = _hear_what_was_ignored
        for number in ENDING:
            if signal.getsignal(number) is signal.SIG_DFL:  # `nohup` has SIGHUP ignored
                signal.signal(number, _interrupt)
    except ValueError:  # not the main thread: signals are not ours to handle
        return


def _interrupt(number: int, frame: FrameType | None) -> None:
    if number == signal.SIGINT:
        _interrupted.set()
    if not _is_importing(frame):
        raise KeyboardInterrupt if number == signal.SIGINT else SystemExit(128 + number)
    _tell_later(number)


def _hear_what_was_ignored(unraisable: "sys.UnraisableHookArgs") -> None:
    """Raise an interrupt again that could not be raised where it arrived; used in place of Python's printing."""
    if _interrupted.is_set() and issubclass(unraisable.exc_type, KeyboardInterrupt):
        _tell_later(signal.SIGINT)
    else:
        sys.__unraisablehook__(unraisable)


def _tell_later(number: int) -> None:
    later = threading.Timer(_AGAIN_SECONDS, _tell_again, [number])
    later.daemon = True
    later.start()


def _tell_again(number: int) -> None:
    if hasattr(signal, "pthread_kill"):  # to the main thread itself, so that what it waits for ends
        signal.pthread_kill(threading.main_thread().ident or 0, number)
    else:
        signal.raise_signal(number)


def _is_importing(frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False
