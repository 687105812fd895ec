"""What the contract tests of a package are asked, and what came of them."""

from collections.abc import Mapping

from msgspec import Struct, field

from formwork.aws.scope import Scope
from formwork.extensions import ExtensionKind
from formwork.registry.packages import Package


class ProofRequest(Struct, frozen=True, kw_only=True):
    """A request for contract tests; `configuration` is the type's in this account and Region, a JSON text."""

    scope: Scope
    kind: ExtensionKind
    name: str
    package: Package
    configuration: str | None = None
    seed: int = 0


class Proof(Struct, frozen=True):
    """The result of contract tests: `summary` for people in a few lines; `logs` by file name, secrets masked."""

    passed: bool
    summary: str
    logs: Mapping[str, bytes] = field(default_factory=dict)
