"""What judging schemas costs: every provider schema in cfn-lint, one schema by command, growing schemas.

The incumbent's `load_resource_spec` and our loading run over the same texts, in one process per side; the figures are
CPU seconds. Seeded faults are counted too: what each side leaves unreported.
"""

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from bench.corpora import provider_schemas
from bench.incumbent import HOME, get_incumbent, make_project
from bench.installed import EMPTY, installed_cfn
from bench.measure import Command, compare, measure
from bench.plot import Series, svg_plot
from bench.table import Row

REPOSITORY = Path(__file__).resolve().parent.parent
PROBES = Path(__file__).with_name("probes")
PICTURES = REPOSITORY / "docs" / "explanation" / "pictures"
MEGABYTES = (0.25, 0.5, 1, 1.5, 2, 3, 4, 5)
DEPTHS = (5, 15, 25, 50, 75, 100, 125, 150, 175, 199)
COMPARISON_HEAD = """# Seeded faults

<!-- Written by `make bench`, from the goldens of the rules and what the incumbent answers in the same run. -->

Each row is a good schema with one change that puts a fault in. Ours reports each under the rule's code at the line and
pointer named; the incumbent names no line, and of a schema with several faults one. "silent" is where it says nothing
that it does not say of the good schema too.

| rule | change | reported at | ours | the incumbent |
| --- | --- | --- | --- | --- |"""


def main() -> Iterator[Row]:
    """Judge the corpus on both sides, then single and growing schemas on ours."""
    sys.path.insert(0, str(REPOSITORY / "tests"))
    yield from _one_schema()  # first: the memory of a process counts what its parent holds
    yield from _corpus()
    yield from _faults()
    yield from _growth()


def _corpus() -> Iterator[Row]:
    texts = {f"{name} {number}": ("resource", text) for number, (name, text) in enumerate(provider_schemas())}
    file = _write("provider-schemas.json", texts)
    errors, rules = (_probe([sys.executable, PROBES / "our_schemas.py", file, mode]) for mode in ("errors", "rules"))
    incumbent = get_incumbent()
    peer = _probe([incumbent.python, PROBES / "incumbent_schemas.py", file]) if incumbent else None
    theirs = peer["seconds"] if peer else None
    note = ""
    if peer:
        refused = {name for name, verdict in peer["verdicts"].items() if verdict in ("error", "crash")}
        ours = {name for name, verdict in errors["verdicts"].items() if verdict == "error"}
        note = f"verdicts differ on {len(refused ^ ours)}"
    parsed = _parsing(text for _, text in texts.values())
    yield Row(
        f"{len(texts)} schemas: load, meta-schema, errors", "s", errors["seconds"], theirs, 25, note=note, floor=parsed
    )
    yield Row(f"{len(texts)} schemas: all rules", "s", rules["seconds"], theirs, 10, floor=parsed)
    folder = HOME / "provider-schemas"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for number, (_, text) in enumerate(texts.values()):
        (folder / f"{number}.json").write_text(text, encoding="utf-8")
    whole = measure(
        Command([installed_cfn(), "validate", "--format", "json", *sorted(folder.iterdir())], expect=1), runs=3
    )
    yield Row(
        f"cfn validate, {len(texts)} files, all rules: wall, every core",
        "s",
        whole.wall / 1000,
        theirs,
        12 if (os.cpu_count() or 1) > 1 else 10,
        floor=parsed,
        note="the floor: json.loads of the texts, one core",
    )


def _parsing(texts: Iterable[str]) -> float:
    start = time.process_time()
    for text in texts:
        json.loads(text)
    return time.process_time() - start


def _one_schema() -> Iterator[Row]:
    incumbent = get_incumbent()
    if incumbent is None:
        return
    theirs = make_project(HOME / "their-schema-project")
    ours = HOME / "our-schema-project"
    shutil.rmtree(ours, ignore_errors=True)
    shutil.copytree(theirs, ours)
    mine, peer, floor = compare(
        [Command([installed_cfn(), "validate"], ours), Command([incumbent.cfn, "validate"], theirs), EMPTY]
    )
    yield Row("cfn validate, one schema: wall", "ms", mine.wall, peer.wall, 10, floor=floor.wall)
    yield Row("cfn validate, one schema: peak memory", "MB", mine.memory, peer.memory, 3, floor=floor.memory)


def _faults() -> Iterator[Row]:
    from support.faults import FAULTS, HOOK, RESOURCE

    texts = {
        f"{number} {fault.code}": (fault.base, json.dumps(fault.schema, indent=1))
        for number, fault in enumerate(FAULTS)
    }
    file = _write("seeded-faults.json", {**texts, "good resource": _good(RESOURCE), "good hook": _good(HOOK, "hook")})
    mine = _probe([sys.executable, PROBES / "our_schemas.py", file, "rules"])["verdicts"]
    incumbent = get_incumbent()
    peer = _probe([incumbent.python, PROBES / "incumbent_schemas.py", file])["verdicts"] if incumbent else None
    note = ""
    if peer:
        silent = sum(peer[name] in ("", peer[f"good {texts[name][0]}"]) for name in texts)
        crashes = sum(each == "crash" for each in peer.values())
        note = f"the incumbent leaves {silent} unreported, crashes on {crashes}, and names no line"
        _write_comparison({name: (mine[name], peer[name], peer[f"good {texts[name][0]}"]) for name in texts})
    missed = sum(not mine[name] for name in texts)
    yield Row(f"{len(texts)} seeded faults: not reported", "", missed, limit=0, note=note)


def _write_comparison(verdicts: dict[str, tuple[str, str, str]]) -> None:
    """A page with each fault: what ours says, and what the incumbent does beyond what it says of a good schema."""
    from support.faults import FAULTS

    lines = [COMPARISON_HEAD]
    for fault, (ours, theirs, good) in zip(FAULTS, verdicts.values(), strict=True):
        changes = "; ".join(_change(pointer, new) for pointer, new in fault.changes.items())
        verdict = "silent" if theirs in ("", good) else theirs.partition(":")[0]
        place = f"`{fault.pointer}`" if fault.pointer else "the schema"
        lines.append(f"| [{fault.rule}](rules/{fault.rule}.md) | {changes} | {place} | {ours} | {verdict} |")
    path = REPOSITORY / "docs" / "reference" / "seeded-faults.md"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _change(pointer: str, new: Any) -> str:
    text = json.dumps(new) if isinstance(new, str | int | float | bool | list | dict) else "removed"
    shown = f"{pointer} = {text}" if text != "removed" else f"{pointer} removed"
    shown = shown if len(shown) <= 90 else shown[:89] + "…"
    return f"`{shown}`".replace("|", "\\|")


def _good(value: dict[str, Any], kind: str = "resource") -> tuple[str, str]:
    return kind, json.dumps(value, indent=1)


def _growth() -> Iterator[Row]:
    """Cost over size at one depth, and over depth at one size; both as pictures for the documentation."""
    sizes = [(len(text) / 1e6, _judge(text) * 1000) for text in map(_large, MEGABYTES)]
    for size, cost in sizes:
        yield Row(f"a schema of {size:.2g} MB", "ms", cost)
    (small, quick), (large, slow) = sizes[1], sizes[-1]
    yield Row(f"cost a MB, {large:.2g} MB against {small:.2g} MB", "x", (slow / large) / (quick / small), limit=1.6)
    depths = [(depth, _judge(_deep(depth)) * 1000) for depth in DEPTHS]
    for depth, cost in depths:
        yield Row(f"1 MB nested {depth:g} deep", "ms", cost)
    yield Row(f"{DEPTHS[-1]} deep against {DEPTHS[1]} deep", "x", depths[-1][1] / depths[1][1], limit=3)
    straight = [(0.0, 0.0), (large, slow)]
    svg_plot(
        [Series("cfn validate, all rules", sizes), Series("a straight line", straight, dashed=True)],
        PICTURES / "schema-size.svg",
        title="Judging one schema, by its size",
        x="MB",
        y="ms of CPU",
    )
    svg_plot(
        [Series("cfn validate, all rules", depths)],
        PICTURES / "schema-depth.svg",
        title="Judging 1 MB of schema, by its depth (200 is the bound)",
        x="levels of nesting",
        y="ms of CPU",
    )


def _judge(text: str) -> float:
    from formwork.documents import parse_document
    from formwork.extensions import ExtensionKind
    from formwork.schema import validate_schema

    best = float("inf")
    for _ in range(3):
        start = time.process_time()
        validate_schema(parse_document(text, name="large.json"), kind=ExtensionKind.RESOURCE)
        best = min(best, time.process_time() - start)
    return best


def _large(megabytes: float) -> str:
    from support.faults import RESOURCE

    node = {"description": "d" * 40, "type": "string", "pattern": "^[a-z0-9-]{1,64}$", "maxLength": 64}
    count = int(megabytes * 1_000_000 / (len(json.dumps(node)) + 17))
    objects = {
        f"D{number}": {
            "description": "d",
            "type": "object",
            "additionalProperties": False,
            "properties": {f"P{n}": node for n in range(20)},
        }
        for number in range(count // 20)
    }
    properties = {f"Q{number}": {"$ref": f"#/definitions/D{number}"} for number in range(count // 20)}
    value = {**RESOURCE, "definitions": {**RESOURCE["definitions"], **objects}}
    return json.dumps({**value, "properties": {**RESOURCE["properties"], **properties}})


def _deep(depth: int) -> str:
    """A schema of 1 MB whose properties nest until the document is `depth` levels deep."""
    from support.faults import RESOURCE

    node: dict[str, Any] = {"description": "d", "type": "string"}
    for _ in range((depth - 3) // 2):  # the document, its properties, and the innermost schema are levels too
        node = {"description": "d", "type": "object", "additionalProperties": False, "properties": {"A": node}}
    count = 1_000_000 // len(json.dumps(node))
    properties = {f"Deep{number}": node for number in range(count)}
    return json.dumps({**RESOURCE, "properties": {**RESOURCE["properties"], **properties}})


def _write(name: str, value: Any) -> Path:
    HOME.mkdir(exist_ok=True)
    path = HOME / name
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


def _probe(argv: list[Any]) -> dict[str, Any]:
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{argv[1]} ended with {done.returncode}: {done.stderr[-1000:]}")
    found: dict[str, Any] = json.loads(done.stdout)
    return found
