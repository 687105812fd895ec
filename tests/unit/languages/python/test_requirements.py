"""requirements.txt as pip reads it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formwork.diagnostics import BadInputError
from formwork.languages.python.environment import load_requirements
from formwork.languages.python.packaging.target import Target
from formwork.languages.python.requirements import AWS_LIBRARY, read_requirements
from formwork.package.template import Architecture

TARGET = Target("3.9", Architecture.ARM64)


@pytest.fixture
def read(tmp_path):
    def write(**files):
        for name, text in files.items():
            (tmp_path / f"{name}.txt").write_text(text)
        return read_requirements(tmp_path / "requirements.txt", TARGET.markers)

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


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("./later", "{here}/later"),
        (".[extra] ; python_version > '3'", "{here}[extra] ; python_version > '3'"),
        ("../other  # comment", "{above}/other"),
        ("-e ../other[a,b]", "{above}/other[a,b]"),
        ("--editable=.", "{here}"),
        ("-e git+https://example.org/x#egg=x", "git+https://example.org/x#egg=x"),
        ("-c https://example.org/limits.txt", "-c https://example.org/limits.txt"),
        ("-r https://example.org/more.txt", "-r https://example.org/more.txt"),
        ("--extra-index-url https://example.org/simple", "--extra-index-url https://example.org/simple"),
    ],
)
def test_what_pip_is_given_for_this_machine(tmp_path, line, text):
    (tmp_path / "requirements.txt").write_text(f"{line}\n")
    (read,) = read_requirements(tmp_path / "requirements.txt")
    assert read.text == text.format(here=tmp_path, above=tmp_path.parent)
    assert read.name is None


def test_markers_are_left_to_the_pip_of_this_machine(tmp_path):
    (tmp_path / "requirements.txt").write_text("a ; python_version < '3.10' --hash=sha256:abc\n")
    (read,) = read_requirements(tmp_path / "requirements.txt")
    assert read.text == 'a; python_version < "3.10" --hash=sha256:abc'


@pytest.mark.parametrize(
    "line",
    [
        "cloudformation-cli-python-lib>=2.1.9",
        "cloudformation_cli_python_lib==2.1.20",
        "Cloudformation.CLI.python-lib",
        "cloudformation-cli-python-lib[extra] ; python_version > '3'",
    ],
)
def test_the_handler_library_is_known_by_its_name(tmp_path, line):
    (tmp_path / "requirements.txt").write_text(f"# comment\n{line}  # trailing\n\n")
    assert [each.name for each in load_requirements(tmp_path / "requirements.txt")] == [AWS_LIBRARY]


def test_both_libraries_in_one_environment_are_an_error(tmp_path):
    (tmp_path / "requirements.txt").write_text("cloudformation-cli-python-lib\n\nformwork-cfn-runtime==0.1.0\n")
    with pytest.raises(BadInputError) as refused:
        load_requirements(tmp_path / "requirements.txt")
    (diagnostic,) = refused.value.diagnostics
    assert diagnostic.code == "python.two-libraries"
    assert diagnostic.location.start.line == 3


@pytest.mark.parametrize("content", [b"-r requirements.txt", b"\xff\xfe\x00", b"\0", b"-r nowhere.txt"])
def test_what_local_runs_refuse(tmp_path, content):
    (tmp_path / "requirements.txt").write_bytes(content)
    with pytest.raises(BadInputError) as refused:
        load_requirements(tmp_path / "requirements.txt")
    assert [each.code for each in refused.value.diagnostics] == ["python.requirements"]


def test_no_file_asks_for_nothing(tmp_path):
    assert load_requirements(tmp_path / "requirements.txt") == []


@given(text=st.text())
def test_any_text(tmp_path_factory, text):
    folder = tmp_path_factory.getbasetemp()
    (folder / "any.txt").write_text(text, encoding="utf-8", errors="replace", newline="")
    try:
        load_requirements(folder / "any.txt")
    except BadInputError:
        return


def test_targets_name_wheels_that_run_there():
    assert "manylinux_2_26_aarch64" in TARGET.platforms
    assert "manylinux_2_28_aarch64" not in TARGET.platforms
    newer = Target("3.12", Architecture.X86_64)
    assert newer.platforms[0] == "manylinux_2_34_x86_64"
    assert "manylinux1_x86_64" in newer.platforms
    assert "--abi=cp312" in newer.pip_options
