"""A project folder as a local Lambda service: the functions of its template, each run as its runtime needs.

`formwork.languages` makes the functions.
"""

from formwork.invoke.project_host.host import open_project_host, project_functions
from formwork.invoke.project_host.settings import CoverageSettings, ProjectHostSettings

__all__ = [
    "CoverageSettings",
    "ProjectHostSettings",
    "open_project_host",
    "project_functions",
]
