"""Schema documents, JSON and YAML, as `cfn validate`, `--fix`, `diff` and `generate`'s model read them.

An input is a document, or {"files": {name: text or value}}, whose first file is the schema and whose others `$ref`s and
projects find beside it.
"""

import contextlib
from pathlib import Path

from formwork.diagnostics import BadInputError
from formwork.documents import parse_document
from formwork.schema import load_resource_schema, validate_schema
from fuzz.commands import run_command
from fuzz.envelopes import bytes_of, read_envelope
from fuzz.folders import emptied, scratch, write_files
from support.faults import RESOURCE

ROOT = Path(__file__).parents[3]


@contextlib.contextmanager
def opened():
    with scratch() as folder:
        good = folder / "good.json"
        good.write_bytes(bytes_of(RESOURCE))
        yield lambda data: check(data, emptied(folder / "input"), good)


def check(data, folder, good):
    envelope = read_envelope(data, "files")
    if envelope is not None and isinstance(envelope["files"], dict):
        files = {name: bytes_of(value) for name, value in envelope["files"].items()}
    else:
        files = {"schema.json" if data.lstrip().startswith((b"{", b"[")) else "schema.yaml": data}
    write_files(folder, files)
    first = folder / next(iter(files), "schema.json")
    if ".rpdk-config" in files:
        run_command("validate", folder, "--format", "json")
    elif first.is_file():
        run_command("validate", first)
        run_command("diff", good, first)
        _load(first)
        run_command("validate", first, "--fix")


def _load(path):
    with contextlib.suppress(BadInputError):
        document = parse_document(path.read_text(encoding="utf-8", errors="replace"), name=path.name)
        validate_schema(document)
        schema = load_resource_schema(document).schema
        if schema is not None:
            schema.validate_model({"Name": "a", "Tags": []})


def seeds():
    rules = ROOT / "tests" / "golden" / "schema" / "rules"
    own = sorted((ROOT / "src" / "formwork" / "engine" / "provisioning" / "own_schemas").glob("*.json"))
    for path in (rules / "resource.json", rules / "hook.json", *own, *sorted((ROOT / "examples").glob("*/*.json"))):
        yield path.read_bytes()
    yield YAML
    yield bytes_of({"files": {"schema.json": WITH_REFERENCE, "shared.json": SHARED, "nested/more.yaml": MORE}})
    for folder in [*sorted((ROOT / "tests" / "golden" / "project").iterdir()), ROOT / "examples" / "log-table"]:
        files = {path.relative_to(folder).as_posix(): path for path in sorted(folder.rglob("*")) if path.is_file()}
        texts = {name: path.read_text(encoding="utf-8") for name, path in files.items() if path.stat().st_size < 9_000}
        if ".rpdk-config" in texts:
            yield bytes_of({"files": texts})


WITH_REFERENCE = {
    "typeName": "Acme::Store::Thing",
    "description": "A thing.",
    "properties": {
        "Name": {"$ref": "shared.json#/definitions/Name"},
        "Tags": {"$ref": "./nested/more.yaml#/definitions/Tags"},
        "Own": {"$ref": "#/definitions/Own"},
    },
    "definitions": {"Own": {"type": "array", "items": {"$ref": "#/properties/Name"}, "uniqueItems": True}},
    "primaryIdentifier": ["/properties/Name"],
    "additionalProperties": False,
    "tagging": {"taggable": True, "tagProperty": "/properties/Tags"},
    "handlers": {"create": {"permissions": ["s3:*"]}, "read": {"permissions": []}},
}
SHARED = {
    "definitions": {
        "Name": {"type": "string", "pattern": "^[a-z]+$", "maxLength": 9},
        "A": {"$ref": "#/definitions/Name"},
    }
}
MORE = "definitions:\n  Tags: &t\n    type: array\n    items: {$ref: '../shared.json#/definitions/A'}\n  B: *t\n"
YAML = b"""typeName: Acme::Store::Thing
description: >-
  A thing
properties: &p
  Name: {type: string, pattern: '^a+$'} # comment
  Sizes:
    type: array
    items: !!map
      type: integer
  "Quoted": {type: [string, 'null'], default: ~}
readOnlyProperties: [/properties/Name]
primaryIdentifier:
- /properties/Name
additionalProperties: no
"""
