"""Every diagnostic that the toolkit makes while a test runs must have its code in the catalogue."""

import functools
import re
import sys
from pathlib import Path

import formwork
from formwork.diagnostics.catalogue import describe_code
from formwork.diagnostics.diagnostic import Diagnostic

SOURCE = str(Path(formwork.__file__).parent)
DIAGNOSTICS = str(Path(formwork.__file__).parent / "diagnostics")
SMITHY_EVENT = re.compile(r"smithy\.[A-Z]")


class _Known(Diagnostic, frozen=True):
    """A diagnostic whose code is in the catalogue, unless a test makes it."""

    def __post_init__(self):
        if not is_known(self.code) and _made_by_the_toolkit(sys._getframe(1)):
            raise AssertionError(f'src/formwork/diagnostics/codes.toml lacks the code "{self.code}"')


def check_every_diagnostic():
    """Let making a diagnostic with an unknown code fail; to call before other modules of the toolkit are imported."""
    _Known.__module__, _Known.__qualname__, _Known.__name__ = Diagnostic.__module__, "Diagnostic", "Diagnostic"
    for name, module in list(sys.modules.items()):
        if name.startswith("formwork.") and getattr(module, "Diagnostic", None) is Diagnostic:
            module.Diagnostic = _Known


@functools.cache
def is_known(code):
    """Whether `code` is in the catalogue, or a validation event's."""
    return bool(SMITHY_EVENT.match(code)) or describe_code(code) is not None


def _made_by_the_toolkit(frame):
    while frame is not None and frame.f_code.co_filename.startswith((DIAGNOSTICS, "<string>")):
        frame = frame.f_back
    return frame is not None and frame.f_code.co_filename.startswith(SOURCE)
