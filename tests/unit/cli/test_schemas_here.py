"""Where commands find the schemas of a hook's targets."""

import io
import json

import pytest

from formwork.command_context.output import CommandOutput
from formwork.command_context.schemas_here import schemas_here


class Registry:
    """A client of CloudFormation whose account has a type of every provisioning type."""

    def get_paginator(self, _name):
        return self

    def paginate(self, *, Visibility, ProvisioningType="FULLY_MUTABLE", **_members):
        found = {"FULLY_MUTABLE": "Acme::Store::Thing", "IMMUTABLE": "Acme::Store::Box"}.get(ProvisioningType)
        return [{"TypeSummaries": [{"TypeName": found}] if found and Visibility == "PRIVATE" else []}]


def quiet():
    return CommandOutput(io.StringIO(), io.StringIO(), colour=False, interactive=False)


@pytest.fixture
def no_cfn_lint(monkeypatch, tmp_path):
    monkeypatch.setattr("formwork.schema.at_hand.find_spec", lambda _name: None)
    monkeypatch.setenv("FORMWORK_STATE", str(tmp_path / "state"))


def test_a_pattern_does_not_mean_the_few_that_are_shipped(no_cfn_lint, tmp_path):
    here = schemas_here([], quiet(), running=False)
    assert json.loads(here.find("AWS::S3::Bucket"))["typeName"] == "AWS::S3::Bucket"
    assert [here.matching(each) for each in ("AWS::S3::*", "*", "AWS::S3::Bucket")] == [[], [], []]
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "table.json").write_text(json.dumps({"typeName": "AWS::S3::Table"}))
    assert schemas_here([folder], quiet(), running=False).matching("AWS::S3::*") == ["AWS::S3::Table"]


def test_a_pattern_means_the_types_of_others(no_cfn_lint):
    here = schemas_here([], quiet(), running=False, registry=Registry())
    assert here.matching("Acme::*") == ["Acme::Store::Box", "Acme::Store::Thing"]


def test_a_pattern_means_awss_types_where_they_are_known():
    here = schemas_here([], quiet(), running=False)
    assert {"AWS::S3::Bucket", "AWS::S3::BucketPolicy"} <= {*here.matching("AWS::S3::*")}
