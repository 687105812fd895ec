"""Maven is run offline first, with the project's JDK and our `cfn`; what it built is kept by its inputs."""

import os
import sys

import pytest
from msgspec.structs import replace

from formwork.diagnostics import BadInputError
from formwork.toolchain import BuildSettings, Tool
from formwork.toolchain.lombok import lombok_hint
from formwork.toolchain.maven import MavenProject, build_inputs

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the fakes are shell scripts")


@pytest.fixture
def maven(tmp_path):
    """A project over a fake Maven: the project, and the calls that the fake saw, one a line."""
    root, calls = tmp_path / "project", tmp_path / "calls"
    (root / "src").mkdir(parents=True)
    (root / "src" / "A.java").write_text("class A {}")
    program = tmp_path / "tools" / "mvn"
    program.parent.mkdir()
    program.write_text(f"""#!/bin/sh
echo "$JAVA_HOME $PATH $*" >> {calls}
case "$*" in *-o*) if [ -e {tmp_path}/empty ]; then echo "Cannot access central in offline mode"; exit 1; fi;; esac
if grep -q broken src/A.java; then printf '[ERROR] src/A.java:[1,1] class expected\\n\\033[0m\\033[0m\\n'; exit 1; fi
mkdir -p target/classes; cp src/A.java target/classes/A.class
for each in "$@"; do case $each in -Dmdep.outputFile=*) echo "{tmp_path}/tools" > "${{each#*=}}";; esac; done
""")
    program.chmod(0o755)
    notes = []
    settings = BuildSettings({"PATH": f"{program.parent}:{os.environ['PATH']}"}, tmp_path / "cache", notes.append)
    jdk = Tool(tmp_path / "jdk" / "bin" / "java", (17, 0, 1))
    project = MavenProject(root, build_inputs(root), jdk, tmp_path / "ours", settings)
    return project, lambda: calls.read_text().splitlines() if calls.exists() else [], notes


def test_classes_are_built_once_for_the_same_sources(maven, tmp_path):
    project, calls, _ = maven
    first = project.class_path()
    assert (first[0] / "A.class").read_text() == "class A {}"
    assert first[1:] == (tmp_path / "tools",)
    assert project.class_path() == first
    assert len(calls()) == 1
    (project.root / "src" / "A.java").write_text("class A { int a; }")
    assert project.class_path() != first
    assert len(calls()) == 2


def test_another_version_of_formwork_generates_other_sources(maven, monkeypatch):
    project, calls, _ = maven
    first = project.class_path()
    monkeypatch.setattr("formwork.toolchain.maven.__version__", "99.0")
    assert project.class_path() != first
    assert len(calls()) == 2


@pytest.fixture
def module(maven, tmp_path):
    """The fake Maven's project as the root of a reactor, and its module `thing`, which needs `common`."""
    project, calls, _ = maven
    pom = "<project><artifactId>{}</artifactId>{}</project>"
    listed = "<modules><module>thing</module><module>common</module></modules>"
    (project.root / "pom.xml").write_text(pom.format("all", listed))
    for name, more in (("thing", "<dependency><artifactId>common</artifactId></dependency>"), ("common", "")):
        folder = project.root / name
        (folder / "src").mkdir(parents=True)
        (folder / "pom.xml").write_text(pom.format(name, more))
    classes = project.root / "common" / "build" / "classes"
    classes.mkdir(parents=True)
    (classes / "Common.class").write_text("first")
    program = tmp_path / "tools" / "mvn"
    text = program.read_text().replace("target/classes", "thing/target/classes")
    program.write_text(text.replace(f'echo "{tmp_path}/tools" >', f'echo "{classes}:{program}" >'))
    root = project.root / "thing"
    return replace(project, root=root, inputs=build_inputs(root)), calls


def test_a_module_is_built_in_its_reactor(module):
    project, calls = module
    project.run("package")
    (call,) = calls()
    assert call.endswith(" -f pom.xml -pl thing -am -o package")


@pytest.mark.parametrize("changed", ["pom.xml", "common/pom.xml", "common/src/Common.java", ".mvn/maven.config"])
def test_a_change_in_the_reactor_is_built(module, changed):
    project, calls = module
    project.class_path()
    file = project.root.parent / changed
    file.parent.mkdir(exist_ok=True)
    with file.open("a") as out:
        out.write("<!-- changed -->" if file.suffix == ".xml" else "changed")
    project.class_path()
    assert len(calls()) == 2


def test_what_runs_stays_when_a_module_that_it_needs_is_built_again(module, tmp_path):
    project, calls = module
    _, common, tools = project.class_path()
    (project.root.parent / "common" / "build" / "classes" / "Common.class").write_text("second")
    assert tools == tmp_path / "tools" / "mvn"
    assert (common / "Common.class").read_text() == "first"
    assert project.class_path()[1] == common
    assert len(calls()) == 1


def test_maven_runs_with_the_jdk_and_our_cfn(maven, tmp_path):
    project, calls, _ = maven
    project.run("package")
    (call,) = calls()
    assert call.startswith(f"{tmp_path / 'jdk'} {tmp_path / 'ours'}:{tmp_path / 'tools'}:")
    assert call.endswith(" -B -q -Dstyle.color=never -o package")


def test_the_compiler_is_open_to_the_lombok_of_old_projects(maven, tmp_path):
    project, _, _ = maven
    project.settings.environment["MAVEN_OPTS"] = "-Xmx1g"
    said = tmp_path / "tools" / "mvn"
    said.write_text(f'#!/bin/sh\necho "$MAVEN_OPTS" > {tmp_path}/options\n')
    project.run("package")
    options = (tmp_path / "options").read_text().split()
    assert "--add-opens=jdk.compiler/com.sun.tools.javac.processing=ALL-UNNAMED" in options
    assert options[-1] == "-Xmx1g"


def test_what_is_not_there_is_downloaded(maven, tmp_path):
    project, calls, notes = maven
    (tmp_path / "empty").touch()
    project.run("package")
    assert [" -o " in each for each in calls()] == [True, False]
    assert notes == ["Maven downloads what the project needs"]


def test_a_compilers_lines_are_shown_as_they_are_and_not_tried_again(maven):
    project, calls, _ = maven
    (project.root / "src" / "A.java").write_text("broken")
    with pytest.raises(BadInputError, match="Maven failed") as caught:
        project.class_path()
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.notes == ("[ERROR] src/A.java:[1,1] class expected",)
    assert len(calls()) == 1
    assert not [*(project.settings.cache / "java" / "classes").iterdir()]


def test_a_local_repository_that_was_emptied_is_filled_again(maven, tmp_path):
    project, calls, _ = maven
    place = project.class_path()[0].parent
    (place / "class-path.txt").write_text(str(tmp_path / "gone.jar"))
    assert project.class_path()[1:] == (tmp_path / "tools",)
    assert len(calls()) == 2


def test_versions_to_look_up_are_looked_up(maven, tmp_path):
    project, calls, _ = maven
    said = "Failed to resolve version for x:bom:pom:LATEST: Could not find metadata x:bom/maven-metadata.xml in local"
    program = tmp_path / "tools" / "mvn"
    program.write_text(f'#!/bin/sh\necho "$*" >> {tmp_path}/calls\ncase "$*" in *-o*) echo "{said}"; exit 1;; esac\n')
    project.run("package")
    assert [" -o " in call for call in calls()] == [True, False]


@pytest.mark.parametrize(
    ("version", "jdk", "least"),
    [
        ("1.16.20", 17, "1.18.4"),
        ("${lombok.version}", 17, "1.18.4"),
        ("1.18.4", 17, None),
        ("1.18.22", 21, "1.18.30"),
        ("1.18.30", 21, None),
        ("1.18.30", 25, "1.18.40"),
        ("1.16.20", 11, None),
        ("${unknown}", 17, None),
    ],
)
def test_a_lombok_that_is_too_old_for_the_jdk(tmp_path, version, jdk, least):
    pom = tmp_path / "pom.xml"
    pom.write_text(
        "<project><properties><lombok.version>1.16.20</lombok.version></properties><dependency>"
        f"<groupId>org.projectlombok</groupId><artifactId>lombok</artifactId>\n<version>{version}</version></dependency>"
    )
    told = lombok_hint(pom, jdk)
    assert told is None if least is None else f"does not run on JDK {jdk}: {least} and later do" in told


def test_a_build_that_fails_names_the_lombok_that_would_do(maven):
    project, _, _ = maven
    (project.root / "src" / "A.java").write_text("broken")
    (project.root / "pom.xml").write_text("<artifactId>lombok</artifactId><version>1.16.20</version>")
    with pytest.raises(BadInputError) as raised:
        project.run("package")
    assert "Lombok 1.16.20" in raised.value.diagnostics[0].hint
