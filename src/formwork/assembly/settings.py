"""Settings of the assembly, which a server or a worker passes in."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct, field

from formwork.durable.observer import WorkObserver
from formwork.lambda_host import http_messages

if TYPE_CHECKING:
    from formwork.assembly.notices import NoticeSender
    from formwork.aws.access import AwsAccess
    from formwork.aws.credentials import CredentialSource
    from formwork.aws.moto import MotoClient
    from formwork.aws.scope import Scope
    from formwork.documents.remote import RemoteDocuments
    from formwork.hooks.payloads import Payloads
    from formwork.provisioning.call_limits import CallLimits
    from formwork.registry.proofs import Proof, ProofRequest
    from formwork.registry.settings import HandlerSettings


def _ignore(*_what: object) -> None:
    pass


class WorkSettings(Struct, frozen=True, kw_only=True):
    """Settings of durable work.

    `handlers` says how registered handlers run, `prove` runs contract tests; both are called when the registry
    starts. `invoke` is Lambda's Invoke API of a project's functions. `aws` is the AWS that handlers call and that
    dynamic references are read from, None for none; `credentials_in` gives the credentials of handlers where these
    differ between accounts and Regions; `moto` is the server behind it where that is moto. `remote` fetches
    the documents that schemas refer to by URL. `strict_quotas` refuses requests over AWS's quotas, `strict_types` types
    without handlers; `schema_folders` contain schemas of AWS's types, which are simulated by default;
    Guard hooks read `rule_folders` in place of the buckets of their names. Functions that neither a stack nor the
    project has are invoked at `lambda_endpoint`, None for none.

    A process that shares its database may leave the work to others (`works` is False), and considers another one dead
    that was silent for `dead_seconds`. `notices` delivers events in EventBridge's form, None discards
    them. `payloads` stores what is too large for a hook's request, by default on the server of the state folder.
    `limits` says how long one call of a handler may take, None as long as AWS allows.
    `observer` is notified of the work's progress, `on_problem` is called with problems of the database.
    """

    handlers: "Callable[[], HandlerSettings]"
    invoke: Callable[[http_messages.Request], http_messages.Response]
    prove: "Callable[[ProofRequest], Proof] | None" = None
    aws: "AwsAccess | None" = None
    credentials_in: "Callable[[Scope], CredentialSource] | None" = None
    moto: "MotoClient | None" = None
    remote: "RemoteDocuments | None" = None
    strict_quotas: bool = False
    strict_types: bool = False
    schema_folders: tuple[Path, ...] = ()
    rule_folders: Mapping[str, Path] = field(default_factory=dict)
    lambda_endpoint: str | None = None
    works: bool = True
    dead_seconds: float = 15.0
    notices: "NoticeSender | None" = None
    payloads: "Payloads | None" = None
    limits: "CallLimits | None" = None
    observer: WorkObserver = field(default_factory=WorkObserver)
    on_problem: Callable[[str], None] = _ignore
