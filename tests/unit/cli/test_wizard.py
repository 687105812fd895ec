"""The questions of `cfn init`."""

import io
import sys

import pytest

from formwork.cli.wizard import (
    WizardAnswers,
    ask_missing,
    expect_answers,
    may_replace_config,
    parse_kind,
    parse_language,
)
from formwork.command_context.output import CommandOutput
from formwork.diagnostics import UsageError
from formwork.extensions import ExtensionKind


def terminal(*answers):
    typed = io.StringIO("".join(f"{each}\n" for each in answers))
    return CommandOutput(io.StringIO(), io.StringIO(), colour=False, interactive=True, answers=typed)


@pytest.mark.parametrize("text", ["r", "R", "resource", "RESOURCES", " Resource "])
def test_kinds_in_any_case(text):
    assert parse_kind(text) is ExtensionKind.RESOURCE


def test_all_questions_in_order():
    output = terminal("r", "Acme::Store::Thing", "3", "y", "y")
    answers = ask_missing(WizardAnswers(), output)
    assert answers == WizardAnswers(ExtensionKind.RESOURCE, "Acme::Store::Thing", "python311", docker=True, sample=True)
    asked = output.err.getvalue()
    order = [
        asked.index(each)
        for each in ("resource(r)", "Organization::Service::Resource", "[3] python311", "Docker", "sample")
    ]
    assert order == sorted(order)
    assert output.out.getvalue() == ""


def test_wrong_answers_are_asked_again():
    output = terminal("x", "h", "Acme::Hook", "Acme::Store::Hook", "99", "python36", "cobol", "python39", "", "")
    assert ask_missing(WizardAnswers(), output) == WizardAnswers(
        ExtensionKind.HOOK, "Acme::Store::Hook", "python39", docker=False, sample=False
    )
    shown = output.err.getvalue()
    assert '"x" is not a kind' in shown
    assert '"Acme::Hook" is not a valid hook type name' in shown
    assert "use python312" in shown
    assert '"cobol" is not a language' in shown


def test_what_the_language_cannot_use_is_asked_again():
    output = terminal("r", "Acme::Store::Thing", "go", "https://x y", "example.com/thing", "")
    assert ask_missing(WizardAnswers(), output).of_language == {"import_path": "example.com/thing"}
    assert "not an import path" in output.err.getvalue()
    output = terminal("example.com/thing")
    given = WizardAnswers(
        ExtensionKind.RESOURCE, "Acme::Store::Thing", "go", of_language={"import_path": "https://x y"}
    )
    assert ask_missing(given, output).of_language == {"import_path": "example.com/thing"}


def test_what_was_given_is_not_asked():
    given = WizardAnswers(ExtensionKind.RESOURCE, "Aa::Bb::Cc", "python312", docker=False)
    output = terminal()
    assert ask_missing(given, output) == given
    assert output.err.getvalue() == ""


def test_a_wrong_option_is_asked_for():
    given = WizardAnswers(ExtensionKind.RESOURCE, "wrong", "python312", docker=False)
    assert ask_missing(given, terminal("Aa::Bb::Cc")).type_name == "Aa::Bb::Cc"


def test_a_module_needs_a_name_only():
    assert ask_missing(WizardAnswers(), terminal("m", "Aa::Bb::Cc")) == WizardAnswers(
        ExtensionKind.MODULE, "Aa::Bb::Cc::MODULE"
    )


@pytest.mark.parametrize("answers", [(), ("r",), ("r", "Aa::Bb::Cc"), ("q", "q")])
def test_answers_that_end_too_soon(answers):
    with pytest.raises(UsageError, match="ended before") as caught:
        ask_missing(WizardAnswers(), terminal(*answers))
    assert "-a RESOURCE -t" in caught.value.diagnostics[0].hint


def test_without_a_terminal_all_that_is_missing_is_named():
    with pytest.raises(UsageError) as caught:
        expect_answers(WizardAnswers())
    message = caught.value.diagnostics[0].message
    assert all(each in message for each in ("-a RESOURCE", "-t Organization", "a language"))
    with pytest.raises(UsageError) as caught:
        expect_answers(WizardAnswers(ExtensionKind.MODULE))
    assert "a language" not in caught.value.diagnostics[0].message


def test_without_a_terminal_answers_are_checked():
    with pytest.raises(UsageError, match="not a valid resource type name"):
        expect_answers(WizardAnswers(ExtensionKind.RESOURCE, "x", "python312"))
    with pytest.raises(UsageError, match="is not a language"):
        expect_answers(WizardAnswers(ExtensionKind.RESOURCE, "Aa::Bb::Cc", "cobol"))


@pytest.mark.parametrize("name", ["python36", "python37", "python38", "python315", "ruby", "cobol"])
def test_languages_that_a_new_project_cannot_have(name):
    with pytest.raises(UsageError):
        parse_language(name)


def test_plain_python_is_the_running_version():
    assert parse_language("python") == f"python{sys.version_info.major}{sys.version_info.minor}"


@pytest.mark.parametrize(("answer", "replace"), [("y", True), ("YES", True), ("n", False), ("", False)])
def test_a_project_that_is_here_already(answer, replace):
    assert may_replace_config(terminal(answer)) is replace


def test_a_project_that_is_here_already_and_nobody_to_ask():
    output = terminal("y")
    output.interactive = False
    with pytest.raises(UsageError, match="already"):
        may_replace_config(output)


def test_an_answer_to_what_is_not_asked_is_refused():
    given = WizardAnswers(ExtensionKind.RESOURCE, "Aa::Bb::Cc", "java", of_language={"runtime": "java21"})
    with pytest.raises(UsageError) as caught:
        expect_answers(given)
    (diagnostic,) = caught.value.diagnostics
    assert '"runtime"' in diagnostic.message
    assert "java_version" in diagnostic.hint


def test_an_empty_answer_is_the_python_that_runs():
    answers = ask_missing(WizardAnswers(), terminal("r", "Acme::Store::Thing", "", "", ""))
    assert answers.language == parse_language("python")


def test_a_sample_that_is_settled_is_not_asked_for():
    output = terminal("r", "Acme::Store::Thing", "go", "example.com/thing")
    assert ask_missing(WizardAnswers(sample=False), output).sample is False
    assert "sample" not in output.err.getvalue()


@pytest.mark.parametrize("organization", ["AWS", "amazon", "Custom", "Dev", "ASK", "Alexa", "AMZN"])
def test_a_reserved_organization_is_warned_of(organization):
    output = terminal(f"{organization}::Store::Thing")
    ask_missing(WizardAnswers(ExtensionKind.RESOURCE, None, "python312", docker=False), output)
    assert f'"{organization}" is reserved' in output.err.getvalue()
    output = terminal("Acme::Store::Thing")
    ask_missing(WizardAnswers(ExtensionKind.RESOURCE, None, "python312", docker=False), output)
    assert "reserved" not in output.err.getvalue()
