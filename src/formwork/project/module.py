"""A module project's fragment, read as a template and checked, and the schema that follows from it."""

import json
from collections.abc import Callable

from msgspec import Struct

from formwork.convert.module_schema import module_schema
from formwork.diagnostics import Diagnostic, Severity, sort_diagnostics
from formwork.project.fragment import load_fragment
from formwork.project.module_resources import check_resources
from formwork.project.project import Project
from formwork.template import Template, read_template
from formwork.template.children import check_children
from formwork.template.fragment import check_fragment


class LoadedModule(Struct, frozen=True):
    """A module's template and the findings; `template` is None where the fragment cannot be read as a template."""

    template: Template | None
    diagnostics: tuple[Diagnostic, ...]

    @property
    def valid(self) -> bool:
        """Whether nothing found is an error."""
        return all(each.severity is not Severity.ERROR for each in self.diagnostics)


def load_module(
    project: Project, *, public: bool = False, find_child: Callable[[str], Template | None] | None = None
) -> LoadedModule:
    """Read the project's fragment; with `public` the requirements for publishing count too.

    `find_child` gives the fragments of child modules by type name; without it they are not checked.

    Raises:
        BadInputError: there is not exactly one fragment, or it cannot be parsed.
    """
    read = read_template(load_fragment(project))
    found = list(read.diagnostics)
    if read.template is not None:
        found += [*check_fragment(read.template, public=public), *check_resources(project, read.template)]
        if find_child is not None:
            found += check_children(read.template, project.type_name, find_child, public=public)
    return LoadedModule(read.template, tuple(sort_diagnostics(found)))


def render_module_schema(project: Project, template: Template) -> str:
    """Return the text of the module's `schema.json`."""
    return json.dumps(module_schema(project.type_name, template).to_value(), indent=4) + "\n"
