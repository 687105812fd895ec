"""The hook in stacks; their tables are simulated. The extra `serve` brings the fixture."""

from pathlib import Path

import pytest

pytest.importorskip("starlette", reason="needs formwork-cfn[serve]")
PROJECT = Path(__file__).parents[1]
TEMPLATE = """
Parameters: {Key: {Type: CommaDelimitedList, Default: ""}}
Conditions: {Keyed: !Not [!Equals [!Join ["", !Ref Key], ""]]}
Resources:
  Books:
    Type: Acme::SQLite::Table
    Properties:
      DatabaseName: shop
      TableName: books
      Columns: [{Name: isbn, Type: TEXT}]
      PrimaryKey: !If [Keyed, !Ref Key, !Ref AWS::NoValue]
"""


def test_a_table_needs_a_key(cloudformation):
    cloudformation.register(PROJECT / "target-schemas" / "acme-sqlite-table.json")
    hook = cloudformation.register(PROJECT)
    cloudformation.expect_refused(by=hook, match="key")
    cloudformation.deploy(TEMPLATE, stack="keyless")
    cloudformation.deploy(TEMPLATE, stack="shop", parameters={"Key": "isbn"})
    cloudformation.configure(hook.type_name, {"Exempt": ["books"]})
    cloudformation.deploy(TEMPLATE.replace("shop", "exempt"))
