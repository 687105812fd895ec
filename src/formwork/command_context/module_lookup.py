"""Modules by type name, from folders that a command line names, or expanded by a service that has them registered."""

import uuid
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from formwork.diagnostics import Diagnostic, UsageError
from formwork.documents import parse_document
from formwork.extensions import ExtensionKind
from formwork.project import CONFIG_FILE, load_project
from formwork.project.module import LoadedModule, load_module
from formwork.template import Template, stand_in_value


def find_modules(folders: Iterable[Path]) -> tuple[Callable[[str], Template | None], list[Diagnostic]]:
    """Return a lookup of fragments by type name over module projects, and the diagnostics of these fragments.

    Raises:
        UsageError: one of `folders` is not a folder.
        BadInputError: a project there cannot be read.
    """
    found: dict[str, LoadedModule] = {}
    diagnostics: list[Diagnostic] = []
    for folder in folders:
        if not folder.is_dir():
            raise UsageError(f'"{folder}" is not a folder', hint="give a module project or a folder of module projects")
        configs = (
            [folder / CONFIG_FILE] if (folder / CONFIG_FILE).is_file() else sorted(folder.glob(f"*/{CONFIG_FILE}"))
        )
        for config in configs:
            project = load_project(config.parent)
            if project.kind is ExtensionKind.MODULE:
                found[project.type_name] = module = load_module(project)
                diagnostics += module.diagnostics

    def find(type_name: str) -> Template | None:
        return found[type_name].template if type_name in found else None

    return find, diagnostics


def expand_by_service(client: Any, template: Template, text: str) -> dict[str, Any]:
    """Return the template as the service that `client` talks to expands it: by a change set that is never executed.

    Parameters without a default get one that their constraints allow, as far as those tell; the processed template
    does not show them.

    Raises:
        BadInputError: the service refuses the template, for instance because it has not all of the modules.
        EnvironmentProblemError: it can't be asked.
    """
    from formwork.aws.errors import aws_errors

    name = f"cfn-module-expand-{uuid.uuid4().hex[:12]}"
    given = {each.name: stand_in_value(each) for each in template.parameters.values() if not each.has_default}
    with aws_errors("expanding the template"):
        made = client.create_change_set(
            StackName=name,
            ChangeSetName=name,
            ChangeSetType="CREATE",
            TemplateBody=text,
            Parameters=[{"ParameterKey": key, "ParameterValue": value} for key, value in given.items()],
            Capabilities=["CAPABILITY_IAM", "CAPABILITY_NAMED_IAM", "CAPABILITY_AUTO_EXPAND"],
        )
        try:
            client.get_waiter("change_set_create_complete").wait(ChangeSetName=made["Id"])
            body = client.get_template(ChangeSetName=made["Id"], StackName=made["StackId"], TemplateStage="Processed")
        finally:
            client.delete_stack(StackName=made["StackId"])
    found = body["TemplateBody"]
    return found if isinstance(found, dict) else _read_value(found)


def _read_value(text: str) -> dict[str, Any]:
    value = parse_document(text, name="processed template", short_tags=True).value
    return value if isinstance(value, dict) else {}
