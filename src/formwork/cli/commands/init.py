"""Start a project in this folder: its schema, handlers to fill in, tests, template, configuration.

With --from-smithy the schema is converted from a Smithy model, now and whenever `cfn generate` or `cfn validate` runs.

On a terminal what is not given is asked for. LANGUAGE is java, go, typescript, python39 to python314 (python is
the version that runs), or one that an installed package brings. Files that are there already are kept, unless --force
is given.

The reasons are in docs/decisions/0602.
"""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from formwork.cli.wizard import (
    WizardAnswers,
    ask_missing,
    expect_answers,
    may_replace_config,
    parse_kind,
    warn_of_reserved,
)
from formwork.cli.writing import tell_written
from formwork.command_context.output import CommandOutput
from formwork.command_context.registry_target import add_target_arguments
from formwork.diagnostics import BadInputError, Diagnostic, UsageError
from formwork.documents import Document, load_document
from formwork.extensions import ExtensionKind, hyphenated_name
from formwork.generate.plan import Plan, PlannedFile, Policy
from formwork.generate.scaffold import ScaffoldRequest, plan_scaffold
from formwork.generate.write import write_plan
from formwork.languages.catalogue import expect_generator, expect_new_generator
from formwork.project import CONFIG_FILE, is_project
from formwork.project.project import SCHEMA_SUFFIXES, SMITHY_BUILD_FILE

if TYPE_CHECKING:
    from formwork.generate.generator import LanguageGenerator

# The options that answer a language's questions, by the questions' names.
_LANGUAGE_OPTIONS = ("import_path", "namespace", "codegen_model")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `cfn init`, the incumbent's all."""
    parser.add_argument("language", metavar="LANGUAGE", nargs="?", help="java, go, typescript, python39 … python314")
    parser.add_argument("-a", "--artifact-type", metavar="KIND", help="RESOURCE, MODULE or HOOK (or r, m, h)")
    parser.add_argument("-t", "--type-name", metavar="NAME", help="such as Acme::Store::Thing")
    parser.add_argument("-f", "--force", action="store_true", help="overwrite existing files")
    parser.add_argument("--sample", action="store_true", help="write working handlers, which pass `cfn test`")
    parser.add_argument(
        "--target-schemas",
        metavar="FILES",
        help="schemas of a hook's target types, separated by commas: files, https:// or s3:// URLs",
    )
    parser.add_argument(
        "--from-smithy",
        metavar="MODEL",
        type=Path,
        help="a Smithy model, or a folder of them; `cfn init` and `cfn generate` convert it to the schema",
    )
    parser.add_argument("--yaml", action="store_true", help="the example schema in YAML instead of JSON")
    docker = parser.add_mutually_exclusive_group()
    docker.add_argument(
        "-d",
        "--use-docker",
        action="store_true",
        help="have AWS's own cfn package in Docker (kept in the settings)",
    )
    docker.add_argument("--no-docker", action="store_true", help="have it package without Docker")
    own = parser.add_argument_group("answers to questions of one language")
    own.add_argument("-p", "--import-path", metavar="PATH", help="Go: the module's import path")
    own.add_argument("-n", "--namespace", metavar="PACKAGE", help="Java: the package of the handlers")
    own.add_argument("-c", "--codegen-model", metavar="MODEL", help="Java: default or guided_aws")
    own.add_argument(
        "--answer", metavar="NAME=VALUE", action="append", default=[], help="any other language: an answer by its name"
    )
    add_target_arguments(parser, what="what gives target schemas in s3://")


def run(arguments: argparse.Namespace, output: CommandOutput) -> int:
    """Ask, plan, write, tell."""
    root = Path()
    output.result("Initializing new project")
    output.out.flush()
    replace_config = arguments.force
    if is_project(root) and not arguments.force:
        replace_config = may_replace_config(output)
        if not replace_config:
            output.say("aborted: the existing project was not changed")
            return 1
    if arguments.yaml and arguments.from_smithy is not None:
        raise UsageError("--yaml cannot be combined with --from-smithy: the schema is converted to JSON")
    given = WizardAnswers(
        kind=parse_kind(arguments.artifact_type),
        type_name=arguments.type_name,
        language=arguments.language,
        docker=True if arguments.use_docker else False if arguments.no_docker else None,
        of_language=_language_answers(arguments),
        sample=_sample(arguments, root),
    )
    if arguments.type_name is not None:
        warn_of_reserved(arguments.type_name, output)
    answers = ask_missing(given, output) if output.interactive else expect_answers(given)
    if arguments.from_smithy is not None:
        _convert_model(answers, arguments.from_smithy, root, output)
    plan = plan_scaffold(_request(answers, arguments, root, output), _generator(answers))
    if replace_config:
        plan = {**plan, CONFIG_FILE: PlannedFile(plan[CONFIG_FILE].text, Policy.MANAGED)}
    report = write_plan(plan, root, force=arguments.force)
    tell_written(report, output, started=True)
    output.result(f"Initialized a new project in {root.resolve()}")
    _say_next(plan, output, sample=bool(answers.sample))
    return 0


def _generator(answers: WizardAnswers) -> "LanguageGenerator | None":
    return None if answers.expect_kind() is ExtensionKind.MODULE else expect_new_generator(answers.language or "")


def _sample(arguments: argparse.Namespace, root: Path) -> bool | None:
    """Whether the handlers are a sample: None where the wizard may ask, which it may not for a schema of one's own."""
    if arguments.sample:
        return True
    own_schema = arguments.from_smithy is not None or (
        arguments.type_name is not None and _schema_here(root, arguments.type_name) is not None
    )
    return False if own_schema and not arguments.force else None


def _language_answers(arguments: argparse.Namespace) -> dict[str, str]:
    answers = {name: getattr(arguments, name) for name in _LANGUAGE_OPTIONS}
    for each in arguments.answer:
        name, equals, value = each.partition("=")
        if not equals or not name:
            raise UsageError(f'invalid --answer "{each}"', hint="NAME=VALUE, such as --answer module=things")
        answers[name] = value
    return {name: value for name, value in answers.items() if value is not None}


def _request(
    answers: WizardAnswers, arguments: argparse.Namespace, root: Path, output: CommandOutput
) -> ScaffoldRequest:
    kind, type_name = answers.expect_kind(), answers.expect_type_name()
    if kind is ExtensionKind.MODULE:
        return ScaffoldRequest(kind=kind, type_name=type_name, yaml=arguments.yaml)
    schema = None if arguments.force else _schema_here(root, type_name)
    if arguments.yaml and schema is not None:
        raise UsageError(f"--yaml is for the example schema, but {schema.name} already exists", hint="leave --yaml out")
    docker = bool(answers.docker)
    language = expect_generator(answers.language)
    return ScaffoldRequest(
        kind=kind,
        type_name=type_name,
        language=answers.language,
        settings={
            "use_docker": docker,
            "no_docker": not docker,
            **language.settings(type_name, kind, answers.of_language),
        },
        sample=bool(answers.sample),
        yaml=arguments.yaml,
        schema=schema,
        targets=_targets(arguments, output),
    )


def _convert_model(answers: WizardAnswers, model: Path, root: Path, output: CommandOutput) -> None:
    """Write smithy-build.json and the schema that the model gives; they stay as they are where they are there."""
    from formwork.generate.plan import managed, seed
    from formwork.project.smithy_start import start_from_smithy

    type_name = answers.expect_type_name()
    start = start_from_smithy(model, root, type_name)
    plan = {SMITHY_BUILD_FILE: seed(start.build), hyphenated_name(type_name) + ".json": managed(start.schema)}
    tell_written(write_plan(plan, root), output, started=True)


def _schema_here(root: Path, type_name: str) -> Document | None:
    """Return the existing schema in `root`, for which the handlers are then written; None if there is none."""
    paths = [root / (hyphenated_name(type_name) + suffix) for suffix in SCHEMA_SUFFIXES]
    return next((load_document(path) for path in paths if path.is_file()), None)


def _targets(arguments: argparse.Namespace, output: CommandOutput) -> dict[str, dict[str, object]]:
    if not arguments.target_schemas:
        return {}
    from formwork.cli.target_schemas import fetch_named
    from formwork.project.targets import read_named_schemas

    names = [each.strip() for each in arguments.target_schemas.split(",")]
    found = list(read_named_schemas(names, fetch=fetch_named(arguments, output)))
    problems = [each for each in found if isinstance(each, Diagnostic)]
    if problems:
        raise BadInputError(problems)
    return {each.type_name: dict(each.schema or {}) for each in found if not isinstance(each, Diagnostic)}


def _say_next(plan: Plan, output: CommandOutput, *, sample: bool) -> None:
    if any(name.startswith("fragments/") for name in plan):
        output.say("next: write the template fragment in fragments/, then `cfn validate`")
        return
    if sample:
        output.say("next: run `cfn test`, then replace the sample's handlers by your own, one at a time")
        return
    schema = next((name for name in plan if name.endswith((".yaml", ".json")) and "/" not in name), "the schema")
    folder = "cmd/" if "cmd/main.go" in plan else "src/"
    output.say(f"next: model the type in {schema}, run `cfn generate`, write the handlers in {folder}, then `cfn test`")
