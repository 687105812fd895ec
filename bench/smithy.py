"""What Smithy models cost: IDL parsed, service models converted, how both grow, and the reference's JVM beside it.

The growth is drawn into docs/explanation/pictures. The reference's command line is measured reading a model and writing
its AST; its converter, which package indexes have in one older version only, converting the service.
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from bench.corpora import FIXTURES
from bench.incumbent import HOME, REPOSITORY
from bench.measure import EMPTY, measure
from bench.plot import Series, svg_plot
from bench.smithy_reference import CONVERTER_VERSION, VERSION, converter_command, reference_command
from bench.table import Row

PICTURES = REPOSITORY / "docs" / "explanation" / "pictures"
CFN = Path(sys.executable).with_name("cfn")
IDL_BYTES = 1_280_000
AST_BYTES = 3_000_000
RUNS = 2


def main() -> Iterator[Row]:
    """Parse, convert, grow, and the JVM."""
    from formwork.smithy.idl.parser import parse_idl
    from formwork.smithy.load import load_texts

    corpus = _corpus()
    if corpus:
        size = sum(len(text) for _, text in corpus) / 1e6
        parsed = _best(lambda: [parse_idl(text, name=name) for name, text in corpus])
        yield Row(f"{size:.2f} MB of IDL (162 files) parsed", "s", parsed, limit=1.0)
    loads: list[tuple[float, float]] = []
    parses: list[tuple[float, float]] = []
    for share in (0.25, 0.5, 1, 2, 4):
        text = _idl(int(IDL_BYTES * share))
        size = len(text) / 1e6
        parses.append((size, _best(lambda text=text: parse_idl(text, name="m.smithy"))))
        loads.append((size, _best(lambda text=text: load_texts([("m.smithy", text)]))))
        yield Row(f"{size:.2f} MB of IDL loaded", "s", loads[-1][1], note=f"of that {parses[-1][1]:.2f} s parsing")
    yield _straightness("IDL loaded", loads)
    conversions = []
    for share in (0.25, 0.5, 1, 2):
        size, spent = _conversion(int(AST_BYTES * share))
        conversions.append((size, spent))
        limit = 2.0 if share == 1 else None
        floor = _best(_read_ast) + measure(EMPTY).cpu / 1000
        yield Row(f"cfn convert, {size:.1f} MB of JSON AST", "s", spent, limit=limit, floor=floor)
    yield _straightness("JSON AST converted", conversions)
    _draw(parses, loads, conversions)
    yield from _beside_the_jvm()
    yield from _conversion_beside_the_jvm()


def _read_ast() -> None:
    """What no conversion does without: an interpreter, and the reading of the JSON."""
    json.loads((HOME / "service.json").read_bytes())


def _straightness(name: str, points: Sequence[tuple[float, float]]) -> Row:
    """The cost of a megabyte of the largest against that of the second smallest: 1 where it grows as the size does."""
    (small, quick), (large, slow) = points[1], points[-1]
    return Row(
        f"{name}: cost a MB, {large:.1f} MB against {small:.1f} MB", "x", slow / large / (quick / small), limit=1.6
    )


def _draw(
    parses: list[tuple[float, float]], loads: list[tuple[float, float]], conversions: list[tuple[float, float]]
) -> None:
    series = [
        Series("IDL: parsed", parses),
        Series("IDL: loaded into a model", loads),
        Series("JSON AST: cfn convert, the process included", conversions),
    ]
    svg_plot(
        series,
        PICTURES / "smithy-size.svg",
        title="Reading and converting a Smithy model, by its size",
        x="MB",
        y="s of CPU",
    )


def _beside_the_jvm() -> Iterator[Row]:
    """Both commands over the same files: CPU seconds, the JVM's compilation and collection threads included."""
    reference = reference_command()
    if reference is None:
        return
    idl = HOME / "service.smithy"
    idl.write_text(_idl(IDL_BYTES), encoding="utf-8")
    for path in (idl, HOME / "service.json"):
        size = path.stat().st_size / 1e6
        arguments = ["ast", "--allow-unknown-traits", str(path)]
        ours = _best(lambda arguments=arguments: _run([CFN, "smithy", *arguments]))
        theirs = _best(lambda arguments=arguments: _run([*reference, *arguments]))
        name = f"smithy ast, {size:.1f} MB of {'IDL' if path is idl else 'JSON AST'}"
        yield Row(name, "s", ours, theirs=theirs, note=f"beside Smithy {VERSION} on the JVM")


def _conversion_beside_the_jvm() -> Iterator[Row]:
    """The last service that was converted, by the reference's converter without its validation."""
    reference = converter_command()
    if reference is None:
        return
    path = HOME / "service.json"
    output = ["--organization", "Bench", "--output", str(HOME / "converted"), "--allow-unknown-traits"]
    ours = _best(lambda: _run([CFN, "convert", path, *output]))
    theirs = _best(lambda: _run([*reference, path, "bench.idl#Bench", HOME / "converted-jvm"]))
    name = f"resources of a service converted, {path.stat().st_size / 1e6:.1f} MB of JSON AST"
    note = f"beside the converter {CONVERTER_VERSION} on the JVM, which skips validation"
    yield Row(name, "s", ours, theirs=theirs, note=note)


def _run(command: Sequence[str | Path]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{command[0]}: exit code {done.returncode}: {done.stderr[-300:]}")


def _best(work: Callable[[], Any]) -> float:
    """CPU seconds, those of processes started included, of the best of some runs."""
    times = []
    for _ in range(RUNS):
        start = os.times()
        work()
        times.append(sum(os.times()[:4]) - sum(start[:4]))
    return min(times)


def _corpus() -> list[tuple[str, str]]:
    folder = FIXTURES / "smithy" / "idl-corpus"
    if not (folder / "manifest.json").is_file():
        return []
    names = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))["inputs"]
    return [(name, (folder / name).read_text(encoding="utf-8")) for name in names]


def _idl(size: int) -> str:
    """A service with as many resources as make a text of that size."""
    head = '$version: "2.0"\n\nnamespace bench.idl\n\nuse aws.cloudformation#cfnResource\n'
    blocks: list[str] = []
    length = len(head)
    while length < size:
        blocks.append(_resource(len(blocks)))
        length += len(blocks[-1])
    names = " ".join(f"Thing{number}" for number in range(min(RESOURCES, len(blocks))))
    service = f'\nservice Bench {{\n    version: "1"\n    resources: [{names}]\n}}\n'
    return head + service + "".join(blocks)


RESOURCES = 20  # the most that a service of the real corpus has is nine


def _resource(number: int) -> str:
    members = "\n".join(
        f"    /// What member {each} of the thing is for, in a sentence.\n    @length(min: 1, max: {each + 8})\n"
        f"    member{each}: Text{number}"
        for each in range(12)
    )
    trait = "\n@cfnResource" if number < RESOURCES else ""
    return f"""
/// Thing number {number}.{trait}
resource Thing{number} {{
    identifiers: {{ thingId: String }}
    create: CreateThing{number}
    read: GetThing{number}
}}

operation CreateThing{number} {{
    input := {{
{members.replace("    ", "        ")}
    }}
    output := {{ @required thingId: String }}
}}

@readonly
operation GetThing{number} {{
    input := {{ @required thingId: String }}
    output := {{ @required thingId: String, parts: Parts{number} }}
}}

list Parts{number} {{
    member: Part{number}
}}

structure Part{number} {{
{members}
}}

@pattern("^[a-z]+$")
string Text{number}
"""


def _conversion(size: int) -> tuple[float, float]:
    """Megabytes of a JSON AST of about that size, and what `cfn convert` of it costs, process start included."""
    from formwork.convert.traits import cfn_library
    from formwork.smithy.ast_json.writer import ast_of
    from formwork.smithy.load import load_texts

    # The AST says the same in some 2.4 times the bytes.
    model = load_texts([("m.smithy", _idl(int(size / 2.4)))], base=cfn_library()).model
    ast = ast_of(model)
    ast["shapes"] = {key: value for key, value in ast["shapes"].items() if key.startswith("bench.")}
    path = HOME / "service.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(ast, indent=1), encoding="utf-8")
    output = ["--organization", "Bench", "--output", str(HOME / "converted"), "--allow-unknown-traits"]
    spent = _best(lambda: _run([CFN, "convert", path, *output]))
    return path.stat().st_size / 1e6, spent
