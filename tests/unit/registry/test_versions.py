"""Versions: which is the default one, and how they go."""

import pytest

from formwork.registry.errors import RegistryError
from formwork.registry.requests import (
    DescribeTypeRequest,
    ListTypesRequest,
    ListTypeVersionsRequest,
    Page,
    TypeReference,
)
from support.registry import ELSEWHERE, GUARD, HERE, SHELF, THING, by_name

SEVERAL = (
    "This type has more than one active version. Please deregister non-default active versions before attempting to "
    "deregister the type."
)


def versions(desk, name=THING, *, scope=HERE, status="LIVE"):
    request = ListTypeVersionsRequest(type=by_name(name), status=status)
    return [each.version_id for each in desk.registry.list_type_versions(scope, request).items]


def default(desk, name=THING, scope=HERE):
    return desk.registry.describe_type(scope, DescribeTypeRequest(type=by_name(name))).default_version


@pytest.mark.parametrize("name", [THING, GUARD, SHELF])
def test_the_default_version_is_set_by_arn_and_by_id(desk, name):
    desk.register(name)
    second = desk.register(name)
    desk.registry.set_type_default_version(HERE, TypeReference(arn=second))
    assert default(desk, name) == "00000002"
    desk.registry.set_type_default_version(HERE, by_name(name, "00000001"))
    assert default(desk, name) == "00000001"
    listed = desk.registry.list_type_versions(HERE, ListTypeVersionsRequest(type=by_name(name))).items
    assert [(each.version_id, each.is_default) for each in listed] == [("00000001", True), ("00000002", False)]
    assert listed[1].arn == second


@pytest.mark.parametrize("version", ["00000007", "7", "nonsense"])
def test_a_version_that_is_not_there_cannot_be_the_default_one(desk, version):
    desk.register()
    with pytest.raises(RegistryError, match=r"^TypeName is invalid$") as refused:
        desk.registry.set_type_default_version(HERE, by_name(version=version))
    assert refused.value.code == "CFNRegistryException"


def test_a_type_that_is_not_there_has_no_versions(desk):
    for attempt in (
        lambda: desk.registry.set_type_default_version(HERE, by_name(version="00000001")),
        lambda: desk.registry.deregister_type(HERE, by_name()),
        lambda: versions(desk),
    ):
        with pytest.raises(RegistryError, match=r"^The type 'Acme::Store::Thing' cannot be found\.$"):
            attempt()


@pytest.mark.parametrize(
    "reference",
    [TypeReference(), TypeReference(name=THING), TypeReference(arn="arn:aws:cloudformation:us-east-1::nonsense")],
)
def test_a_reference_must_name_a_type(desk, reference):
    with pytest.raises(RegistryError) as refused:
        desk.registry.deregister_type(HERE, reference)
    assert refused.value.code == "CFNRegistryException"


def test_versions_go_one_by_one_and_the_type_with_the_last(desk):
    first, second = desk.register(SHELF), desk.register(SHELF)
    desk.registry.set_type_default_version(HERE, TypeReference(arn=second))
    with pytest.raises(RegistryError) as refused:
        desk.registry.deregister_type(HERE, by_name(SHELF))
    assert refused.value.message == SEVERAL
    with pytest.raises(RegistryError, match=r"^TypeName is invalid$"):
        desk.registry.deregister_type(HERE, by_name(SHELF, "00000099"))
    desk.registry.deregister_type(HERE, TypeReference(arn=first))
    assert versions(desk, SHELF) == ["00000002"]
    assert versions(desk, SHELF, status="DEPRECATED") == ["00000001"]
    with pytest.raises(RegistryError) as refused:
        desk.registry.deregister_type(HERE, TypeReference(arn=second))
    assert refused.value.message == (
        "Version '00000002' is the default version and cannot be deregistered. Deregister the resource type "
        f"'{SHELF}' instead."
    )
    desk.registry.deregister_type(HERE, by_name(SHELF))
    with pytest.raises(RegistryError, match="cannot be found"):
        versions(desk, SHELF)
    assert versions(desk, SHELF, status="DEPRECATED") == ["00000001", "00000002"]


def test_the_id_of_the_last_version_takes_the_type_along(desk):
    desk.register()
    desk.register()
    with pytest.raises(RegistryError, match="is the default version and cannot be deregistered"):
        desk.registry.deregister_type(HERE, by_name(version="00000001"))
    desk.registry.deregister_type(HERE, by_name(version="00000002"))
    desk.registry.deregister_type(HERE, by_name(version="00000001"))
    assert not desk.registry.list_types(HERE, ListTypesRequest()).items


def test_numbers_are_never_used_again(desk):
    desk.register()
    desk.registry.deregister_type(HERE, by_name())
    shown = desk.registry.describe_type(HERE, DescribeTypeRequest(type=by_name()))
    assert shown.status == "DEPRECATED"
    assert desk.register().endswith("/00000002")
    assert default(desk) == "00000002"
    assert versions(desk) == ["00000002"]


def test_a_type_is_deregistered_in_every_region_of_the_account(desk):
    desk.register()
    desk.register(scope=ELSEWHERE)
    desk.register(scope=ELSEWHERE)
    desk.registry.deregister_type(HERE, by_name())
    with pytest.raises(RegistryError, match="cannot be found"):
        versions(desk, scope=ELSEWHERE)


def test_a_version_is_deregistered_in_every_region_but_where_it_is_the_default_one(desk):
    for scope in (HERE, ELSEWHERE):
        for _ in range(3):
            desk.register(scope=scope)
    desk.registry.set_type_default_version(ELSEWHERE, by_name(version="00000002"))
    desk.registry.deregister_type(HERE, by_name(version="00000003"))
    desk.registry.deregister_type(HERE, by_name(version="00000002"))
    assert versions(desk) == ["00000001"]
    assert versions(desk, scope=ELSEWHERE) == ["00000001", "00000002"]


def test_versions_are_listed_in_pages(desk):
    for _ in range(5):
        desk.register()
    seen, token = [], None
    while True:
        request = ListTypeVersionsRequest(type=by_name(), page=Page(size=2, token=token))
        listed = desk.registry.list_type_versions(HERE, request)
        seen.append([each.version_id for each in listed.items])
        if (token := listed.next_token) is None:
            break
    assert seen == [["00000001", "00000002"], ["00000003", "00000004"], ["00000005"]]
    request = ListTypeVersionsRequest(type=by_name(), page=Page(token="nonsense"))
    with pytest.raises(RegistryError, match="NextToken is invalid"):
        desk.registry.list_type_versions(HERE, request)
