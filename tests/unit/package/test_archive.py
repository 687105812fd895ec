"""Archives that depend on nothing but their content, and are whole or not there."""

import errno
import hashlib
import os
import shutil
import struct
import subprocess
import sys
import zipfile
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formwork.diagnostics import BadInputError, EnvironmentProblemError
from formwork.package.archive import ArchiveMember, check_member_name, read_archive, write_archive
from formwork.package.files import folder_members


def test_members_in_order_with_fixed_times_and_permissions(tmp_path):
    (tmp_path / "f").write_text("from a file")
    path = tmp_path / "a.zip"
    write_archive(
        [ArchiveMember("b", b"x" * 1000), ArchiveMember("a", tmp_path / "f", executable=True)], path, compress=True
    )
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None
        first, second = archive.infolist()
    assert (first.filename, first.date_time, first.external_attr >> 16) == ("b", (1980, 1, 1, 0, 0, 0), 0o100644)
    assert (second.filename, second.file_size, second.external_attr >> 16) == ("a", 11, 0o100755)
    assert first.compress_size < 100


def test_the_same_bytes_whatever_the_umask_and_the_time(tmp_path):
    source = tmp_path / "f"
    source.write_text("content")
    write_archive([ArchiveMember("f", source)], tmp_path / "a.zip", compress=False)
    before = os.umask(0o077)
    try:
        os.utime(source, (1, 1))
        source.chmod(0o600)
        write_archive([ArchiveMember("f", source)], tmp_path / "b.zip", compress=False)
    finally:
        os.umask(before)
    assert (tmp_path / "a.zip").read_bytes() == (tmp_path / "b.zip").read_bytes()


def test_the_bytes_of_every_version(tmp_path):
    path = tmp_path / "a.zip"
    write_archive(
        [ArchiveMember("é/x", b"x" * 1000), ArchiveMember("run", b"#!/bin/sh\n", executable=True)], path, compress=False
    )
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    assert digest == "77ea2caf7f07b798b046fdc81af1c6f3ec685ecb2f2dfaaa2c3b9008d2b5944b"


@pytest.mark.parametrize("name", ["", "/etc/passwd", "../x", "a/../../x", "a\0b", "."])
def test_names_that_leave_the_archive(name, tmp_path):
    with pytest.raises(ValueError, match="below its root"):
        write_archive([ArchiveMember(name, b"")], tmp_path / "a.zip", compress=False)
    assert list(tmp_path.iterdir()) == []


def test_a_name_twice():
    seen = set()
    check_member_name("a", seen)
    with pytest.raises(ValueError, match="already"):
        check_member_name("a", seen)


class Full:
    """Content on a disk that fails."""

    def __init__(self, error):
        self.error = error

    def read_bytes(self):
        raise self.error


def test_what_is_compressed_is_copied(tmp_path):
    first, second = tmp_path / "a.zip", tmp_path / "b.zip"
    write_archive(
        [ArchiveMember("é/x", b"x" * 100_000), ArchiveMember("empty", b"", executable=True)], first, compress=True
    )
    members = read_archive(first)
    assert [(each.name, each.size, each.executable) for each in members] == [
        ("é/x", 100_000, False),
        ("empty", 0, True),
    ]
    assert members[0].read() == b"x" * 100_000
    assert len(members[0].content.data) < 1000
    write_archive(members, second, compress=True)
    assert second.read_bytes() == first.read_bytes()


def test_damaged_archives_are_not_read(tmp_path):
    path = tmp_path / "a.zip"
    write_archive([ArchiveMember("x", bytes(range(256)) * 50)], path, compress=True)
    whole = path.read_bytes()
    for place in range(0, len(whole) - 30, 7):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 0xFF]) + whole[place + 1 :])
        try:
            members = read_archive(path)
        except (ValueError, OSError, struct.error, zlib.error, zipfile.BadZipFile, NotImplementedError, RuntimeError):
            continue
        assert all(each.read() == bytes(range(256)) * 50 for each in members)


def test_other_programs_read_it(tmp_path):
    path = tmp_path / "a.zip"
    write_archive(
        [ArchiveMember("dir/x.txt", b"hello"), ArchiveMember("run", b"#!/bin/sh\n", executable=True)],
        path,
        compress=True,
    )
    code = "import zipfile,sys; zipfile.ZipFile(sys.argv[1]).extractall(sys.argv[2])"
    subprocess.run([sys.executable, "-c", code, path, tmp_path / "out"], check=True)
    assert (tmp_path / "out" / "dir" / "x.txt").read_text() == "hello"
    if shutil.which("unzip"):
        subprocess.run(["unzip", "-q", "-t", path], check=True)


@pytest.mark.parametrize(
    ("error", "raised"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), EnvironmentProblemError),
        (KeyboardInterrupt(), KeyboardInterrupt),
    ],
)
def test_an_interrupted_archive_leaves_the_old_one(tmp_path, error, raised):
    path = tmp_path / "a.zip"
    path.write_text("old")
    with pytest.raises(raised):
        write_archive([ArchiveMember("a", b"1"), ArchiveMember("b", Full(error))], path, compress=False)
    assert [each.name for each in tmp_path.iterdir()] == ["a.zip"]
    assert path.read_text() == "old"


@given(
    st.dictionaries(
        st.text(st.sampled_from("ab/é "), min_size=1).filter(lambda name: not name.startswith("/")), st.binary()
    )
)
def test_what_is_written_can_be_read(tmp_path_factory, contents):
    contents = {f"r/{name}x": data for name, data in contents.items()}
    path = tmp_path_factory.mktemp("zip") / "a.zip"
    write_archive([ArchiveMember(name, data) for name, data in contents.items()], path, compress=True)
    with zipfile.ZipFile(path) as archive:
        assert {name: archive.read(name) for name in archive.namelist()} == contents


@pytest.fixture
def source(tmp_path):
    root = tmp_path / "project"
    (root / "src" / "pkg" / "__pycache__").mkdir(parents=True)
    for name in ("a.py", "a.pyc", "rpdk.log", "rpdk.log.1", ".DS_Store", "__pycache__/a.py", "data.bin", ".keep"):
        (root / "src" / "pkg" / name).write_text(name)
    return root


def names(root):
    return [each.name for each in folder_members(root / "src", prefix="src/", root=root)]


def test_leftovers_are_not_packaged(source):
    assert names(source) == ["src/pkg/.keep", "src/pkg/a.py", "src/pkg/data.bin"]


def test_links_inside_the_project_are_followed(source):
    (source / "shared").mkdir()
    (source / "shared" / "s.py").write_text("")
    (source / "src" / "linked").symlink_to(source / "shared")
    (source / "src" / "one.py").symlink_to(source / "shared" / "s.py")
    assert names(source)[:2] == ["src/linked/s.py", "src/one.py"]


@pytest.mark.parametrize(
    ("target", "why"),
    [("/etc", "out of the project"), ("nowhere", "leads nowhere"), (".", "holds it"), ("loop", "leads nowhere")],
)
def test_links_that_are_refused(source, target, why):
    (source / "src" / "loop").symlink_to(target)
    with pytest.raises(BadInputError, match=why):
        names(source)


def test_pipes_are_not_read(source):
    os.mkfifo(source / "src" / "pipe")
    assert "src/pipe" not in names(source)
