"""Disappearance, rollback, import and upgrade of what a test has deployed."""

from typing import ClassVar

import pytest

from formwork.testing import AcceptanceFailure, HandlerFailure
from support.shelves import SCHEMA, TEMPLATE, Shelf


def test_a_resource_disappears(cloudformation):
    cloudformation.register(Shelf)
    shop = cloudformation.deploy(TEMPLATE, stack="shop")
    shop.disappears("Shelf")
    shop.delete()


def test_a_resource_that_is_still_found_is_reported(cloudformation):
    class Ghost(Shelf):
        def delete(self, model):
            self.find(model)

    cloudformation.register(Ghost)
    shop = cloudformation.deploy(TEMPLATE, stack="shop")
    with pytest.raises(AcceptanceFailure, match="drift detection says IN_SYNC, not DELETED"):
        shop.disappears("Shelf")
    Ghost.delete = Shelf.delete


@pytest.mark.parametrize("after", [None, 0, 1, "News"])
def test_nothing_is_left_of_a_deployment_that_fails(cloudformation, after):
    shelf = Shelf()
    cloudformation.register(shelf)
    cloudformation.rollback(TEMPLATE, after=after)
    assert shelf.kept == {}


def test_what_a_rollback_leaves_is_found(cloudformation):
    class Lazy(Shelf):
        def delete(self, model):
            self.find(model)

    cloudformation.register(Lazy)
    with pytest.raises(AcceptanceFailure, match="Shelf is left"):
        cloudformation.rollback(TEMPLATE)


def test_an_update_is_rolled_back(cloudformation):
    cloudformation.register(Shelf)
    shop = cloudformation.deploy(TEMPLATE, stack="shop")
    shop.rollback(parameters={"Size": 7})
    assert shop.resources["Shelf"].properties["Size"] == 1
    shop.rollback(parameters={"Name": "poems"}, after="Shelf")
    assert shop.resources["Shelf"].physical_id == "novels"


def test_an_update_that_is_not_rolled_back_is_found(cloudformation):
    class Keeping(Shelf):
        def update(self, model, previous):
            if model["Size"] < previous["Size"]:
                return self.kept[model["Name"]]
            return super().update(model, previous)

    cloudformation.register(Keeping)
    shop = cloudformation.deploy(TEMPLATE, stack="shop")
    with pytest.raises(AcceptanceFailure, match="/Size"):
        shop.rollback(parameters={"Size": 7})


def test_a_stack_is_imported(cloudformation):
    cloudformation.register(Shelf)
    shop = cloudformation.deploy(TEMPLATE, stack="shop")
    shop.import_()
    assert shop.outputs == {"Arn": "arn:acme:novels"}
    shop.delete()


def test_a_resource_that_exists_is_imported(cloudformation):
    shelf = Shelf()
    shelf.keep({"Name": "novels", "Size": 1})
    cloudformation.register(shelf)
    template = {"Resources": {"Shelf": {"Type": "Acme::Books::Shelf", "Properties": {"Name": "novels", "Size": 1}}}}
    shop = cloudformation.import_(template, {"Shelf": {"Name": "novels"}})
    assert shop.status == "IMPORT_COMPLETE"


def test_an_import_that_finds_something_else_is_reported(cloudformation):
    shelf = Shelf()
    shelf.keep({"Name": "novels", "Size": 2})
    cloudformation.register(shelf)
    template = {"Resources": {"Shelf": {"Type": "Acme::Books::Shelf", "Properties": {"Name": "novels", "Size": 1}}}}
    with pytest.raises(AcceptanceFailure, match="MODIFIED"):
        cloudformation.import_(template, {"Shelf": {"Name": "novels"}})


def test_a_type_is_upgraded(cloudformation):
    shelf = Shelf()
    cloudformation.register(shelf)
    shop = cloudformation.deploy(TEMPLATE, stack="shop")

    class Next(Shelf):
        schema: ClassVar = {**SCHEMA, "properties": {**SCHEMA["properties"], "Colour": {"type": "string"}}}

        def __init__(self):
            self.kept = shelf.kept

    shop.upgrade(Next, parameters={"Size": 4})
    assert shelf.kept["novels"]["Size"] == 4


def test_an_upgrade_that_does_not_read_what_the_old_version_made_is_found(cloudformation):
    cloudformation.register(Shelf)
    shop = cloudformation.deploy(TEMPLATE, stack="shop")
    with pytest.raises(AcceptanceFailure, match="Shelf drifts right after the operation: DELETED"):
        shop.upgrade(Shelf)


def test_an_upgrade_that_replaces_is_found(cloudformation):
    shelf = Shelf()
    cloudformation.register(shelf)
    shop = cloudformation.deploy(TEMPLATE, stack="shop")

    class Replacing(Shelf):
        schema: ClassVar = {**SCHEMA, "createOnlyProperties": ["/properties/Name", "/properties/Size"]}

        def __init__(self):
            self.kept = shelf.kept

        def create(self, model):
            raise HandlerFailure("AlreadyExists")

    with pytest.raises(AcceptanceFailure, match="AlreadyExists"):
        shop.upgrade(Replacing, parameters={"Size": 4})
