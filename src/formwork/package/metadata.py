"""`.cfn_metadata.json`: which tool made the package.

The service reads the versions to know how the package is laid out, so they are those of the incumbent whose layout
this is; our own stands beside them.
"""

import json
from collections.abc import Mapping

from formwork import __version__

_CLI_LAYOUT = "0.2.41"


def render_metadata(of_language: Mapping[str, str]) -> str:
    """Return the text of `.cfn_metadata.json`; `of_language` is what the language's plugin writes into it."""
    return json.dumps({**of_language, "cli-version": _CLI_LAYOUT, "formwork-version": __version__})
