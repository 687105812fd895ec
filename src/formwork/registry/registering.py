"""RegisterType: what it notes at once, and what it does in the background.

    asked → [open] → [check] → [prove, for some namespaces] → [finish]

The rows of the type, the version and the registration are written when it is asked; each step is idempotent, and the
last one makes the version LIVE in one transaction. So wherever the process dies, the work goes on from there.
"""

import hashlib
import json
from dataclasses import asdict
from typing import Any

from sqlalchemy import Connection, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from formwork.diagnostics import FormworkError
from formwork.project.names import ExtensionKind
from formwork.registry.checking import Facts, check_package
from formwork.registry.errors import registry_error
from formwork.registry.failures import describe_error, failed_text, stage_text
from formwork.registry.finding import AnyRow, lock_type, version_arn
from formwork.registry.inserting import insert_or_ignore
from formwork.registry.packages import open_package, package_at
from formwork.registry.parts import Parts
from formwork.registry.proving import prove_at_registration
from formwork.registry.requests import RegisterTypeRequest
from formwork.registry.results import RegistrationStatus
from formwork.registry.rules import MOST_TYPES, MOST_VERSIONS, check_name, is_tested_at_registration
from formwork.registry.scope import Scope
from formwork.registry.sweeping import remove_unneeded
from formwork.registry.tables import registrations, types, versions
from formwork.registry.tokens import new_token

WORKFLOW = "register-type"
_ACTIVE = ("LIVE", "PENDING")


def register_type(parts: Parts, scope: Scope, request: RegisterTypeRequest) -> str:
    """Note a registration and start the work on it; its token, the same one for the same client token.

    Raises:
        RegistryError: the name can't be registered, a quota is reached, or the client token stands for another request.
    """
    check_name(request.type_name, request.kind or ExtensionKind.RESOURCE)
    digest = hashlib.sha256(json.dumps(asdict(request), sort_keys=True).encode()).hexdigest()
    try:
        token = _ask(parts, scope, request, digest)
    except IntegrityError:  # another client was faster with the same client token: now it is known
        token = _ask(parts, scope, request, digest)
    parts.settings.checkpoint("register-noted")
    parts.work.start(WORKFLOW, token, token)
    return token


def _ask(parts: Parts, scope: Scope, request: RegisterTypeRequest, digest: str) -> str:
    kind = request.kind or ExtensionKind.RESOURCE
    with parts.database.begin() as connection:
        token = _known_token(connection, scope, request.client_token, digest)
        if token is None:
            token = new_token()
            row = _hold_type(connection, scope, kind, request.type_name, parts.settings.now())
            _note(connection, parts, request, row, token=token, digest=digest)
    return token


def _known_token(connection: Connection, scope: Scope, client_token: str | None, digest: str) -> str | None:
    if client_token is None:
        return None
    found = connection.execute(
        select(registrations.c.token, registrations.c.request).where(
            registrations.c.account == scope.account,
            registrations.c.region == scope.region,
            registrations.c.client_token == client_token,
        )
    ).first()
    if found is not None and found.request != digest:
        raise registry_error(f"ClientRequestToken '{client_token}' was used with other parameters.")
    return None if found is None else str(found.token)


def _note(  # noqa: PLR0913 - what the rows are made of
    connection: Connection, parts: Parts, request: RegisterTypeRequest, row: AnyRow, *, token: str, digest: str
) -> None:
    now = parts.settings.now()
    remark = _check_quotas(connection, parts, row)
    number = row.last_number + 1
    logging = request.logging
    status = "PENDING" if row.status == "FAILED" else row.status
    connection.execute(update(types).where(types.c.id == row.id).values(last_number=number, status=status))
    connection.execute(
        insert(versions).values(
            type_id=row.id,
            number=number,
            status="PENDING",
            created=now,
            execution_role=request.execution_role_arn,
            log_role=logging.log_role_arn if logging else None,
            log_group=logging.log_group_name if logging else None,
            test_status="NOT_TESTED",
        )
    )
    connection.execute(
        insert(registrations).values(
            token=token,
            account=row.account,
            region=row.region,
            type_id=row.id,
            number=number,
            status="IN_PROGRESS",
            remark=remark,
            package_url=request.package_url,
            client_token=request.client_token,
            request=digest,
            created=now,
        )
    )
    parts.settings.checkpoint("register-noting")


def _hold_type(connection: Connection, scope: Scope, kind: ExtensionKind, name: str, now: float) -> AnyRow:
    """The type's row, made where it is the first version, held until the transaction ends."""
    key = {"account": scope.account, "region": scope.region, "kind": str(kind), "name": name}
    insert_or_ignore(connection, types, **key, status="PENDING", last_number=0, created=now, updated=now)
    row = lock_type(connection, scope, kind, name)
    assert row is not None
    if row.publisher_id is not None and row.status == "LIVE":
        raise registry_error(f"The type '{name}' is activated from publisher '{row.publisher_id}' in this Region.")
    return row


def _check_quotas(connection: Connection, parts: Parts, row: AnyRow) -> str | None:
    """What to remark on AWS's quotas.

    Raises:
        RegistryError: one is reached, where they are strict.
    """
    kind = ExtensionKind(row.kind)
    count = select(func.count()).select_from(versions)
    active = connection.execute(count.where(versions.c.type_id == row.id, versions.c.status.in_(_ACTIVE))).scalar_one()
    others = connection.execute(
        select(func.count())
        .select_from(types)
        .where(
            types.c.account == row.account,
            types.c.region == row.region,
            types.c.kind == str(kind),
            types.c.status.in_(_ACTIVE),
            types.c.publisher_id.is_(None),
            types.c.id != row.id,
        )
    ).scalar_one()
    found = []
    if active >= MOST_VERSIONS[kind]:
        found.append(f"The type '{row.name}' has {active} versions, and AWS allows {MOST_VERSIONS[kind]}.")
    if others >= MOST_TYPES[kind]:
        found.append(f"There are {others} other types of kind {kind}, and AWS allows {MOST_TYPES[kind]}.")
    if found and parts.settings.strict_quotas:
        raise registry_error(" ".join([*found, "Deregister some first."]))
    return " ".join(found) or None


def run_registration(parts: Parts, token: str) -> None:
    """The background work of one registration; see the module."""
    try:
        opened = parts.work.step("open", lambda: _open(parts, token))
        checked = parts.work.step("check", lambda: _check(parts, token, opened)) if "package" in opened else opened
        if "facts" in checked:
            proved = parts.work.step("prove", lambda: _prove(parts, token, opened["package"]))
            checked = checked if proved is None else {"problems": [proved]}
        parts.work.step("finish", lambda: _finish(parts, token, opened.get("package"), checked))
    except Exception as error:  # noqa: BLE001 - the boundary of background work: the registration tells it
        _fail(parts, token, [f"internal error: {type(error).__name__}: {error}"])
        parts.settings.changed()


def _open(parts: Parts, token: str) -> dict[str, Any]:
    registration, scope, row = _expect(parts, token)
    _say(parts, token, stage_text("VALIDATION"))
    parts.settings.checkpoint("register-open")
    try:
        content = parts.settings.fetch(scope, registration.package_url)
        parts.settings.checkpoint("register-fetched")
        package = open_package(parts.state, content, ExtensionKind(row.kind), parts.settings.checkpoint)
    except FormworkError as error:
        return {"problems": describe_error(error)}
    with parts.database.begin() as connection:  # from here on the package is somebody's
        _set_package(connection, registration, package.digest)
    parts.settings.checkpoint("register-opened")
    return {"package": package.digest}


def _check(parts: Parts, token: str, opened: dict[str, Any]) -> dict[str, Any]:
    _registration, scope, row = _expect(parts, token)
    kind = ExtensionKind(row.kind)
    package = package_at(parts.state, opened["package"])
    if not package.root.is_dir():  # the same one was refused elsewhere, and went
        opened = _open(parts, token)
        if "problems" in opened:
            return opened
    parts.settings.checkpoint("register-check")
    try:
        checked = check_package(package, kind, row.name)
    except FormworkError as error:
        return {"problems": describe_error(error)}
    if parts.handlers is not None and kind is not ExtensionKind.MODULE and checked.has_handlers:
        loaded = parts.handlers.load(scope, package, checked.config)
        if loaded.problems:
            return {"problems": loaded.problems}
        if loaded.remark is not None:
            _remark(parts, token, loaded.remark)
    parts.settings.checkpoint("register-checked")
    return {"facts": checked.facts.as_json()}


def _prove(parts: Parts, token: str, digest: str) -> str | None:
    _registration, scope, row = _expect(parts, token)
    if not is_tested_at_registration(row.name) or row.kind == ExtensionKind.MODULE:
        return None
    parts.settings.checkpoint("register-prove")
    return prove_at_registration(parts, scope, row, token, package_at(parts.state, digest))


def _finish(parts: Parts, token: str, digest: str | None, checked: dict[str, Any]) -> None:
    parts.settings.checkpoint("register-finish")
    if "facts" in checked:
        assert digest is not None
        _complete(parts, token, digest, Facts(**checked["facts"]))
    else:
        _fail(parts, token, checked["problems"])
        parts.settings.checkpoint("register-failed")
        if digest is not None:
            remove_unneeded(parts, digest)
    parts.settings.checkpoint("register-finished")
    parts.settings.changed()


def _complete(parts: Parts, token: str, digest: str, facts: Facts) -> None:
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
        parts.settings.checkpoint("register-completing")
        connection.execute(
            update(registrations)
            .where(registrations.c.token == token)
            .values(status="COMPLETE", description=stage_text("COMPLETED"))
        )


def _fail(parts: Parts, token: str, problems: list[str]) -> None:
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
        parts.settings.checkpoint("register-failing")
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


def _expect(parts: Parts, token: str) -> tuple[AnyRow, Scope, AnyRow]:
    with parts.database.read() as connection:
        registration = connection.execute(select(registrations).where(registrations.c.token == token)).one()
        row = connection.execute(select(types).where(types.c.id == registration.type_id)).one()
    return registration, Scope(row.account, row.region), row


def _say(parts: Parts, token: str, text: str) -> None:
    with parts.database.begin() as connection:
        connection.execute(
            update(registrations)
            .where(registrations.c.token == token, registrations.c.status == "IN_PROGRESS")
            .values(description=text)
        )


def _remark(parts: Parts, token: str, text: str) -> None:
    """Have the caller know something besides the status; saying it twice says it once."""
    with parts.database.begin() as connection:
        registration, _row = _hold(connection, token)
        known = registration.remark or ""
        if text not in known:
            values = {"remark": f"{known}\n{text}".strip()}
            connection.execute(update(registrations).where(registrations.c.token == token).values(**values))


def describe_registration(parts: Parts, scope: Scope, token: str) -> RegistrationStatus:
    """How far a registration is.

    Raises:
        RegistryError: the caller has none with that token.
    """
    with parts.database.read() as connection:
        found = connection.execute(
            select(registrations).where(
                registrations.c.token == token,
                registrations.c.account == scope.account,
                registrations.c.region == scope.region,
            )
        ).first()
        if found is None:
            raise registry_error(f"No registration token matches {token}")
        row = connection.execute(select(types).where(types.c.id == found.type_id)).one()
    description = "\n".join(filter(None, [found.description, found.remark])) or None
    return RegistrationStatus(found.status, version_arn(row), version_arn(row, found.number), description)


def go_on(parts: Parts) -> None:
    """Start the work on registrations that were noted and whose work never began."""
    with parts.database.read() as connection:
        tokens = connection.execute(
            select(registrations.c.token).where(registrations.c.status == "IN_PROGRESS")
        ).scalars()
        found = list(tokens)
    for token in found:
        parts.work.start(WORKFLOW, token, token)
