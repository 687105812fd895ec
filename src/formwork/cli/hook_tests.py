"""What `cfn test` needs in a hook's project: its schema, its configuration, its subjects."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from formwork.cli.output import Output
from formwork.cli.places import home_folder
from formwork.cli.reach import Reached
from formwork.contract.hook_project import LoadedHookSubjects, load_hook_subjects
from formwork.contract.patience import Patience
from formwork.contract.subject import Effort, Limits
from formwork.diagnostics import BadInputError, Diagnostic, Severity
from formwork.documents import load_document
from formwork.invoke import HandlerSession
from formwork.invoke.masking import Masker
from formwork.invoke.project_masks import write_only_paths
from formwork.project import ExtensionKind, Project
from formwork.project.schema_file import expect_project_schema
from formwork.project.type_configuration import DEFAULT_TYPE_CONFIGURATION, load_type_configuration
from formwork.schema import HookSchema


def expect_hook(project: Project) -> tuple[HookSchema, list[Diagnostic]]:
    """The hook's schema, and warnings about it.

    Raises:
        BadInputError: it has errors.
    """
    schema, warnings = expect_project_schema(project)
    assert isinstance(schema, HookSchema)
    return schema, warnings


def hook_configuration(schema: HookSchema, named: Path | None) -> tuple[dict[str, Any], list[Diagnostic]]:
    """The properties that requests carry as `hookModel`, and warnings.

    They are those of the file `named`, else of the one in the home folder where it is this hook's; without a file, the
    defaults of the schema.

    Raises:
        BadInputError: the file named is no configuration of this hook.
    """
    path = named or home_folder() / DEFAULT_TYPE_CONFIGURATION
    if named is None and not path.is_file():
        return _defaults(schema)
    found = schema.validate_configuration(load_document(path))
    if any(each.severity is Severity.ERROR for each in found):
        raise BadInputError(found)
    return load_type_configuration(path, ExtensionKind.HOOK, required=True) or {}, found


def _defaults(schema: HookSchema) -> tuple[dict[str, Any], list[Diagnostic]]:
    resolved = {name: schema.resolve(node) for name, node in schema.properties.items()}
    values = {name: node["default"] for name, node in resolved.items() if "default" in node}
    missing = [name for name in schema.required if name not in values]
    if not missing:
        return values, []
    message = f"no configuration is given, and the hook requires {', '.join(missing)}"
    location = schema.document.locate(("typeConfiguration", "required"), key=True)
    hint = f"name a configuration file with --typeconfig, or write ~/{DEFAULT_TYPE_CONFIGURATION}"
    return values, [Diagnostic("test.hook-configuration", Severity.WARNING, message, location, hint=hint)]


def hook_logger(project: Project, output: Output) -> Callable[[str, str, str], None]:
    """What shows the handlers' logs: with -v, and the targets' secrets masked."""
    masker = Masker(write_only_paths(project))

    def log(_function: str, _request_id: str, line: str) -> None:
        output.detail(f"| {masker.text(line)}")

    return log


def load_hook_tests(  # noqa: PLR0913 - what a run consists of
    project: Project,
    schema: HookSchema,
    reached: Reached,
    *,
    configuration: Mapping[str, Any],
    enforced: float | None,
    effort: str,
    seed: int,
    exports: Mapping[str, str],
    patience: Patience,
) -> LoadedHookSubjects:
    """The subjects of the project, their handlers within reach; `enforced` are the seconds of --enforce-timeout."""
    limits = Limits() if enforced is None else Limits.enforced(enforced)
    session = HandlerSession(
        reached.transport,
        schema.type_name,
        account=reached.account,
        region=reached.region,
        credentials=reached.credentials,
        type_configuration=configuration,
        invocation_timeout=limits.read_seconds + 2.0,
        sleep=patience.sleep,
        clock=patience.clock,
    )
    return load_hook_subjects(
        project, schema, session, limits=limits, effort=Effort(effort), seed=seed, exports=exports, patience=patience
    )
