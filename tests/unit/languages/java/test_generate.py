"""Java code: goldens, what a new project holds, and the shapes that existing handlers were written against."""

import json
from pathlib import Path

import pytest

from formwork.diagnostics import BadInputError, UsageError
from formwork.documents import load_document
from formwork.extensions import ExtensionKind
from formwork.generate.generated import plan_generated, plan_generated_files
from formwork.generate.plan import Policy
from formwork.generate.scaffold import ScaffoldRequest
from formwork.languages.catalogue import expect_generator
from formwork.languages.java.generate.generator import JavaGenerator
from formwork.languages.java.generate.naming import namespace_of, target_class
from formwork.languages.java.generate.text import literal
from formwork.languages.java.runtime_version import parse_version_range
from formwork.project import load_project
from formwork.schema.hook import build_hook_schema
from formwork.schema.resource import build_resource_schema
from support.plans import plan_new_project

CASES = Path(__file__).parents[3] / "golden" / "generate"
NAMES = sorted(each.parent.name for each in CASES.glob("*/schema.json"))
SOURCES = "target/generated-sources/rpdk/"


def plan_case(case):
    document = load_document(CASES / case / "schema.json")
    targets = CASES / case / "targets.json"
    known = json.loads(targets.read_text()) if targets.is_file() else {}
    hook = "::Hook" in document.value["typeName"]
    schema = build_hook_schema(document) if hook else build_resource_schema(document)
    kind = ExtensionKind.HOOK if hook else ExtensionKind.RESOURCE
    plan = plan_generated_files(kind, expect_generator("java"), schema, known, {"namespace": ["com", "acme"]})
    return {name: each for name, each in plan.items() if name.startswith("target/")}


@pytest.mark.parametrize("case", NAMES)
def test_golden(case, golden):
    plan = plan_case(case)
    sources = {name.removeprefix(SOURCES): file.text for name, file in plan.items() if name.startswith(SOURCES)}
    for name, text in sources.items():
        golden(f"generate-java/{case}/{name}", text)
    folder = CASES.parent / "generate-java" / case
    assert {str(each.relative_to(folder)) for each in folder.rglob("*") if each.is_file()} == set(sources)
    assert all(file.policy is Policy.MANAGED for file in plan.values())


def new_project(kind="RESOURCE", *, sample=False, **answers):
    language = JavaGenerator()
    settings = language.settings("Acme::Store::Thing", ExtensionKind(kind), answers)
    return plan_new_project(
        ScaffoldRequest(
            kind=ExtensionKind(kind),
            type_name="Acme::Store::Thing",
            language="java",
            sample=sample,
            settings=settings,
        )
    )


@pytest.mark.parametrize("kind", ["RESOURCE", "HOOK"])
@pytest.mark.parametrize("options", [{}, {"sample": True}, {"codegen_model": "guided_aws"}], ids=str)
def test_new_projects(kind, options, golden):
    plan = new_project(kind, **options)
    shown = "\n".join(f"{file.policy} {name}" for name, file in sorted(plan.items()))
    golden(f"generate-java-scaffold/{kind.lower()}-{'-'.join(map(str, options)) or 'default'}.txt", shown + "\n")
    config = json.loads(plan[".rpdk-config"].text)
    prefix = "Hook" if kind == "HOOK" else ""
    wrapper = f"com.acme.store.thing.{prefix}HandlerWrapper"
    assert config["entrypoint"] == f"{wrapper}::handleRequest"
    assert config["testEntrypoint"] == f"{wrapper}::testEntrypoint"
    assert config["executableEntrypoint"] == f"{wrapper}Executable"
    assert config["settings"]["namespace"] == ["com", "acme", "store", "thing"]
    assert config["settings"]["codegen_template_path"] == options.get("codegen_model", "default")
    assert "CodeUri: ./target/acme-store-thing-handler-1.0-SNAPSHOT.jar" in plan["template.yml"].text
    assert "`mvn test`" in plan["README.md"].text


def test_no_name_of_a_registrys_host_is_written():
    for kind in ("RESOURCE", "HOOK"):
        for name, file in new_project(kind).items():
            assert "<repository>" not in file.text, name
            assert "<pluginRepository>" not in file.text, name


def test_java_21_is_asked_for_by_an_answer():
    plan = new_project(java_version="21")
    assert "<maven.compiler.release>21<" in plan["pom.xml"].text
    assert "Runtime: java21" in plan["template.yml"].text
    assert json.loads(plan[".rpdk-config"].text)["runtime"] == "java21"
    assert "<maven.compiler.release>17<" in new_project()["pom.xml"].text


@pytest.mark.parametrize("answers", [{"namespace": "com.acme.new"}, {"namespace": "1acme"}, {"codegen_model": "other"}])
def test_answers_that_cannot_be_used(answers):
    with pytest.raises(UsageError):
        JavaGenerator().settings("Acme::Store::Thing", ExtensionKind.RESOURCE, answers)


@pytest.mark.parametrize(
    ("type_name", "settings", "package"),
    [
        ("Acme::Store::Thing", {}, "com.acme.store.thing"),
        ("AWS::Logs::LogGroup", {}, "software.amazon.logs.loggroup"),
        ("Acme::New::Class", {}, "com.acme.new_.class_"),
        ("1Password::Vault::Item", {}, "com._1password.vault.item"),
        ("Acme::Store::Thing", {"namespace": ["org", "acme"]}, "org.acme"),
        ("Acme::Store::Thing", {"namespace": []}, "com.acme.store.thing"),
    ],
)
def test_packages(type_name, settings, package):
    assert ".".join(namespace_of(type_name, settings)) == package


def test_targets_are_called_as_existing_hooks_call_them():
    assert target_class("AWS::S3::Bucket") == "AwsS3Bucket"
    assert target_class("AWS::AutoScaling::LaunchConfiguration") == "AwsAutoscalingLaunchconfiguration"


def test_a_literal_holds_any_text():
    assert literal('a"\\\n\u00e9\U0001f600\x7f') == '"a\\"\\\\\\012\\u00e9\\ud83d\\ude00\\177"'


def schema_of(**more):
    document = {
        "typeName": "Acme::Store::Thing",
        "description": "A thing.",
        "properties": {"Name": {"type": "string"}, "Secret": {"type": "string"}, "Count": {"type": "integer"}},
        "primaryIdentifier": ["/properties/Name"],
        "writeOnlyProperties": ["/properties/Secret"],
        "additionalProperties": False,
        **more,
    }
    from formwork.documents import parse_document

    return build_resource_schema(parse_document(json.dumps(document), name="schema.json"))


def generated(name, **more):
    plan = plan_generated_files(
        ExtensionKind.RESOURCE, expect_generator("java"), schema_of(**more), {}, {"namespace": ["a"]}
    )
    return plan[f"{SOURCES}a/{name}.java"].text


def test_only_the_handlers_of_the_schema_are_called():
    text = generated("HandlerWrapper", handlers={"create": {"permissions": []}, "read": {"permissions": []}})
    assert "new CreateHandler()" in text
    assert "new ReadHandler()" in text
    assert "new UpdateHandler()" not in text


def test_handlers_get_the_type_configuration_where_the_schema_has_one():
    configuration = {"properties": {"Key": {"type": "string"}}, "additionalProperties": False}
    base = generated("BaseHandler", typeConfiguration=configuration)
    assert "class BaseHandler<CallbackT, ConfigurationT> {" in base  # as handlers made with AWS's kit name it
    assert "ConfigurationT typeConfiguration)" in base
    configured = "BaseHandler<CallbackContext, TypeConfigurationModel>"
    assert f"Map<Action, {configured}>" in generated("HandlerWrapper", typeConfiguration=configuration)
    plain = generated("BaseHandler")
    assert "class BaseHandler<CallbackT> {" in plain
    assert "typeConfiguration" not in plain
    assert "BaseHandler<CallbackContext>>" in generated("HandlerWrapper")


def test_a_model_that_is_logged_does_not_tell_secrets():
    text = generated("ResourceModel")
    assert '@ToString(exclude = {"secret"})' in text
    assert "@ToString.Exclude" not in text, "Lombok before 1.16.22 has no such annotation"


def test_generated_code_gives_static_analysis_no_more_to_find_than_awss():
    """SpotBugs at its lowest threshold, in the builds of real projects, found these in our code and not in AWS's."""
    for case in NAMES:
        for file in plan_case(case).values():
            assert all("static final" in line for line in _starts_of_references(file.text))
    open_model = plan_case("shapes")[f"{SOURCES}com/acme/Merged.java"].text
    assert "unmodifiableMap(unnamedProperties)" in open_model
    assert "@lombok.Getter(lombok.AccessLevel.NONE)" in open_model
    lines = open_model.splitlines()
    marked = [lines[at + 2] for at, line in enumerate(lines) if line.strip() == "@lombok.Generated"]
    assert [each.split("(")[0].split()[-1] for each in marked] == ["setUnnamedProperty", "allUnnamedProperties"]


def test_generated_files_have_the_names_that_projects_leave_out_of_their_gates():
    """By name, as AWS's plugin calls its own; models are left out by their package."""
    known = {"BaseHandler", "BaseConfiguration", "HandlerWrapper", "HandlerWrapperExecutable", "ResourceModel"}
    hooks = {"BaseHookHandler", "BaseHookConfiguration", "HookHandlerWrapper", "HookHandlerWrapperExecutable"}
    known |= hooks | {"HookInputModel", "TypeConfigurationModel"}
    for case in NAMES:
        for path, file in plan_case(case).items():
            name = path.rpartition("/")[2].removesuffix(".java")
            if path.startswith(SOURCES) and name not in known:
                assert "@Data\n" in file.text, f"{path}: neither a model nor a file of AWS's"


def _starts_of_references(text):
    """The beginnings of the statements that make anonymous type references."""
    lines = text.splitlines()
    return [
        line if "static" in line else lines[index - 1]
        for index, line in enumerate(lines)
        if "new TypeReference" in line
    ]


def test_integers_too_wide_for_an_int_are_longs():
    properties = {
        "Name": {"type": "string"},
        "Secret": {"type": "string"},
        "Plain": {"type": "integer"},
        "Wide": {"type": "integer", "maximum": 2**40},
        "Said": {"type": "integer", "format": "int64"},
    }
    text = generated("ResourceModel", properties=properties)
    assert "private Integer plain;" in text
    assert "private Long wide;" in text
    assert "private Long said;" in text


def wrappers(version, *, kind="RESOURCE", **more):
    settings = {"namespace": ["a"], "runtime_version": parse_version_range(version)}
    schema = (
        schema_of(**more) if kind == "RESOURCE" else build_hook_schema(load_document(CASES / "hook" / "schema.json"))
    )
    plan = plan_generated_files(ExtensionKind(kind), expect_generator("java"), schema, {}, settings)
    return {name.rpartition("/")[2].removesuffix(".java"): file.text for name, file in plan.items()}


def test_entry_points_are_those_of_the_projects_runtime():
    configured = {"typeConfiguration": {"properties": {"Key": {"type": "string"}}, "additionalProperties": False}}
    oldest, newest = wrappers("2.0.0", **configured), wrappers("2.2.5", **configured)
    assert "extends LambdaWrapper<ResourceModel, CallbackContext> {" in oldest["HandlerWrapper"]
    assert "Configuration" not in oldest["BaseHandler"]
    assert "TypeConfigurationModel" not in oldest["HandlerWrapper"]
    assert "HandlerWrapperExecutable" not in oldest
    assert "extends LambdaWrapper<ResourceModel, CallbackContext, TypeConfigurationModel> {" in newest["HandlerWrapper"]
    assert "ConfigurationT typeConfiguration" in newest["BaseHandler"]
    assert "HandlerWrapperExecutable" in newest
    assert newest == wrappers("", **configured)
    members = [each.count("            .") for each in (oldest["HandlerWrapper"], newest["HandlerWrapper"])]
    assert members == [11, 21]  # of a handler's request, and build()


@pytest.mark.parametrize(
    ("version", "kind", "expected"),
    [("1.0.5", "RESOURCE", "2.0.0"), ("2.0.10", "HOOK", "2.0.13"), ("[2.0.0,2.0.13)", "HOOK", "2.0.13")],
)
def test_a_runtime_that_is_too_old_is_told(version, kind, expected):
    with pytest.raises(BadInputError) as caught:
        wrappers(version, kind=kind)
    (diagnostic,) = caught.value.diagnostics
    assert (diagnostic.code, diagnostic.location.file) == ("generate.java-runtime", "pom.xml")
    assert diagnostic.expected == f"{expected} or later"


def test_a_projects_pom_decides(tmp_path):
    config = {"artifact_type": "RESOURCE", "typeName": "Acme::Store::Thing", "language": "java", "runtime": "java17"}
    config |= {"entrypoint": "a.HandlerWrapper::handleRequest", "testEntrypoint": "a", "settings": {"namespace": ["a"]}}
    (tmp_path / ".rpdk-config").write_text(json.dumps(config))
    pom = new_project()["pom.xml"].text
    (tmp_path / "pom.xml").write_text(pom)
    program = f"{SOURCES}a/HandlerWrapperExecutable.java"
    assert program in plan_generated(load_project(tmp_path), schema_of(), expect_generator("java"))
    (tmp_path / "pom.xml").write_text(pom.replace("<version>2.2.5<", "<version>2.0.2<"))
    assert program not in plan_generated(load_project(tmp_path), schema_of(), expect_generator("java"))
