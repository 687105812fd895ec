"""Deployments, updates and deletions in a test's account, and what is checked after them."""

import logging
from typing import ClassVar

import boto3
import pytest

from formwork.testing import AcceptanceFailure, Checks, HandlerFailure
from support.shelves import SCHEMA, TEMPLATE, Shelf, SmallShelves


def test_a_stack_is_deployed_updated_and_deleted(cloudformation):
    cloudformation.register(Shelf)
    shop = cloudformation.deploy(TEMPLATE, stack="shop")
    assert shop.outputs == {"Arn": "arn:acme:novels"}
    assert shop.exports == {"shelf-arn": "arn:acme:novels"}
    assert shop.resources["Shelf"].properties["Size"] == 1
    assert shop.events[-1].status == "CREATE_COMPLETE"
    shop.expect_in_place("Shelf")
    shop.update(parameters={"Size": 2})
    assert [change.action for change in shop.plan] == ["Modify"]
    shop.expect_replacement("Shelf")
    shop.expect_changed_output("Arn")
    shop.update(parameters={"Name": "poems"})
    assert shop.resources["Shelf"].physical_id == "poems"
    shop.delete()
    assert shop.status == "DELETE_COMPLETE"


def test_clients_find_the_account_by_the_standard_variables(cloudformation):
    cloudformation.deploy({"Resources": {"News": {"Type": "AWS::SNS::Topic"}}}, stack="shop")
    assert boto3.client("sts").get_caller_identity()["Account"] == cloudformation.account
    stacks = boto3.client("cloudformation").describe_stacks()["Stacks"]
    assert [each["StackName"] for each in stacks] == ["shop"]


def test_every_test_has_an_empty_account(cloudformation):
    assert cloudformation.cloudformation.describe_stacks()["Stacks"] == []
    assert cloudformation.cloudformation.list_types(Visibility="PRIVATE")["TypeSummaries"] == []


def test_a_replacement_where_an_update_in_place_was_promised(cloudformation):
    cloudformation.register(Shelf)
    shop = cloudformation.deploy(TEMPLATE, stack="shop")
    shop.expect_in_place("Shelf")
    with pytest.raises(AcceptanceFailure) as failed:
        shop.update(parameters={"Name": "poems"})
    text = str(failed.value)
    assert text.startswith("Shelf was replaced; an update in place was expected")
    for part in ("Acme::Books::Shelf", "/Properties/Name", "novels", "poems", "CREATE → SUCCESS", "replay:    pytest "):
        assert part in text


def test_an_update_in_place_where_a_replacement_was_promised(cloudformation):
    cloudformation.register(Shelf)
    shop = cloudformation.deploy(TEMPLATE, stack="shop")
    shop.expect_replacement("Shelf")
    with pytest.raises(AcceptanceFailure, match="Shelf was updated in place; a replacement was expected"):
        shop.update(parameters={"Size": 2})


def test_a_type_that_drifts_is_found(cloudformation):
    class Forgetful(Shelf):
        def keep(self, model):
            return super().keep({**model, "Size": 1})

    cloudformation.register(Forgetful)
    shop = cloudformation.deploy(TEMPLATE, stack="shop")
    with pytest.raises(AcceptanceFailure) as failed:
        shop.update(parameters={"Size": 5})
    text = str(failed.value)
    assert text.startswith("Shelf drifts right after the operation: MODIFIED")
    assert "/Size" in text
    assert "READ → SUCCESS" in text
    shop.update(parameters={"Size": 6}, checks=Checks(in_sync=False))


def test_a_resource_that_list_misses_is_found(cloudformation):
    class Unlisted(Shelf):
        def list(self, model):
            return []

    cloudformation.register(Unlisted)
    with pytest.raises(AcceptanceFailure, match="Shelf is not in the answer of its LIST handler"):
        cloudformation.deploy(TEMPLATE)
    cloudformation.deploy(TEMPLATE.replace("shelf-arn", "other"), parameters={"Name": "b"}, checks=Checks(listed=False))


def test_a_type_that_cannot_be_deleted_is_found(cloudformation):
    class Sticky(Shelf):
        stuck = True

        def delete(self, model):
            if self.stuck:
                raise HandlerFailure("InvalidRequest", "it is in use")
            super().delete(model)

    shelf = Sticky()
    cloudformation.register(shelf)
    shop = cloudformation.deploy(TEMPLATE, stack="shop")
    with pytest.raises(AcceptanceFailure) as failed:
        shop.delete()
    assert "the stack can't be deleted" in str(failed.value)
    assert "it is in use" in str(failed.value)
    shelf.stuck = False


def test_a_resource_that_is_left_is_found(cloudformation):
    class Lazy(Shelf):
        def delete(self, model):
            if self.find(model).get("Size") == 1:
                return
            super().delete(model)

    cloudformation.register(Lazy)
    shop = cloudformation.deploy(TEMPLATE, stack="shop")
    with pytest.raises(AcceptanceFailure, match="Shelf is left after the stack's deletion"):
        shop.delete()


def test_an_export_that_changes_is_found(cloudformation):
    cloudformation.register(Shelf)
    shop = cloudformation.deploy(TEMPLATE, stack="shop")
    with pytest.raises(AcceptanceFailure, match="the export shelf-arn changed"):
        shop.update(parameters={"Name": "poems"})


def test_a_hook_refuses(cloudformation):
    cloudformation.register(Shelf)
    hook = cloudformation.register(SmallShelves, configuration={"Most": 5})
    cloudformation.expect_refused(by=hook, match="more than 5 books")
    cloudformation.deploy(TEMPLATE, stack="big", parameters={"Size": 9})
    shop = cloudformation.deploy(TEMPLATE, stack="shop")
    shop.expect_refused(by=hook)
    shop.update(parameters={"Size": 8})
    assert shop.resources["Shelf"].properties["Size"] == 1


def test_a_hook_that_does_not_refuse_is_found(cloudformation):
    cloudformation.register(Shelf)
    hook = cloudformation.register(SmallShelves)
    cloudformation.expect_refused(by=hook)
    with pytest.raises(
        AcceptanceFailure, match="expected a refusal by Acme::Books::SmallShelves, but the operation succ"
    ):
        cloudformation.deploy(TEMPLATE)


def test_a_failure_at_a_resource(cloudformation):
    class Broken(Shelf):
        def create(self, model):
            raise HandlerFailure("NotStabilized", "it does not stand")

    cloudformation.register(Broken)
    cloudformation.expect_failure(at="Shelf", code="NotStabilized", match="does not stand")
    cloudformation.deploy(TEMPLATE)
    cloudformation.expect_failure(at="Shelf", code="AccessDenied")
    with pytest.raises(AcceptanceFailure, match="but the operation failed otherwise"):
        cloudformation.deploy(TEMPLATE, stack="again")


def test_a_report_contains_no_secret(cloudformation):
    """Neither a writeOnly property nor a NoEcho parameter, whatever the handler writes."""
    secret = "correct horse battery staple"

    class Talkative(Shelf):
        schema: ClassVar = {
            **SCHEMA,
            "properties": {**SCHEMA["properties"], "Key": {"type": "string"}},
            "writeOnlyProperties": ["/properties/Key"],
        }

        def keep(self, model):
            kept = super().keep(model)
            kept.pop("Key", None)
            return kept

        def update(self, model, previous):
            logging.getLogger("shelf").warning("the key is %s", model["Key"])
            raise HandlerFailure("InvalidRequest", f"the key {model['Key']} is not valid")

    template = """
Parameters: {Key: {Type: String, NoEcho: true, Default: a first key of ours}, Size: {Type: Number, Default: 1}}
Resources:
  Shelf: {Type: Acme::Books::Shelf, Properties: {Name: novels, Size: !Ref Size, Key: !Ref Key}}
"""
    cloudformation.register(Talkative)
    shop = cloudformation.deploy(template, stack="shop")
    with pytest.raises(AcceptanceFailure) as failed:
        shop.update(parameters={"Key": secret, "Size": 2})
    assert "UPDATE → FAILED" in str(failed.value)
    for text in (str(failed.value), cloudformation.normalized(shop.plan), cloudformation.normalized(shop.events)):
        assert secret not in text


def test_a_module_and_a_schema(cloudformation):
    cloudformation.register(
        {**SCHEMA, "handlers": {name: {"permissions": []} for name in ("create", "read", "delete")}}
    )
    fragment = {
        "Parameters": {"Label": {"Type": "String"}},
        "Resources": {"One": {"Type": "Acme::Books::Shelf", "Properties": {"Name": {"Ref": "Label"}}}},
    }
    cloudformation.register_module("Acme::Books::Pair::MODULE", fragment)
    pair = {"Type": "Acme::Books::Pair::MODULE", "Properties": {"Label": "atlases"}}
    shop = cloudformation.deploy({"Resources": {"Pair": pair}})
    assert list(shop.template["Resources"]) == ["PairOne"]
    assert shop.resources["PairOne"].physical_id == "atlases"


def test_a_template_that_is_refused_is_reported(cloudformation):
    broken = {"Resources": {"News": {"Type": "AWS::SNS::Topic", "Properties": {"DisplayName": {"Ref": "Nothing"}}}}}
    with pytest.raises(
        AcceptanceFailure, match=r"was not created\n(?s:.*)Unresolved resource dependencies \[Nothing\]"
    ):
        cloudformation.deploy(broken)
    cloudformation.expect_refused(match="Unresolved resource dependencies")
    cloudformation.deploy(broken)
    shop = cloudformation.deploy({"Resources": {"News": {"Type": "AWS::SNS::Topic"}}}, stack="shop")
    with pytest.raises(AcceptanceFailure, match="Unresolved resource dependencies"):
        shop.update(broken)
