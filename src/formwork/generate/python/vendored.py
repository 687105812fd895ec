"""`formwork_models/`: the part of our handler library that models need, for projects that keep AWS's library."""

import re
from importlib.util import find_spec
from pathlib import Path

from formwork.diagnostics import EnvironmentProblemError
from formwork.generate.plan import PlannedFile, managed

_LIBRARY = "cloudformation_cli_python_lib"
_START = "model"
_IMPORT = re.compile(r"^\s*from \.(\w+) import", re.MULTILINE)
_MARK = "# Copied by `cfn generate` from Formwork's handler library; changes are lost."

# The library's modules import its exceptions from beside them; here those are AWS's own.
_OTHERS = {
    "__init__.py": f'{_MARK}\n"""What models need to be read and written."""\n',
    "exceptions.py": f'{_MARK}\nfrom {_LIBRARY}.exceptions import InvalidRequest\n\n__all__ = ["InvalidRequest"]\n',
}


def plan_vendored() -> dict[str, PlannedFile]:
    """The files of the folder, relative to the handlers' package.

    Raises:
        EnvironmentProblemError: the library in this environment is not ours.
    """
    folder = _folder()
    texts = dict(_OTHERS)
    waiting = [_START]
    while waiting:
        name = f"{waiting.pop()}.py"
        if name not in texts:
            source = (folder / name).read_text(encoding="utf-8")
            texts[name] = f"{_MARK}\n{source}"
            waiting += _IMPORT.findall(source)
    return {f"formwork_models/{name}": managed(text) for name, text in texts.items()}


def _folder() -> Path:
    spec = find_spec(_LIBRARY)
    for place in (spec and spec.submodule_search_locations) or ():
        if (Path(place) / f"{_START}.py").is_file():
            return Path(place)
    raise EnvironmentProblemError(
        f"{_LIBRARY} in this environment is not Formwork's",
        hint="install formwork-cfn-runtime again, and AWS's library in an environment of its own",
    )
