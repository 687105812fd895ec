"""What older versions wrote in clear is sealed: all columns that hold values, and messages that may repeat one."""

import sqlalchemy as sa
from alembic import op

from formwork.durable.sealing import SEALER, Sealer

revision = "0010"
down_revision = "0009"

# Table: (the columns of its key, the columns that are sealed).
_SEALED = {
    "engine_stack": (["id"], ["reason", "settings_json", "deployed_json", "outputs_json"]),
    "engine_resource": (
        ["stack_id", "logical_id"],
        ["reason", "declaration_json", "properties_json", "model_json", "drift_json"],
    ),
    "engine_leftover": (["id"], ["resource_json"]),
    "engine_event": (["number"], ["reason", "more_json"]),
    "engine_operation": (["id"], ["target_json"]),
    "engine_step": (["operation_id", "phase", "logical_id"], ["reason", "progress_json"]),
    "engine_change_set": (["id"], ["reason", "request_json", "target_json", "changes_json"]),
    "engine_drift_detection": (["id"], ["reason"]),
    "engine_request": (["token"], ["message", "progress_json"]),
    "engine_simulated": (["account", "region", "type", "identifier"], ["model_json"]),
    "engine_hook_result": (["number"], ["reason", "more_json"]),
    "engine_notice": (["number"], ["content"]),
    "engine_signal": (["number"], ["reason", "data"]),
    "engine_stack_set": (["id"], ["definition_json", "drift_json"]),
    "engine_stack_instance": (["stack_set_id", "account", "region"], ["instance_json"]),
    "engine_stack_set_operation": (["number"], ["more_json"]),
    "engine_stack_set_result": (["operation", "place"], ["result_json"]),
    "registry_version": (["type_id", "number"], ["test_description"]),
    "registry_configuration": (["account", "region", "kind", "name", "alias"], ["content"]),
    "registry_progress": (["id"], ["message", "model"]),
}
_AT_ONCE = 500


def upgrade() -> None:
    """Seal what is in clear, where the database has a key."""
    connection = op.get_bind()
    sealer = getattr(connection.dialect, SEALER, None)
    if sealer is not None:
        for name, (keys, columns) in _SEALED.items():
            _seal(connection, sealer, sa.table(name, *map(sa.column, [*keys, *columns])), keys, columns)


def _seal(
    connection: sa.Connection, sealer: Sealer, table: sa.TableClause, keys: list[str], columns: list[str]
) -> None:
    clear = sa.or_(*(sa.and_(table.c[each].is_not(None), table.c[each].not_like("sealed:1:%")) for each in columns))
    change = table.update().where(*(table.c[each] == sa.bindparam(f"key_{each}") for each in keys))
    change = change.values({each: sa.bindparam(f"new_{each}") for each in columns})
    while rows := connection.execute(table.select().where(clear).limit(_AT_ONCE)).mappings().all():
        connection.execute(change, [_values(sealer, row, keys, columns) for row in rows])


def _values(sealer: Sealer, row: sa.RowMapping, keys: list[str], columns: list[str]) -> dict[str, object]:
    found: dict[str, object] = {f"key_{each}": row[each] for each in keys}
    for each in columns:
        text = row[each]
        found[f"new_{each}"] = text if text is None or sealer.is_sealed(text) else sealer.seal(text)
    return found
