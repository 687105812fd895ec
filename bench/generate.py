"""What generated code costs: `cfn generate` for a type with a hundred nested objects, and the import of its models."""

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bench.incumbent import HOME, Incumbent, get_incumbent, make_project
from bench.measure import EMPTY, Command, compare, measure
from bench.table import Row

CFN = Path(sys.executable).with_name("cfn")
PROBE = Path(__file__).with_name("probes") / "import_models.py"
TYPE_NAME = "Acme::Bench::Large"
OBJECTS = 100


def main() -> Iterator[Row]:
    """Measure both generators on one schema."""
    incumbent = get_incumbent()
    ours = HOME / "our-large-project"
    # A project of ours: in one of the incumbent's, models keep the incumbent's shapes, and what they cost.
    subprocess.run(
        [CFN, "init", "-a", "RESOURCE", "-t", TYPE_NAME, "python311"],
        cwd=_fresh(ours),
        check=True,
        capture_output=True,
    )
    _write_schema(ours)
    if incumbent is None:
        (mine,) = compare([Command([CFN, "generate"], ours)])
        yield Row(f"cfn generate, {OBJECTS} objects", "ms", mine.wall, floor=measure(EMPTY).wall)
        yield Row(f"import of models.py, {OBJECTS} objects, compiled", "ms", _import(Path(sys.executable), ours))
        return
    yield from _against(incumbent, ours)


def _against(incumbent: Incumbent, ours: Path) -> Iterator[Row]:
    theirs = make_project(HOME / "their-large-project", TYPE_NAME)
    _write_schema(theirs)
    mine, peer = compare([Command([CFN, "generate"], ours), Command([incumbent.cfn, "generate"], theirs)])
    yield Row(f"cfn generate, {OBJECTS} objects", "ms", mine.wall, peer.wall, 8, floor=measure(EMPTY).wall)
    sides = ((Path(sys.executable), ours), (incumbent.python, theirs))
    compiled = [_import(*side) for side in sides]
    yield Row(f"import of models.py, {OBJECTS} objects, compiled", "ms", *compiled[:2], target=8)
    # A package for Lambda holds no compiled code: this is what a cold start there spends.
    sources = [_import(*side, compiled=False) for side in sides]
    yield Row(f"import of models.py, {OBJECTS} objects, from source", "ms", *sources[:2], target=2)


def _fresh(folder: Path) -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def _write_schema(project: Path) -> None:
    names = [f"Part{number}" for number in range(OBJECTS)]
    definitions = {name: _definition(following) for name, following in zip(names, [*names[1:], None], strict=True)}
    schema = {
        "typeName": TYPE_NAME,
        "description": "A type with many nested objects.",
        "definitions": definitions,
        "properties": {"Id": {"type": "string"}, "First": {"$ref": "#/definitions/Part0"}},
        "primaryIdentifier": ["/properties/Id"],
        "readOnlyProperties": ["/properties/Id"],
        "additionalProperties": False,
        "tagging": {"taggable": False},
        "handlers": {"read": {"permissions": ["bench:Read"]}},
    }
    (project / "acme-bench-large.json").write_text(json.dumps(schema, indent=4), encoding="utf-8")


def _definition(following: str | None) -> dict[str, Any]:
    properties: dict[str, Any] = {f"Text{number}": {"type": "string"} for number in range(4)}
    properties["Count"] = {"type": "integer"}
    properties["Words"] = {"type": "array", "items": {"type": "string"}, "insertionOrder": True}
    if following is not None:
        properties["Next"] = {"$ref": f"#/definitions/{following}"}
    return {"type": "object", "properties": properties, "additionalProperties": False}


def _import(python: Path, project: Path, *, compiled: bool = True) -> float:
    """Milliseconds of CPU, the median of seven runs."""
    folder = project / "src" / "acme_bench_large"
    shutil.rmtree(folder / "__pycache__", ignore_errors=True)
    if compiled:
        subprocess.run([python, "-m", "compileall", "-q", folder], check=True)
    times = []
    for _ in range(7):
        done = subprocess.run([python, "-B", PROBE, folder], capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(f"models.py of {project} does not import:\n{done.stderr[-2000:]}")
        times.append(float(done.stdout))
    return sorted(times)[3]
