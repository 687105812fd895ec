"""What is generated compiles with every version of AWS's Java runtime that is published and can be had."""

import pytest

from formwork.extensions import ExtensionKind
from support.java import compile_java, generate_all
from support.toolchains import needs_java

pytestmark = [needs_java, pytest.mark.slow]
RESOURCES = (*(f"2.0.{patch}" for patch in range(17)), "2.1.1", "2.2.3", "2.2.4", "2.2.5")
HOOKS = RESOURCES[RESOURCES.index("2.0.13") :]
TEXT = {"type": "string"}
CONFIGURATION = {"properties": {"Key": TEXT}, "additionalProperties": False}
RESOURCE = {
    "typeName": "Acme::Store::Thing",
    "description": "A thing.",
    "properties": {"Name": TEXT, "Secret": TEXT, "Tags": {"type": "object", "patternProperties": {".": TEXT}}},
    "primaryIdentifier": ["/properties/Name"],
    "writeOnlyProperties": ["/properties/Secret"],
    "handlers": {each: {"permissions": []} for each in ("create", "read", "update", "delete", "list")},
    "additionalProperties": False,
}
TARGET = {**RESOURCE, "typeName": "Acme::Store::Target"}
HOOK = {
    "typeName": "Acme::Guard::Hook",
    "description": "Looks at things.",
    "typeConfiguration": CONFIGURATION,
    "handlers": {"preCreate": {"targetNames": [TARGET["typeName"]], "permissions": []}},
    "additionalProperties": False,
}


@pytest.mark.parametrize("runtime", RESOURCES)
def test_resources(tmp_path, runtime):
    """With a type configuration too, of which older runtimes know nothing."""
    documents = {"plain": RESOURCE, "configured": {**RESOURCE, "typeConfiguration": CONFIGURATION}}
    generated = generate_all(documents, tmp_path / "sources", runtime=runtime)
    compile_java(generated.sources, tmp_path / "classes", runtime=runtime)


@pytest.mark.parametrize("runtime", HOOKS)
def test_hooks(tmp_path, runtime):
    targets = {"hook": {TARGET["typeName"]: TARGET}}
    generated = generate_all(
        {"hook": HOOK}, tmp_path / "sources", kind=ExtensionKind.HOOK, targets=targets, runtime=runtime
    )
    compile_java(generated.sources, tmp_path / "classes", runtime=runtime)
