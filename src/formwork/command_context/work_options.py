"""The options of servers and workers, which do the service's work."""

import argparse
import importlib.util
from pathlib import Path

from formwork.diagnostics.errors import EnvironmentProblemError, UsageError
from formwork.diagnostics.extras import install_extra

HINT = install_extra("serve")
# What the registry and the engine need besides the base install.
_MODULES = ("starlette", "uvicorn", "botocore", "sqlalchemy", "alembic", "cryptography")


def add_work_arguments(parser: argparse._ActionsContainer) -> None:
    """The options that say how work is done."""
    parser.add_argument("--strict-quotas", action="store_true", help="enforce AWS's quotas of types and versions")
    parser.add_argument(
        "--events",
        metavar="FILE|URL",
        help="report what happens to stacks, drift and hooks as EventBridge does: lines in a file, or POSTs to a URL",
    )
    parser.add_argument(
        "--strict-types", action="store_true", help="refuse types without registered handlers, as AWS does"
    )
    parser.add_argument(
        "--schemas",
        metavar="DIR",
        type=Path,
        action="append",
        default=[],
        help="a folder with schemas of AWS's types to simulate (`schemas` in the state folder is another)",
    )
    parser.add_argument(
        "--rules",
        metavar="BUCKET=DIR",
        action="append",
        default=[],
        help="Guard hooks read s3://BUCKET/… in this folder, as its files then are (may be given several times)",
    )
    parser.add_argument(
        "--lambda-endpoint",
        metavar="URL",
        help="a Lambda service, such as `sam local start-lambda`: functions of hooks, custom resources and macros that "
        "are neither in a stack nor in the project are invoked there",
    )


def lambda_endpoint(given: str | None) -> str | None:
    """Return the address of `--lambda-endpoint`.

    Raises:
        UsageError: it is not an http URL.
    """
    if given is not None and not (given.startswith("http://") and len(given) > len("http://")):
        raise UsageError(f'--lambda-endpoint "{given}" is not an http URL', hint="such as http://127.0.0.1:3002")
    return given


def rule_folders(given: list[str]) -> dict[str, Path]:
    """Return the folders of `--rules` by bucket.

    Raises:
        UsageError: one is not a bucket's name and a folder, or a bucket is named twice.
    """
    from formwork.object_store.store import is_bucket_name

    folders: dict[str, Path] = {}
    for each in given:
        bucket, _, folder = each.partition("=")
        if not is_bucket_name(bucket) or not folder or not Path(folder).is_dir():
            raise UsageError(f'--rules "{each}" is not a bucket and a folder', hint="--rules my-rules=./rules")
        if bucket in folders:
            raise UsageError(f'--rules names the bucket "{bucket}" twice')
        folders[bucket] = Path(folder).absolute()
    return folders


def check_schema_folders(folders: list[Path]) -> None:
    """Raise UsageError for a path that is not a folder."""
    for each in folders:
        if not each.is_dir():
            raise UsageError(f'--schemas "{each}" is not a folder', hint="give an existing folder")


def check_database(url: str | None) -> None:
    """Raise UsageError if `url` is not a URL, since a path could be mistaken for a state folder."""
    if url is not None and "://" not in url:
        raise UsageError(
            f'invalid --database "{url}"',
            hint="postgresql://USER@HOST:PORT/DATABASE; SQLite is in the folder that --state names, for one process",
        )


def missing_module() -> str | None:
    """Return a module that the registry and the engine need and that is not installed; None where all are."""
    return next((each for each in _MODULES if importlib.util.find_spec(each) is None), None)


def not_installed(module: str) -> EnvironmentProblemError:
    """Return the error for a command that needs the module, which is not installed."""
    return EnvironmentProblemError(f"the registry is not installed here (no module {module})", hint=HINT)
