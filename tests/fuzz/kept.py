"""Inputs that are kept in the tree, as lists of texts: bytes that are not UTF-8 become lone surrogates and back."""

import json
from pathlib import Path

HERE = Path(__file__).parent
TARGETS = (
    "documents",
    "templates",
    "wire",
    "packages",
    "idl",
    "jsonata",
    "patterns",
    "openapi",
    "cassettes",
    "gate",
    "editor",
)
MAX_BYTES = 65_536  # of an input
HANG_SECONDS = 10  # what takes longer is a hang


def as_text(data):
    return data.decode("utf-8", "surrogateescape")


def as_bytes(text):
    return text.encode("utf-8", "surrogateescape")


def corpus(target):
    """The inputs that reached something new in earlier campaigns."""
    return [as_bytes(each) for each in _read(HERE / "corpus" / f"{target}.json")]


def findings(target):
    """(input, what it did) of every defect that a campaign found."""
    return [(as_bytes(each["input"]), each["was"]) for each in _read(HERE / "findings" / f"{target}.json")]


def write_corpus(target, inputs):
    path = HERE / "corpus" / f"{target}.json"
    path.parent.mkdir(exist_ok=True)
    lines = ",\n".join(json.dumps(as_text(each)) for each in sorted(inputs, key=lambda each: (len(each), each)))
    path.write_text(f"[\n{lines}\n]\n", encoding="utf-8")


def _read(path):
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else []
