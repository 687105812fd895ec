"""Packages from anybody: what is refused, with every reason, and that nothing of it stays."""

import hashlib
import io
import json
import stat
import struct
import zipfile
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formwork.diagnostics import BadInputError
from formwork.durable import StateFolder
from formwork.extensions import ExtensionKind
from formwork.registry import packages
from formwork.registry.packages import open_package
from formwork.registry.registry import Registry
from formwork.registry.requests import TypeReference
from support.registry import (
    HERE,
    SHELF,
    THING,
    hook_package,
    module_package,
    open_desk,
    resource_package,
    resource_schema,
    zipped,
)

RESOURCE = ExtensionKind.RESOURCE


@pytest.fixture
def state(tmp_path):
    return StateFolder(tmp_path / "state")


def refused(state, content, kind=RESOURCE):
    """The codes of the refusal; nothing stays, inside the folder or beside it."""
    with pytest.raises(BadInputError) as error:
        open_package(state, content, kind)
    assert not state.packages.is_dir() or list(state.packages.iterdir()) == []
    assert {each.name for each in state.root.parent.iterdir()} <= {"state"}
    return [each.code for each in error.value.diagnostics]


def with_member(name, content=b"x", *, mode=None, inner=False):
    """A package with one member more, in the handlers' archive if `inner`."""
    info = zipfile.ZipInfo(name)
    if mode is not None:
        info.external_attr = mode << 16
    target = resource_package() if not inner else zipped({"acme_store_thing/handlers.py": ""})
    buffer = io.BytesIO(target)
    with zipfile.ZipFile(buffer, "a") as archive:
        archive.writestr(info, content)
    content = buffer.getvalue()
    return resource_package(files={"ResourceProvider.zip": content}) if inner else content


def test_a_package_is_unpacked_once(state):
    content = resource_package(files={"inputs/inputs_1_create.json": "{}"})
    package = open_package(state, content, RESOURCE)
    assert package.root.name == hashlib.sha256(content).hexdigest()
    assert json.loads((package.files / "schema.json").read_text())["typeName"] == THING
    assert (package.handler / "acme_store_thing" / "handlers.py").is_file()
    assert not (package.files / "ResourceProvider.zip").exists()
    before = package.root.stat().st_mtime_ns
    assert open_package(state, content, RESOURCE) == package
    assert package.root.stat().st_mtime_ns == before
    assert [each.name for each in state.packages.iterdir()] == [package.digest]


@pytest.mark.parametrize(
    "name",
    ["../evil.py", "/etc/evil", "a/../../evil", "..\\evil", "C:\\evil", "a\\b", "a//b", "./a", "a\nb", "x" * 2000],
)
@pytest.mark.parametrize("inner", [False, True])
def test_names_that_lead_elsewhere(state, name, inner):
    assert refused(state, with_member(name, inner=inner)) == ["package.member-name"]


@pytest.mark.parametrize("inner", [False, True])
@pytest.mark.parametrize("kind", [stat.S_IFLNK, stat.S_IFIFO, stat.S_IFCHR, stat.S_IFSOCK])
def test_links_and_devices(state, kind, inner):
    assert refused(state, with_member("odd", b"/etc/passwd", mode=kind | 0o777, inner=inner)) == ["package.member-kind"]


def test_every_reason_is_told_at_once(state):
    content = with_member("../evil.py")
    buffer = io.BytesIO(content)
    with zipfile.ZipFile(buffer, "a") as archive:
        link = zipfile.ZipInfo("link")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(link, "/etc/passwd")
        archive.writestr("/abs", "x")
    assert sorted(refused(state, buffer.getvalue())) == [
        "package.member-kind",
        "package.member-name",
        "package.member-name",
    ]


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_the_same_name_twice(state):
    assert refused(state, with_member("schema.json")) == ["package.member-name"]


def test_a_member_below_a_file(state):
    assert refused(state, with_member("schema.json/evil")) == ["package.member-name"]


@pytest.mark.parametrize("inner", [False, True])
def test_bombs(state, monkeypatch, inner):
    monkeypatch.setattr(packages, "MAX_UNPACKED_BYTES", 1_000_000)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("acme_store_thing/handlers.py", "")
        archive.writestr("bomb", bytes(2_000_000))
    content = buffer.getvalue()
    assert len(content) < 5000
    if inner:
        content = resource_package(files={"ResourceProvider.zip": content})
    assert refused(state, content) == ["package.too-large"]


def test_a_bomb_that_lies_about_its_size(state, monkeypatch):
    monkeypatch.setattr(packages, "MAX_UNPACKED_BYTES", 1_000_000)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("bomb", bytes(2_000_000))
    real, told = struct.pack("<L", 2_000_000), struct.pack("<L", 10)
    assert refused(state, buffer.getvalue().replace(real, told))[0] in {"package.too-large", "package.not-a-zip"}


def test_bombs_of_overlapping_members_count_by_what_they_unpack_to(state, monkeypatch):
    """Many entries of the directory that share the same data: small in the file, large on the disk."""
    monkeypatch.setattr(packages, "MAX_UNPACKED_BYTES", 1_000_000)
    data = bytes(50_000)
    packed = zlib.compressobj(9, zlib.DEFLATED, -15)
    body = packed.compress(data) + packed.flush()
    local = struct.pack("<4s5H3L2H", b"PK\x03\x04", 20, 0, 8, 0, 0x21, zlib.crc32(data), len(body), len(data), 1, 0)
    directory = b""
    for number in range(100):
        name = f"{number:04d}".encode()
        fields = (20, 20, 0, 8, 0, 0x21, zlib.crc32(data), len(body), len(data), len(name), 0, 0, 0, 0, 0, 0)
        directory += struct.pack("<4s6H3L5H2L", b"PK\x01\x02", *fields) + name
    start = len(local) + 1 + len(body)
    end = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 100, 100, len(directory), start, 0)
    assert refused(state, local + b"0" + body + directory + end) == ["package.too-large"]


def test_too_many_members(state, monkeypatch):
    monkeypatch.setattr(packages, "MAX_MEMBERS", 50)
    assert refused(state, zipped({str(each): "" for each in range(51)})) == ["package.too-large"]


def test_a_huge_archive(state, monkeypatch):
    monkeypatch.setattr(packages, "MAX_ARCHIVE_BYTES", 100)
    assert refused(state, resource_package()) == ["package.too-large"]


@pytest.mark.parametrize("content", [b"", b"no zip", resource_package()[:200], resource_package()[40:]])
def test_what_is_no_archive(state, content):
    assert refused(state, content) == ["package.not-a-zip"]


def test_a_damaged_member(state):
    content = bytearray(resource_package())
    at = content.index(b"A thing in a store.")
    content[at] ^= 0xFF
    assert refused(state, bytes(content)) == ["package.not-a-zip"]


def test_an_encrypted_member(state):
    content = bytearray(zipped({"schema.json": "{}", ".rpdk-config": "{}"}))
    content[content.index(b"PK\x01\x02") + 8] |= 1
    assert "package.not-a-zip" in refused(state, bytes(content))


@pytest.mark.parametrize(
    ("content", "kind", "codes"),
    [
        (zipped({}), RESOURCE, ["package.missing-file"] * 2 + ["package.missing-handlers"]),
        (resource_package(files={"schema.json": None}), RESOURCE, ["package.missing-file"]),
        (resource_package(files={".rpdk-config": None}), RESOURCE, ["package.missing-file"]),
        (resource_package(files={"ResourceProvider.zip": None}), RESOURCE, ["package.missing-handlers"]),
        (hook_package(files={"ResourceProvider.zip": None}), ExtensionKind.HOOK, ["package.missing-handlers"]),
        (module_package(files={"fragments/sample.json": None}), ExtensionKind.MODULE, ["package.missing-file"]),
        (resource_package(files={"ResourceProvider.zip": "no zip"}), RESOURCE, ["package.not-a-zip"]),
        (zipped({"project/" + each: "" for each in ("schema.json",)}), RESOURCE, None),
    ],
)
def test_the_layout(state, content, kind, codes):
    found = refused(state, content, kind)
    assert codes is None or sorted(found) == codes


def test_java_packages_have_a_jar(state):
    content = resource_package(files={"ResourceProvider.zip": None, "target/acme-store-thing-1.0.jar": "x"})
    assert (open_package(state, content, RESOURCE).files / "target" / "acme-store-thing-1.0.jar").is_file()


def test_what_was_signed_in_a_merged_jar_is_forgotten(state):
    """Lambda unpacks the jar; a JVM that is given it would refuse it for signatures of one of its parts."""
    members = {
        "META-INF/MANIFEST.MF": "Manifest-Version: 1.0",
        "com/acme/A.class": "a" * 999,
        "META-INF/last/x.sf": "x",
    }
    signed = zipped({"META-INF/BC.SF": "s", **members, "META-INF/bc.rsa": "r"})
    content = resource_package(
        files={"ResourceProvider.zip": None, "target/thing-1.0.jar": signed, "target/no.jar": "x"}
    )
    files = open_package(state, content, RESOURCE).files
    with zipfile.ZipFile(files / "target" / "thing-1.0.jar") as jar:
        assert jar.testzip() is None
        assert {each: jar.read(each).decode() for each in jar.namelist()} == members
    assert (files / "target" / "no.jar").read_text() == "x"


@pytest.fixture
def desk(tmp_path):
    made = open_desk(tmp_path / "state")
    yield made
    made.close()


def _reasons(text):
    return [line.partition(":")[0] for line in text.splitlines()[2:]]


@pytest.mark.parametrize(
    ("content", "reasons"),
    [
        (resource_package(config_more={"artifact_type": "HOOK"}), ["package.kind"]),
        (resource_package(files={".rpdk-config": "{"}), ["document.syntax"]),
        (resource_package(files={"schema.json": "[" * 3000}), ["document.too-deep"]),
        (resource_package(files={"schema.json": "[]"}), ["schema.wrong-type"]),
        (
            resource_package(schema={**resource_schema(), "properties": {}, "handlers": {"make": {}}}),
            ["schema.out-of-bounds", "schema.unknown-keyword"],
        ),
        (with_member("../evil.py"), ["package.member-name"]),
    ],
)
def test_the_description_of_a_refused_package_has_every_reason(desk, content, reasons):
    found = _reasons(desk.refuse(content))
    assert sorted(found) == sorted(reasons)
    assert list(desk.state.packages.iterdir()) == []


def test_a_broken_fragment(desk):
    broken = {"Resources": {"Inner": {"Type": "AWS::CloudFormation::Stack", "Properties": {}}}, "Transform": "X"}
    text = desk.refuse(module_package(fragment=broken), SHELF, ExtensionKind.MODULE)
    assert set(_reasons(text)) == {"module.transform", "module.forbidden-type"}


def test_packages_of_nobody_are_swept_away_and_others_stay(desk):
    gone, kept = desk.register(content=resource_package(handlers="old = 1")), desk.register()
    desk.registry.set_type_default_version(HERE, TypeReference(arn=kept))
    desk.registry.deregister_type(HERE, TypeReference(arn=gone))
    (desk.state.packages / ".making-left-behind").mkdir()
    assert len(list(desk.state.packages.iterdir())) == 3
    Registry(desk.database, desk.work, desk.settings).close()  # as another process would at its start
    (folder,) = desk.state.packages.iterdir()
    version = desk.registry.expect_type(HERE, THING, RESOURCE, kept.rpartition("/")[2])
    assert version.package.root == folder


def test_a_refused_package_stays_where_a_version_has_it(desk):
    content = resource_package()
    desk.register(content=content)
    desk.refuse(content, "Acme::Store::Other")
    assert desk.registry.expect_type(HERE, THING, RESOURCE).package.files.is_dir()


@pytest.mark.parametrize(
    "ref", ["../../../secret.json", "/{}/secret.json", "file:///{}/secret.json", "sub/../../../x.json"]
)
def test_a_schema_reads_nothing_outside_its_package(desk, tmp_path, ref):
    (tmp_path / "secret.json").write_text('{"definitions": {"X": {"type": "string", "description": "canary"}}}')
    schema = resource_schema()
    schema["properties"]["Z"] = {"$ref": f"{ref.format(str(tmp_path)[1:])}#/definitions/X"}
    assert "schema.external-ref" in desk.refuse(resource_package(schema=schema))


def test_a_schema_takes_the_documents_of_its_package_along(desk):
    shared = json.dumps({"definitions": {"X": {"type": "string", "description": "shared"}}})
    schema = resource_schema()
    schema["properties"]["Z"] = {"$ref": "shared.json#/definitions/X"}
    desk.register(content=resource_package(schema=schema, files={"shared.json": shared}))
    whole = desk.registry.expect_type(HERE, THING, RESOURCE).schema
    assert whole["remote"]["schema0"]["definitions"]["X"]["description"] == "shared"


@given(st.binary(max_size=300), st.sampled_from(list(ExtensionKind)))
def test_any_bytes_end_in_a_package_or_a_refusal(tmp_path_factory, content, kind):
    folder = tmp_path_factory.getbasetemp() / "fuzzed"
    with pytest.raises(BadInputError):
        open_package(StateFolder(folder), content, kind)


@given(st.data())
def test_any_damage_ends_in_a_package_or_a_refusal(tmp_path_factory, data):
    folder = tmp_path_factory.getbasetemp() / "damaged"
    content = bytearray(resource_package())
    for _ in range(data.draw(st.integers(1, 4))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    try:
        package = open_package(StateFolder(folder), bytes(content), RESOURCE)
    except BadInputError:
        return
    assert all(each.resolve().is_relative_to(package.root.resolve()) for each in package.root.rglob("*"))
