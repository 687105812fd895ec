"""What a registry is given from outside: how to get packages, how to run and prove handlers, what the time is."""

import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field

from formwork.aws.scope import Scope
from formwork.diagnostics import EnvironmentProblemError
from formwork.documents.remote import RemoteDocuments
from formwork.durable.observer import WorkObserver
from formwork.egress.settings import EgressSettings
from formwork.invoke import Exchange
from formwork.lambda_host.live_lines import CallWatcher
from formwork.schema.at_hand import NO_SCHEMAS, SchemaCatalog

if TYPE_CHECKING:
    from formwork.registry.proofs import Proof, ProofRequest


def _ignore(*_what: object) -> None:
    pass


def _no_function(_entry_point: str) -> None:
    return None


def _no_variables(_scope: Scope) -> Mapping[str, str]:
    return {}


def _nothing_fetched(_scope: Scope, url: str) -> bytes:
    raise EnvironmentProblemError(f'"{url}" can\'t be fetched: this registry has no storage')


class HandlerSettings(Struct, frozen=True, kw_only=True):
    """How registered handlers are run; see `invoke.project_host.ProjectHostSettings` for what the members mean.

    `warm` is how many versions keep processes at once, `limit_seconds` and `memory_mb` what an invocation may use.
    `in_process` returns the function of an entry point that is called in this process, None for one that gets a process
    of its own. `variables_in` gives variables for the functions of stacks in an account and Region. `exchanged`
    receives every invocation, masked; `watch` is entered around each call of a resource's handler.
    """

    cache: Path
    home: Path
    user_environment: Mapping[str, str] = field(default_factory=dict)
    aws_environment: Mapping[str, str] | None = None
    concurrency: int = 10
    warm: int = 32
    limit_seconds: float = 180.0
    memory_mb: int = 512
    note: Callable[[str], None] = _ignore
    egress: EgressSettings = field(default_factory=EgressSettings)
    in_process: Callable[[str], Callable[[Any, Any], Any] | None] = _no_function
    variables_in: Callable[[Scope], Mapping[str, str]] = _no_variables
    exchanged: Callable[[Exchange], None] = _ignore
    watch: CallWatcher | None = None


class RegistrySettings(Struct, frozen=True, kw_only=True):
    """`fetch` gets a package by its URL, as its caller's account and Region may.

    `handlers` None judges packages by their files alone and runs nothing. `prove` runs the contract tests of a package;
    None means that none can be run. `deliver` puts a file into a bucket: scope, bucket, key, content. `remote` says how
    to fetch documents on other machines that schemas refer to. `strict_quotas` makes AWS's quotas errors rather than
    remarks. `schemas_at_hand` has the schemas of AWS's types, which are not registered but simulated: they are
    described and listed, too. `observer` is notified of the progress of
    work.
    """

    fetch: Callable[[Scope, str], bytes] = _nothing_fetched
    handlers: HandlerSettings | None = None
    prove: "Callable[[ProofRequest], Proof] | None" = None
    deliver: Callable[[Scope, str, str, bytes], None] = _ignore
    remote: RemoteDocuments | None = None
    strict_quotas: bool = False
    schemas_at_hand: SchemaCatalog = NO_SCHEMAS
    now: Callable[[], float] = time.time
    observer: WorkObserver = field(default_factory=WorkObserver)
