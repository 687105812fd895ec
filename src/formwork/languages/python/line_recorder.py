"""Records which lines of a project's Python files run, in the handler process; the bootstrap loads it on request.

Each process appends to a file of its own, one line per fact at once, since handler processes are killed
or frozen at any time:

    L NUMBER,NUMBER,… PATH   the lines with code of a file that was loaded
    R NUMBER PATH            a line that ran for the first time

Python 3.9 to 3.14, standard library only. From 3.12 on sys.monitoring reports each line once and costs nothing
afterwards; before, a trace function follows the functions of the recorded files until all of their lines ran.

The reasons are in docs/decisions/0512.
"""

from __future__ import annotations

import contextlib
import os
import sys
import threading

TYPE_CHECKING = False  # typing would slow down the start
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from types import CodeType, FrameType
    from typing import Any

_TOOL = 4  # one of sys.monitoring's six ids, which no debugger, coverage tool or profiler uses


class LineRecorder:
    """Records the lines of files that run, from the loading of each file on."""

    def __init__(self, folder: str, files: Sequence[str]) -> None:
        """Write to a file in `folder`; `files` are absolute paths, as in code objects."""
        self._files = frozenset(files)
        self._seen: set[tuple[str, int]] = set()
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND
        self._out = os.open(os.path.join(folder, f"{os.getpid()}.lines"), flags, 0o600)
        self._watch = watch_by_monitoring(self._ran) if sys.version_info >= (3, 12) else watch_by_tracing(self._ran)

    def loaded(self, module: CodeType) -> None:
        """Start to record a loaded module if its file is one of the recorded ones."""
        path = module.co_filename
        if path not in self._files:
            return
        codes = list(all_codes(module))
        lines = sorted({line for code in codes for line in code_lines(code)})
        self._write(f"L {','.join(map(str, lines))} {path}\n")
        for code in codes:
            self._watch(code)

    def _ran(self, path: str, line: int) -> None:
        if (path, line) not in self._seen:
            self._seen.add((path, line))
            self._write(f"R {line} {path}\n")

    def _write(self, text: str) -> None:
        # the handler has closed a file that is not its own; only its coverage is lost
        with contextlib.suppress(OSError):
            os.write(self._out, text.encode("utf-8", "surrogateescape"))


def watch_by_monitoring(ran: Callable[[str, int], None]) -> Callable[[CodeType], None]:
    """Return a function that makes sys.monitoring report the lines of a code object, each once."""
    monitoring: Any = sys.monitoring  # type: ignore[attr-defined,unused-ignore] # from Python 3.12 on
    monitoring.use_tool_id(_TOOL, "formwork")
    disable, event = monitoring.DISABLE, monitoring.events.LINE

    def on_line(code: CodeType, line: int) -> Any:
        ran(code.co_filename, line)
        return disable

    monitoring.register_callback(_TOOL, event, on_line)
    return lambda code: monitoring.set_local_events(_TOOL, code, event)


def watch_by_tracing(ran: Callable[[str, int], None]) -> Callable[[CodeType], None]:
    """Return a function that makes a trace function report the lines of a code object, until each has run."""
    missing: dict[int, set[int]] = {}
    kept: list[CodeType] = []  # kept alive, so that no other code object gets their ids

    def on_call(frame: FrameType, _event: str, _argument: object) -> Any:
        return on_line if missing.get(id(frame.f_code)) else None

    def on_line(frame: FrameType, event: str, _argument: object) -> Any:
        if event == "line":
            left = missing[id(frame.f_code)]
            if frame.f_lineno in left:
                left.discard(frame.f_lineno)
                ran(frame.f_code.co_filename, frame.f_lineno)
        return on_line

    def watch(code: CodeType) -> None:
        lines = set(code_lines(code))
        if code.co_name != "<module>":
            lines.discard(code.co_firstlineno)  # reported where the function or class is defined
        missing[id(code)] = lines
        kept.append(code)

    threading.settrace(on_call)
    sys.settrace(on_call)
    return watch


def code_lines(code: CodeType) -> Iterator[int]:
    """Return the lines of a code object itself, without the functions and classes in it."""
    if hasattr(code, "co_lines"):  # from Python 3.10 on
        return (line for _, _, line in code.co_lines() if line)
    import dis  # noqa: PLC0415 - slow to import, and hardly ever needed

    return (line for _, line in dis.findlinestarts(code) if line)


def all_codes(code: CodeType) -> Iterator[CodeType]:
    """Return a code object and all nested ones."""
    found = [code]
    for each in found:  # the list grows during the loop
        found += [constant for constant in each.co_consts if isinstance(constant, type(code))]
    return iter(found)
