"""What Smithy models cost: IDL parsed, service models converted by command, and how both grow.

There is no figure of the reference beside them: its JVM tools are not on package indexes that this machine has.
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from bench.incumbent import HOME
from bench.table import Row

REPOSITORY = Path(__file__).resolve().parent.parent
CFN = Path(sys.executable).with_name("cfn")
IDL_BYTES = 1_280_000
AST_BYTES = 3_000_000
RUNS = 2


def main() -> Iterator[Row]:
    """Parse, convert, grow."""
    from formwork.smithy.idl.parser import parse_idl
    from formwork.smithy.load import load_texts

    corpus = _corpus()
    if corpus:
        size = sum(len(text) for _, text in corpus) / 1e6
        parsed = _best(lambda: [parse_idl(text, name=name) for name, text in corpus])
        yield Row(f"{size:.2f} MB of IDL (162 files) parsed", "s", parsed, limit=1.0)
    for share in (0.25, 1, 4):
        text = _idl(int(IDL_BYTES * share))
        note = f"{_best(lambda text=text: parse_idl(text, name='m.smithy')) / len(text) * 1e6:.2f} s a MB"
        loaded = _best(lambda text=text: load_texts([("m.smithy", text)]))
        yield Row(f"{len(text) / 1e6:.2f} MB of IDL loaded", "s", loaded, note=f"parsing alone {note}")
    for share in (0.5, 1, 2):
        yield _conversion(int(AST_BYTES * share), limit=2.0 if share == 1 else None)


def _best(work: Callable[[], Any]) -> float:
    """CPU seconds, those of processes started included, of the best of some runs."""
    times = []
    for _ in range(RUNS):
        start = os.times()
        work()
        times.append(sum(os.times()[:4]) - sum(start[:4]))
    return min(times)


def _corpus() -> list[tuple[str, str]]:
    sys.path.insert(0, str(REPOSITORY / "tests"))
    from support.corpus import FIXTURES

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


def _conversion(size: int, *, limit: float | None) -> Row:
    """`cfn convert` of a JSON AST of that size, process start included."""
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
    command = [
        CFN,
        "convert",
        path,
        "--organization",
        "Bench",
        "--output",
        HOME / "converted",
        "--allow-unknown-traits",
    ]
    spent = _best(lambda: subprocess.run(command, check=True, capture_output=True))
    written = path.stat().st_size / 1e6
    return Row(f"cfn convert, {written:.1f} MB of JSON AST", "s", spent, limit=limit)
