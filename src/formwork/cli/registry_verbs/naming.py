"""Which type a command means: its name or ARN, or the project in this folder."""

import argparse
import re
from pathlib import Path
from typing import Any

from formwork.aws.errors import aws_errors
from formwork.diagnostics import UsageError

_ARN = re.compile(r"arn:aws[a-z-]*:cloudformation:[a-z0-9-]*:\w*:type/\S+", re.ASCII)
_NAME = re.compile(r"[A-Za-z0-9]{2,64}(?:::[A-Za-z0-9]{2,64}){2}(?:::MODULE)?", re.ASCII)
_VERSION = re.compile(r"\d{1,8}", re.ASCII)


def add_type_arguments(parser: argparse.ArgumentParser, *, version: str | None = None) -> None:
    """Add TYPE and --kind, and --version if its help text `version` is given."""
    parser.add_argument(
        "type", metavar="TYPE", nargs="?", help="Org::Service::Type, or an ARN (default: the project in this folder)"
    )
    parser.add_argument(
        "--kind",
        choices=["resource", "hook", "module"],
        help="the kind of TYPE (default: looked up)",
    )
    if version is not None:
        parser.add_argument("--version", dest="version_id", metavar="N", type=parse_version, help=version)


def parse_version(text: str) -> str:
    """`3` and `00000003` alike, as a version's id; an option's type."""
    if not _VERSION.fullmatch(text):
        raise argparse.ArgumentTypeError(f'"{text}" is not a version: give a number such as 3 or 00000003')
    return text.zfill(8)


def name_type(client: Any, arguments: argparse.Namespace) -> dict[str, str]:
    """Return the arguments that say to CloudFormation which type is meant.

    A name of no known kind is looked for among resource types, then among hooks.

    Raises:
        UsageError: no type is named, or the name is not a type name.
        BadInputError: the type is not found.
    """
    text: str = arguments.type or _project_type(arguments)
    version = getattr(arguments, "version_id", None)
    if _ARN.fullmatch(text):
        base = text if version is None else f"{_without_version(text)}/{version}"
        return {"Arn": base}
    if not _NAME.fullmatch(text):
        raise UsageError(
            f'"{text}" is not a type name', hint="Org::Service::Type, Org::Service::Type::MODULE, or an ARN"
        )
    kind = arguments.kind.upper() if arguments.kind else "MODULE" if text.endswith("::MODULE") else None
    named = {"Type": kind or _find_kind(client, text), "TypeName": text}
    return named | ({"VersionId": version} if version is not None else {})


def type_name_of(arguments: argparse.Namespace) -> str:
    """Return the type name: TYPE itself, the name in its ARN, or that of the project in this folder."""
    text: str = arguments.type or _project_type(arguments)
    if not _ARN.fullmatch(text):
        return text
    return _without_version(text).rpartition("/")[2].replace("-", "::")


def _without_version(arn: str) -> str:
    head, _, last = arn.rpartition("/")
    return head if _VERSION.fullmatch(last) else arn


def _find_kind(client: Any, name: str) -> str:
    with aws_errors(f"looking for {name}"):
        try:
            client.describe_type(Type="RESOURCE", TypeName=name)
        except client.exceptions.TypeNotFoundException:
            client.describe_type(Type="HOOK", TypeName=name)
            return "HOOK"
    return "RESOURCE"


def _project_type(arguments: argparse.Namespace) -> str:
    from formwork.project import is_project, load_project

    if not is_project(Path()):
        raise UsageError("missing type", hint="Org::Service::Type, an ARN, or run this in a project's folder")
    project = load_project(Path())
    arguments.kind = arguments.kind or project.kind.noun
    return project.type_name
