"""`formwork.contract`: handlers proved against the handler contract, the result a value."""

import contextlib
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from formwork.aws import local_credentials
from formwork.contract.inputs import GeneratedInputs
from formwork.contract.memory import Effort, Memory
from formwork.contract.patience import Patience
from formwork.contract.project_subjects import expect_schema, load_subjects
from formwork.contract.requirements import REQUIREMENTS
from formwork.contract.run import ContractRun
from formwork.contract.scheduling import TurnScheduler, YieldingTransport
from formwork.contract.subject import AnySubject, ResourceSubject
from formwork.contract_results.findings import ClauseResult
from formwork.contract_results.report.machine import result_to_json
from formwork.contract_results.report.text import render_text
from formwork.contract_results.suite_result import SuiteResult
from formwork.diagnostics import BadInputError, Diagnostic, Severity, UsageError
from formwork.documents import Document, DocumentSource, open_source
from formwork.egress.refusals import RefusedCall, refusal_warning
from formwork.extensions import ExtensionKind
from formwork.invoke import HandlerSession, HandlerTransport, InProcessTransport
from formwork.invoke.local import LocalLambdaTransport
from formwork.invoke.masking import Masker
from formwork.invoke.project_host.host import open_project_host
from formwork.invoke.project_host.settings import ProjectHostSettings
from formwork.invoke.project_masks import project_masker
from formwork.languages.projects import ProjectRuntimes
from formwork.library.project_egress import project_egress
from formwork.private_files.temporary import TemporaryFolder
from formwork.project import Project, load_project
from formwork.project.schema_file import ExtensionSchema, expect_project_schema
from formwork.project.type_configuration import read_type_configuration
from formwork.schema import HookSchema, load_resource_schema
from formwork.schema.at_hand import find_schemas

_FUNCTION = "TypeFunction"
_PATIENCE = 20.0  # seconds that one operation may wait for its callbacks
_AT_A_TIME = 16

Handlers = Callable[[Any, Any], Any]


class ContractFinding(Struct, frozen=True):
    """A violation of a clause, or a warning about it, with secrets masked.

    `severity` is "violation" or "warning". `differences` are the places where a returned model is another one: each has
    a `pointer`, and `expected` and `actual` where there is such a property. `exchanges` are the requests and answers
    that show it, with what the handlers wrote. `tests` are the tests that found it.
    """

    clause: str
    severity: str
    message: str
    differences: tuple[Mapping[str, Any], ...] = ()
    exchanges: tuple[Mapping[str, Any], ...] = ()
    tests: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ContractReport:
    """The result of contract tests.

    `passed` says whether no clause that MUST be kept is violated, `clauses` have the state of each clause that applies.
    `leftovers` are the identifiers of resources that could not be deleted. `diagnostics` are warnings about the
    project's files, `notes` lines about the run, such as hosts that handlers could not reach. `to_json` has everything.
    """

    type_name: str
    passed: bool
    seed: int
    clauses: tuple[ClauseResult, ...]
    findings: tuple[ContractFinding, ...]
    leftovers: tuple[Mapping[str, Any], ...]
    diagnostics: tuple[Diagnostic, ...] = ()
    notes: tuple[str, ...] = ()
    _result: SuiteResult = field(default_factory=SuiteResult, repr=False, compare=False)

    @property
    def text(self) -> str:
        """The report as `cfn test` prints it."""
        return str(render_text(self._result, replay=f"cfn test --seed {self.seed}"))

    def to_json(self) -> dict[str, Any]:
        """Return the report as `cfn test --report json` writes it, with each test and its seconds."""
        return result_to_json(self._result, replay=f"cfn test --seed {self.seed}")


def prove_project(  # noqa: PLR0913 - the options of `cfn test`
    folder: os.PathLike[str],
    *,
    handlers: Handlers | None = None,
    environment: Mapping[str, str] | None = None,
    cache: os.PathLike[str] | None = None,
    aws_endpoint_url: str | None = None,
    configuration: DocumentSource | None = None,
    tests: Iterable[str] | None = None,
    effort: Effort = Effort.QUICK,
    seed: int = 0,
) -> ContractReport:
    """Test the project of a resource type or hook in a folder, with its inputs or with generated ones.

    Its handlers run as processes, which reach no service of AWS but at `aws_endpoint_url`, and other hosts by the rules
    of `egress.yml`. With `handlers`, an entry point `(event, context)`, they are called in this process instead, and
    their calls are not controlled.

    `environment` are the variables for pip, npm, Go and Maven, such as `os.environ`; handlers do not get them. `cache`
    is a folder that keeps what was installed for the next run. `configuration` is the type configuration. `tests` are
    names such as "contract_create_delete", by default all; `seed` decides the generated inputs.

    Raises:
        BadInputError: the folder is not a project, or its schema, inputs or configuration have errors.
        EnvironmentProblemError: the handlers can't be run on this machine.
        UsageError: a test is not found, or the project is a module.
    """
    project = load_project(Path(folder), schemas_at_hand=find_schemas())
    if project.kind is ExtensionKind.MODULE:
        raise UsageError("a module has no handlers to test")
    schema, warnings = _schema_of(project)
    given, more = _configuration(schema, configuration)
    names = _names(tests)
    masker = project_masker(project)
    scheduler = TurnScheduler()
    notes: list[str] = []
    with contextlib.ExitStack() as ends:
        if handlers is not None:
            transport: HandlerTransport = YieldingTransport(InProcessTransport(handlers), scheduler)
        else:
            home = ends.enter_context(TemporaryFolder("handlers"))
            settings = ProjectHostSettings(
                cache=home / "cache" if cache is None else Path(cache),
                home=home,
                user_environment=dict(environment or {}),
                note=notes.append,
            )
            reached = ends.enter_context(_hosted(project, settings, aws_endpoint_url, masker))
            transport = YieldingTransport(reached, scheduler)
        session = _session(transport, schema, given, scheduler, masker)
        loaded = load_subjects(
            project,
            schema,
            session,
            effort=effort,
            seed=seed,
            patience=Patience(_PATIENCE, sleep=scheduler.sleep),
            memory=Memory(),
        )
        found = (*project.diagnostics, *warnings, *more, *loaded.diagnostics)
        result = _run(loaded.subjects, names, scheduler)
    return _report(result, seed, found, notes)


def prove_handlers(  # noqa: PLR0913 - the same options
    handlers: Handlers,
    schema: DocumentSource,
    *,
    configuration: DocumentSource | None = None,
    tests: Iterable[str] | None = None,
    effort: Effort = Effort.QUICK,
    seed: int = 0,
) -> ContractReport:
    """Test an entry point `(event, context)` of a resource type in this process, with inputs generated from a schema.

    The parameters are as for `prove_project`.

    Raises:
        BadInputError: the schema or the configuration has errors.
        UsageError: a test is not found.
    """
    loaded = load_resource_schema(schema)
    if loaded.schema is None:
        raise BadInputError(loaded.diagnostics)
    given, more = _configuration(loaded.schema, configuration)
    scheduler = TurnScheduler()
    session = _session(
        YieldingTransport(InProcessTransport(handlers), scheduler),
        loaded.schema,
        given,
        scheduler,
        Masker.of_resource(loaded.schema),
    )
    inputs = GeneratedInputs(loaded.schema, seed=seed)
    patience = Patience(_PATIENCE, sleep=scheduler.sleep)
    subject = ResourceSubject(loaded.schema, session, inputs, effort=effort, seed=seed, patience=patience)
    result = _run([("generated", subject)], _names(tests), scheduler)
    return _report(result, seed, (*loaded.diagnostics, *more), ())


def _names(tests: Iterable[str] | None) -> frozenset[str] | None:
    if tests is None:
        return None
    names = frozenset(tests)
    if unknown := sorted(names - REQUIREMENTS.keys()):
        raise UsageError(f'unknown contract test "{unknown[0]}"', hint="the reference of the contract lists them")
    return names


def _schema_of(project: Project) -> tuple[ExtensionSchema, list[Diagnostic]]:
    schema, warnings = expect_project_schema(project)
    return (schema, warnings) if isinstance(schema, HookSchema) else (expect_schema(project), warnings)


def _configuration(
    schema: ExtensionSchema, given: DocumentSource | None
) -> tuple[Mapping[str, Any] | None, list[Diagnostic]]:
    """Return the configuration that requests carry, by default that of a hook's schema, and warnings."""
    if given is None:
        return (schema.defaults if isinstance(schema, HookSchema) else None), []
    document: Document = open_source(given, name="<configuration>")
    found = schema.validate_configuration(document)
    if any(each.severity is Severity.ERROR for each in found):
        raise BadInputError(found)
    kind = ExtensionKind.HOOK if isinstance(schema, HookSchema) else ExtensionKind.RESOURCE
    return read_type_configuration(document, kind), found


def _session(
    transport: HandlerTransport,
    schema: ExtensionSchema,
    configuration: Mapping[str, Any] | None,
    scheduler: TurnScheduler,
    masker: Masker,
) -> HandlerSession:
    return HandlerSession(
        transport,
        schema.type_name,
        credentials=local_credentials,
        type_configuration=configuration,
        on_request=masker.learn,
        sleep=scheduler.sleep,
    )


@contextlib.contextmanager
def _hosted(
    project: Project, settings: ProjectHostSettings, aws_endpoint_url: str | None, masker: Masker
) -> Iterator[HandlerTransport]:
    """Run the handlers of a project as processes until the end of the block."""

    def refused(call: RefusedCall) -> None:
        settings.note(masker.text(refusal_warning(call)))

    egress, aws = project_egress(project.root, aws_endpoint_url)
    settings = replace(settings, aws_environment=aws, egress=replace(egress, refused=refused))
    with open_project_host(project, settings, ProjectRuntimes) as host:
        if _FUNCTION not in host.function_names:
            raise UsageError(f'function "{_FUNCTION}" not found in template.yml')
        host.warm(_FUNCTION)
        yield LocalLambdaTransport(host, _FUNCTION)


def _run(
    subjects: Sequence[tuple[str, AnySubject]], names: frozenset[str] | None, scheduler: TurnScheduler
) -> SuiteResult:
    """Run the tests that apply over each subject, or those of `names`."""
    run = ContractRun(
        subjects,
        scheduler=scheduler,
        at_a_time=_AT_A_TIME,
        includes=lambda requirement, _inputs: names is None or requirement.name in names,
    )
    run.run()
    if run.interrupted:
        raise KeyboardInterrupt
    return run.result


def _report(result: SuiteResult, seed: int, diagnostics: Sequence[Diagnostic], notes: Sequence[str]) -> ContractReport:
    shown = result_to_json(result)
    findings = tuple(
        ContractFinding(
            each["clause"],
            each["severity"],
            each["message"],
            tuple(each["differences"]),
            tuple(each["exchanges"]),
            tuple(each["tests"]),
        )
        for each in shown["findings"]
    )
    return ContractReport(
        type_name=result.started.type_name,
        passed=result.passed,
        seed=seed,
        clauses=result.clauses,
        findings=findings,
        leftovers=tuple(shown["leftovers"]),
        diagnostics=tuple(diagnostics),
        notes=tuple(notes),
        _result=result,
    )
