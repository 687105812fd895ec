"""The values of `{{ExportName}}`: from a file; from the stacks of an account or an endpoint when one is missing."""

import argparse
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from formwork.command_context.endpoints import chosen_endpoint
from formwork.diagnostics import BadInputError
from formwork.documents import load_document


class StackExports(Mapping[str, str]):
    """Exports by name; those of the stacks are asked for once, when a name is wanted that `known` lacks."""

    def __init__(self, known: Mapping[str, str], fetch: Callable[[], Mapping[str, str]]) -> None:
        self._known = known
        self._fetch = fetch
        self._fetched: Mapping[str, str] | None = None

    def __getitem__(self, name: str) -> str:
        return self._known[name] if name in self._known else self._of_stacks()[name]

    def __iter__(self) -> Iterator[str]:
        return iter({**self._of_stacks(), **self._known})

    def __len__(self) -> int:
        return len({**self._of_stacks(), **self._known})

    def _of_stacks(self) -> Mapping[str, str]:
        if self._fetched is None:
            self._fetched = self._fetch()
        return self._fetched


def read_exports(arguments: argparse.Namespace) -> Mapping[str, str]:
    """Return the exports that `--exports` has, and those of the stacks that the other options lead to.

    Raises:
        BadInputError: the file is not a JSON object.
    """
    known = _local(arguments.exports)
    endpoint = chosen_endpoint(arguments.cloudformation_endpoint_url)
    if endpoint is None and (arguments.aws or "").startswith(("http://", "https://")):
        endpoint = arguments.aws  # a simulation of AWS has the stacks of its account as well
    real = arguments.aws == "real" or arguments.profile or arguments.role_arn
    if endpoint is None and not real:
        return known
    return StackExports(known, lambda: _of_stacks(arguments, endpoint))


def _of_stacks(arguments: argparse.Namespace, endpoint: str | None) -> dict[str, str]:
    from formwork.aws.clients import open_client
    from formwork.aws.exports import list_exports

    profile, region = arguments.profile, arguments.region
    return list_exports(open_client("cloudformation", endpoint=endpoint, profile=profile, region=region))


def _local(path: Path | None) -> dict[str, str]:
    if path is None:
        return {}
    document = load_document(path)
    if not isinstance(document.value, dict):
        message = "the exports file is not a JSON object"
        raise BadInputError.of("contract.exports", message, location=document.locate(), expected='{"Name": "value"}')
    return {name: value if isinstance(value, str) else str(value) for name, value in document.value.items()}
