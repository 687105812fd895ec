"""A type configuration in a project is checked as `cfn validate --configuration` checks it."""

import json

import pytest

from formwork.cli.schema_files import check_values
from formwork.command_context.remote import kept_documents
from support.typing_client import CONFIG, SCHEMA

HOOK = {
    "typeName": "Acme::Store::Guard",
    "description": "A guard.",
    "typeConfiguration": {"properties": {"Limit": {"type": "integer"}}, "additionalProperties": False},
    "handlers": {"preCreate": {"targetNames": ["Acme::Store::Thing"], "permissions": []}},
    "additionalProperties": False,
}
RESOURCE = {**SCHEMA, "typeConfiguration": {"properties": {"Key": {"type": "string"}}, "additionalProperties": False}}


def wrapped(properties):
    return {"CloudFormationConfiguration": {"HookConfiguration": {"Properties": properties}}}


@pytest.mark.parametrize(
    ("schema", "configuration", "found"),
    [
        (RESOURCE, {"Key": "a"}, []),
        (RESOURCE, {"Key": 1, "Other": 2}, ["model.wrong-type", "model.undeclared-property"]),
        (SCHEMA, {"Key": "a"}, ["model.no-configuration"]),
        (HOOK, wrapped({"Limit": "a"}), ["model.wrong-type"]),
        (
            {**RESOURCE, "properties": {"Name": {"type": "strin"}}},
            {"Key": 1},
            [],
        ),  # a schema with errors judges nothing
    ],
)
def test_what_is_wrong_with_it(project, client, schema, configuration, found):
    (project / "acme-store-thing.json").unlink()
    (project / "inputs" / "inputs_1_create.json").unlink()
    config = {**CONFIG, "artifact_type": "HOOK" if schema is HOOK else "RESOURCE", "typeName": schema["typeName"]}
    (project / ".rpdk-config").write_text(json.dumps(config))
    (project / f"{schema['typeName'].lower().replace('::', '-')}.json").write_text(json.dumps(schema))
    file = project / "typeConfiguration.json"
    file.write_text(json.dumps(configuration, indent=4))
    client.initialize(project)
    shown = client.diagnostics(client.open(file), 1)
    places = [(each["code"], each["range"]["start"]["line"]) for each in shown]
    if found:
        told = check_values(project, [], [file], remote=kept_documents())
        assert places == [(each.code, each.location.start.line - 1) for each in told]
    assert {each for each, _ in places} == {*found}
    assert client.close() == 0
