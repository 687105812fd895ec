"""The masker of a project: `cfn test`, `cfn invoke` and `cfn serve` mask by what its schemas say."""

import json

import pytest

from formwork.extensions import ExtensionKind
from formwork.invoke.project_masks import project_masker
from formwork.project import load_project

GUARD = {
    "typeName": "Acme::Web::Guard",
    "typeConfiguration": {
        "properties": {
            "AllowedKeyTypes": {"type": "string"},
            "Phrase": {"type": "string", "format": "password"},
        },
        "additionalProperties": False,
    },
    "handlers": {"preCreate": {"targetNames": ["Acme::Web::Thing"], "permissions": []}},
}
THING = {
    "typeName": "Acme::Web::Thing",
    "properties": {"Mode": {"enum": ["PASSTHROUGH", "TERMINATE"]}, "Token": {"type": "string"}},
    "writeOnlyProperties": ["/properties/Mode", "/properties/Token"],
}


def project(folder, kind, schema):
    (folder / ".rpdk-config").write_text(
        json.dumps(
            {
                "artifact_type": kind,
                "typeName": schema["typeName"],
                "language": "python39",
                "runtime": "python3.9",
                "entrypoint": "a.b",
                "testEntrypoint": "a.c",
                "settings": {},
            }
        )
    )
    (folder / f"{schema['typeName'].lower().replace('::', '-')}.json").write_text(json.dumps(schema))
    return load_project(folder)


@pytest.mark.parametrize("target", [None, "Acme::Web::Thing"])
def test_a_hooks_message_about_public_settings_is_readable(tmp_path, target):
    hook = project(tmp_path, "HOOK", GUARD)
    assert hook.kind is ExtensionKind.HOOK
    (tmp_path / "target-schemas").mkdir()
    (tmp_path / "target-schemas" / "acme-web-thing.json").write_text(json.dumps(THING))
    masker = project_masker(hook, target=target)
    model = {"Mode": "PASSTHROUGH", "Token": "hidden-token-1"}
    masker.learn(
        {
            "requestData": {"targetModel": {"resourceProperties": model}},
            "hookModel": {"AllowedKeyTypes": "rsa-2048,ed25519", "Phrase": "open sesame now"},
        }
    )
    said = "PASSTHROUGH with hidden-token-1: allowed are rsa-2048,ed25519 (open sesame now)"
    assert masker.text(said) == "PASSTHROUGH with ********: allowed are rsa-2048,ed25519 (********)"


def test_what_a_resources_schema_names_is_public(tmp_path):
    masker = project_masker(project(tmp_path, "RESOURCE", THING))
    masker.learn({"requestData": {"resourceProperties": {"Mode": "TERMINATE", "Token": "hidden-token-1"}}})
    assert masker.text("TERMINATE hidden-token-1") == "TERMINATE ********"


def test_a_schema_that_cannot_be_read_leaves_names(tmp_path):
    broken = project(tmp_path, "RESOURCE", THING)
    broken.schema_path.write_text("{")
    masker = project_masker(broken)
    masker.learn({"typeConfiguration": {"ApiKey": "key-of-the-service"}})
    assert masker.text("key-of-the-service") == "********"
