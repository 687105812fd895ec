"""The modules inside a module, where their fragments are at hand: how deep, in circles, which versions they support.

Source: CLI user guide (seed 002), "Developing modules" and "Model requirements for publishing a public module".
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from formwork.diagnostics import Diagnostic, Severity, sort_diagnostics
from formwork.template.expansion import MAX_NESTING
from formwork.template.template import Template

_VERSIONS = ("Metadata", "SupportMajorVersions")


def check_children(
    template: Template, type_name: str, find: Callable[[str], Template | None], *, public: bool = False
) -> list[Diagnostic]:
    """What is wrong with the child modules of the module `type_name`, told at the resources of its fragment `template`.

    `find` gives the fragment of a module, None for one that is not at hand, which is an info. With `public` the
    requirements for publishing count too.
    """
    found: list[Diagnostic] = []
    for resource in template.resources.values():
        if resource.is_module:
            place = template.document.locate((*resource.path, "Type"))
            problems = dict.fromkeys(_walk([type_name], resource.type, find))
            found += [Diagnostic(code, weight, words, place, expected) for code, weight, words, expected in problems]
    if public:
        found += _versions(template, find)
    return sort_diagnostics(found)


_Problem = tuple[str, Severity, str, str | None]


def _walk(trail: list[str], kind: str, find: Callable[[str], Template | None]) -> Iterator[_Problem]:
    if kind in trail:
        chain = " → ".join([*trail[trail.index(kind) :], kind])
        yield "module.circular", Severity.ERROR, f"the module contains itself: {chain}", None
        return
    here = [*trail, kind]
    if len(here) > MAX_NESTING:
        words = f"modules are nested {len(here)} levels deep: {' → '.join(here)}"
        yield "module.nesting", Severity.ERROR, words, f"at most {MAX_NESTING} levels"
        return
    fragment = find(kind)
    if fragment is None:
        words = f'module "{kind}" not found: its content is not checked'
        yield "module.child-not-at-hand", Severity.INFO, words, None
        return
    for resource in fragment.resources.values():
        if resource.is_module:
            yield from _walk(here, resource.type, find)


def _versions(template: Template, find: Callable[[str], Template | None]) -> Iterator[Diagnostic]:
    """Major versions of third-party types that the module supports and a child module of it does not."""
    supported = list(_supported(template))
    children = {each: fragment for each in _descendants(template, find) if (fragment := find(each)) is not None}
    for child, fragment in children.items():
        theirs = {name: set(versions) for _, name, versions in _supported(fragment)}
        for logical_id, name, versions in supported:
            beyond = [str(each) for each in versions if name in theirs and each not in theirs[name]]
            if beyond:
                yield Diagnostic(
                    "module.public-major-versions",
                    Severity.ERROR,
                    f'major version {", ".join(beyond)} of "{name}" is not supported by the child module "{child}"',
                    template.document.locate(("Resources", logical_id, *_VERSIONS)),
                    f"of {', '.join(sorted(map(str, theirs[name])))}",
                )


def _descendants(template: Template, find: Callable[[str], Template | None]) -> list[str]:
    seen: dict[str, None] = {}
    pending = [template]
    while pending:
        for resource in pending.pop().resources.values():
            if resource.is_module and resource.type not in seen:
                seen[resource.type] = None
                fragment = find(resource.type)
                pending += [fragment] if fragment is not None else []
    return list(seen)


def _supported(template: Template) -> Iterator[tuple[str, str, list[Any]]]:
    """Resources that name the major versions which they support: logical id, original type name, versions."""
    resources = template.document.value.get("Resources")
    for logical_id, body in resources.items() if isinstance(resources, dict) else ():
        metadata = body.get("Metadata") if isinstance(body, dict) else None
        versions = metadata.get("SupportMajorVersions") if isinstance(metadata, dict) else None
        if isinstance(metadata, dict) and isinstance(versions, list):
            yield logical_id, _original_name(metadata, body), [each for each in versions if isinstance(each, int | str)]


def _original_name(metadata: Mapping[str, Any], body: Mapping[str, Any]) -> str:
    named = metadata.get("OriginalTypeName")
    return named if isinstance(named, str) else str(body.get("Type"))
