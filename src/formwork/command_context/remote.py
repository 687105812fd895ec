"""Documents on other machines that schemas refer to: who may fetch them, from where, and where they are kept."""

import argparse

from msgspec.structs import replace

from formwork.command_context.places import cache_folder
from formwork.diagnostics.errors import UsageError
from formwork.documents.remote import RemoteDocuments

_LOOPBACK = ("http://127.0.0.1:", "http://localhost:", "http://[::1]:")


def add_remote_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the commands that may fetch."""
    group = parser.add_argument_group("remote documents that the schema refers to")
    group.add_argument(
        "--offline", action="store_true", help="do not fetch documents: use those fetched before, of any age"
    )
    group.add_argument(
        "--allow-host",
        metavar="HOST",
        action="append",
        default=[],
        help="fetch from this host too, by https (* stands for anything; default: the hosts of AWS's schemas); "
        "or from http://127.0.0.1:PORT",
    )


def remote_documents(arguments: argparse.Namespace) -> RemoteDocuments:
    """Return the settings for remote documents by `--offline` and `--allow-host`.

    Raises:
        UsageError: a host name is invalid.
    """
    hosts = tuple(_expect_host(each) for each in arguments.allow_host)
    return replace(kept_documents(), hosts=hosts, fetch=None if arguments.offline else _fetch)


def kept_documents() -> RemoteDocuments:
    """Return settings that only use documents that other commands have fetched."""
    return RemoteDocuments(cache=cache_folder() / "schemas")


def _fetch(url: str) -> bytes:
    from formwork.schema.fetching import fetch_document  # 60 ms, and most schemas refer to nothing elsewhere

    return fetch_document(url)


def _expect_host(text: str) -> str:
    named = text.removeprefix("https://").rstrip("/")
    if named.startswith(_LOOPBACK) and "/" not in named.removeprefix("http://"):
        return named
    if not named or "/" in named or ":" in named or named.strip("*.") == "":
        hint = "such as schemas.example.com, *.example.com, or http://127.0.0.1:8080"
        raise UsageError(f'invalid --allow-host "{text}"', hint=hint)
    return named
