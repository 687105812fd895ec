"""The reference implementation of Smithy on the JVM, where a JDK and Maven are here: fetched once, never committed.

Its command line comes by coordinates from the package index that Maven is set up for, into `.bench/smithy-reference`.
"""

import functools
import shutil
import subprocess
import sys
from pathlib import Path

from bench.incumbent import HOME

VERSION = "1.73.0"
_GROUP = "software.amazon.smithy"
_ARTIFACTS = ("smithy-cli", "smithy-aws-traits", "smithy-aws-iam-traits", "smithy-aws-cloudformation-traits")
_POM = """<project><modelVersion>4.0.0</modelVersion>
<groupId>bench</groupId><artifactId>reference</artifactId><version>1</version><dependencies>{}</dependencies></project>
"""
_DEPENDENCY = "<dependency><groupId>{}</groupId><artifactId>{}</artifactId><version>{}</version></dependency>"


@functools.cache
def reference_command() -> tuple[str, ...] | None:
    """What to put before its arguments; None, with a line on stderr that says why, where it cannot be had."""
    java, maven = shutil.which("java"), shutil.which("mvn")
    if java is None or maven is None:
        missing = " and ".join(name for name, found in (("a JDK", java), ("Maven", maven)) if found is None)
        return _without(f"{missing} is not installed")
    folder = HOME / "smithy-reference"
    libraries = folder / VERSION
    if not libraries.is_dir():
        problem = _fetch(maven, folder, libraries)
        if problem:
            return _without(problem)
    return (java, "-cp", f"{libraries}/*", f"{_GROUP}.cli.SmithyCli")


def _fetch(maven: str, folder: Path, libraries: Path) -> str:
    folder.mkdir(parents=True, exist_ok=True)
    dependencies = "".join(_DEPENDENCY.format(_GROUP, each, VERSION) for each in _ARTIFACTS)
    (folder / "pom.xml").write_text(_POM.format(dependencies), encoding="utf-8")
    command = [maven, "-q", "-B", "dependency:copy-dependencies", f"-DoutputDirectory={libraries}.part"]
    print("bench: fetching the reference implementation of Smithy (once)", file=sys.stderr)
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        return next((line for line in done.stdout.splitlines() if "ERROR" in line), "Maven cannot fetch it")
    Path(f"{libraries}.part").rename(libraries)
    return ""


def _without(problem: str) -> None:
    print(f"bench: Smithy's reference implementation is left out: {problem}", file=sys.stderr)
