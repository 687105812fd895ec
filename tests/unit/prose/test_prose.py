"""The check of wordings finds what it should, where it is, and leaves plain English alone."""

from pathlib import Path

import pytest
from prose.check import Review, check
from prose.class_names import picture
from prose.substitutions import matches
from prose.texts import texts


def found(text: str) -> list[str]:
    return [match.words for match in matches(text)]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("run `cfn validate --fix` to mend it", "mend"),
        ('"x" is no command of cfn', "is no command"),
        ("there is no stack of that name", "no stack of that name"),
        ("nobody has made it; whoever", "nobody"),
        ("the resource is made anew", "made anew"),
        ("what stands in\nthe file", "what stands in"),
        ("# the operation goes\n# on", "goes # on"),
        ("how far it is", "how far it is"),
        ("until the stack is at rest", "at rest"),
        ("in the service's own words", "the service's own words"),
        ("the model is held against the schema", "held against"),
        ("the package can't be had", "can't be had"),
        ("tells of a failure", "tells of"),
        ("print a line a clause", "a line a clause"),
        ("lets go of the lock", "lets go of"),
    ],
)
def test_a_wording_of_the_table_is_found(text: str, words: str) -> None:
    assert words in found(text)


@pytest.mark.parametrize(
    "text",
    [
        "there is no stack yet, and there are no hooks",
        "the lock is no longer held",
        "undergoes one change",
        "pages/0207-mends-in-yaml.md",
        "`src/mend.py` and --mend",
        "the two can't be told apart",
        "values are encrypted at rest",
        "a simulator that stands in for AWS",
        "a line of a file",
        "recommended, amend",
    ],
)
def test_plain_english_and_names_are_left_alone(text: str) -> None:
    assert found(text) == []


def test_strings_docstrings_comments_and_f_strings_are_read_with_their_lines(tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    module.write_text('"""First.\n\nMend it.\n"""\nx = f"{1} is no {2}"  # nobody\n# goes\n# on\n')
    findings = check(tmp_path, ["module.py"], Review())
    assert [(finding.line, str(finding).split('"')[1]) for finding in findings] == [
        (3, "Mend"),
        (5, "is no {"),
        (5, "nobody"),
        (6, "goes # on"),
    ]


def test_code_of_pages_is_not_read(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("one\n\n```console\n$ mend\n```\n\n`mend` it\nmend it\n")
    assert [text.text.count("mend") for text in texts(page)] == [1]
    assert [finding.line for finding in check(tmp_path, ["page.md"], Review())] == [8]


def test_an_accepted_text_is_left_alone_and_one_that_is_gone_is_a_finding(tmp_path: Path) -> None:
    (tmp_path / "page.md").write_text("There is no type of that name. Mend it.\n")
    review = Review(accepted={"no type of that name": "AWS words it", "never said": "AWS words it"})
    problems = [finding.problem for finding in check(tmp_path, ["page.md"], review)]
    assert problems == ['"Mend"; write: fix', 'no file contains "never said"; remove it from ACCEPTED']


def test_an_unconverted_area_is_quiet_until_it_is_clean(tmp_path: Path) -> None:
    for folder, text in (("old", "mend it"), ("new", "fix it")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "page.md").write_text(text)
    findings = check(tmp_path, ["new/page.md", "old/page.md"], Review(unconverted=["old", "new"]))
    assert [finding.problem for finding in findings] == ['"new" has no wording to replace; remove it from UNCONVERTED']


def test_class_names_that_repeat_or_are_a_picture_are_found(tmp_path: Path) -> None:
    names = ["src/a.py", "src/b.py"]
    (tmp_path / "src").mkdir()
    (tmp_path / "src/a.py").write_text("class Place: ...\nclass Same: ...\nclass LateTable: ...\nclass _Own: ...\n")
    (tmp_path / "src/b.py").write_text("class Place: ...\nclass Same: ...\nclass _Own: ...\n")
    review = Review(shared_names={"Same": "one meaning", "Gone": "one meaning"}, unconverted_names=["Done"])
    assert [str(finding) for finding in check(tmp_path, names, review)] == [
        'prose/reviewed.py:1: class name "Done" is in order; remove it from UNCONVERTED_NAMES',
        'prose/reviewed.py:1: class name "Gone" is unique; remove it from SHARED_NAMES',
        'src/a.py:1: class name "Place" is defined in src/a.py, src/b.py; give each its own name',
        'src/a.py:3: class name "LateTable" contains "Late"; write: Lazy…',
        'src/b.py:1: class name "Place" is defined in src/a.py, src/b.py; give each its own name',
    ]


def test_pictures_are_whole_words_of_a_name() -> None:
    assert picture("ObjectDoor") == "Door"
    assert picture("Template") is None
    assert picture("Notebook") is None
