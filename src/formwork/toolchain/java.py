"""A JDK.

The user's (JAVA_HOME, then PATH), or where it is older than the function's runtime the oldest installed one that is new
enough. Runtimes before Java 17 run on 17. Versions are read from the JDK's `release` file: `java -version` starts a
JVM. Maven is started with `--add-opens`, which Lombok before 1.18.22 needs since JDK 16.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from formwork.toolchain.tool import (
    HIDE_VARIABLE,
    Tool,
    Version,
    ask_version,
    find_executable,
    missing,
    outdated,
    parse_version,
)

OLDEST_JAVA = 17
_INSTALL_JDK = "install a JDK 17 or 21 (https://adoptium.net), or your system's package openjdk-17-jdk"
_INSTALL_MAVEN = "install Maven 3.8 or later, for instance your system's package maven"
_RELEASE = re.compile(r'^JAVA_VERSION="?([0-9.]+)', re.MULTILINE)
# Where systems and version managers keep JDKs, below the root or the user's folder.
SYSTEM_PLACES = ("/usr/lib/jvm/*", "/Library/Java/JavaVirtualMachines/*/Contents/Home")
_KEPT_AT_HOME = (".sdkman/candidates/java/*", ".jdks/*", ".asdf/installs/java/*")


def find_jdk(
    environment: Mapping[str, str], *, least: int = OLDEST_JAVA, places: Sequence[str] = SYSTEM_PLACES
) -> Tool:
    """Return the `java` of a JDK of version `least` or later; `javac` stands beside it.

    JAVA_HOME's comes first, then the one on PATH; where these are older, the oldest that will do of those that the
    system (at the patterns `places`) or the user's version manager keeps.

    Raises:
        EnvironmentProblemError: there is none, or none is new enough.
    """
    preferred = _preferred(environment)
    if preferred is not None and preferred.version >= (least,):
        return preferred
    others = sorted(
        (each for each in _kept(environment, places) if each.version >= (least,)),
        key=lambda each: (each.version, each.executable),
    )
    if others:
        return others[0]
    install = (
        _INSTALL_JDK.replace("17 or 21", str(least)).replace("-17-", f"-{least}-")
        if least > OLDEST_JAVA
        else _INSTALL_JDK
    )
    if preferred is not None:
        raise outdated("Java", preferred, f"a JDK {least}")
    if find_executable("java", environment) is not None:
        raise missing("a whole JDK (javac is missing)", "Java handlers are compiled with it and run on it", install)
    raise missing("a JDK", "Java handlers are compiled with it and run on it", install)


def find_maven(environment: Mapping[str, str]) -> Path:
    """Maven on the PATH of `environment`; its version is not asked, which would start a JVM.

    Raises:
        EnvironmentProblemError: there is none.
    """
    path = find_executable("mvn", environment)
    if path is None:
        raise missing("Maven", "Java projects are built with it", _INSTALL_MAVEN)
    return path


def java_release(runtime: str) -> int:
    """Return the version of Java that a Lambda runtime such as `java21` names; never one too old for today's tools."""
    found = re.fullmatch(r"java(\d+)(\.al2)?", runtime)
    return max(int(found[1]) if found else OLDEST_JAVA, OLDEST_JAVA)


def jdk_home(jdk: Tool) -> Path:
    """Return the folder of a JDK, for JAVA_HOME."""
    return jdk.executable.resolve().parent.parent


def _preferred(environment: Mapping[str, str]) -> Tool | None:
    home = environment.get("JAVA_HOME")
    beside = [Path(home) / "bin"] if home else []
    java = find_executable("java", environment, beside=beside)
    compiler = find_executable("javac", environment, beside=beside)
    if java is None or compiler is None:
        return None
    version = _written_version(java.resolve().parent.parent) or ask_version(java, "-version", environment)
    return Tool(java, version) if version is not None else None


def _kept(environment: Mapping[str, str], places: Sequence[str]) -> Iterator[Tool]:
    if environment.get(HIDE_VARIABLE):
        return
    root, home = Path("/"), environment.get("HOME")
    folders = [found for pattern in places for found in root.glob(pattern.lstrip("/"))]
    folders += [found for pattern in _KEPT_AT_HOME for found in (Path(home).glob(pattern) if home else ())]
    for folder in folders:
        java = find_executable("java", {}, beside=[folder / "bin"])
        version = _written_version(folder)
        if java is not None and version is not None and find_executable("javac", {}, beside=[folder / "bin"]):
            yield Tool(java, version)


def _written_version(home: Path) -> Version | None:
    """Return the version that a JDK writes into a file of its own: asking it would start a JVM."""
    try:
        found = _RELEASE.search((home / "release").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return parse_version(found[1]) if found else None
