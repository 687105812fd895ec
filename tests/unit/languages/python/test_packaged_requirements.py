"""requirements.txt as pip reads it."""

import pytest

from formwork.diagnostics import BadInputError
from formwork.languages.python.packaging.requirements import read_requirements
from formwork.languages.python.packaging.target import Target
from formwork.package.template import Architecture

TARGET = Target("3.9", Architecture.ARM64)


@pytest.fixture
def read(tmp_path):
    def write(**files):
        for name, text in files.items():
            (tmp_path / f"{name}.txt").write_text(text)
        return read_requirements(tmp_path / "requirements.txt", TARGET)

    return write


def test_names_versions_and_comments(read):
    text = "# all\nBoto3\nrequests[socks] >= 2.0, <3  # why\n\nsix==1.16 \\\n  --hash=sha256:abc \\\n  --hash=sha256:def\n--pre\n"
    lines = read(requirements=text)
    assert [(each.name, each.pinned, each.hashed) for each in lines] == [
        ("boto3", False, False),
        ("requests", True, False),
        ("six", True, True),
        (None, False, False),
    ]
    assert lines[1].extras == {"socks"}
    assert lines[2].text == "six==1.16 --hash=sha256:abc --hash=sha256:def"
    assert all(each.portable for each in lines)


def test_markers_are_judged_for_the_target(read):
    text = 'a; python_version < "3.10"\nb; python_version >= "3.10"\nc; sys_platform == "win32"\nd; platform_machine == "aarch64"\n'
    assert [each.text for each in read(requirements=text)] == ["a", "d"]


def test_included_files(read, tmp_path):
    lines = read(requirements="a\n-r more.txt\n-c limits.txt\n-f wheels\n", more="b\n", limits="")
    assert [each.text for each in lines[:2]] == ["a", "b"]
    assert lines[2].text == f"-c {tmp_path / 'limits.txt'}"
    assert lines[3].text == f"-f {tmp_path / 'wheels'}"
    assert not lines[2].portable


def test_paths_and_urls(read, tmp_path):
    (tmp_path / "lib").mkdir()
    lines = read(requirements="./lib\n-e lib\ngit+https://example.org/x.git\nx @ https://example.org/x.whl\n")
    assert [each.text for each in lines[:3]] == [str(tmp_path / "lib")] * 2 + ["git+https://example.org/x.git"]
    assert (lines[3].name, lines[3].pinned) == ("x", True)
    assert [each.portable for each in lines] == [False, False, False, True]


@pytest.mark.parametrize(
    ("files", "code"),
    [
        ({"requirements": "-r requirements.txt"}, "package.requirements-circle"),
        ({"requirements": "-r a.txt", "a": "--requirement=requirements.txt"}, "package.requirements-circle"),
        ({"requirements": "a\n-r nowhere.txt"}, "package.requirements-missing"),
    ],
)
def test_what_is_refused(read, files, code):
    with pytest.raises(BadInputError) as caught:
        read(**files)
    assert caught.value.diagnostics[0].code == code


def test_targets_name_wheels_that_run_there():
    assert "manylinux_2_26_aarch64" in TARGET.platforms
    assert "manylinux_2_28_aarch64" not in TARGET.platforms
    newer = Target("3.12", Architecture.X86_64)
    assert newer.platforms[0] == "manylinux_2_34_x86_64"
    assert "manylinux1_x86_64" in newer.platforms
    assert "--abi=cp312" in newer.pip_options
