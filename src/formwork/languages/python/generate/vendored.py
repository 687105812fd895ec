"""`formwork_models/`: copies of the handler library's modules that models need when AWS's library is installed.

If the toolkit's handler library is installed, models import its modules; with AWS's, as in an environment from
requirements.txt, the copies. So a project works with either (docs/decisions/0003).
"""

import re

from formwork.generate.plan import PlannedFile, managed
from formwork.handler_libraries import LIBRARY_MODULE, python_library_folder

FOLDER = "formwork_models"
_START = "model"
_IMPORT = re.compile(r"^\s*from \.(\w+) import", re.MULTILINE)
_MARK = "# Copied by `cfn generate` from Formwork's handler library; changes are lost."

_CHOICE = f'''{_MARK}
"""The support code of the models: Formwork's handler library if it is installed, else the copies in this folder."""

from typing import TYPE_CHECKING

__all__ = ["BaseModel", "shapes"]

if TYPE_CHECKING:
    from {LIBRARY_MODULE} import shapes
    from {LIBRARY_MODULE}.model import BaseModel
else:
    try:
        from {LIBRARY_MODULE} import shapes
        from {LIBRARY_MODULE}.model import BaseModel
    except ImportError:
        from . import shapes
        from .model import BaseModel
'''

# The copied modules import exceptions from this folder; they are AWS's own.
_EXCEPTIONS = f'{_MARK}\nfrom {LIBRARY_MODULE}.exceptions import InvalidRequest\n\n__all__ = ["InvalidRequest"]\n'


def plan_vendored() -> dict[str, PlannedFile]:
    """Return the files of the folder, relative to the handlers' package.

    Raises:
        EnvironmentProblemError: this installation lacks the handler library.
    """
    folder = python_library_folder() / LIBRARY_MODULE
    texts = {"__init__.py": _CHOICE, "exceptions.py": _EXCEPTIONS}
    waiting = [_START]
    while waiting:
        name = f"{waiting.pop()}.py"
        if name not in texts:
            source = (folder / name).read_text(encoding="utf-8")
            texts[name] = f"{_MARK}\n{source}"
            waiting += _IMPORT.findall(source)
    return {f"{FOLDER}/{name}": managed(text) for name, text in texts.items()}
