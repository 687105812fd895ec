"""Acceptance tests find what contract tests can't: ten seeded faults of a type, a hook, a module and an application."""

import pytest

from support.seeded_faults import (
    APPLICATION,
    APPLICATION_FAULTS,
    FRAGMENT,
    HOOK_FAULTS,
    MODULE_FAULTS,
    TYPE_FAULTS,
    Bookcase,
    accept_application,
    accept_hook,
    accept_module,
    accept_type,
)
from support.shelves import SmallShelves


def some(faults):
    """The faults as parameters: two of each kind in every run, the others in the slow one."""
    return [pytest.param(name, marks=[pytest.mark.slow] if number > 1 else []) for number, name in enumerate(faults)]


# What is left after a failure on purpose can't be deleted, which the end of the test would report, too.
pytestmark = pytest.mark.usefixtures("swept_as_failed")


@pytest.fixture
def swept_as_failed(cloudformation, request):
    yield
    from formwork.testing import plugin

    request.node.stash[plugin._FAILED] = True


def test_the_type_passes(cloudformation):
    accept_type(cloudformation, Bookcase)


def test_the_hook_passes(cloudformation):
    accept_hook(cloudformation, SmallShelves)


def test_the_module_passes(cloudformation):
    accept_module(cloudformation, FRAGMENT)


def test_the_application_passes(cloudformation):
    accept_application(cloudformation, APPLICATION)


@pytest.mark.parametrize("fault", some(TYPE_FAULTS))
def test_a_fault_of_a_type_is_found(cloudformation, fault):
    version, following, told = TYPE_FAULTS[fault]
    with pytest.raises(AssertionError, match=told):
        accept_type(cloudformation, version, following)


@pytest.mark.parametrize("fault", some(HOOK_FAULTS))
def test_a_fault_of_a_hook_is_found(cloudformation, fault):
    with pytest.raises(AssertionError):
        accept_hook(cloudformation, HOOK_FAULTS[fault])


@pytest.mark.parametrize("fault", some(MODULE_FAULTS))
def test_a_fault_of_a_module_is_found(cloudformation, fault):
    with pytest.raises(AssertionError):
        accept_module(cloudformation, *MODULE_FAULTS[fault])


@pytest.mark.parametrize("fault", some(APPLICATION_FAULTS))
def test_a_fault_of_an_application_is_found(cloudformation, fault):
    with pytest.raises(AssertionError):
        accept_application(cloudformation, *APPLICATION_FAULTS[fault])


def test_there_are_ten_faults_of_each():
    assert [len(each) for each in (TYPE_FAULTS, HOOK_FAULTS, MODULE_FAULTS, APPLICATION_FAULTS)] == [10] * 4
