"""Inputs of the contract tests for the example schemas; valid and usable as they are, except those that must not be.

Three sets, so that there are resources enough for lists to have pages; they share no identifier.
"""

from collections.abc import Mapping
from typing import Any

_BUCKET = "AWS::S3::Bucket"


def resource_inputs() -> Mapping[str, Any]:
    """File name below `inputs/` → a model of the example resource."""
    files: dict[str, Any] = {}
    for number, each in enumerate(_RESOURCE_SETS, start=1):
        for kind, model in each.items():
            files[f"inputs_{number}_{kind}.json"] = model
    return files


def hook_inputs() -> Mapping[str, Any]:
    """File name below `inputs/` → what the example hook is asked about, by target type."""
    good, bad = _bucket("AES256"), {"BucketName": "plain"}
    return {
        "inputs_1_pre_create.json": {_BUCKET: {"resourceProperties": good}},
        "inputs_1_pre_update.json": {_BUCKET: {"resourceProperties": good, "previousResourceProperties": bad}},
        "inputs_1_pre_delete.json": {_BUCKET: {"resourceProperties": bad}},
        "inputs_1_invalid_pre_create.json": {_BUCKET: {"resourceProperties": bad}},
        "inputs_1_invalid_pre_update.json": {_BUCKET: {"resourceProperties": bad, "previousResourceProperties": good}},
        "inputs_1_invalid_pre_delete.json": {_BUCKET: {"resourceProperties": {**good, "BucketName": "keep-this"}}},
    }


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
        "create": {"Name": "Minutes", "Keywords": [], "Tags": []},
        "update": {"Name": "Minutes", "Title": "Who said what", "Copies": 2},
        "invalid": {"Name": "Minutes", "Kind": "Secret"},
    },
    {
        "create": {"Name": "Map-of-the-house", "Title": "Doors and windows", "Copies": 10},
        "update": {"Name": "Map-of-the-house", "Keywords": ["plan"]},
        "invalid": {"Name": "Map of the house", "Copies": 11},
    },
)
