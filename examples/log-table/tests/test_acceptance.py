"""The module in stacks; its table is simulated. The extra `serve` brings the fixture."""

from pathlib import Path

import pytest

pytest.importorskip("starlette", reason="needs formwork-cfn[serve]")
MODULE = Path(__file__).parents[1]
TEMPLATE = {
    "Parameters": {"Database": {"Type": "String", "Default": "library"}},
    "Resources": {
        "Loans": {
            "Type": "Acme::SQLite::LogTable::MODULE",
            "Properties": {"Database": {"Ref": "Database"}, "Name": "loans"},
        }
    },
}


def test_a_log_table_is_expanded(cloudformation):
    cloudformation.register(MODULE.parent / "sqlite-table" / "acme-sqlite-table.json")
    cloudformation.register(MODULE)
    library = cloudformation.deploy(TEMPLATE)
    cloudformation.snapshot("template", library.template)
    assert library.resources["LoansTable"].properties["TableName"] == "loans"
    library.expect_replacement("LoansTable")
    library.update(parameters={"Database": "archive"})
