"""Which tests a saved file touches: told only where it is certain."""

import pytest

from formwork.contract.requirements import REQUIREMENTS
from formwork.contract_runs.touched_tests import Touched, touched_actions

SOURCE = """
from .store import find

resource = Resource()
LIMIT = 3
TABLE = {"x": listed_in_a_table}

@resource.handler(Action.CREATE)
def create(session, request, context):
    return finish(request)

@resource.handler(Action.UPDATE)
async def update(session, request, context):
    return finish(request)

@resource.handler(Action.READ)
def read(session, request, context):
    return find(request)

def finish(request):
    return find(request)

def listed_in_a_table():
    return 1

def unused():
    return 1

class Entry:
    def size(self):
        return 1
"""
STORE = """
def find(request):
    return 1
"""


def actions(old, new, *, store=None):
    before = {"h.py": SOURCE, "store.py": STORE}
    after = {"h.py": SOURCE.replace(old, new), "store.py": STORE if store is None else store}
    return touched_actions(before, after)


@pytest.mark.parametrize(
    ("old", "new", "touched"),
    [
        ("    return find(request)\n\ndef finish", "    return find(2)\n\ndef finish", {"read"}),
        ("def finish(request):\n    return", "def finish(request):\n    1\n    return", {"create", "update"}),
        ("LIMIT = 3", "LIMIT = 4", None),
        ("def unused():\n    return 1", "def unused():\n    return 2", None),
        ("def listed_in_a_table():\n    return 1", "def listed_in_a_table():\n    return 2", None),
        ("def size(self):\n        return 1", "def size(self):\n        return 2", None),
        ("def unused", "def unused2", None),
        ("def unused", "def unused(", None),
    ],
)
def test_of_functions_that_handlers_call_the_actions_and_else_all(old, new, touched):
    assert actions(old, new) == touched


def test_a_function_of_another_module_and_a_new_module():
    changed = STORE.replace("return 1", "return 2")
    assert actions("x", "x", store=changed) == {"create", "read", "update"}
    assert touched_actions({"a.py": ""}, {"a.py": "", "b.py": ""}) is None


def test_tests_of_the_actions_with_the_first_inputs_and_what_failed_with_its_own():
    update, create = REQUIREMENTS["contract_update_read"], REQUIREMENTS["contract_create_delete"]
    touched = Touched("one", frozenset({"update"}), failed=frozenset({"contract_create_delete[two]"}))
    assert touched.includes(update, "one")
    assert not touched.includes(update, "two")
    assert not touched.includes(create, "one")
    assert touched.includes(create, "two")
    assert Touched("one").includes(create, "one")
