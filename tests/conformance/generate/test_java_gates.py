"""What the builds of real Java projects refuse: nothing of it is in what `cfn init` and `cfn generate` write.

SpotBugs as AWS's own projects run it (effort Max, threshold Low, tests too) and Checkstyle, with the checks that hold for
every style of code. The Maven plugins are downloaded the first time.
"""

import json
from pathlib import Path

import pytest

from formwork.diagnostics import BadInputError
from formwork.toolchain.maven import MavenProject
from support.commands import CFN, Desk
from support.java import jdk, settings
from support.toolchains import needs_java

pytestmark = [needs_java, pytest.mark.slow]
SHAPES = Path(__file__).parents[2] / "golden" / "generate" / "shapes" / "schema.json"
SPOTBUGS = "com.github.spotbugs:spotbugs-maven-plugin:4.7.3.0:check"
CHECKSTYLE = "org.apache.maven.plugins:maven-checkstyle-plugin:3.2.1:check"
STRICT = ("-Dspotbugs.effort=Max", "-Dspotbugs.threshold=Low", "-Dspotbugs.includeTests=true")
# The accessors of models give SpotBugs these to find, in AWS's code as in ours; projects list them as accepted.
ACCEPTED = """<FindBugsFilter>
  <Match>
    <Class name="~com\\.acme\\.(model\\..*|%s)(\\$.*)?"/>
    <Method name="~(get|set)[A-Z].*|[a-z][A-Za-z]*|&lt;init&gt;"/>
    <Bug pattern="EI_EXPOSE_REP,EI_EXPOSE_REP2"/>
  </Match>
</FindBugsFilter>
"""
CHECKS = """<?xml version="1.0"?>
<!DOCTYPE module PUBLIC "-//Checkstyle//DTD Checkstyle Configuration 1.3//EN"
  "https://checkstyle.org/dtds/configuration_1_3.dtd">
<module name="Checker">
  <module name="FileTabCharacter"/>
  <module name="NewlineAtEndOfFile"/>
  <module name="RegexpSingleline"><property name="format" value="\\s+$"/></module>
  <module name="TreeWalker">
    {}
  </module>
</module>
"""
CHECKED = (
    *("AvoidStarImport", "IllegalImport", "RedundantImport", "UnusedImports", "ModifierOrder", "RedundantModifier"),
    *("EmptyBlock", "NeedBraces", "EmptyStatement", "EqualsHashCode", "IllegalInstantiation", "InnerAssignment"),
    *("MissingSwitchDefault", "SimplifyBooleanExpression", "SimplifyBooleanReturn", "FinalClass", "HideUtilityClassConstructor"),
    *("InterfaceIsType", "ArrayTypeStyle", "UpperEll", "FallThrough", "MissingOverride", "OneTopLevelClass"),
    *("OuterTypeFilename", "JavadocType", "HiddenField"),
)  # fmt: skip


def initialize(folder, kind, *words):
    project = folder / "project"
    project.mkdir()
    name = "Acme::Store::Hook" if kind == "HOOK" else "Acme::Store::Thing"
    ended = Desk(folder).cfn("init", "-a", kind, "-t", name, *words, cwd=project)
    assert ended.code == 0, str(ended)
    return project


def accept_models(project):
    """The option of SpotBugs that leaves the models' accessors out."""
    generated = project / "target" / "generated-sources" / "rpdk" / "com" / "acme"
    models = [each.stem for each in generated.glob("*.java") if not each.stem.startswith(("Base", "Handler", "Hook"))]
    (project / "accepted.xml").write_text(ACCEPTED % "|".join(models), encoding="utf-8")
    return f"-Dspotbugs.excludeFilterFile={project / 'accepted.xml'}"


def pass_gates(project, *more):
    """Build it with both gates; a finding fails the build, and the test with Maven's lines."""
    checks = project / "checks.xml"
    checks.write_text(CHECKS.format("\n    ".join(f'<module name="{each}"/>' for each in CHECKED)), encoding="utf-8")
    maven = MavenProject(project, (), jdk(), CFN.parent, settings())
    style = (CHECKSTYLE, f"-Dcheckstyle.config.location={checks}", "-Dcheckstyle.includeTestSourceDirectory=true")
    try:
        maven.run("test-compile", SPOTBUGS, *STRICT, *more, *style, "-Dcheckstyle.consoleOutput=true")
    except BadInputError as error:
        pytest.fail("\n".join(note for each in error.diagnostics for note in each.notes))
    assert (project / "target" / "spotbugsXml.xml").is_file()
    assert (project / "target" / "checkstyle-result.xml").is_file()


@pytest.mark.parametrize("kind", ["RESOURCE", "HOOK"])
@pytest.mark.parametrize(
    "words",
    [("java",), ("java", "--codegen-model", "guided_aws"), ("--sample", "java")],
    ids=["default", "guided", "sample"],
)
def test_a_new_project_passes(tmp_path, kind, words):
    project = initialize(tmp_path, kind, *words, "--namespace", "com.acme")
    pass_gates(project, accept_models(project))


@pytest.mark.parametrize("kind", ["RESOURCE", "HOOK"])
def test_a_project_with_models_of_every_form_passes(tmp_path, kind):
    """With objects, maps, alternatives and unnamed properties."""
    project = initialize(tmp_path, kind, "java", "--namespace", "com.acme")
    if kind == "RESOURCE":
        document = json.loads(SHAPES.read_text(encoding="utf-8")) | {"typeName": "Acme::Store::Thing"}
        document.pop("typeConfiguration")  # the handlers here have no parameter for it
        (project / "acme-store-thing.json").write_text(json.dumps(document) + "\n", encoding="utf-8")
    ended = Desk(tmp_path).cfn("generate", cwd=project)
    assert ended.code == 0, str(ended)
    pass_gates(project, accept_models(project))
