"""The reference implementation of Smithy on the JVM, where a JDK and Maven are here: fetched once, never committed.

Its command line and its converter come by coordinates from the package index that Maven is set up for, into
`.bench/smithy-reference`. The index has the command line up to the version that the fixtures are from; of the converter
it has one version, an older one, with the other parts of that version.
"""

import functools
import shutil
import subprocess
import sys
from pathlib import Path

from bench.incumbent import HOME

VERSION = "1.73.0"
CONVERTER_VERSION = "1.27.2"  # the only one that the index has
_GROUP = "software.amazon.smithy"
_COMMAND_LINE = ("smithy-cli", "smithy-aws-traits", "smithy-aws-iam-traits", "smithy-aws-cloudformation-traits")
_CONVERTER = ("smithy-aws-cloudformation",)
_PROBE = Path(__file__).parent / "probes" / "ConvertModel.java"
_POM = """<project><modelVersion>4.0.0</modelVersion>
<groupId>bench</groupId><artifactId>reference</artifactId><version>1</version><dependencies>{}</dependencies></project>
"""
_DEPENDENCY = "<dependency><groupId>{}</groupId><artifactId>{}</artifactId><version>{}</version></dependency>"


@functools.cache
def reference_command() -> tuple[str, ...] | None:
    """What to put before its arguments; None, with a line on stderr that says why, where it is unavailable."""
    libraries = _libraries(_COMMAND_LINE, VERSION)
    return None if libraries is None else ("java", "-cp", f"{libraries}/*", f"{_GROUP}.cli.SmithyCli")


@functools.cache
def converter_command() -> tuple[str, ...] | None:
    """What to put before a model, a service and a folder for schemas; None as above."""
    libraries = _libraries(_CONVERTER, CONVERTER_VERSION)
    if libraries is None:
        return None
    if not (libraries / "ConvertModel.class").is_file():
        command = ["javac", "-cp", f"{libraries}/*", "-d", str(libraries), str(_PROBE)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            return _without(f"its converter's probe doesn't compile: {done.stderr[:200]}")
    return ("java", "-cp", f"{libraries}/*:{libraries}", "ConvertModel")


@functools.cache
def _libraries(artifacts: tuple[str, ...], version: str) -> Path | None:
    java, maven = shutil.which("java"), shutil.which("mvn")
    if java is None or maven is None:
        missing = " and ".join(name for name, found in (("a JDK", java), ("Maven", maven)) if found is None)
        return _without(f"{missing} is not installed")
    libraries = HOME / "smithy-reference" / version
    if not libraries.is_dir():
        problem = _fetch(maven, artifacts, libraries)
        if problem:
            return _without(problem)
    return libraries


def _fetch(maven: str, artifacts: tuple[str, ...], libraries: Path) -> str:
    folder = libraries.parent
    folder.mkdir(parents=True, exist_ok=True)
    dependencies = "".join(_DEPENDENCY.format(_GROUP, each, libraries.name) for each in artifacts)
    (folder / "pom.xml").write_text(_POM.format(dependencies), encoding="utf-8")
    command = [maven, "-q", "-B", "dependency:copy-dependencies", f"-DoutputDirectory={libraries}.part"]
    print(f"bench: fetching {artifacts[0]} {libraries.name} (once)", file=sys.stderr)
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        return next((line for line in done.stdout.splitlines() if "ERROR" in line), "Maven cannot fetch it")
    Path(f"{libraries}.part").rename(libraries)
    return ""


def _without(problem: str) -> None:
    print(f"bench: Smithy's reference implementation is left out: {problem}", file=sys.stderr)
