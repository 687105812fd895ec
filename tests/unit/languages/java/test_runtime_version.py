"""Which version of AWS's Java runtime a pom.xml asks for."""

import pytest

from formwork.languages.java.runtime_version import (
    declared_runtime_version,
    find_runtime_version,
    parse_version_range,
)

DEPENDENCY = """
<dependency>
  <groupId>software.amazon.cloudformation</groupId>
  <artifactId>aws-cloudformation-rpdk-java-plugin</artifactId>
  {}
</dependency>"""


def pom(version="", *, more="", place="<dependencies>{}</dependencies>"):
    dependency = DEPENDENCY.format(f"<version>{version}</version>" if version else "")
    space = ' xmlns="urn:example:pom"'
    return f"<project{space}><!-- theirs -->{more}{place.format(dependency)}</project>"


@pytest.mark.parametrize(
    ("text", "has", "has_not"),
    [
        ("2.0.0", (2, 0, 0), (2, 0, 1)),
        ("2.0", (2,), (2, 0, 1)),
        ("2.0.3-SNAPSHOT", (2, 0, 3), (2, 0, 4)),
        ("2.0.16", (2, 0, 13), (2, 1)),
        ("[2.0.5]", (2, 0, 5), (2, 0, 6)),
        ("[2.0.0,2.0.6]", (2, 0, 6), (2, 0, 7)),
        ("[2.0.0, 2.0.6)", (2, 0, 5), (2, 0, 6)),
        ("(,1.0],[2.0.0,3.0.0)", (2, 2, 5), (3,)),
        ("1.0.5", (1,), (2,)),
    ],
)
def test_a_version_or_range_has_what_the_newest_in_it_has(text, has, has_not):
    version = parse_version_range(text)
    assert version.has(has)
    assert not version.has(has_not)


@pytest.mark.parametrize("text", ["", "[2.0.0,)", "LATEST", "RELEASE", "${unknown}"])
def test_nothing_limits_it(text):
    assert parse_version_range(text) is None


@pytest.mark.parametrize(
    ("text", "version"),
    [
        (pom("2.0.2"), "2.0.2"),
        (pom(" 2.0.2\n"), "2.0.2"),
        (pom("${rpdk}", more="<properties><rpdk>${base}.4</rpdk><base>2.0</base></properties>"), "2.0.4"),
        (pom("2.0.7", place="<dependencyManagement><dependencies>{}</dependencies></dependencyManagement>"), "2.0.7"),
        (pom(), ""),
        ("<project/>", ""),
        ("<project><dependencies>", ""),
        (pom("${a}", more="<properties><a>${b}</a><b>${a}</b></properties>"), "${a}"),
        (pom("${a}", more=f"<properties><a>{'${a}' * 9}</a></properties>"), ""),
    ],
)
def test_where_a_pom_says_it(tmp_path, text, version):
    (tmp_path / "pom.xml").write_text(text)
    assert declared_runtime_version(tmp_path) == version


def test_without_a_pom_it_is_open(tmp_path):
    assert find_runtime_version(tmp_path) is None


def test_parents_are_asked_too(tmp_path):
    project = tmp_path / "type"
    (tmp_path / "build").mkdir()
    project.mkdir()
    (tmp_path / "pom.xml").write_text(pom("${rpdk}", more="<properties><rpdk>2.0.4</rpdk></properties>"))
    project.joinpath("pom.xml").write_text(pom(more="<parent><artifactId>all</artifactId></parent>"))
    assert declared_runtime_version(project) == "2.0.4"
    project.joinpath("pom.xml").write_text(pom(more="<parent><relativePath/></parent>"))
    assert declared_runtime_version(project) == "", "an empty one means the repository"
    project.joinpath("pom.xml").write_text(pom(more="<parent><relativePath>../build</relativePath></parent>"))
    (tmp_path / "build" / "pom.xml").write_text(pom("2.0.9"))
    assert declared_runtime_version(project) == "2.0.9"
    project.joinpath("pom.xml").write_text(pom(more="<parent><relativePath>pom.xml</relativePath></parent>"))
    assert declared_runtime_version(project) == ""
