"""ListTypes: filters, visibility, defaults, pages."""

import json
from fnmatch import fnmatchcase
from typing import ClassVar

import pytest

from formwork.extensions import ExtensionKind
from formwork.registry.errors import RegistryError
from formwork.registry.requests import ListTypeRegistrationsRequest, ListTypesRequest, Page, TypeReference
from support.registry import ELSEWHERE, GUARD, HERE, SHELF, STRANGER, THING, by_name, resource_package, resource_schema


def names(desk, scope=HERE, **request):
    return [each.name for each in desk.registry.list_types(scope, ListTypesRequest(**request)).items]


@pytest.fixture
def stocked(desk):
    for name in (THING, GUARD, SHELF):
        desk.register(name)
    for provisioning, handlers in (("Fixed", ("create", "read", "delete")), ("Inert", ("read",))):
        schema = resource_schema(f"Acme::Store::{provisioning}", handlers=handlers)
        desk.register(schema["typeName"], content=resource_package(schema["typeName"], schema=schema))
    return desk


def test_what_is_listed_by_default(stocked):
    assert names(stocked) == [GUARD, SHELF, THING]
    assert names(stocked, scope=ELSEWHERE) == names(stocked, scope=STRANGER) == []


def test_resource_types_are_asked_for_by_how_they_are_provisioned(stocked):
    assert names(stocked, provisioning="IMMUTABLE") == ["Acme::Store::Fixed"]
    assert names(stocked, provisioning="NON_PROVISIONABLE") == ["Acme::Store::Inert"]
    assert names(stocked, provisioning="FULLY_MUTABLE") == [THING]


def test_filters(stocked):
    assert names(stocked, kind=ExtensionKind.HOOK) == [GUARD]
    assert names(stocked, prefix="Acme::Store::S") == [SHELF]
    assert names(stocked, prefix="Acme::Store::%") == names(stocked, prefix="acme") == []
    assert names(stocked, category="REGISTERED") == [GUARD, SHELF, THING]
    assert names(stocked, category="ACTIVATED") == []
    assert names(stocked, category="AWS_TYPES") == []
    stocked.registry.deregister_type(HERE, by_name(GUARD))
    assert names(stocked) == [SHELF, THING]
    assert names(stocked, status="DEPRECATED") == [GUARD]


def test_awss_own_types_of_the_registry_are_public(stocked):
    own = names(stocked, visibility="PUBLIC", category="AWS_TYPES", provisioning="FULLY_MUTABLE")
    assert "AWS::CloudFormation::ResourceDefaultVersion" in own
    assert "AWS::CloudFormation::ResourceVersion" not in own
    fixed = names(stocked, visibility="PUBLIC", provisioning="IMMUTABLE")
    assert "AWS::CloudFormation::ResourceVersion" in fixed
    assert names(stocked, visibility="PUBLIC", prefix="Acme") == []


def test_a_summary(stocked):
    (found,) = stocked.registry.list_types(HERE, ListTypesRequest(provisioning="FULLY_MUTABLE")).items
    assert found.arn == "arn:aws:cloudformation:us-east-1:111111111111:type/resource/Acme-Store-Thing"
    assert (found.kind, found.default_version) == (ExtensionKind.RESOURCE, "00000001")
    assert found.description == "A thing in a store."
    assert found.is_activated is None


@pytest.mark.parametrize("visibility", ["PRIVATE", "PUBLIC"])
def test_pages_hold_each_type_once(stocked, visibility):
    whole = names(stocked, visibility=visibility)
    seen, token = [], None
    while True:
        request = ListTypesRequest(visibility=visibility, page=Page(size=2, token=token))
        page = stocked.registry.list_types(HERE, request)
        assert len(page.items) <= 2
        seen += [each.name for each in page.items]
        if (token := page.next_token) is None:
            break
    assert seen == whole
    assert len(seen) >= 3
    with pytest.raises(RegistryError, match="NextToken"):
        names(stocked, visibility=visibility, page=Page(token="e30="))


def test_registrations_are_listed_by_status_and_type(stocked):
    stocked.work.hold()
    running = [stocked.submit(resource_package(), THING, ExtensionKind.RESOURCE) for _ in range(3)]

    def tokens(reference=None, **more):
        request = ListTypeRegistrationsRequest(type=reference or TypeReference(), **more)
        return stocked.registry.list_type_registrations(HERE, request)

    assert tokens().items == tuple(reversed(running))
    assert tokens(by_name()).items == tokens(TypeReference(name=THING)).items == tuple(reversed(running))
    assert tokens(by_name(GUARD)).items == ()
    assert tokens(TypeReference(kind=ExtensionKind.HOOK)).items == ()
    assert len(tokens(status="COMPLETE").items) == 5
    page = tokens(page=Page(size=2))
    assert len(page.items) == 2
    assert tokens(page=Page(size=2, token=page.next_token)).items == (running[0],)
    stocked.work.release()
    assert tokens().items == ()


class FourSchemas:
    """A catalog of schemas at hand."""

    schemas: ClassVar = {
        "AWS::S3::Bucket": {"handlers": {each: {} for each in ("create", "read", "update", "delete")}},
        "AWS::S3::Fixed": {"handlers": {each: {} for each in ("create", "read", "delete")}},
        "AWS::S3::Old": {},
        "Acme::Cellar::Wine": {"handlers": {each: {} for each in ("create", "read", "update", "delete")}},
    }

    def find(self, name):
        found = self.schemas.get(name)
        return None if found is None else json.dumps({"typeName": name, "description": "at hand", **found})

    def matching(self, pattern):
        return [name for name in self.schemas if fnmatchcase(name, pattern)]


def test_types_whose_schemas_are_at_hand_are_listed_as_awss(open_a_desk):
    without = names(open_a_desk(), visibility="PUBLIC")
    desk = open_a_desk(schemas_at_hand=FourSchemas())
    whole = names(desk, visibility="PUBLIC")
    assert set(whole) - set(without) == {"AWS::S3::Bucket", "Acme::Cellar::Wine"}
    assert names(desk, visibility="PUBLIC", prefix="AWS::S3") == ["AWS::S3::Bucket"]
    assert names(desk, visibility="PUBLIC", prefix="AWS::S3", provisioning="IMMUTABLE") == ["AWS::S3::Fixed"]
    assert names(desk, visibility="PUBLIC", prefix="AWS::S3", provisioning="NON_PROVISIONABLE") == ["AWS::S3::Old"]
    assert "Acme::Cellar::Wine" not in names(desk, visibility="PUBLIC", category="AWS_TYPES")
    assert names(desk) == []
    first = desk.registry.list_types(HERE, ListTypesRequest(visibility="PUBLIC", page=Page(size=len(whole) - 1)))
    rest = names(desk, visibility="PUBLIC", page=Page(size=5, token=first.next_token))
    assert [*(each.name for each in first.items), *rest] == whole
