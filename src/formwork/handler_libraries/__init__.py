"""The toolkit's own handler library for Python, whatever is installed under the library's import name.

AWS's library has the same import name, and pip installs one over the other without a word. So nothing in the toolkit
imports that name or looks it up: the files are found by their place, beside the toolkit's own.
"""

from pathlib import Path

from formwork.diagnostics import EnvironmentProblemError

LIBRARY_MODULE = "cloudformation_cli_python_lib"
# In an installation the sources are inside the package (pyproject.toml), in a checkout in their own folder.
_PLACES = (
    Path(__file__).parent / "python",
    Path(__file__).parents[3] / "runtime" / "python" / "src",
)


def python_library_folder() -> Path:
    """Return the folder that contains the package `cloudformation_cli_python_lib` of ours.

    Raises:
        EnvironmentProblemError: this installation lacks it.
    """
    found = next((place for place in _PLACES if (place / LIBRARY_MODULE / "model.py").is_file()), None)
    if found is None:
        raise EnvironmentProblemError("the Python handler library is missing", hint="install formwork-cfn again")
    return found
