"""The background work of a registration.

    [open] → [check] → [prove, for some namespaces] → [finish]

Each step is idempotent, and the last one makes the version LIVE in one transaction. So wherever the process dies, the
work resumes from there.
"""

from typing import Any

from sqlalchemy import Connection, select, update

from formwork.aws.scope import Scope
from formwork.diagnostics import FormworkError
from formwork.diagnostics.internal_errors import internal_error
from formwork.extensions import ExtensionKind
from formwork.registry.checking import Facts, check_package
from formwork.registry.dependencies import RegistryDependencies
from formwork.registry.failures import describe_error, failed_text, stage_text
from formwork.registry.finding import AnyRow, get_version
from formwork.registry.packages import open_package, package_at
from formwork.registry.proving import RegistrationProof, bucket_of, prove_at_registration
from formwork.registry.rules import is_tested_at_registration
from formwork.registry.sweeping import remove_unneeded
from formwork.registry.tables import registrations, types, versions

WORKFLOW = "register-type"


def run_registration(parts: RegistryDependencies, token: str) -> None:
    """The background work of one registration; see the module."""
    try:
        opened = parts.work.step("open", lambda: _open(parts, token))
        checked = parts.work.step("check", lambda: _check(parts, token, opened)) if "package" in opened else opened
        if "facts" in checked:
            proved = parts.work.step("prove", lambda: _prove(parts, token, opened["package"]))
            checked = checked if proved is None else {"problems": [proved]}
        parts.work.step("finish", lambda: _finish(parts, token, opened.get("package"), checked))
    except Exception as error:  # noqa: BLE001 - the boundary of background work: the registration tells it
        _fail(parts, token, [internal_error(error)])
        parts.settings.observer.changed()


def _open(parts: RegistryDependencies, token: str) -> dict[str, Any]:
    registration, scope, row = _expect(parts, token)
    _say(parts, token, stage_text("VALIDATION"))
    parts.settings.observer.checkpoint("register-open")
    try:
        content = parts.settings.fetch(scope, registration.package_url)
        parts.settings.observer.checkpoint("register-fetched")
        package = open_package(parts.state, content, ExtensionKind(row.kind), parts.settings.observer)
    except FormworkError as error:
        return {"problems": describe_error(error)}
    with parts.database.begin() as connection:  # from here on a version refers to the package
        _set_package(connection, registration, package.digest)
    parts.settings.observer.checkpoint("register-opened")
    return {"package": package.digest}


def _check(parts: RegistryDependencies, token: str, opened: dict[str, Any]) -> dict[str, Any]:
    _registration, scope, row = _expect(parts, token)
    kind = ExtensionKind(row.kind)
    package = package_at(parts.state, opened["package"])
    if not package.root.is_dir():  # the same one was refused elsewhere, and went
        opened = _open(parts, token)
        if "problems" in opened:
            return opened
    parts.settings.observer.checkpoint("register-check")
    try:
        checked = check_package(package, kind, row.name, remote=parts.settings.remote)
    except FormworkError as error:
        return {"problems": describe_error(error)}
    if parts.handlers is not None and kind is not ExtensionKind.MODULE and checked.has_handlers:
        loaded = parts.handlers.load(scope, package, checked.config)
        if loaded.problems:
            return {"problems": loaded.problems}
        if loaded.remark is not None:
            _remark(parts, token, loaded.remark)
    parts.settings.observer.checkpoint("register-checked")
    return {"facts": checked.facts.as_json()}


def _prove(parts: RegistryDependencies, token: str, digest: str) -> str | None:
    registration, scope, row = _expect(parts, token)
    if not is_tested_at_registration(row.name) or row.kind == ExtensionKind.MODULE:
        return None
    parts.settings.observer.checkpoint("register-prove")
    proved = prove_at_registration(parts, scope, row, token, package_at(parts.state, digest))
    _deliver_logs(parts, registration, scope, proved)
    return proved.problem


def _deliver_logs(parts: RegistryDependencies, registration: AnyRow, scope: Scope, proved: RegistrationProof) -> None:
    """Put the logs beside the package, as AWS does for a version with an execution role (seed 002, Viewing logs)."""
    with parts.database.read() as connection:
        version = get_version(connection, registration.type_id, registration.number)
    bucket = bucket_of(registration.package_url)
    if version is None or version.execution_role is None or bucket is None:
        return
    try:
        parts.settings.deliver(scope, bucket, proved.key, proved.logs)
    except FormworkError as error:
        _remark(parts, registration.token, f"The logs of the contract tests are not in the bucket '{bucket}': {error}")


def _finish(parts: RegistryDependencies, token: str, digest: str | None, checked: dict[str, Any]) -> None:
    parts.settings.observer.checkpoint("register-finish")
    if "facts" in checked:
        assert digest is not None
        _complete(parts, token, digest, Facts(**checked["facts"]))
    else:
        _fail(parts, token, checked["problems"])
        parts.settings.observer.checkpoint("register-failed")
        if digest is not None:
            remove_unneeded(parts, digest)
    parts.settings.observer.checkpoint("register-finished")
    parts.settings.observer.changed()


def _complete(parts: RegistryDependencies, token: str, digest: str, facts: Facts) -> None:
    """Make the version LIVE, and the default one where there is none."""
    with parts.database.begin() as connection:
        registration, row = _hold(connection, token)
        if registration.status != "IN_PROGRESS":
            return
        now = parts.settings.now()
        connection.execute(
            update(versions)
            .where(versions.c.type_id == row.id, versions.c.number == registration.number)
            .values(status="LIVE", package=digest, created=now, **facts.as_json())
        )
        default = row.default_number if row.status == "LIVE" else None
        values = {"status": "LIVE", "default_number": registration.number if default is None else default}
        connection.execute(update(types).where(types.c.id == row.id).values(updated=now, **values))
        parts.settings.observer.checkpoint("register-completing")
        connection.execute(
            update(registrations)
            .where(registrations.c.token == token)
            .values(status="COMPLETE", description=stage_text("COMPLETED"))
        )


def _fail(parts: RegistryDependencies, token: str, problems: list[str]) -> None:
    with parts.database.begin() as connection:
        registration, row = _hold(connection, token)
        if registration.status != "IN_PROGRESS":
            return
        connection.execute(
            update(versions)
            .where(versions.c.type_id == row.id, versions.c.number == registration.number)
            .values(status="FAILED", package=None)
        )
        if row.status == "PENDING":  # a type that never was; another registration of it may still make it one
            connection.execute(update(types).where(types.c.id == row.id).values(status="FAILED"))
        parts.settings.observer.checkpoint("register-failing")
        connection.execute(
            update(registrations)
            .where(registrations.c.token == token)
            .values(status="FAILED", description=failed_text(token, problems))
        )


def _set_package(connection: Connection, registration: AnyRow, digest: str) -> None:
    connection.execute(
        update(versions)
        .where(versions.c.type_id == registration.type_id, versions.c.number == registration.number)
        .values(package=digest)
    )


def _hold(connection: Connection, token: str) -> tuple[AnyRow, AnyRow]:
    registration = connection.execute(select(registrations).where(registrations.c.token == token)).one()
    row = connection.execute(select(types).where(types.c.id == registration.type_id).with_for_update()).one()
    registration = connection.execute(select(registrations).where(registrations.c.token == token)).one()
    return registration, row


def _expect(parts: RegistryDependencies, token: str) -> tuple[AnyRow, Scope, AnyRow]:
    with parts.database.read() as connection:
        registration = connection.execute(select(registrations).where(registrations.c.token == token)).one()
        row = connection.execute(select(types).where(types.c.id == registration.type_id)).one()
    return registration, Scope(row.account, row.region), row


def _say(parts: RegistryDependencies, token: str, text: str) -> None:
    with parts.database.begin() as connection:
        connection.execute(
            update(registrations)
            .where(registrations.c.token == token, registrations.c.status == "IN_PROGRESS")
            .values(description=text)
        )


def _remark(parts: RegistryDependencies, token: str, text: str) -> None:
    """Have the caller know something besides the status; saying it twice says it once."""
    with parts.database.begin() as connection:
        registration, _row = _hold(connection, token)
        known = registration.remark or ""
        if text not in known:
            values = {"remark": f"{known}\n{text}".strip()}
            connection.execute(update(registrations).where(registrations.c.token == token).values(**values))


def go_on(parts: RegistryDependencies) -> None:
    """Start the work on stored registrations that never began."""
    with parts.database.read() as connection:
        tokens = connection.execute(
            select(registrations.c.token).where(registrations.c.status == "IN_PROGRESS")
        ).scalars()
        found = list(tokens)
    for token in found:
        parts.work.start(WORKFLOW, token, token)
