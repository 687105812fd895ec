"""Packages: their members, order and bytes."""

import io
import json
import os
import sys
import zipfile

import pytest
from msgspec.structs import replace

from formwork.diagnostics import BadInputError, UsageError
from formwork.languages.packages import package_build
from formwork.languages.python.library_metadata import library_version
from formwork.languages.python.packaging.cache import DependencyCache
from formwork.languages.python.packaging.library import write_library_wheel
from formwork.languages.python.packaging.provider import PythonBuild
from formwork.languages.python.packaging.target import Target
from formwork.package.package import package_project
from formwork.package.provider import PackagingSettings
from formwork.package.template import Architecture, architecture_of
from formwork.project import load_project
from formwork.toolchain.pip import Pip
from support.wheels import make_wheel

CONFIG = {
    "artifact_type": "RESOURCE",
    "typeName": "Aa::Bb::Cc",
    "language": "python312",
    "runtime": "python3.12",
    "entrypoint": "aa_bb_cc.handlers.resource",
    "testEntrypoint": "aa_bb_cc.handlers.test_entrypoint",
    "settings": {"protocolVersion": "2.0.0"},
}
SCHEMA = {
    "typeName": "Aa::Bb::Cc",
    "description": "d",
    "properties": {"Id": {"type": "string"}},
    "definitions": {"Name": {"type": "string"}},
    "primaryIdentifier": ["/properties/Id"],
    "readOnlyProperties": ["/properties/Id"],
    "additionalProperties": False,
    "tagging": {"taggable": False},
    "typeConfiguration": {"properties": {"A": {"$ref": "#/definitions/Name"}}, "additionalProperties": False},
}
HOOK = {
    "typeName": "Aa::Bb::Cc",
    "description": "d",
    "typeConfiguration": {"properties": {"A": {"type": "string"}}, "additionalProperties": False},
    "handlers": {
        "preCreate": {"targetNames": ["AWS::S3::Bucket", "STACK"], "permissions": []},
        "preDelete": {"targetNames": ["AWS::S*::*"], "permissions": []},
    },
    "additionalProperties": False,
}
VERSION = library_version()


@pytest.fixture
def root(tmp_path):
    folder = tmp_path / "project"
    files = {
        ".rpdk-config": json.dumps(CONFIG),
        "aa-bb-cc.json": json.dumps(SCHEMA),
        "src/aa_bb_cc/__init__.py": "",
        "src/aa_bb_cc/handlers.py": "import shared\n",
        "src/aa_bb_cc/rpdk.log": "noise",
        "src/shared/__init__.py": "",
        "inputs/inputs_2_create.json": "{}",
        "inputs/inputs_1_create.json": "{}",
        "inputs/deeper/inputs_9_create.json": "{}",
        "overrides.json": '{"CREATE": {}} # nothing',
        "README.md": "not packaged",
    }
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


@pytest.fixture
def package(root, tmp_path):
    def make(**changes):
        said = []
        environment = {key: value for key, value in os.environ.items() if not key.startswith("PIP_")}
        environment |= {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(tmp_path)}
        build = {
            "target": Target("3.12", Architecture.X86_64),
            "library": VERSION,
            "pip": Pip((str(changes.pop("python", sys.executable)), "-m", "pip"), environment, root),
            "say": said.append,
            "cache": DependencyCache(tmp_path / "cache"),
        }
        path = tmp_path / "out" / "aa-bb-cc.zip"
        report = package_project(load_project(root), path, build=PythonBuild(**(build | changes)))
        with zipfile.ZipFile(path) as archive:
            assert archive.testzip() is None
            members = {each.filename: archive.read(each) for each in archive.infolist()}
            assert {each.compress_type for each in archive.infolist()} == {zipfile.ZIP_STORED}
        with zipfile.ZipFile(io.BytesIO(members["ResourceProvider.zip"])) as archive:
            provider = {each.filename: archive.read(each) for each in archive.infolist()}
        return members, provider, report, said

    return make


def test_the_members_of_a_resource(package):
    members, provider, report, said = package()
    assert list(members) == [
        "configuration-schema.json",
        ".rpdk-config",
        "schema.json",
        "inputs/inputs_1_create.json",
        "inputs/inputs_2_create.json",
        "ResourceProvider.zip",
        "src/aa_bb_cc/__init__.py",
        "src/aa_bb_cc/handlers.py",
        ".cfn_metadata.json",
        "overrides.json",
    ]
    assert json.loads(members["configuration-schema.json"]) == {
        "properties": {"A": {"$ref": "#/definitions/Name"}},
        "additionalProperties": False,
        "definitions": {"Name": {"type": "string"}},
        "typeName": "Aa::Bb::Cc",
    }
    assert members["schema.json"] == json.dumps(SCHEMA).encode()
    assert json.loads(members[".cfn_metadata.json"])["plugin-name"] == "python"
    assert provider.keys() >= {
        "aa_bb_cc/__init__.py",
        "aa_bb_cc/handlers.py",
        "shared/__init__.py",
        "cloudformation_cli_python_lib/__init__.py",
        f"cloudformation_cli_python_lib-{VERSION}.dist-info/METADATA",
    }
    assert not [name for name in provider if "rpdk.log" in name or "__pycache__" in name]
    assert list(provider) == sorted(provider)
    assert said == []  # no requirement but the library: pip was not needed
    assert report.unpacked == sum(map(len, provider.values()))


def test_the_handlers_package_is_the_one_of_the_entry_point(package, root):
    (root / "src" / "aa_bb_cc").rename(root / "src" / "code")
    with pytest.raises(BadInputError, match="src/aa_bb_cc"):
        package()
    changed = {**CONFIG, "entrypoint": "code.handlers.resource", "testEntrypoint": "code.handlers.test_entrypoint"}
    (root / ".rpdk-config").write_text(json.dumps(changed))
    members, provider, *_ = package()
    assert "src/code/handlers.py" in members
    assert "code/handlers.py" in provider


def test_the_same_input_gives_the_same_bytes(package, root):
    package()
    first = (root.parent / "out" / "aa-bb-cc.zip").read_bytes()
    for path in root.rglob("*"):
        os.utime(path, (1_000_000_000, 1_000_000_000))
    (root / "src" / "aa_bb_cc" / "handlers.py").chmod(0o600)
    before = os.umask(0o077)
    try:
        package()
    finally:
        os.umask(before)
    assert (root.parent / "out" / "aa-bb-cc.zip").read_bytes() == first


@pytest.mark.parametrize(
    "name", ["cloudformation-cli-python-lib==2.1.10", "cloudformation_cli_python_lib", "formwork-cfn-runtime"]
)
def test_the_library_needs_no_pip_by_any_name(package, root, name):
    (root / "requirements.txt").write_text(f"{name}\n")
    _, provider, _, said = package(python="/nowhere/python")
    assert f"cloudformation_cli_python_lib-{VERSION}.dist-info/METADATA" in provider
    assert said == []


def test_a_yaml_schema_is_packaged_as_json(package, root):
    (root / "aa-bb-cc.json").rename(root / "aa-bb-cc.yaml")
    members, *_ = package()
    value = json.loads(members["schema.json"])
    assert value.pop("$comment").startswith("Generated from aa-bb-cc.yaml")
    assert value == SCHEMA


def test_dependencies_are_resolved_once(package, root, tmp_path):
    make_wheel(tmp_path, "helper", requires=["cloudformation-cli-python-lib>=2.1.9"])
    (root / "requirements.txt").write_text("cloudformation-cli-python-lib==2.1.0\nhelper\n")
    _, provider, _, said = package()
    assert "helper/__init__.py" in provider
    assert f"cloudformation_cli_python_lib-{VERSION}.dist-info/METADATA" in provider
    assert said == ["resolving the dependencies for Python 3.12 on Lambda (x86_64)"]
    first = (tmp_path / "out" / "aa-bb-cc.zip").read_bytes()
    *_, said = package(python="/nowhere/python")  # pip is not asked again
    assert said == ["dependencies for Python 3.12 on Lambda (x86_64): from the cache (1 required)"]
    assert (tmp_path / "out" / "aa-bb-cc.zip").read_bytes() == first


def test_a_pin_of_another_requirement_on_awss_library_is_met_by_ours(package, root, tmp_path):
    make_wheel(tmp_path, "guard", requires=["cloudformation-cli-python-lib==2.1.17"])
    (root / "requirements.txt").write_text("cloudformation-cli-python-lib>=2.1\nguard\n")
    _, provider, _, said = package()
    assert "guard/__init__.py" in provider
    assert "cloudformation_cli_python_lib/shapes.py" in provider
    assert (
        "cloudformation-cli-python-lib: another requirement needs ==2.1.17; "
        "Formwork's own replaces that version" in said
    )


def test_a_damaged_cache_is_resolved_anew(package, root, tmp_path):
    make_wheel(tmp_path, "helper")
    (root / "requirements.txt").write_text("helper\n")
    package()
    (kept,) = (tmp_path / "cache").iterdir()
    data = bytearray(kept.read_bytes())
    data[60:90] = bytes(30)
    kept.write_bytes(data)
    _, provider, _, said = package()
    assert "helper/__init__.py" in provider
    assert said[0].startswith("resolving")


def test_aws_library_is_kept_when_asked(package, root, tmp_path):
    make_wheel(tmp_path, "cloudformation-cli-python-lib", "2.1.20", requires=["boto3"])
    make_wheel(tmp_path, "boto3")
    (root / "requirements.txt").write_text("cloudformation-cli-python-lib\n")
    _, provider, report, _ = package(library=None)
    assert provider["cloudformation_cli_python_lib/__init__.py"] == b"NAME = 'cloudformation-cli-python-lib'\n"
    assert "boto3/__init__.py" not in provider
    assert "boto3 1.0" in {each.what for each in report.left_out}


def test_hashes_in_requirements(package, root, tmp_path):
    import hashlib

    wheel = make_wheel(tmp_path, "helper")
    digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
    (root / "requirements.txt").write_text(f"helper==1.0 --hash=sha256:{digest}\n")
    assert "helper/__init__.py" in package()[1]
    (root / "requirements.txt").write_text(f"helper==1.0 --hash=sha256:{'0' * 64}\n")
    with pytest.raises(BadInputError):
        package()


def test_a_hook(package, root):
    (root / ".rpdk-config").write_text(json.dumps(CONFIG | {"artifact_type": "HOOK"}))
    (root / "aa-bb-cc.json").write_text(json.dumps(HOOK))
    with pytest.raises(BadInputError, match="AWS::S"):
        package()
    bucket, queue = {"typeName": "AWS::S3::Bucket"}, {"typeName": "AWS::SQS::Queue"}
    (root / "target-schemas").mkdir()
    (root / "target-schemas" / "all.json").write_text(json.dumps([queue, bucket, {"typeName": "AWS::EC2::VPC"}]))
    members, *_ = package()
    assert list(members)[:8] == [
        "configuration-schema.json",
        ".rpdk-config",
        "schema.json",
        "inputs/inputs_1_create.json",
        "inputs/inputs_2_create.json",
        "target-info.json",
        "target-schemas/aws-s3-bucket.json",
        "target-schemas/aws-sqs-queue.json",
    ]
    info = json.loads(members["target-info.json"])
    assert info["AWS::S3::Bucket"] == {
        "TypeName": "AWS::S3::Bucket",
        "TargetName": "AWS::S3::Bucket",
        "TargetType": "RESOURCE",
        "Schema": bucket,
        "IsCfnRegistrySupportedType": True,
        "SchemaFileAvailable": True,
    }


def test_a_module(root, tmp_path):
    (root / ".rpdk-config").write_text(
        json.dumps({"artifact_type": "MODULE", "typeName": "Aa::Bb::Cc::MODULE", "settings": {}})
    )
    (root / "fragments").mkdir()
    (root / "fragments" / "f.yaml").write_text("Resources: {T: {Type: 'AWS::SNS::Topic'}}\n")
    package_project(load_project(root), tmp_path / "m.zip", build=None)
    with zipfile.ZipFile(tmp_path / "m.zip") as archive:
        assert archive.namelist() == [".rpdk-config", "schema.json", "fragments/f.yaml", "overrides.json"]
        resources = json.loads(archive.read("schema.json"))["properties"]["Resources"]["properties"]
    assert resources["T"]["properties"]["Type"]["const"] == "AWS::SNS::Topic"
    (root / "fragments" / "f.yaml").write_text("Resources: {T: {Type: 'AWS::CloudFormation::Stack'}}\n")
    with pytest.raises(BadInputError):
        package_project(load_project(root), tmp_path / "n.zip", build=None)
    assert not (tmp_path / "n.zip").exists()


def test_what_is_not_packaged_yet(root):
    settings = PackagingSettings({}, root, print, Architecture.X86_64)
    project = load_project(root)
    cobol = replace(project, config=replace(project.config, language="cobol"))
    with pytest.raises(UsageError, match="not packaged yet"):
        package_build(cobol, settings)


def test_nothing_is_written_where_something_is_wrong(package, root, tmp_path):
    (root / "aa-bb-cc.json").write_text("{")
    with pytest.raises(BadInputError):
        package()
    (root / "aa-bb-cc.json").write_text(json.dumps(SCHEMA))
    (root / "src" / "aa_bb_cc").rename(root / "src" / "other")
    with pytest.raises(BadInputError, match="handlers"):
        package()
    assert not (tmp_path / "out").exists()


def test_the_library_as_a_wheel_is_the_same_every_time(tmp_path):
    (tmp_path / "b").mkdir()
    first = write_library_wheel(tmp_path, VERSION)
    assert first.read_bytes() == write_library_wheel(tmp_path / "b", VERSION).read_bytes()
    with zipfile.ZipFile(first) as wheel:
        assert not [name for name in wheel.namelist() if "__pycache__" in name]


@pytest.mark.parametrize(
    ("text", "architecture"),
    [
        ("Resources: {}", "x86_64"),
        ("Globals: {Function: {Architectures: [arm64]}}", "arm64"),
        (
            (
                "Globals: {Function: {Architectures: [arm64]}}\n"
                "Resources: {TypeFunction: {Properties: {Architectures: [x86_64], Role: !Ref R}}}"
            ),
            "x86_64",
        ),
    ],
)
def test_the_architecture_of_the_template(tmp_path, text, architecture):
    (tmp_path / "template.yml").write_text(text)
    assert architecture_of(tmp_path / "template.yml") == architecture
    assert architecture_of(tmp_path / "none.yml") == "x86_64"


@pytest.mark.parametrize("value", ["[mips]", "[x86_64, arm64]", "x86_64", "5", "[[]]"])
def test_architectures_that_lambda_lacks(tmp_path, value):
    (tmp_path / "template.yml").write_text(f"Globals: {{Function: {{Architectures: {value}}}}}")
    with pytest.raises(BadInputError) as caught:
        architecture_of(tmp_path / "template.yml")
    assert caught.value.diagnostics[0].location.start.line == 1
