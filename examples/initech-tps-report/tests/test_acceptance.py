"""The type in stacks: the fixture `cloudformation` comes with Formwork's extra `serve`."""

from pathlib import Path

import pytest

pytest.importorskip("starlette", reason="needs formwork-cfn[serve]")
TEMPLATE = """
Parameters: {Title: {Type: String, Default: Quarterly results}}
Resources:
  Report:
    Type: Initech::TPS::Report
    Properties: {Title: !Ref Title, TestCode: NOT_STARTED, Authors: [Peter, Samir]}
Outputs:
  Code: {Value: !Ref Report, Export: {Name: report}}
"""


def test_a_report_lives_in_a_stack(cloudformation, tmp_path):
    cloudformation.register(Path(__file__).parents[1], configuration={"Folder": str(tmp_path)})
    office = cloudformation.deploy(TEMPLATE)
    assert office.resources["Report"].properties["ApprovalDate"]
    office.expect_in_place("Report")
    office.update(parameters={"Title": "Second draft"})
    office.rollback(parameters={"Title": "Third draft"})
    office.import_()
    office.disappears("Report")
    office.delete()
