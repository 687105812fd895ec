"""The Smithy corpora: their cases, how models are loaded for them and how results are compared."""

import json
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

from formwork.smithy.ast_json.writer import ast_of
from formwork.smithy.load import load_texts
from formwork.smithy.nodes import is_number, nodes_equal, parse_number
from support.corpus import FIXTURES

SMITHY = FIXTURES / "smithy"
_UNORDERED = ("errors", "operations", "resources", "collectionOperations")


@dataclass(frozen=True)
class Case:
    """One entry of a folder's manifest."""

    folder: Path
    row: dict

    @property
    def id(self):
        return self.row["id"]

    @property
    def inputs(self):
        return self.row["inputs"] if "inputs" in self.row else [self.row["input"]]

    def path(self, name):
        return self.folder / name

    def json(self, name):
        return read_json(self.folder / name)

    def load(self, names=None, **options):
        return load_names(self.folder, names or self.inputs, **options)


def smithy_cases(folder, *kinds):
    """The cases of one folder, of the given kinds; none where the corpus is absent."""
    manifest = SMITHY / folder / "manifest.json"
    if not manifest.is_file():
        return []
    rows = json.loads(manifest.read_text(encoding="utf-8"))["cases"]
    return [Case(SMITHY / folder, row) for row in rows if not kinds or row.get("kind") in kinds]


def case_id(case):
    return case.id


def read_text(path):
    with path.open(encoding="utf-8", newline="") as stream:
        return stream.read()


def read_json(path):
    return json.loads(read_text(path), parse_float=parse_number)


def load_names(folder, names, **options):
    return load_texts([(name, read_text(folder / name)) for name in names], **options)


def comparable_ast(ast):
    """An AST with what has no order sorted, and no empty metadata."""
    shapes = {
        shape_id: {
            key: sorted(value, key=lambda each: each["target"]) if key in _UNORDERED else value
            for key, value in shape.items()
        }
        for shape_id, shape in ast["shapes"].items()
    }
    metadata = {"metadata": ast["metadata"]} if ast.get("metadata") else {}
    return {"smithy": "2.0", **metadata, "shapes": shapes}


def assert_same_ast(actual, expected):
    assert_same(comparable_ast(actual), comparable_ast(expected))


def assert_same_model(actual, expected):
    assert_same_ast(ast_of(actual.model), ast_of(expected.model))


def assert_same(actual, expected):
    """Equal as node values; the difference is listed by pointer."""
    if not nodes_equal(actual, expected):
        raise AssertionError("\n".join(differences(actual, expected)[:20]))


def differences(actual, expected, at=""):
    if isinstance(actual, dict) and isinstance(expected, dict):
        return [
            line
            for key in {**actual, **expected}
            for line in (
                [f"{at}/{key}: absent, expected {_short(expected[key])}"]
                if key not in actual
                else [f"{at}/{key}: {_short(actual[key])}, expected nothing"]
                if key not in expected
                else differences(actual[key], expected[key], f"{at}/{key}")
            )
        ]
    if isinstance(actual, list) and isinstance(expected, list) and len(actual) == len(expected):
        return [
            line
            for index, (one, other) in enumerate(zip(actual, expected, strict=True))
            for line in differences(one, other, f"{at}/{index}")
        ]
    return [] if nodes_equal(actual, expected) else [f"{at}: {_short(actual)}, expected {_short(expected)}"]


def _short(value):
    text = str(value) if isinstance(value, Decimal) or is_number(value) else json.dumps(value, default=str)
    return text if len(text) < 160 else text[:160] + "…"


def breaking(events):
    return [str(event) for event in events if event.breaks_model]


def with_place(event):
    """An event as the probes write it: text and line:column."""
    position = event.place.position
    return f"{event} @{position.line}:{position.column}" if position else str(event)
