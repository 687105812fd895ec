import json

import pytest

from formwork.documents import parse_document
from formwork.extensions import ExtensionKind
from formwork.schema import validate_schema
from support.faults import RESOURCE, seed_fault

MODE = "/properties/Mode"
LONG = {f"{MODE}/enum": [f"m{n}" for n in range(20)]}


def codes(changes):
    document = parse_document(json.dumps(seed_fault(RESOURCE, changes)), name="schema.json")
    return [(each.code, each.location.pointer) for each in validate_schema(document, kind=ExtensionKind.RESOURCE)]


@pytest.mark.parametrize(
    ("changes", "found"),
    [
        ({}, [("schema.long-enum", f"{MODE}/enum")]),
        ({f"{MODE}/$comment": "formwork: ignore schema.long-enum - it is stable"}, []),
        ({f"{MODE}/$comment": "formwork: ignore long-enum -- it is stable"}, []),
        ({"/$comment": "formwork: ignore long-enum - all are stable"}, []),
        ({f"{MODE}/$comment": "formwork: ignore long-enum"}, [("schema.suppression", f"{MODE}/$comment")]),
        (
            {"/properties/Size/$comment": "formwork: ignore long-enum - elsewhere"},
            [("schema.suppression", "/properties/Size/$comment"), ("schema.long-enum", f"{MODE}/enum")],
        ),
        (
            {f"{MODE}/$comment": "formwork: ignore long-enum, non-ascii - both"},
            [("schema.suppression", f"{MODE}/$comment")],
        ),
        ({f"{MODE}/$comment": "an ordinary note"}, [("schema.long-enum", f"{MODE}/enum")]),
    ],
)
def test_suppression(changes, found):
    assert sorted(codes({**LONG, **changes})) == sorted(found)


def test_errors_are_not_silenced():
    found = codes({"/$comment": "formwork: ignore unknown-type - no", "/properties/Name/type": "strin"})
    assert ("schema.unknown-type", "/properties/Name/type") in found
