"""Maven: building a Java project, downloading only what it has never had."""

import os
import shutil
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from formwork import __version__
from formwork.diagnostics import BadInputError
from formwork.toolchain.build import BuildSettings, run_build
from formwork.toolchain.cache import build_once, content_key
from formwork.toolchain.java import find_maven, jdk_home
from formwork.toolchain.lombok import lombok_hint
from formwork.toolchain.reactor import Reactor, find_reactor, outside_inputs
from formwork.toolchain.tool import Tool

# One that works with Maven 3.6.3 and later; a project need not name it.
_CLASS_PATH_GOAL = "org.apache.maven.plugins:maven-dependency-plugin:3.10.0:build-classpath"
# A build lasts seconds: what the JVM's better compiler and collector would gain comes too late.
_FAST_JVM = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
# Lombok before 1.18.22, which projects of some years ago name, reaches into the compiler: JDK 16 and later close it.
_COMPILER_PACKAGES = ("code", "comp", "file", "jvm", "main", "model", "parser", "processing", "tree", "util")
OPEN_COMPILER = " ".join(
    f"--add-opens=jdk.compiler/com.sun.tools.javac.{each}=ALL-UNNAMED" for each in _COMPILER_PACKAGES
)
# What Maven says where it would have to download.
_NEEDS_DOWNLOAD = (
    *("in offline mode", "has not been downloaded", "Could not resolve", "could not be resolved"),
    *("Could not find metadata", "Failed to resolve version"),  # LATEST and ranges
)
# What a Java project is built from in its folder, besides its schema.
BUILD_INPUTS = ("src", "pom.xml", "lombok.config", ".rpdk-config", "target-schemas", "target-info.json", ".mvn")
_CLASS_PATH_FILE = "class-path.txt"


def build_inputs(root: Path) -> tuple[Path, ...]:
    """What the Java project in the folder `root` is built from, besides its schema, outside of its folder too."""
    return (*(root / each for each in BUILD_INPUTS), *outside_inputs(root, BUILD_INPUTS))


class MavenProject(Struct, frozen=True):
    """A Java project: its folder, the files that it is built from, and what builds it.

    `cfn_folder` is where the `cfn` stands that the project's own pom calls to generate sources.
    """

    root: Path
    inputs: tuple[Path, ...]
    jdk: Tool
    cfn_folder: Path
    settings: BuildSettings

    def run(self, *goals: str) -> str:
        """Run Maven for the project, offline first: asking servers for what is there already takes seconds.

        A module of a reactor is built in its reactor, with the modules that it needs.

        Raises:
            BadInputError: the build failed; the notes are Maven's own lines.
            EnvironmentProblemError: there is no Maven.
        """
        reactor = find_reactor(self.root)
        folder, options = (reactor.root, reactor.options) if reactor else (self.root, ())
        quiet = [str(find_maven(self.settings.environment)), "-B", "-q", "-Dstyle.color=never", *options]
        try:
            return self._run([*quiet, "-o", *goals], folder)
        except BadInputError as error:
            notes = "\n".join(note for each in error.diagnostics for note in each.notes)
            if not any(each in notes for each in _NEEDS_DOWNLOAD):
                raise
        self.settings.note("Maven downloads what the project needs")
        return self._run([*quiet, *goals], folder)

    def class_path(self) -> tuple[Path, ...]:
        """Build the classes, and return them with the dependencies that they run with.

        The result is cached by the content of the inputs; Maven uses the project's own `target/` as usual.

        Raises:
            BadInputError: the build failed.
            EnvironmentProblemError: there is no Maven, or the cache can't be used.
        """
        key = content_key(self.inputs, str(self.jdk.version[0]), __version__, root=self.root)  # sources are generated
        place = build_once(self.settings.cache / "java" / "classes" / key, self._build_classes)
        found = _read_class_path(place)
        if any(not each.exists() for each in found):  # the local repository was emptied since
            shutil.rmtree(place, ignore_errors=True)
            found = _read_class_path(build_once(place, self._build_classes))
        return (place / "classes", *found)

    def _build_classes(self, folder: Path) -> None:
        self.settings.note("building the handlers with Maven")
        listed = folder / _CLASS_PATH_FILE
        self.run("compile", _CLASS_PATH_GOAL, f"-Dmdep.outputFile={listed}", "-DincludeScope=runtime")
        classes = self.root / "target" / "classes"
        if not classes.is_dir():
            message = "Maven made no target/classes"
            raise BadInputError.of("build.failed", message, hint="does pom.xml compile src/main/java?")
        shutil.copytree(classes, folder / "classes")
        reactor = find_reactor(self.root)
        if reactor is not None:
            _keep_modules(folder, reactor)

    def _run(self, command: Sequence[str], folder: Path) -> str:
        environment = dict(self.settings.environment)
        environment["JAVA_HOME"] = str(jdk_home(self.jdk))
        environment["PATH"] = os.pathsep.join([str(self.cfn_folder), environment.get("PATH", "")])
        environment["MAVEN_OPTS"] = f"{_FAST_JVM} {OPEN_COMPILER} {environment.get('MAVEN_OPTS', '')}".strip()
        hint = lombok_hint(self.root / "pom.xml", self.jdk.version[0])
        return run_build(command, folder=folder, environment=environment, what="Maven", hint=hint)


def _read_class_path(place: Path) -> tuple[Path, ...]:
    listed = (place / _CLASS_PATH_FILE).read_text(encoding="utf-8").strip()
    return tuple(place / each for each in listed.split(os.pathsep) if each)  # absolute ones stay as they are


def _keep_modules(place: Path, reactor: Reactor) -> None:
    """Copy what the reactor's modules are on the class path to `place`: their next build must not change what runs."""
    listed = []
    for number, each in enumerate(_read_class_path(place)):
        entry = each
        if each.is_dir() or each.is_relative_to(reactor.root):  # what repositories have are files
            entry = Path("modules", str(number), each.name)
            (place / entry).parent.mkdir(parents=True)
            (shutil.copytree if each.is_dir() else shutil.copyfile)(each, place / entry)
        listed.append(str(entry))
    (place / _CLASS_PATH_FILE).write_text(os.pathsep.join(listed), encoding="utf-8")


def compile_classes(
    sources: Sequence[Path],
    *,
    jdk: Tool,
    settings: BuildSettings,
    class_path: Sequence[Path] = (),
    words: Sequence[str] = (),
) -> Path:
    """Return the folder with the classes of all Java files below the folders `sources`, compiled once and kept.

    `class_path` is what they are compiled against, and `words` what of it matters for keeping them.
    """
    files = sorted(each for folder in sources for each in folder.rglob("*.java"))
    key = content_key(sources, *words, root=sources[0])

    def build(folder: Path) -> None:
        compiler = jdk.executable.with_name(f"javac{jdk.executable.suffix}")
        against = ["-cp", os.pathsep.join(map(str, class_path))] if class_path else []
        command = [
            str(compiler),
            "-nowarn",
            "--release",
            "17",
            "-proc:none",
            "-d",
            str(folder),
            *against,
            *map(str, files),
        ]
        run_build(command, folder=sources[0], environment=settings.environment, what="the Java compiler")

    return build_once(settings.cache / "java" / "own" / key, build)
