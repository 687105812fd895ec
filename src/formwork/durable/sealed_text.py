"""The type of columns whose texts are sealed; see `sealing` (docs/decisions/1274)."""

from typing import Any

from sqlalchemy import Dialect, Table, Text, TextClause, TypeDecorator, bindparam

from formwork.durable.sealing import SEALER


class SealedText(TypeDecorator[str]):
    """A text that is sealed in the database, where that has a key."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        """Return the sealed text for the database."""
        sealer = getattr(dialect, SEALER, None)
        return value if value is None or sealer is None else sealer.seal(value)

    def process_result_value(self, value: Any | None, dialect: Dialect) -> str | None:
        """Return the text of a sealed value from the database."""
        sealer = getattr(dialect, SEALER, None)
        return value if value is None or sealer is None else sealer.open(value)


def with_seals(statement: TextClause, table: Table) -> TextClause:
    """Return the statement with parameters typed as sealed if they have the name of a sealed column."""
    sealed = [each for each in table.columns if isinstance(each.type, SealedText)]
    named = [each for each in sealed if f":{each.name}" in statement.text]
    return statement.bindparams(*(bindparam(each.name, type_=each.type) for each in named))
