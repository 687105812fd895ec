"""Seals columns that older versions stored unencrypted, for migrations."""

from collections.abc import Mapping

import sqlalchemy as sa

from formwork.durable.sealing import SEALER, Sealer

_AT_ONCE = 500


def seal_columns(connection: sa.Connection, tables: Mapping[str, tuple[list[str], list[str]]]) -> None:
    """Seal unencrypted texts, where the database has a key; `tables`: table → (columns of its key, columns to seal)."""
    sealer = getattr(connection.dialect, SEALER, None)
    if sealer is not None:
        for name, (keys, columns) in tables.items():
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
