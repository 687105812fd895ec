"""requirements.txt, with the handler library told apart."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formwork.diagnostics import BadInputError
from formwork.languages.python.requirements import Requirements, load_requirements


def load(folder, text):
    path = folder / "requirements.txt"
    path.write_text(text, encoding="utf-8")
    return load_requirements(path)


@pytest.mark.parametrize(
    "line",
    [
        "cloudformation-cli-python-lib>=2.1.9",
        "cloudformation_cli_python_lib==2.1.20",
        "Cloudformation.CLI.python-lib",
        "cloudformation-cli-python-lib[extra] ; python_version > '3'",
    ],
)
def test_the_handler_library_alone_needs_no_pip(tmp_path, line):
    asked = load(tmp_path, f"# comment\n{line}  # trailing\n\n")
    assert asked.library_line == line
    assert asked.lines == ()
    assert not asked.needs_pip


def test_other_requirements_need_it(tmp_path):
    asked = load(tmp_path, "cloudformation-cli-python-lib\nRequests_Toolbelt>=1\nboto3\\\n  ==1.0\n")
    assert asked.lines == ("Requests_Toolbelt>=1", "boto3   ==1.0")
    assert asked.names == {"requests-toolbelt", "boto3"}
    assert asked.needs_pip


def test_options_alone_need_nothing(tmp_path):
    asked = load(tmp_path, "--extra-index-url https://example.org/simple\n--prefer-binary\n")
    assert not asked.needs_pip


def test_included_files_and_paths_are_found_from_where_they_are_named(tmp_path):
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "base.txt").write_text("six\n-c pins.txt\ncloudformation-cli-python-lib\n", encoding="utf-8")
    asked = load(tmp_path, "-r more/base.txt\n./local\n-e ../other # comment\ngit+https://example.org/x#egg=x\n")
    assert asked.lines == (
        "six",
        f"-c {tmp_path / 'more' / 'pins.txt'}",
        f"{tmp_path / 'local'}",
        f"-e {tmp_path.parent / 'other'}",
        "git+https://example.org/x#egg=x",
    )
    assert asked.library_line == "cloudformation-cli-python-lib"


def test_both_libraries_in_one_environment_are_an_error(tmp_path):
    with pytest.raises(BadInputError) as refused:
        load(tmp_path, "cloudformation-cli-python-lib\n\nformwork-cfn-runtime==0.1.0\n")
    (diagnostic,) = refused.value.diagnostics
    assert diagnostic.code == "python.two-libraries"
    assert diagnostic.location.start.line == 3


def test_a_file_that_includes_itself(tmp_path):
    with pytest.raises(BadInputError, match="includes itself"):
        load(tmp_path, "-r requirements.txt")


def test_no_file_asks_for_nothing(tmp_path):
    assert load_requirements(tmp_path / "requirements.txt") == Requirements()


def test_a_file_that_is_no_text(tmp_path):
    (tmp_path / "requirements.txt").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BadInputError, match="cannot be read"):
        load_requirements(tmp_path / "requirements.txt")


@given(text=st.text())
def test_any_text(tmp_path_factory, text):
    folder = tmp_path_factory.getbasetemp()
    (folder / "any.txt").write_text(text, encoding="utf-8", errors="replace", newline="")
    try:
        load_requirements(folder / "any.txt")
    except BadInputError:
        return
