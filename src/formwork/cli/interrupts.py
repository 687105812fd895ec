"""Ctrl-C as one KeyboardInterrupt, a request to end as an orderly exit, but neither where it would do harm or get lost.

In the middle of an import some extension modules cannot bear it: jsonschema-rs panics, and says so in Rust's words. In
a finaliser, or called from Rust, Python prints it and continues. Such a signal is raised again a moment later. SIGTERM
would end Python at once, and leave unfinished files behind; so would SIGHUP (the terminal was closed) and SIGQUIT.

A handler runs between any two lines of the main thread, which may hold any lock: it takes none, so it uses no
`threading.Event`.
"""

# Here, not in the handler: an import there, in the middle of another, breaks Python's import locks. They are built in;
# `signal` and `threading`, which wrap them, take 1 ms of every command to import.
import _signal  # type: ignore[import-not-found]
import _thread
import sys
import time
from types import FrameType

_AGAIN_SECONDS = 0.02
_interrupted = False
_main_thread = 0  # its identifier
# What asks a process to end, besides Ctrl-C; Windows has the first alone.
ENDING = tuple(getattr(_signal, name) for name in ("SIGTERM", "SIGHUP", "SIGQUIT") if hasattr(_signal, name))


def was_interrupted() -> bool:
    """Return whether Ctrl-C was pressed: later errors are its consequence, not bugs."""
    return _interrupted


def install_handler() -> None:
    """Handle Ctrl-C and the other signals that ask a process to end; only in the main thread."""
    global _interrupted  # noqa: PLW0603 - signals are the whole process's
    _interrupted = False
    try:
        if _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler:
            _take_over(_signal.SIGINT)
            sys.unraisablehook = _hear_what_was_ignored
        for number in ENDING:
            if _signal.getsignal(number) == _signal.SIG_DFL:  # `nohup` has SIGHUP ignored
                _take_over(number)
    except ValueError:  # not the main thread: signals are not ours to handle
        return


def _take_over(number: int) -> None:
    global _main_thread  # noqa: PLW0603 - as above
    _signal.signal(number, _interrupt)
    _main_thread = _thread.get_ident()  # no other thread gets here


def _interrupt(number: int, frame: FrameType | None) -> None:
    global _interrupted  # noqa: PLW0603 - as above
    if number == _signal.SIGINT:
        _interrupted = True
    if not _is_importing(frame):
        raise KeyboardInterrupt if number == _signal.SIGINT else SystemExit(128 + number)
    _tell_later(number)


def _hear_what_was_ignored(unraisable: "sys.UnraisableHookArgs") -> None:
    """Raise an interrupt again that could not be raised where it arrived; used in place of Python's printing."""
    if _interrupted and issubclass(unraisable.exc_type, KeyboardInterrupt):
        _tell_later(_signal.SIGINT)
    else:
        sys.__unraisablehook__(unraisable)


def _tell_later(number: int) -> None:
    _thread.start_new_thread(_tell_again, (number,))  # `threading` takes locks to start one


def _tell_again(number: int) -> None:
    time.sleep(_AGAIN_SECONDS)
    if hasattr(_signal, "pthread_kill"):  # to the main thread itself, so that what it waits for ends
        _signal.pthread_kill(_main_thread, number)
    else:
        _signal.raise_signal(number)


def _is_importing(frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False
