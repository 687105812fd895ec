"""`.cfn_metadata.json`: which tool made the package.

The service reads the versions to know how the package is laid out, so they are those of the incumbent whose layout
this is; our own stands beside them.
"""

import json

from formwork import __version__

_CLI_LAYOUT = "0.2.41"
_PYTHON_LAYOUT = "2.1.10"


def render_metadata() -> str:
    """The text of `.cfn_metadata.json` of a Python project."""
    return json.dumps(
        {
            "plugin-tool-version": _PYTHON_LAYOUT,
            "plugin-name": "python",
            "cli-version": _CLI_LAYOUT,
            "formwork-version": __version__,
        }
    )
