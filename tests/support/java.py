"""Java in tests: the dependencies of a new project, one compiler run for many schemas, models read and written by AWS's
own serializer."""

import functools
import json
import os
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from formwork.command_context.places import cache_folder
from formwork.extensions import ExtensionKind
from formwork.generate.handlers import Handlers
from formwork.generate.scaffold import ScaffoldRequest
from formwork.languages.java.generate.generator import JavaGenerator
from formwork.languages.java.generate.naming import RESERVED_MODEL_NAMES
from formwork.languages.java.generate.runtime import RUNTIME_SETTING
from formwork.languages.java.runtime_version import parse_version_range
from formwork.model import build_type_model
from formwork.toolchain import BuildSettings, build_once, content_key
from formwork.toolchain.java import find_jdk
from formwork.toolchain.maven import MavenProject
from support.plans import plan_new_project

SUPPORT = Path(__file__).parents[1] / "conformance" / "generate" / "java"
# As new projects are compiled, and nothing left unsaid.
_COMPILER = ("-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC", "--release", "17", "-encoding", "ASCII", "-Werror")
_LINT = "-Xlint:all,-options,-processing,-classfile"
_GOAL = "org.apache.maven.plugins:maven-dependency-plugin:3.10.0:build-classpath"


def settings():
    return BuildSettings(os.environ, cache_folder(), print)


@functools.cache
def jdk():
    return find_jdk(os.environ)


@functools.cache
def class_path(runtime=None):
    """What a new project is compiled and tested with: AWS's runtime, Lombok, JUnit; found by Maven, once for each pom.

    `runtime` is another version of AWS's runtime than new projects have.
    """
    plan = plan_new_project(
        ScaffoldRequest(kind=ExtensionKind.RESOURCE, type_name="Acme::Store::Thing", language="java")
    )
    pom = with_runtime(plan["pom.xml"].text, runtime) if runtime else plan["pom.xml"].text
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        (root / "pom.xml").write_text(pom)
        key = content_key([root / "pom.xml"], root=root)

        def resolve(place):
            maven = MavenProject(root, (), jdk(), Path(sys.executable).parent, settings())
            maven.run(_GOAL, f"-Dmdep.outputFile={place / 'class-path.txt'}")

        place = build_once(cache_folder() / "java" / "test-class-path" / key, resolve)
    paths = (place / "class-path.txt").read_text().strip().split(os.pathsep)
    return tuple(Path(each) for each in paths if not each.endswith(".pom"))


def with_runtime(pom, version):
    """The text of a pom.xml with another version of AWS's runtime."""
    found = re.compile(r"(<artifactId>aws-cloudformation-rpdk-java-plugin</artifactId>\s*<version>)[^<]*")
    assert found.search(pom)
    return found.sub(rf"\g<1>{version}", pom)


def _joined(*paths):
    return os.pathsep.join(map(str, paths))


def compile_java(sources, to, *more, runtime=None):
    """Compile every Java file below the folder `sources` with all warnings as errors; the compiler's lines if it fails.

    `more` is what else they are compiled against, `runtime` another version of AWS's runtime than the newest.
    """
    to.mkdir(parents=True, exist_ok=True)
    files = sources / "files.txt"
    files.write_text("".join(f'"{each}"\n' for each in sorted(sources.rglob("*.java"))))
    found = class_path(runtime)
    (lombok,) = [each for each in found if each.name.startswith("lombok-")]
    command = [
        *(jdk().executable.with_name("javac"), *_COMPILER, _LINT),
        *("-cp", _joined(to, *found, *more), "-processorpath", lombok, "-d", to, f"@{files}"),
    ]
    done = subprocess.run([*map(str, command)], capture_output=True, text=True, errors="replace", check=False)
    assert done.returncode == 0, "\n".join((done.stdout + done.stderr).splitlines()[:60])


def run_java(main, *arguments, classes, text="", env=None):
    """Run a class; what it wrote to standard output."""
    command = [
        *(jdk().executable, "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Dfile.encoding=UTF-8"),
        *("-Dstdout.encoding=UTF-8", "-cp", _joined(*classes, *class_path()), main, *arguments),
    ]
    done = subprocess.run(
        [*map(str, command)], input=text, capture_output=True, text=True, encoding="utf-8", check=False, env=env
    )
    assert done.returncode == 0, (done.stdout + done.stderr)[-4000:]
    return done.stdout


@dataclass(frozen=True)
class Generated:
    """Projects of many schemas in one tree of sources, a package each; `packages` are theirs by the schemas' names."""

    sources: Path
    packages: dict


def generate_all(documents, folder, *, kind=ExtensionKind.RESOURCE, targets=None, style="default", runtime=None):
    """Write models and stubs of every document (name → schema) below `folder`, for a version of AWS's runtime."""
    language = JavaGenerator()
    packages = {}
    for number, (name, document) in enumerate(sorted(documents.items())):
        packages[name] = f"generated.p{number}"
        options = {"namespace": packages[name].split("."), "codegen_template_path": style}
        options[RUNTIME_SETTING] = parse_version_range(runtime or "")
        types = build_type_model(document, kind=ExtensionKind(kind), reserved=RESERVED_MODEL_NAMES)
        found = (targets or {}).get(name, {})
        handlers = Handlers(
            type_name=types.type_name, schema=document, types=types, targets=found, sample=False, settings=options
        )
        plan = {**language.plan_models(types, found, options), **language.plan_handlers(handlers)}
        for path, file in plan.items():
            if path.endswith(".java"):
                place = (
                    folder / path.partition("/java/")[2] if "/java/" in path else folder / path.partition("/rpdk/")[2]
                )
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_text(file.text, encoding="utf-8")
    return Generated(folder, packages)


def round_trips(models, classes):
    """What AWS's serializer makes of values: [(class name, value)] → the values as they come back, or {"error": …}."""
    lines = "".join(json.dumps({"type": name, "value": value}) + "\n" for name, value in models)
    said = run_java("formwork.tests.RoundTrip", classes=classes, text=lines)
    return [json.loads(line) for line in said.split("\n") if line.startswith(("{", "["))]


def canonical(value):
    """`value` with arrays in an order of their own: Java's sets have none."""
    if isinstance(value, dict):
        return {name: canonical(each) for name, each in value.items()}
    if isinstance(value, list):
        return sorted((canonical(each) for each in value), key=lambda each: json.dumps(each, sort_keys=True))
    return value
