"""A JDK and Maven."""

from collections.abc import Mapping
from pathlib import Path

from formwork.toolchain.tool import Tool, ask_version, find_executable, missing, outdated

OLDEST_JAVA = (17,)
_INSTALL_JDK = "install a JDK 17 or 21 (https://adoptium.net), or your system's package openjdk-17-jdk"
_INSTALL_MAVEN = "install Maven (https://maven.apache.org), or your system's package maven"


def find_jdk(environment: Mapping[str, str]) -> Tool:
    """The `java` of the JDK that JAVA_HOME names, else of the one on PATH; `javac` stands beside it.

    Raises:
        EnvironmentProblemError: there is none, or it is too old.
    """
    home = environment.get("JAVA_HOME")
    beside = [Path(home) / "bin"] if home else []
    java = find_executable("java", environment, beside=beside)
    compiler = find_executable("javac", environment, beside=beside)
    version = ask_version(java, "-version", environment) if java is not None else None
    if java is None or compiler is None or version is None:
        what = "a JDK" if java is None else "a whole JDK (javac is missing)"
        raise missing(what, "Java handlers are compiled with it and run on it", _INSTALL_JDK)
    tool = Tool(java, version)
    if version < OLDEST_JAVA:
        raise outdated("Java", tool, "a JDK 17")
    return tool


def find_maven(environment: Mapping[str, str]) -> Path:
    """Maven on the PATH of `environment`; its version is not asked, which would start a JVM.

    Raises:
        EnvironmentProblemError: there is none.
    """
    path = find_executable("mvn", environment)
    if path is None:
        raise missing("Maven", "Java projects are built with it", _INSTALL_MAVEN)
    return path
