"""Copies of JSON values, and JSON values of structs."""

import json
from enum import StrEnum
from types import MappingProxyType
from typing import Any

import pytest
from msgspec import Struct

from formwork.diagnostics.secrets import Secret
from formwork.documents.copied import as_json_value


class Color(StrEnum):
    RED = "red"


class Held(Struct, frozen=True):
    value: Any


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (Held(Held((1, Color.RED, None))), {"value": {"value": [1, "red", None]}}),
        (Held({"Password": Secret("s3cret")}), {"value": {"Password": "s3cret"}}),
        (Held(MappingProxyType({"a": [Held(0.5)]})), {"value": {"a": [{"value": 0.5}]}}),
        ([Held(True)], [{"value": True}]),
    ],
)
def test_a_struct_as_a_json_value(value, expected):
    found = as_json_value(value)
    assert json.loads(json.dumps(found)) == expected
    assert "********" not in json.dumps(found)


def test_what_has_no_form_in_json_is_refused_by_its_type():
    with pytest.raises(TypeError, match="object has no form in JSON"):
        as_json_value(Held(object()))
