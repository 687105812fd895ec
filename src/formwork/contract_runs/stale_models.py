"""A warning of `cfn test` about generated models that are older than the schema."""

from typing import TYPE_CHECKING

from formwork.command_context.output import CommandOutput

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from formwork.project import Project
    from formwork.schema import HookSchema, ResourceSchema

_SOURCES = ("src", "cmd")  # folders of handlers, in all languages


def warn_about_stale_models(project: "Project", schema: "ResourceSchema | HookSchema", output: CommandOutput) -> None:
    """Name the generated files that differ from what the schema makes: handlers on old models fail in odd ways."""
    if not any((project.root / folder).is_dir() for folder in _SOURCES):
        return
    from formwork.diagnostics import BadInputError
    from formwork.generate.generated import plan_generated
    from formwork.generate.plan import Policy
    from formwork.languages.catalogue import expect_generator
    from formwork.languages.python.generate.aws_shapes import have_same_fields
    from formwork.languages.typescript.managed_sources import managed_sources

    try:
        plan = plan_generated(project, schema, expect_generator(project.language), targets=_targets(project))
    except BadInputError:
        return  # a language that is not generated here
    anew = managed_sources(project) if project.language == "typescript" else {}
    for name, planned in plan.items():
        if name in anew:
            continue  # builds don't take the project's own
        path = project.root / name
        if planned.policy is not Policy.MANAGED or name.partition("/")[0] not in _SOURCES or not path.is_file():
            continue
        text = path.read_text(encoding="utf-8", errors="replace")
        by_other = text.partition("\n")[0] != planned.text.partition("\n")[0]
        if by_other and (name.startswith("cmd/") or (name.endswith(".py") and have_same_fields(planned.text, text))):
            continue  # the incumbent's, which writes the same in other words
        if text != planned.text:
            output.say(f"warning: {name} is not what the schema makes of it; `cfn generate` writes it anew")


def _targets(project: "Project") -> "dict[str, Mapping[str, Any]]":
    from formwork.extensions import ExtensionKind
    from formwork.project.targets import expect_target_schemas

    return expect_target_schemas(project) if project.kind is ExtensionKind.HOOK else {}
