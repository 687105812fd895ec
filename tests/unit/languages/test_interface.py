"""Every language of ours has all of the interface, and is found by its names and runtimes."""

import inspect
import re
from pathlib import Path

import pytest

import formwork.languages
from formwork.languages.catalogue import BUILT_IN, expect_language, get_language, language_names, language_of_runtime
from formwork.languages.interface import Language
from formwork.project.runtimes import OUTDATED_LANGUAGES, OUTDATED_RUNTIMES

METHODS = sorted(name for name in dir(Language) if not name.startswith("_"))


@pytest.mark.parametrize("name", language_names())
def test_a_language_has_every_method_with_its_parameters(name):
    language = type(expect_language(name))
    for method in METHODS:
        expected = inspect.getattr_static(Language, method)
        if inspect.isfunction(expected):
            assert list(inspect.signature(getattr(language, method)).parameters) == list(
                inspect.signature(expected).parameters
            ), method
        else:
            assert hasattr(language, method), method
    assert {each for each in vars(language) if not each.startswith("_")} <= {*METHODS}


def test_each_folder_is_in_the_catalogue():
    folder = Path(formwork.languages.__file__).parent
    assert sorted(BUILT_IN) == sorted(each.parent.name for each in folder.glob("*/language.py"))


def test_the_wizards_list():
    assert language_names() == (*(f"python3{minor}" for minor in range(9, 15)), "go", "typescript", "java")


@pytest.mark.parametrize("name", OUTDATED_LANGUAGES)
def test_outdated_versions_are_found_but_not_offered(name):
    assert get_language(name) is not None
    assert name not in language_names()


def test_a_runtime_is_run_by_one_language_of_ours():
    runtimes = {*OUTDATED_RUNTIMES, *OUTDATED_RUNTIMES.values(), "java11", "java17", "provided", "nodejs20.x"}
    for runtime in runtimes - {"python2.7"}:
        found = language_of_runtime(runtime)
        assert [name for name in ("python312", "go", "typescript", "java") if _runs(name, runtime)] == [
            {"Python": "python312", "Go": "go", "TypeScript": "typescript", "Java": "java"}[
                type(found).__name__.removesuffix("Language")
            ]
        ]
    assert language_of_runtime("python2.7") is None
    assert language_of_runtime("ruby3.3", "java") is None
    assert type(language_of_runtime("nodejs22.x", "java")) is type(expect_language("typescript"))


def _runs(name, runtime):
    return re.fullmatch(expect_language(name).runtimes, runtime) is not None
