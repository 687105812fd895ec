"""A project folder as a local Lambda service: the functions of its template, each run as its runtime needs.

`formwork.languages` makes the functions.
"""

from formwork.invoke.project_host.aws_endpoints import AwsEndpoints, local_aws_environment
from formwork.invoke.project_host.host import open_project_host, project_functions
from formwork.invoke.project_host.settings import CoverageSettings, ProjectHostSettings

__all__ = [
    "AwsEndpoints",
    "CoverageSettings",
    "ProjectHostSettings",
    "local_aws_environment",
    "open_project_host",
    "project_functions",
]
