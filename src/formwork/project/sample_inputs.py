"""The inputs that `cfn init` writes for its example schemas, and how to distinguish them from an author's.

An author who replaces the example schema by their own and leaves the samples would have inputs of another type: they
are recognized by their content, and left out where they don't fit the schema.
"""

from collections.abc import Collection, Mapping
from typing import Any

from formwork.documents import Document

_BUCKET = "AWS::S3::Bucket"


def resource_inputs() -> Mapping[str, Any]:
    """File name below `inputs/` → a model of the example resource."""
    files: dict[str, Any] = {}
    for number, each in enumerate(_RESOURCE_SETS, start=1):
        for kind, model in each.items():
            files[f"inputs_{number}_{kind}.json"] = model
    return files


def hook_inputs() -> Mapping[str, Any]:
    """File name below `inputs/` → the targets that the example hook is invoked for, by type."""
    good, bad = _bucket("AES256"), {"BucketName": "plain"}
    return {
        "inputs_1_pre_create.json": {_BUCKET: {"resourceProperties": good}},
        "inputs_1_pre_update.json": {_BUCKET: {"resourceProperties": good, "previousResourceProperties": bad}},
        "inputs_1_pre_delete.json": {_BUCKET: {"resourceProperties": bad}},
        "inputs_1_invalid_pre_create.json": {_BUCKET: {"resourceProperties": bad}},
        "inputs_1_invalid_pre_update.json": {_BUCKET: {"resourceProperties": bad, "previousResourceProperties": good}},
        "inputs_1_invalid_pre_delete.json": {_BUCKET: {"resourceProperties": {**good, "BucketName": "keep-this"}}},
    }


def is_stale_sample(name: str, document: Document, known: Collection[str]) -> bool:
    """Return whether the input file `name` is a sample that `cfn init` wrote, with members that are not `known`.

    `known` are the schema's property names, of a hook its target types.
    """
    samples = (resource_inputs().get(name), hook_inputs().get(name))
    return document.value in [each for each in samples if each is not None] and not set(document.value) <= set(known)


def _bucket(algorithm: str) -> dict[str, Any]:
    rule = {"ServerSideEncryptionByDefault": {"SSEAlgorithm": algorithm}}
    return {"BucketName": "encrypted", "BucketEncryption": {"ServerSideEncryptionConfiguration": [rule]}}


_RESOURCE_SETS: tuple[Mapping[str, Mapping[str, Any]], ...] = (
    {
        "create": {
            "Name": "Ledger",
            "Kind": "Archive",
            "Title": "What came in and what went out",
            "Copies": 3,
            "Keywords": ["money", "2024"],
            "AccessKey": "open-sesame-1",
            "Tags": [{"Key": "team", "Value": "books"}, {"Key": "stage", "Value": "test"}],
        },
        "update": {
            "Name": "Ledger",
            "Kind": "Archive",
            "Title": "What came in, what went out, and what is left",
            "Copies": 5,
            "Keywords": ["2024", "money", "balance"],
            "AccessKey": "open-sesame-2",
            "Tags": [{"Key": "stage", "Value": "live"}],
        },
        "invalid": {"Name": "1st", "Copies": 0},
    },
    {
        "create": {"Name": "Minutes", "Keywords": [], "Tags": [{"Key": "team", "Value": "speakers"}]},
        "update": {
            "Name": "Minutes",
            "Title": "Who said what",
            "Copies": 2,
            "Tags": [{"Key": "team", "Value": "clerks"}],
        },
        "invalid": {"Name": "Minutes", "Kind": "Secret"},
    },
    {
        "create": {
            "Name": "Map-of-the-house",
            "Title": "Doors and windows",
            "Copies": 10,
            "Tags": [{"Key": "floor", "Value": "0"}],
        },
        "update": {"Name": "Map-of-the-house", "Keywords": ["plan"], "Tags": [{"Key": "floor", "Value": "1"}]},
        "invalid": {"Name": "Map of the house", "Copies": 11},
    },
)
