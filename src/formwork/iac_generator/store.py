"""Rows of scans, scanned resources and generated templates."""

import json
from typing import Any

from msgspec.structs import replace
from sqlalchemy import Connection, func, select

from formwork.aws.scope import Scope
from formwork.documents.copied import as_json_value
from formwork.iac_generator.records import (
    GeneratedTemplate,
    Scan,
    ScannedResource,
    scan_from_value,
    template_from_value,
)
from formwork.iac_generator.tables import scanned, scans, templates

EXPIRY_SECONDS = 30 * 24 * 3600.0  # the guide: a scan expires after 30 days

# -- scans


def write_scan(connection: Connection, scan: Scan, *, new: bool = False) -> None:
    """Add a scan, or replace it.

    Raises:
        IntegrityError: a new one has a token that another one began with.
    """
    values = {"status": scan.status, "scan_json": json.dumps(as_json_value(scan))}
    if new:
        fixed = {"id": scan.id, **_of(scan.scope), "started": scan.started, "token": scan.token}
        connection.execute(scans.insert().values(**fixed, **values))
    else:
        connection.execute(scans.update().where(scans.c.id == scan.id).values(**values))


def get_scan(connection: Connection, identifier: str, now: float) -> Scan | None:
    """Return a scan, its status EXPIRED after 30 days; None if it is not found."""
    text = connection.execute(select(scans.c.scan_json).where(scans.c.id == identifier)).scalar()
    return None if text is None else _scan(text, now)


def list_scans(connection: Connection, scope: Scope, now: float) -> list[Scan]:
    """Return the scans of an account and Region, the newest first."""
    query = select(scans.c.scan_json).where(scans.c.account == scope.account, scans.c.region == scope.region)
    query = query.order_by(scans.c.started.desc(), scans.c.id)
    return [_scan(text, now) for text in connection.execute(query).scalars()]


def list_running_scans(connection: Connection) -> list[str]:
    """Return the ids of the scans that have not ended."""
    return list(connection.execute(select(scans.c.id).where(scans.c.status == "IN_PROGRESS")).scalars())


def replace_scanned(connection: Connection, scan_id: str, found: list[ScannedResource]) -> None:
    """Store the resources of a scan in place of those that it had."""
    connection.execute(scanned.delete().where(scanned.c.scan_id == scan_id))
    rows = [
        {
            "scan_id": scan_id,
            "number": number,
            "type": each.type,
            "managed": each.managed,
            "resource_json": json.dumps(as_json_value(each)),
        }
        for number, each in enumerate(found)
    ]
    if rows:
        connection.execute(scanned.insert(), rows)


def list_scanned(connection: Connection, scan_id: str) -> list[ScannedResource]:
    """Return the resources of a scan."""
    query = select(scanned.c.resource_json).where(scanned.c.scan_id == scan_id).order_by(scanned.c.number)
    return [ScannedResource(**json.loads(text)) for text in connection.execute(query).scalars()]


def forget_scanned(connection: Connection, before: float) -> None:
    """Delete the resources of scans that began before a time: expired scans list none."""
    old = select(scans.c.id).where(scans.c.started < before)
    connection.execute(scanned.delete().where(scanned.c.scan_id.in_(old)))


def _scan(text: str, now: float) -> Scan:
    scan = scan_from_value(json.loads(text))
    expired = scan.ended is not None and scan.ended + EXPIRY_SECONDS < now and scan.status == "COMPLETE"
    return replace(scan, status="EXPIRED") if expired else scan


# -- templates


def insert_template(connection: Connection, template: GeneratedTemplate) -> None:
    """Add a template.

    Raises:
        IntegrityError: another one has its name.
    """
    fixed = {"id": template.id, **_of(template.scope), "created": template.created}
    connection.execute(templates.insert().values(**fixed, **_changing(template)))


def write_template(connection: Connection, template: GeneratedTemplate) -> None:
    """Replace a template.

    Raises:
        IntegrityError: another one has its new name.
    """
    connection.execute(templates.update().where(templates.c.id == template.id).values(**_changing(template)))


def get_template(connection: Connection, identifier: str) -> GeneratedTemplate | None:
    """Return a template by its id, None if it is not found."""
    text = connection.execute(select(templates.c.template_json).where(templates.c.id == identifier)).scalar()
    return None if text is None else template_from_value(json.loads(text))


def find_template(connection: Connection, scope: Scope, name: str) -> GeneratedTemplate | None:
    """Return the template of an account and Region by its name or ARN, None if it is not found."""
    here = (templates.c.account == scope.account) & (templates.c.region == scope.region)
    named = templates.c.id == name.rpartition("/")[2] if name.startswith("arn:") else templates.c.name == name
    text = connection.execute(select(templates.c.template_json).where(here, named)).scalar()
    return None if text is None else template_from_value(json.loads(text))


def list_templates(connection: Connection, scope: Scope) -> list[GeneratedTemplate]:
    """Return the templates of an account and Region, the newest first."""
    query = select(templates.c.template_json).where(
        templates.c.account == scope.account, templates.c.region == scope.region
    )
    query = query.order_by(templates.c.created.desc(), templates.c.id)
    return [template_from_value(json.loads(text)) for text in connection.execute(query).scalars()]


def count_templates(connection: Connection, scope: Scope) -> tuple[int, int]:
    """Return how many templates an account and Region has, and how many of these are not made yet."""
    here = (templates.c.account == scope.account) & (templates.c.region == scope.region)
    count = select(func.count()).select_from(templates).where(here)
    busy = count.where(templates.c.status.not_in(["COMPLETE", "FAILED"]))
    return connection.execute(count).scalar_one(), connection.execute(busy).scalar_one()


def list_pending_templates(connection: Connection) -> list[tuple[str, int]]:
    """Return id and revision of the templates that are being made or changed."""
    query = select(templates.c.template_json).where(templates.c.status.not_in(["COMPLETE", "FAILED"]))
    found = [template_from_value(json.loads(text)) for text in connection.execute(query).scalars()]
    return [(each.id, each.revision) for each in found]


def delete_template(connection: Connection, identifier: str) -> None:
    """Delete a template."""
    connection.execute(templates.delete().where(templates.c.id == identifier))


def _changing(template: GeneratedTemplate) -> dict[str, Any]:
    return {
        "name": template.name,
        "status": template.status,
        "template_json": json.dumps(template.to_value()),
    }


def _of(scope: Scope) -> dict[str, str]:
    return {"account": scope.account, "region": scope.region}
