"""The questions of `cfn init`, in the incumbent's order, and the same answers as options."""

import sys
from collections.abc import Mapping

from msgspec import Struct, field
from msgspec.structs import replace

from formwork.command_context.output import CommandOutput
from formwork.diagnostics import FormworkError, UsageError
from formwork.extensions import TYPE_NAME_RULE, ExtensionKind, is_type_name
from formwork.generate.handlers import Question
from formwork.languages.catalogue import expect_generator, language_names
from formwork.languages.python.versions import PYTHON_VERSIONS, python_language
from formwork.project.runtimes import OUTDATED_LANGUAGES

_KINDS = {
    kind: (kind.noun[0], kind.noun, f"{kind.noun}s")
    for kind in (ExtensionKind.RESOURCE, ExtensionKind.MODULE, ExtensionKind.HOOK)
}
# The languages whose plugins ask whether the incumbent shall package in Docker.
_WITH_DOCKER = ("python", "typescript")


class WizardAnswers(Struct, frozen=True):
    """The answers to the questions of `cfn init`; None is not answered yet. A module needs only its name.

    `of_language` answers the language's own questions, by their names. `sample` is whether the handlers are a sample
    that works.
    """

    kind: ExtensionKind | None = None
    type_name: str | None = None
    language: str | None = None
    docker: bool | None = None
    of_language: Mapping[str, str] = field(default_factory=dict)
    sample: bool | None = None

    def expect_kind(self) -> ExtensionKind:
        """Return the kind, which is known by now."""
        assert self.kind is not None
        return self.kind

    def expect_type_name(self) -> str:
        """Return the type's name, which is known by now."""
        assert self.type_name is not None
        return self.type_name


def parse_kind(text: str | None) -> ExtensionKind | None:
    """Return the kind that `text` names: r, resource or resources, and so on, in any case.

    Raises:
        UsageError: it names none.
    """
    if text is None:
        return None
    for kind, words in _KINDS.items():
        if text.strip().lower() in words:
            return kind
    raise UsageError(f'"{text}" is not a kind of extension', hint="write RESOURCE, MODULE or HOOK (or r, m, h)")


def parse_type_name(text: str, kind: ExtensionKind) -> str:
    """`text` as a type name of that kind; a module's may leave `::MODULE` out.

    Raises:
        UsageError: it is none.
    """
    name = text.strip()
    if kind is ExtensionKind.MODULE and not name.endswith("::MODULE"):
        name += "::MODULE"
    if not is_type_name(name, kind):
        raise UsageError(
            f'"{text}" is not a valid {kind.noun} type name', hint=f"write {kind.pattern}: {TYPE_NAME_RULE}"
        )
    return name


def parse_language(text: str) -> str:
    """`text` as a language that a new project can have; `python` is the version that runs here.

    Raises:
        UsageError: it is outdated, or is none.
    """
    name = text.strip().lower()
    if name == "python":
        running = f"{sys.version_info.major}.{sys.version_info.minor}"
        return python_language(running if running in PYTHON_VERSIONS else PYTHON_VERSIONS[-1])
    if name in language_names():
        return name
    if name in OUTDATED_LANGUAGES:
        raise UsageError(
            f'"{name}" is outdated: Lambda creates no functions on it any more', hint=f"use {OUTDATED_LANGUAGES[name]}"
        )
    raise UsageError(f'"{text}" is not a language', hint=f"one of {', '.join(language_names())}")


def expect_answers(given: WizardAnswers) -> WizardAnswers:
    """Return `given`, checked, where there is no terminal to ask at.

    Raises:
        UsageError: one is wrong, or missing: then all that are missing are named.
    """
    missing = []
    if given.kind is None:
        missing.append("-a RESOURCE (or MODULE, HOOK)")
    if given.type_name is None:
        missing.append("-t Organization::Service::Name")
    if given.language is None and given.kind is not ExtensionKind.MODULE:
        missing.append("a language, such as python312")
    if missing or given.kind is None or given.type_name is None:
        raise UsageError(
            f"missing answers, and no terminal to ask at: {'; '.join(missing)}",
            hint="for example: cfn init -a RESOURCE -t Acme::Store::Thing python312 --no-docker",
        )
    name = parse_type_name(given.type_name, given.kind)
    if given.language is None or given.kind is ExtensionKind.MODULE:
        return replace(given, type_name=name)
    language = parse_language(given.language)
    answers = _expect_language_answers(language, name, given)
    return replace(given, type_name=name, language=language, of_language=answers)


def _expect_language_answers(language: str, type_name: str, given: WizardAnswers) -> dict[str, str]:
    answers = {}
    for question in _questions(language, type_name, given.expect_kind(), given.of_language):
        answer = given.of_language.get(question.name, question.default)
        option = f"--{question.name.replace('_', '-')}"
        if answer is None:
            raise UsageError(f"missing {option}, and no terminal to ask at", hint=question.words)
        answers[question.name] = _check_answer(answer, question)
    return answers


def _questions(language: str, type_name: str, kind: ExtensionKind, given: Mapping[str, str]) -> tuple[Question, ...]:
    """Return the questions that `cfn init` asks for a project in `language`.

    Raises:
        UsageError: `given` has an answer to an unknown question.
    """
    questions = tuple(expect_generator(language).questions(type_name, kind))
    known = [each.name for each in questions]
    if unknown := [name for name in given if name not in known]:
        hint = f"its questions: {', '.join(known)}" if known else f"a project in {language} has no questions to answer"
        raise UsageError(f'unknown answer "{unknown[0]}" for a project in {language}', hint=hint)
    return questions


def _check_answer(answer: str, question: Question) -> str:
    chosen = answer.strip() or question.default or ""
    if question.choices and chosen.isdecimal() and 1 <= int(chosen) <= len(question.choices):
        chosen = question.choices[int(chosen) - 1]
    if not chosen or (question.choices and chosen not in question.choices):
        expected = f"one of {', '.join(question.choices)}" if question.choices else "a text"
        raise UsageError(f'"{answer}" is not a valid answer to: {question.words}', hint=expected)
    return chosen


def ask_missing(given: WizardAnswers, output: CommandOutput) -> WizardAnswers:
    """`given`, checked, and the rest asked for on the terminal.

    Raises:
        UsageError: the terminal was closed before all was answered.
    """
    asks_all = given.language is None  # who names the language on the line has read the options
    kind = given.kind or _ask_kind(output)
    name = _checked(given.type_name, kind, output) or _ask_type_name(kind, output)
    if kind is ExtensionKind.MODULE:
        return WizardAnswers(kind, name)
    language = parse_language(given.language) if given.language else _ask_language(output)
    docker = given.docker
    if docker is None and asks_all and language.startswith(_WITH_DOCKER):
        docker = _ask(
            "Shall AWS's own cfn package this project in Docker? Formwork needs none. (y/N)", output
        ).lower() in ("y", "yes")
    of_language = _ask_of_language(language, name, kind, given.of_language, output)
    sample = given.sample
    if sample is None and asks_all:
        sample = _ask(
            "Do you want sample handlers that work, to change step by step? Otherwise you get stubs. (y/N)", output
        ).lower() in ("y", "yes")
    return WizardAnswers(kind, name, language, docker, of_language, sample)


def warn_of_reserved(type_name: str, output: CommandOutput) -> None:
    """Warn if types of this organization can't be registered or can't be published."""
    from formwork.schema.rules.reserved_organization import reserved_from

    if (refused := reserved_from(type_name)) is not None:
        organization, _, rest = type_name.partition("::")
        output.say(
            f'warning: the organization "{organization}" is reserved: a type with this name cannot be {refused}'
            f"\n  = help: use the name of your own organization, such as YourOrganization::{rest}"
        )


def _ask_of_language(
    language: str, type_name: str, kind: ExtensionKind, given: Mapping[str, str], output: CommandOutput
) -> dict[str, str]:
    """Return the answers to the language's questions, asking again for answers that it refuses."""
    questions = _questions(language, type_name, kind, given)
    while True:
        answers = {each.name: _answer_of(each, given.get(each.name), output) for each in questions}
        try:
            expect_generator(language).settings(type_name, kind, answers)
        except UsageError as error:
            _again(error, output)
            given = {}
        else:
            return answers


def _answer_of(question: Question, given: str | None, output: CommandOutput) -> str:
    words = question.words
    if question.choices:
        words += "".join(f"\n[{number}] {each}" for number, each in enumerate(question.choices, start=1))
    if question.default is not None:
        words += f"\n(empty for {question.default})"
    answer = given if question.asked or given is not None else question.default
    while True:
        try:
            return _check_answer(_ask(words, output) if answer is None else answer, question)
        except UsageError as error:
            _again(error, output)
            answer = None


def may_replace_config(output: CommandOutput) -> bool:
    """Return whether the author wants to start over a project that is here already.

    Raises:
        UsageError: there is no terminal to ask at.
    """
    if not output.interactive:
        raise UsageError(
            "this folder already contains a project", hint="start in an empty folder, or overwrite it with --force"
        )
    return _ask("Found existing settings - overwrite (y/N)?", output).lower() in ("y", "yes")


def _checked(name: str | None, kind: ExtensionKind, output: CommandOutput) -> str | None:
    """Return the type name given as an option, parsed; report an invalid one and return None."""
    try:
        return parse_type_name(name, kind) if name is not None else None
    except UsageError as error:
        output.show(error.diagnostics)
        return None


def _ask_kind(output: CommandOutput) -> ExtensionKind:
    while True:
        try:
            kind = parse_kind(_ask("Do you want to develop a new resource(r) a module(m) or a hook(h)?", output))
        except FormworkError as error:
            _again(error, output)
        else:
            assert kind is not None
            return kind


def _ask_type_name(kind: ExtensionKind, output: CommandOutput) -> str:
    while True:
        answer = _ask(f"What is the name of your {kind.noun} type? ({kind.pattern})", output)
        try:
            name = parse_type_name(answer, kind)
        except UsageError as error:
            _again(error, output)
        else:
            warn_of_reserved(name, output)
            return name


def _ask_language(output: CommandOutput) -> str:
    names = language_names()
    default = parse_language("python")
    numbered = "\n".join(f"[{number}] {name}" for number, name in enumerate(names, start=1))
    while True:
        answer = _ask(
            f"Which language do you write the handlers in?\n{numbered}\n(a number or a name; empty for {default})",
            output,
        )
        if answer.isdecimal() and 1 <= int(answer) <= len(names):
            return names[int(answer) - 1]
        try:
            return parse_language(answer or default)
        except UsageError as error:
            _again(error, output)


def _again(error: FormworkError, output: CommandOutput) -> None:
    if isinstance(error, _ClosedTerminalError):
        raise error
    output.show(error.diagnostics)


class _ClosedTerminalError(UsageError):
    """The input ended before all questions were answered."""


def _ask(question: str, output: CommandOutput) -> str:
    """Return the answer to `question`.

    Raises:
        UsageError: the terminal was closed.
    """
    answer = output.ask(question)
    if answer is None:
        output.say("")
        raise _ClosedTerminalError(
            "the input ended before all questions were answered",
            hint="give the answers as options: cfn init -a RESOURCE -t Acme::Store::Thing python312 --no-docker",
        )
    return answer
