"""Contract tests of registered packages: the interface of the program that runs them, and storage of their logs."""

import io
import re
import zipfile

from msgspec import Struct

from formwork.aws.scope import Scope
from formwork.extensions import ExtensionKind, hyphenated_name
from formwork.registry.dependencies import RegistryDependencies
from formwork.registry.finding import AnyRow
from formwork.registry.packages import Package
from formwork.registry.proofs import Proof, ProofRequest


def prove_package(parts: RegistryDependencies, request: ProofRequest) -> Proof:
    """Run the contract tests of a package."""
    if parts.settings.prove is None:
        return Proof(passed=False, summary="Contract tests are not available in this registry.")
    return parts.settings.prove(request)


def zip_logs(proof: Proof) -> bytes:
    """Return the logs of a run as a zip file."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in sorted(proof.logs):
            archive.writestr(zipfile.ZipInfo(name), proof.logs[name], zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


def result_key(name: str, token: str) -> str:
    """Return where the guide says that the logs of a run are: below the bucket, or the state folder's logs."""
    return f"CloudFormation/ContractTestResults/{name.replace('::', '-')}/{token}.zip"


class RegistrationProof(Struct, frozen=True):
    """The contract tests of a registration: why it is refused (None: it is not), the zip of its logs, and its key."""

    problem: str | None
    key: str
    logs: bytes


def bucket_of(package_url: str) -> str | None:
    """Return the bucket in `s3://bucket/key`; None for any other address."""
    found = re.match(r"s3://([^/]+)/.", package_url)
    return found[1] if found else None


def prove_at_registration(
    parts: RegistryDependencies, scope: Scope, row: AnyRow, token: str, package: Package
) -> RegistrationProof:
    """Run the contract tests of a package that is being registered.

    The logs go where the guide says: lines of the handlers to the log group `<type>-ContractTests-<token>`, all of them
    to a zip file.
    """
    proof = prove_package(
        parts, ProofRequest(scope=scope, kind=ExtensionKind(row.kind), name=row.name, package=package)
    )
    group = f"{hyphenated_name(row.name)}-ContractTests-{token}"
    for name, content in proof.logs.items():
        parts.state.write_file(parts.state.logs / scope.account / scope.region / group / name, content)
    key, logs = result_key(row.name, token), zip_logs(proof)
    parts.state.write_file(parts.state.results / scope.account / scope.region / key, logs)
    problem = None if proof.passed else f"contract tests failed: {proof.summary} (log group {group})"
    return RegistrationProof(problem, key, logs)
