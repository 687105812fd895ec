"""Every language of ours has all parts of the interface, and is found by its names and runtimes."""

import inspect
import re
from pathlib import Path

import pytest

import formwork.languages
from formwork.generate.generator import LanguageGenerator
from formwork.languages.catalogue import BUILT_IN, expect_generator, get_language, language_names, language_of_runtime
from formwork.languages.interface import PackageRunner
from formwork.project.runtimes import OUTDATED_LANGUAGES, OUTDATED_RUNTIMES


def parameters_of(thing):
    return [name for name in inspect.signature(thing).parameters if name != "self"]


@pytest.mark.parametrize("name", language_names())
def test_a_generator_has_every_method_with_its_parameters(name):
    generator = expect_generator(name)
    methods = {each for each in dir(LanguageGenerator) if not each.startswith("_")}
    for method in methods - {"reserved_model_names"}:
        assert parameters_of(getattr(generator, method)) == parameters_of(getattr(LanguageGenerator, method)), method
    assert isinstance(generator.reserved_model_names, frozenset)
    assert {each for each in vars(type(generator)) if not each.startswith("_")} <= methods


@pytest.mark.parametrize("name", ["python312", "go", "typescript", "java"])
def test_a_language_has_every_part(name):
    language = get_language(name)
    assert language.runtimes
    assert language.project_runtime
    assert language.package_build
    runner = language.package_runner()
    for method in ("missing", "launch", "loads_like_lambda"):
        assert len(parameters_of(getattr(runner, method))) == len(parameters_of(getattr(PackageRunner, method)))


def test_each_folder_is_in_the_catalogue():
    folder = Path(formwork.languages.__file__).parent
    assert sorted(BUILT_IN) == sorted(each.parent.name for each in folder.glob("*/__init__.py"))


def test_the_wizards_list():
    assert language_names() == (*(f"python3{minor}" for minor in range(9, 15)), "go", "typescript", "java")


@pytest.mark.parametrize("name", OUTDATED_LANGUAGES)
def test_outdated_versions_are_found_but_not_offered(name):
    assert get_language(name) is not None
    assert name not in language_names()


def test_a_runtime_is_run_by_one_language_of_ours():
    languages = [get_language(name) for name in ("python312", "go", "typescript", "java")]
    runtimes = {*OUTDATED_RUNTIMES, *OUTDATED_RUNTIMES.values(), "java11", "java17", "provided", "nodejs20.x"}
    for runtime in runtimes - {"python2.7"}:
        assert [each for each in languages if re.fullmatch(each.runtimes, runtime)] == [language_of_runtime(runtime)]
    assert language_of_runtime("python2.7") is None
    assert language_of_runtime("ruby3.3", "java") is None
    assert language_of_runtime("nodejs22.x", "java") is get_language("typescript")
