"""Whether what a template refers to is there: parameters, resources, conditions, mappings, and no cycles."""

from collections.abc import Iterable, Iterator, Mapping

from formwork.template.expressions import Expression, Path
from formwork.template.problems import Problems
from formwork.template.references import Reference, ReferenceKind, references_in
from formwork.template.template import PSEUDO_PARAMETERS, Resource, Template


def check_references(template: Template, problems: Problems) -> None:
    """Report references that lead nowhere, and circular dependencies between resources or conditions."""
    loose = bool(template.loops)  # Fn::ForEach makes names that are known only once it is expanded
    if not loose:
        for section, references in _sections(template):
            _check_section(template, section, references, problems)
        _check_depends_on(template, problems)
    _check_cycles({name: dependencies(template, each) for name, each in template.resources.items()}, template, problems)


def expressions_of(resource: Resource) -> Iterator[Expression]:
    """Yield the parts of a resource in which references matter for its provisioning."""
    for each in (resource.properties, resource.creation_policy, resource.update_policy):
        if each is not None:
            yield each


def dependencies(template: Template, resource: Resource) -> tuple[str, ...]:
    """The logical ids that the resource has to wait for, in order of appearance, each once; unknown names left out."""
    names: dict[str, None] = {}
    for expression in expressions_of(resource):
        for reference in references_in(expression):
            is_target = reference.kind in {ReferenceKind.NAME, ReferenceKind.ATTRIBUTE}
            if is_target and (target := resource_named(template, reference.name)) is not None:
                names[target] = None
    for name in resource.depends_on:
        if (target := resource_named(template, name)) is not None:
            names[target] = None
    return tuple(names)


def resource_named(template: Template, name: str) -> str | None:
    """Return the logical id in the template that a reference's name means, or None.

    What a module will expand to is named through the module: `Module.Inner` or `ModuleInner` means the module.
    """
    if name in template.resources:
        return name
    for logical_id, resource in template.resources.items():
        if resource.is_module and name.startswith(logical_id):
            return logical_id
    return None


def _sections(template: Template) -> Iterator[tuple[str, Iterable[Reference]]]:
    for resource in template.resources.values():
        condition: list[Reference] = []
        if resource.condition is not None:
            condition.append(Reference(ReferenceKind.CONDITION, resource.condition, (*resource.path, "Condition")))
        policies = [each for each in (resource.deletion_policy, resource.update_replace_policy) if each is not None]
        parts = (*expressions_of(resource), *policies)
        yield "Resources", [*condition, *(r for each in parts for r in references_in(each))]
    for output in template.outputs.values():
        found = [*references_in(output.value), *(references_in(output.export) if output.export is not None else ())]
        if output.condition is not None:
            found.append(Reference(ReferenceKind.CONDITION, output.condition, (*output.path, "Condition")))
        yield "Outputs", found
    for expression in template.conditions.values():
        yield "Conditions", references_in(expression)


def _check_section(template: Template, section: str, references: Iterable[Reference], problems: Problems) -> None:
    for reference in references:
        match reference.kind:
            case ReferenceKind.NAME | ReferenceKind.ATTRIBUTE:
                _check_name(template, section, reference, problems)
            case ReferenceKind.CONDITION:
                if reference.name not in template.conditions:
                    place = "Fn::If" if "Fn::If" in reference.path[-2:] else section
                    problems.error(
                        "template.unresolved-condition",
                        f"Template error: unresolved condition dependency {reference.name} in {place}",
                        reference.path,
                        expected=_known(template.conditions),
                    )
            case ReferenceKind.MAPPING:
                if reference.name not in template.mappings:
                    problems.error(
                        "template.unresolved-mapping",
                        f'Template error: there is no mapping "{reference.name}"',
                        reference.path,
                        expected=_known(template.mappings),
                    )


def _check_name(template: Template, section: str, reference: Reference, problems: Problems) -> None:
    name = reference.name
    is_name = reference.kind is ReferenceKind.NAME
    if section == "Conditions" and not is_name:
        return  # Fn::GetAtt may not stand there at all, which is reported where functions are checked
    if is_name and (name in template.parameters or name in PSEUDO_PARAMETERS):
        return
    if section != "Conditions" and resource_named(template, name) is not None:
        return
    problems.error(
        "template.unresolved-reference",
        _unresolved(section, reference),
        reference.path,
        expected=_known(
            template.parameters if section == "Conditions" else {**template.resources, **template.parameters}
        ),
    )


def _unresolved(section: str, reference: Reference) -> str:
    """Return the service's text."""
    name = reference.name
    if section == "Conditions":
        return (
            f"Template format error: Unresolved dependencies [{name}]. Cannot reference resources in the Conditions "
            "block of the template"
        )
    if reference.kind is ReferenceKind.ATTRIBUTE and reference.function == "Fn::Sub":
        whole = f"{name}.{reference.attribute}"
        return f"Template error: instance of Fn::Sub references invalid resource attribute {whole}"
    if reference.kind is ReferenceKind.ATTRIBUTE:
        return f"Template error: instance of Fn::GetAtt references undefined resource {name}"
    return f"Template format error: Unresolved resource dependencies [{name}] in the {section} block of the template"


def _check_depends_on(template: Template, problems: Problems) -> None:
    for resource in template.resources.values():
        for name in resource.depends_on:
            if resource_named(template, name) is None:
                problems.error(
                    "template.unresolved-reference",
                    "Template format error: Unresolved resource dependencies "
                    f"[{name}] in the Resources block of the template",
                    (*resource.path, "DependsOn"),
                    expected=_known(template.resources),
                )


def _known(names: Mapping[str, object]) -> str:
    shown = sorted(names)[:8]
    more = ", …" if len(names) > len(shown) else ""
    return "one of " + ", ".join(shown) + more if shown else "a name that the template declares; it declares none"


def _check_cycles(graph: Mapping[str, tuple[str, ...]], template: Template, problems: Problems) -> None:
    cycle = find_cycle(graph)
    if cycle:
        path: Path = template.resources[cycle[0]].path
        problems.error(
            "template.circular-dependency",
            f"Circular dependency between resources: [{', '.join(sorted(cycle))}]",
            path,
            key=True,
            hint=" → ".join([*cycle, cycle[0]]),
        )


def find_cycle(graph: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """Return the names of one cycle, in order, or () where there is none; without recursion."""
    done: set[str] = set()
    for start in graph:
        trail: list[str] = []
        on_trail: dict[str, int] = {}
        stack: list[tuple[str, Iterator[str]]] = []
        if start not in done:
            stack.append((start, iter(graph[start])))
            on_trail[start] = 0
            trail.append(start)
        while stack:
            name, rest = stack[-1]
            following = next((each for each in rest if each not in done), None)
            if following is None:
                stack.pop()
                trail.pop()
                del on_trail[name]
                done.add(name)
            elif following in on_trail:
                return tuple(trail[on_trail[following] :])
            elif following in graph:
                on_trail[following] = len(trail)
                trail.append(following)
                stack.append((following, iter(graph[following])))
    return ()
