"""TestType: what a version must pass before it can be published, in the background."""

import re
from typing import Any

from sqlalchemy import insert, select, update

from formwork.aws.scope import Scope
from formwork.diagnostics import Diagnostic, FormworkError, Severity
from formwork.diagnostics.internal_errors import internal_error
from formwork.extensions import ExtensionKind
from formwork.project import load_project
from formwork.project.module import load_module
from formwork.registry.dependencies import RegistryDependencies
from formwork.registry.errors import registry_error, type_not_found
from formwork.registry.failures import MOST_CHARACTERS, describe_error
from formwork.registry.finding import (
    AnyRow,
    expect_version,
    get_configuration,
    get_version,
    lock_type,
    read_reference,
    version_arn,
)
from formwork.registry.packages import package_at
from formwork.registry.proofs import Proof, ProofRequest
from formwork.registry.proving import prove_package, result_key, zip_logs
from formwork.registry.requests import TestTypeRequest
from formwork.registry.tables import tests, types, versions
from formwork.registry.tokens import new_token
from formwork.template.fragment import check_fragment

WORKFLOW = "test-type"
_RUNNING = "IN_PROGRESS"


def test_type(parts: RegistryDependencies, scope: Scope, request: TestTypeRequest) -> str:
    """Begin to test a version, the default one where none is named; its ARN. A running test is not started again.

    Raises:
        RegistryError: there is no such version, or it is a publisher's.
    """
    named = read_reference(scope, request.type)
    started = None
    with parts.database.begin() as connection:
        if lock_type(connection, scope, named.kind, named.name) is None:
            raise type_not_found(named.name)
        row, version = expect_version(connection, scope, named)
        if row.publisher_id is not None:
            raise registry_error(f"The type '{row.name}' is activated from a publisher, who tests it.")
        if version.test_status != _RUNNING:
            started = new_token()
            now = parts.settings.now()
            connection.execute(
                insert(tests).values(
                    id=started,
                    type_id=row.id,
                    number=version.number,
                    status=_RUNNING,
                    bucket=request.log_bucket,
                    created=now,
                )
            )
            _note(connection, row.id, version.number, _RUNNING, "The tests are running.")
            parts.settings.observer.checkpoint("test-noting")
        arn = version_arn(row, version.number)
    parts.settings.observer.checkpoint("test-noted")
    if started is not None:
        parts.work.start(WORKFLOW, started, started)
    return arn


test_type.__test__ = False  # type: ignore[attr-defined]  # no test, whatever pytest thinks of its name


def run_test(parts: RegistryDependencies, test_id: str) -> None:
    """Run one test in the background: prove, store and deliver its logs, record the result."""
    try:
        outcome = parts.work.step("prove", lambda: _prove(parts, test_id))
    except Exception as error:  # noqa: BLE001 - the boundary of background work: the version's status tells it
        outcome = {"passed": False, "summary": internal_error(error)}
    parts.work.step("finish", lambda: _finish(parts, test_id, outcome))


def _prove(parts: RegistryDependencies, test_id: str) -> dict[str, Any]:
    with parts.database.read() as connection:
        test = connection.execute(select(tests).where(tests.c.id == test_id)).one()
        row = connection.execute(select(types).where(types.c.id == test.type_id)).one()
        version = get_version(connection, test.type_id, test.number)
        scope = Scope(row.account, row.region)
        configuration = get_configuration(connection, scope, ExtensionKind(row.kind), row.name)
    assert version is not None
    parts.settings.observer.checkpoint("test-running")
    request = ProofRequest(
        scope=scope,
        kind=ExtensionKind(row.kind),
        name=row.name,
        package=package_at(parts.state, version.package),
        configuration=configuration,
    )
    proof = _prove_module(request) if request.kind is ExtensionKind.MODULE else prove_package(parts, request)
    summary = proof.summary
    if proof.logs:
        summary = "\n".join([summary, *_deliver(parts, row, test, proof)])
    parts.settings.observer.checkpoint("test-delivered")
    return {"passed": proof.passed, "summary": summary[:MOST_CHARACTERS]}


def _deliver(parts: RegistryDependencies, row: AnyRow, test: AnyRow, proof: Proof) -> list[str]:
    """Store the logs and put them into the caller's bucket; return what failed."""
    scope = Scope(row.account, row.region)
    key, content = result_key(row.name, test.id), zip_logs(proof)
    parts.state.write_file(parts.state.results / scope.account / scope.region / key, content)
    if test.bucket is None:
        return []
    try:
        parts.settings.deliver(scope, test.bucket, key, content)
    except FormworkError as error:
        return [f"The logs could not be delivered to the bucket '{test.bucket}': {error}"]
    return [f"Logs: s3://{test.bucket}/{key}"]


def _prove_module(request: ProofRequest) -> Proof:
    """Return whether a module's fragment meets the guide's requirements for publishing."""
    try:
        module = load_module(load_project(request.package.files, registered=request.name))
    except FormworkError as error:
        return Proof(passed=False, summary="\n".join(describe_error(error)))
    found = list(module.diagnostics)
    if module.template is not None:
        found = check_fragment(module.template, public=True)
    errors = [each for each in found if each.severity is Severity.ERROR]
    text = "\n".join(_line(each) for each in errors) or "The module meets the requirements for publishing."
    return Proof(passed=not errors, summary=text, logs={"test.log": f"{text}\n".encode()})


def _line(found: Diagnostic) -> str:
    return re.sub(r"\s+", " ", f"{found.code}: {found.message} {found.location.pointer or ''}").strip()


def _finish(parts: RegistryDependencies, test_id: str, outcome: dict[str, Any]) -> None:
    status = "PASSED" if outcome["passed"] else "FAILED"
    with parts.database.begin() as connection:
        test = connection.execute(select(tests).where(tests.c.id == test_id)).one()
        if test.status != _RUNNING:
            return
        connection.execute(update(tests).where(tests.c.id == test_id).values(status=status))
        _note(connection, test.type_id, test.number, status, outcome["summary"])
        parts.settings.observer.checkpoint("test-finishing")
    parts.settings.observer.changed()


def _note(connection: Any, type_id: int, number: int, status: str, text: str) -> None:
    connection.execute(
        update(versions)
        .where(versions.c.type_id == type_id, versions.c.number == number)
        .values(test_status=status, test_description=text)
    )


def go_on(parts: RegistryDependencies) -> None:
    """Start the tests that were noted and whose work never began."""
    with parts.database.read() as connection:
        found = list(connection.execute(select(tests.c.id).where(tests.c.status == _RUNNING)).scalars())
    for each in found:
        parts.work.start(WORKFLOW, each, each)
