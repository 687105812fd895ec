"""RegisterType and DescribeTypeRegistration: what is noted at once; the work is `registration_work`'s.

The rows of the type, the version and the registration are written when it is asked, so that work which never began is
known and can begin later.
"""

import hashlib
import json

from sqlalchemy import Connection, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from formwork.aws.scope import Scope
from formwork.documents.copied import as_json_value
from formwork.extensions import ExtensionKind
from formwork.registry.dependencies import RegistryDependencies
from formwork.registry.errors import registry_error
from formwork.registry.finding import AnyRow, lock_type, version_arn
from formwork.registry.inserting import insert_or_ignore
from formwork.registry.registration_work import WORKFLOW
from formwork.registry.requests import RegisterTypeRequest
from formwork.registry.results import RegistrationStatus
from formwork.registry.rules import MOST_TYPES, MOST_VERSIONS, check_name
from formwork.registry.tables import registrations, types, versions
from formwork.registry.tokens import new_token

_ACTIVE = ("LIVE", "PENDING")


def register_type(parts: RegistryDependencies, scope: Scope, request: RegisterTypeRequest) -> str:
    """Note a registration and start the work on it; its token, the same one for the same client token.

    Raises:
        RegistryError: the name can't be registered, a quota is reached, or the client token stands for another request.
    """
    check_name(request.type_name, request.kind or ExtensionKind.RESOURCE)
    digest = hashlib.sha256(json.dumps(as_json_value(request), sort_keys=True).encode()).hexdigest()
    try:
        token = _ask(parts, scope, request, digest)
    except IntegrityError:  # another client was faster with the same client token: now it is known
        token = _ask(parts, scope, request, digest)
    parts.settings.observer.checkpoint("register-noted")
    parts.work.start(WORKFLOW, token, token)
    return token


def _ask(parts: RegistryDependencies, scope: Scope, request: RegisterTypeRequest, digest: str) -> str:
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
    connection: Connection,
    parts: RegistryDependencies,
    request: RegisterTypeRequest,
    row: AnyRow,
    *,
    token: str,
    digest: str,
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
    parts.settings.observer.checkpoint("register-noting")


def _hold_type(connection: Connection, scope: Scope, kind: ExtensionKind, name: str, now: float) -> AnyRow:
    """Return the type's row, made where it is the first version, held until the transaction ends."""
    key = {"account": scope.account, "region": scope.region, "kind": str(kind), "name": name}
    insert_or_ignore(connection, types, **key, status="PENDING", last_number=0, created=now, updated=now)
    row = lock_type(connection, scope, kind, name)
    assert row is not None
    if row.publisher_id is not None and row.status == "LIVE":
        raise registry_error(f"The type '{name}' is activated from publisher '{row.publisher_id}' in this Region.")
    return row


def _check_quotas(connection: Connection, parts: RegistryDependencies, row: AnyRow) -> str | None:
    """Return what to remark on AWS's quotas.

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


def describe_registration(parts: RegistryDependencies, scope: Scope, token: str) -> RegistrationStatus:
    """Return how far a registration is.

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
