"""ARCHITECTURE.md with its table of the sizes of packages, which is counted from the sources."""

import re
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
SOURCES = REPOSITORY / "src" / "formwork"
PAGE = REPOSITORY / "ARCHITECTURE.md"

# Packages before the rebuild, with thousands of lines → the packages that their code is in now.
BEFORE = {
    "`engine` 16.1": "engine stacks stack_sets service_types provisioning preparation hooks cloud_control",
    "`schema` 10.0": "schema patterns schema_changes jsonata extensions.py",
    "`contract` 9.5": "contract contract_results",
    "`api` 7.2": "api assembly object_store stand_ins local_service request_guard aws",
    "`generate` 5.8, `package` 2.0, `lambda_host` 3.9, `invoke` 2.3, `toolchain` 2.1, `project` 2.0": (
        "languages generate package lambda_host invoke toolchain project handler_libraries private_files"
    ),
    "`smithy` 10.6, `convert` 3.0": "smithy convert",
    "`cli` 7.9, `registry` 4.5, `template` 3.4": "cli registry template",
    "`durable` 2.1 on DBOS, `documents` 1.6, `instances` 1.5, `model` 1.0": "durable documents instances model",
}
ALL_BEFORE = 99.6


def render() -> str:
    """Return ARCHITECTURE.md with the table of today."""
    text = PAGE.read_text(encoding="utf-8")
    return re.sub(r"(?<=<!-- sizes -->\n).*?(?=<!-- end of sizes -->)", lambda _: _table(), text, flags=re.DOTALL)


def _table() -> str:
    lines = {path.name: _count_lines(path) for path in _packages()}
    rows = [f"| {before} | {_sizes(lines, after.split())} |" for before, after in BEFORE.items()]
    listed = {name for after in BEFORE.values() for name in after.split()}
    rows.append(f"| others, and what is new since | {_sizes(lines, sorted(lines.keys() - listed))} |")
    rows.append(f"| all {ALL_BEFORE} | all {round(sum(lines.values()) / 1000)} |")
    return "\n".join(["", "| before | now |", "| --- | --- |", *rows, ""]) + "\n"


def _sizes(lines: dict[str, int], names: list[str]) -> str:
    """Return the packages with their sizes to half a thousand lines, so that small changes do not change the page."""
    return ", ".join(f"`{name.removesuffix('.py')}` {_thousands(lines[name])}" for name in names)


def _thousands(count: int) -> str:
    return f"{round(count / 500) / 2:g}" if count >= 750 else "below 1"


def _count_lines(path: Path) -> int:
    files = [path] if path.is_file() else path.rglob("*.py")
    return sum(len(file.read_text(encoding="utf-8").splitlines()) for file in files)


def _packages() -> list[Path]:
    return [path for path in SOURCES.iterdir() if (path / "__init__.py").is_file() or path.name == "extensions.py"]
