"""What constructs of real schemas render is deployed in stacks on this machine, and deleted.

`test_real_schemas` shows that templates have the properties of the models, so that here no CDK is needed.
`-k part-3` runs one part.
"""

import json
from collections import Counter

import pytest

from formwork.cdk import resource_construct
from formwork.diagnostics import UsageError
from formwork.stacks import open_stacks
from support.cdk import Props, models
from support.cdk_schemas import PARTS, aws_schemas, project_schemas
from support.corpus import needs_fixtures

pytestmark = pytest.mark.slow
NEEDED = {"create", "read", "delete"}  # else the service says NON_PROVISIONABLE


def own_name(type_name):
    """A name that may be registered: AWS's are reserved."""
    organization, _, rest = type_name.partition("::")
    return f"Copied{organization}::{rest}"


def deploy_all(schemas):
    """Deploy and delete each model of each type; return how many stacks there were, and what went wrong."""
    counted, wrong = Counter(), {}
    stacks = open_stacks()
    try:
        for number, schema in enumerate(schemas):
            if (name := registered(stacks, schema)) is None:
                counted["not registered"] += 1
                continue
            counted["types"] += 1
            props = Props(resource_construct(schema))
            for model in models(schema):
                counted["stacks"] += 1
                resource = {"Type": name, "Properties": props.expected(model)}
                failures = deployed(stacks, json.dumps({"Resources": {"R": resource}}), f"stack-{number}")
                wrong |= {schema.type_name: failures} if failures else {}
    finally:
        stacks.close()
    return counted, wrong


def registered(stacks, schema):
    """Register a type with a conforming implementation; its name here, or None where the service refuses it."""
    if not set(schema.handlers) >= NEEDED:
        return None
    name = own_name(schema.type_name)
    try:
        stacks.registry.register(json.dumps({**schema.document.value, "typeName": name}))
    except UsageError:  # the schema is not valid
        return None
    return name


def deployed(stacks, template, name):
    """Why a stack was not created, or not deleted; "" where it was."""
    made = stacks.deploy(template, stack=name)
    gone = stacks.delete(name)
    failed = [*(made.failures if made.status != "CREATE_COMPLETE" else ()), *(gone.failures if gone else ())]
    return "; ".join(str(each.reason) for each in failed)


@pytest.mark.parametrize("part", [pytest.param(number, id=f"part-{number}") for number in range(PARTS)])
def test_awss_types(part):
    counted, wrong = deploy_all(aws_schemas(part))
    assert wrong == {}, counted
    assert counted["types"] > 200
    assert counted["not registered"] < 40  # of some 1,900 types 142 lack a handler, and 9 are not valid


@needs_fixtures
def test_the_fixtures():
    counted, wrong = deploy_all(project_schemas())
    assert wrong == {}, counted
    assert counted["types"] > 200
