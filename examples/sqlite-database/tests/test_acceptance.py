"""The type in stacks: the fixture `cloudformation` comes with Formwork's extra `serve`."""

from pathlib import Path

import pytest

pytest.importorskip("starlette", reason="needs formwork-cfn[serve]")
TEMPLATE = """
Parameters:
  Name: {Type: String, Default: library}
  Journal: {Type: String, Default: WAL}
  AccessKey: {Type: String, NoEcho: true, Default: correct horse battery}
Resources:
  Library:
    Type: Acme::SQLite::Database
    Properties: {DatabaseName: !Ref Name, JournalMode: !Ref Journal, AccessKey: !Ref AccessKey}
"""


def test_a_database_lives_in_a_stack(cloudformation, tmp_path):
    cloudformation.register(Path(__file__).parents[1], configuration={"DataFolder": str(tmp_path)})
    library = cloudformation.deploy(TEMPLATE)
    library.expect_in_place("Library")
    library.update(parameters={"Journal": "DELETE"})
    library.rollback(parameters={"Journal": "WAL"})
    library.expect_replacement("Library")
    library.update(parameters={"Name": "archive"})
    cloudformation.expect_failure(at="Library", code="AlreadyExists")
    cloudformation.deploy(TEMPLATE, stack="second", parameters={"Name": "archive"})
    library.delete()
    assert not list(tmp_path.glob("*.db"))
