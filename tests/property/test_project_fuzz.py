"""Whatever stands in a project's files, checking it ends with diagnostics, never with an exception."""

import json
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from formwork.diagnostics import sort_diagnostics
from formwork.diagnostics.render import render_json, render_text
from formwork.project.check import check_path

KEYS = st.sampled_from(
    [
        "typeName", "artifact_type", "language", "runtime", "settings", "protocolVersion", "properties", "definitions",
        "type", "$ref", "items", "required", "primaryIdentifier", "readOnlyProperties", "createOnlyProperties",
        "handlers", "create", "preCreate", "permissions", "targetNames", "tagging", "tagProperty", "typeConfiguration",
        "allOf", "oneOf", "enum", "const", "pattern", "patternProperties", "additionalProperties", "propertyTransform",
        "timeoutInMinutes", "description", "insertionOrder", "uniqueItems", "CREATE", "UPDATE", "/Id", "Id", "Resources",
        "Parameters", "Type", "Ref", "Fn::Sub", "Conditions", "~", "",
    ]
)  # fmt: skip
SCALARS = st.sampled_from(
    [
        None, True, False, 0, -1, 1e308, 10**30, "", "Aa::Bb::Cc", "Aa::Bb::Cc::MODULE", "RESOURCE", "HOOK", "MODULE", "string",
        "object", "array", "#", "#/definitions/Id", "#/properties/Id", "/properties/Id", "/properties/Id/*/Id", "(", "\\p{L}",
        "python311", "2.0.0", "AWS::S3::*", "\u2028\x1b[31m", "a" * 300, "{{x}}",
    ]
)  # fmt: skip
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=6), max_leaves=25
)
OBJECTS = st.dictionaries(KEYS, VALUES, max_size=10)
KINDS = st.sampled_from(["RESOURCE", "HOOK", "MODULE"])


def render_all(diagnostics):
    """Both renderings work on them."""
    ordered = sort_diagnostics(diagnostics)
    json.loads(render_json(ordered))
    text = render_text(ordered, source=lambda _file: "{}")
    assert "\x1b" not in text
    return text


@given(config=OBJECTS, kind=KINDS, sound=st.booleans(), schema=VALUES, overrides=VALUES, model=VALUES)
@settings(max_examples=120, deadline=None)
def test_any_values(config, kind, sound, schema, overrides, model):  # noqa: PLR0917 - a file each
    if sound:  # a config that loads lets the other files be read
        name = "Aa::Bb::Cc::MODULE" if kind == "MODULE" else "Aa::Bb::Cc"
        config = {
            "artifact_type": kind,
            "typeName": name,
            "language": "python311",
            "runtime": "python3.11",
            "settings": {},
        }
        if isinstance(schema, dict):
            schema = {"typeName": "Aa::Bb::Cc", "description": "d", "additionalProperties": False, **schema}
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for name, value in {
            ".rpdk-config": config,
            "aa-bb-cc.json": schema,
            "overrides.json": overrides,
            "inputs/inputs_1_create.json": model,
            "fragments/f.json": schema,
            "target-info.json": overrides,
            "target-schemas/t.json": schema,
        }.items():
            (root / name).parent.mkdir(exist_ok=True)
            (root / name).write_text(json.dumps(value), encoding="utf-8")
        render_all(check_path(root).diagnostics)
        render_all(check_path(root / "aa-bb-cc.json").diagnostics)


@pytest.mark.parametrize("name", ["s.json", "s.yaml", ".rpdk-config"])
def test_any_bytes(name, tmp_path):
    @given(st.binary(max_size=300) | st.text(st.sampled_from('{}[]",:&*!|>#-? \n\ta0\\'), max_size=200).map(str.encode))
    @settings(max_examples=60, deadline=None)
    def check(data):
        (tmp_path / name).write_bytes(data)
        render_all(check_path(tmp_path if name == ".rpdk-config" else tmp_path / name).diagnostics)

    check()
