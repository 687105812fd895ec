"""Twenty faults planted in the sample: an agent's client finds each by a tool of `cfn mcp`, edits, and is at green.

`-k handler` runs one part. The client is scripted: it edits what the answer names, by the edit of the table.
"""

import asyncio
import hashlib
import json
import re
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

import pytest

from support.agents import over_pipes

pytestmark = pytest.mark.slow

THING = "Acme::Store::Thing"
SCHEMA, CONFIG, HANDLERS, STACK = "acme-store-thing.json", ".rpdk-config", "src/acme_store_thing/handlers.py", "t.yaml"
ENTRY = "acme_store_thing.handlers.resource\n"
TEMPLATE = """\
Resources:
  One:
    Type: Acme::Store::Thing
    Properties: {Name: one, Copies: 2}
Outputs:
  Where: {Value: !GetAtt One.Location}
"""


@dataclass(frozen=True)
class Fault:
    """What is written in a file instead of what, the tool that finds it, the code or clause, and more that is said."""

    name: str
    file: str
    sound: str
    faulty: str
    tool: str
    code: str | None
    says: str


def schema(name, sound, faulty, code, says):
    return Fault(f"schema-{name}", SCHEMA, sound, faulty, "validate", f"schema.{code}", says)


def handler(name, sound, faulty, code, says):
    return Fault(f"handler-{name}", HANDLERS, sound, faulty, "contract_tests", code, says)


def template(name, sound, faulty, tool, code, says):  # noqa: PLR0917 - a row of the table
    return Fault(f"template-{name}", STACK, sound, faulty, tool, code, says)


FAULTS = (
    schema("type", '"type": "string"', '"type": "strin"', "unknown-type", "/definitions/Tag/properties/Key/type"),
    schema("pointer", '"/properties/Location"', '"/properties/Locaton"', "pointer-not-found", "/readOnlyProperties/0"),
    schema("reference", "#/definitions/Tag", "#/definitions/Label", "unresolvable-ref", "/properties/Tags/items/$ref"),
    schema("default", '"default": 1', '"default": 11', "default-invalid", "/properties/Copies/default"),
    schema(
        "identifier",
        '    "primaryIdentifier": [\n        "/properties/Name"\n    ],\n',
        "",
        "missing-keyword",
        "primaryIdentifier",
    ),
    Fault("schema-syntax", SCHEMA, '"minimum": 1,', '"minimum": 1', "validate", "document.syntax", "missing comma"),
    Fault("configuration-name", CONFIG, "::Thing", "::Think", "validate", "project.schema-missing", "typeName"),
    Fault("configuration-language", CONFIG, "python311", "pyhton311", "generate", "generate.language", "pyhton311"),
    Fault("configuration-entry", "template.yml", ENTRY, "a.b\n", "contract_tests", "event.object", "No module named"),
    Fault(
        "configuration-inputs",
        "inputs/inputs_1_create.json",
        '"Copies": 3',
        '"Copies": "three"',
        "validate",
        "model.wrong-type",
        "/Copies",
    ),
    handler("syntax", '"Archive")', '"Archive"', "event.object", "Syntax error"),
    handler(
        "name", "desired = request.desiredResourceState\n", "desired = request.desired\n", "create.applied", "desired"
    ),
    handler("exists", "raise exceptions.AlreadyExists(TYPE_NAME, name)", "pass", "create.exists", "AlreadyExists"),
    handler(
        "update",
        'digest(desired.AccessKey), ready=False)\n        store.put(name, entry)\n    return _in_progress(entry, "ready")\n\n\n'
        "@resource.handler(Action.DELETE)",
        'digest(desired.AccessKey), ready=False)\n    return _in_progress(entry, "ready")\n\n\n'
        "@resource.handler(Action.DELETE)",
        "update.applied",
        "READ right after UPDATE",
    ),
    handler("delete", "        store.remove(name)\n", "", "delete.read", "READ of a deleted resource is SUCCESS"),
    handler(
        "pages", "nextToken=page[-1] if len(names) > PAGE_SIZE else None", "nextToken=None", "create.list", "lacks"
    ),
    template("attribute", "Properties:", "Propertis:", "diff", "template.resource-attribute", "Propertis"),
    template("property", "Copies:", "Copys:", "deploy", None, "Unsupported property [Copys]"),
    template("value", "Copies: 2", "Copies: 11", "diff", "stack.change-set", "/Resources/One/Properties/Copies"),
    template("output", "One.Location", "One.Place", "deploy", None, "does not support attribute {Place}"),
)


def test_there_are_twenty():
    assert len({each.name for each in FAULTS}) == len(FAULTS) == 20


@pytest.mark.parametrize("fault", FAULTS, ids=lambda each: each.name)
def test_a_fault_is_found_and_fixed(fault, tmp_path):
    folder = tmp_path / "work"
    folder.mkdir()
    try:
        asyncio.run(find_and_fix(fault, folder, tmp_path))
    finally:
        shutil.rmtree(store_of(folder), ignore_errors=True)


def store_of(folder):
    """Where the sample keeps its entries, as its store.py says."""
    source = (folder / "thing" / "src" / "acme_store_thing" / "store.py").resolve()
    return (
        Path(tempfile.gettempdir()) / f"acme-store-thing-{hashlib.sha256(str(source).encode()).hexdigest()[:8]}-store"
    )


async def find_and_fix(fault, folder, home):
    async with over_pipes(folder, home) as agent:
        sample = {"type_name": THING, "language": "python311", "sample": True}
        assert (await agent.call("scaffold", project="thing", **sample))["ok"]
        file = folder / (STACK if fault.file == STACK else f"thing/{fault.file}")
        if fault.file == STACK:
            file.write_text(TEMPLATE, encoding="utf-8")
            assert (await agent.call("register", project="thing", confirm=True))["ok"]
        sound = file.read_text(encoding="utf-8")
        assert fault.sound in sound
        file.write_text(sound.replace(fault.sound, fault.faulty, 1), encoding="utf-8")
        answer = await asked(agent, fault.tool)
        assert not is_green(answer, fault.tool), answer
        assert fault.says in json.dumps(answer), answer
        if fault.code is not None:
            assert fault.code in codes(answer), answer
            assert await agent.call("explain", code=fault.code)
        file.write_text(sound, encoding="utf-8")
        shutil.rmtree(store_of(folder), ignore_errors=True)  # what a faulty handler could not delete
        answer = await asked(agent, fault.tool)
        assert is_green(answer, fault.tool), answer
        if fault.file == STACK:
            assert (await asked(agent, "deploy"))["result"]["status"] == "CREATE_COMPLETE"
            assert (await agent.call("delete", stack="demo", confirm=True))["ok"]


async def asked(agent, tool):
    """The answer of a tool about the project, or about the template; some answers are errors of the protocol."""
    arguments = {
        "validate": {"path": "thing"},
        "generate": {"project": "thing"},
        "contract_tests": {"project": "thing", "confirm": True},
    }
    of_stack = {"stack": "demo", "template": STACK, "confirm": True}
    return (await agent.client.call_tool(tool, arguments.get(tool, of_stack))).structured_content


def is_green(answer, tool):
    """Whether a tool has found nothing; a diff that shows changes has ended well."""
    result = answer["result"]
    match tool:
        case "validate":
            return answer["ok"] and result["diagnostics"] == []
        case "contract_tests":
            return answer["ok"] and result["passed"] and result["findings"] == []
        case "diff":
            return result is not None and [each["action"] for each in result["changes"]] == ["Add"]
        case _:
            return answer["ok"]


def codes(answer):
    """The codes and clauses that an answer names."""
    result = answer["result"] or {}
    found = {each["code"] for each in result.get("diagnostics", ())}
    found |= {each["clause"] for each in result.get("findings", ())}
    return found | set(re.findall(r"error\[([\w.-]+)\]", answer["messages"]))
