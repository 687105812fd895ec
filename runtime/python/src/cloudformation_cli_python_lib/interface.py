"""The vocabularies of the handler protocol; the only definition of them in the project.

Source: user guide (seed 002), "Handler error codes" and "ProgressEvent object schema"; wire truth as the CloudFormation
CLI's own runtimes have it. Members are strings equal to their names, so that they serialise as themselves.
"""

from enum import Enum


class Action(str, Enum):
    """What a resource handler is asked to do."""

    CREATE = "CREATE"
    READ = "READ"
    UPDATE = "UPDATE"
    DELETE = "DELETE"
    LIST = "LIST"
