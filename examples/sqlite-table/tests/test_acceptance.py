"""The type in stacks: the fixture `cloudformation` comes with Formwork's extra `serve`."""

from pathlib import Path

import pytest

pytest.importorskip("starlette", reason="needs formwork-cfn[serve]")
TEMPLATE = """
Parameters: {Table: {Type: String, Default: books}, Isbn: {Type: String, Default: TEXT}}
Resources:
  Books:
    Type: Acme::SQLite::Table
    Properties: {DatabaseName: shop, TableName: !Ref Table, Columns: [{Name: isbn, Type: !Ref Isbn}]}
"""


def test_a_table_lives_in_a_stack(cloudformation, tmp_path):
    cloudformation.register(Path(__file__).parents[1], configuration={"DataFolder": str(tmp_path / "data")})
    shop = cloudformation.deploy(TEMPLATE)
    shop.expect_in_place("Books")
    shop.update(parameters={"Isbn": "INTEGER"})
    shop.expect_replacement("Books")
    shop.update(parameters={"Table": "novels"})
    shop.rollback(parameters={"Isbn": "TEXT"})
    shop.import_()
    shop.disappears("Books")
    shop.delete()
