"""Module expansion: the template that results when every module is replaced by what its fragment declares.

Source: CloudFormation user guide, "Using modules"; CLI user guide (seed 002), "Developing modules". A resource of a
module is named by the concatenation of the logical ids that lead to it.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from msgspec import Struct, field

from formwork.diagnostics import Diagnostic, Severity, sort_diagnostics
from formwork.template.bounds import MAX_TEMPLATE_BYTES, is_too_large
from formwork.template.dynamic import MAX_REFERENCES, REFERRING, count_dynamic_references
from formwork.template.expressions import Expression, Members, Path, literal
from formwork.template.rewriting import ExpansionScope
from formwork.template.template import Resource, Template

MAX_NESTING = 3
MAX_RESOURCES = 500


class ModuleInfo(Struct, frozen=True):
    """The modules that an expanded resource came from, innermost first, as in the API's ModuleInfo."""

    type_hierarchy: str
    logical_id_hierarchy: str


class Expansion(Struct, frozen=True):
    """The processed template: its value, the origin of each resource that a module made, and what is wrong."""

    value: dict[str, Any]
    modules: Mapping[str, ModuleInfo]
    diagnostics: tuple[Diagnostic, ...]


class _Level(Struct):
    """One template being expanded: the outermost, or a fragment in the place of a module."""

    template: Template
    prefix: str = ""
    trail: tuple[tuple[str, str], ...] = ()  # (logical id, type) of each module around, outermost first
    values: Mapping[str, Any] | None = None
    user: Resource | None = None
    depends_on: tuple[str, ...] = ()
    condition: str | None = None
    policies: dict[str, Any] = field(default_factory=dict)
    scope: ExpansionScope | None = None


def expand_modules(template: Template, find_module: Callable[[str], Template | None]) -> Expansion:
    """Replace every module that `template` uses, at any depth.

    `find_module` gives the fragment of a module's type name, or None where it does not know it.
    """
    return _Expander(template, find_module).expand()


class _Expander:
    def __init__(self, template: Template, find_module: Callable[[str], Template | None]) -> None:
        self._top = template
        self._find = find_module
        self._fragments: dict[str, Template | None] = {}
        self._diagnostics: list[Diagnostic] = []
        self._modules: dict[str, ModuleInfo] = {}
        self._sections: dict[str, dict[str, Any]] = {
            name: {} for name in ("Mappings", "Conditions", "Resources", "Outputs")
        }

    def expand(self) -> Expansion:
        self._expand(_Level(self._top))
        value = {key: each for key, each in self._top.document.value.items() if key not in self._sections}
        value.update({name: section for name, section in self._sections.items() if section})
        if self._is_full():
            count = len(self._sections["Resources"])
            self._report(self._top, "module.limit", f"the expanded template has {count} resources", ("Resources",))
        elif is_too_large(value):
            told = f"the expanded template has more than {MAX_TEMPLATE_BYTES} bytes"
            self._report(self._top, "module.limit", told, ("Resources",))
        elif self._modules and (count := self._count_references(value)) > MAX_REFERENCES:
            told = f"the expanded template has {count} dynamic references"
            self._report(self._top, "module.limit", told, ("Resources",), f"at most {MAX_REFERENCES}")
        return Expansion(value, self._modules, tuple(sort_diagnostics(self._diagnostics)))

    @staticmethod
    def _count_references(value: Mapping[str, Any]) -> int:
        return count_dynamic_references([value.get(section) for section in REFERRING])

    def _expand(self, level: _Level) -> None:
        template, prefix = level.template, level.prefix

        def report(message: str, path: Path) -> None:
            self._report(template, "module.unresolved-reference", message, path)

        level.scope = scope = ExpansionScope(
            prefix,
            level.values,
            frozenset(template.conditions),
            frozenset(template.mappings),
            lambda text: self._target(template, prefix, text),
            report,
        )
        for name, table in template.mappings.items():
            self._sections["Mappings"][prefix + name] = table
        for name, expression in template.conditions.items():
            self._sections["Conditions"][prefix + name] = scope.rewrite(expression)
        for resource in template.resources.values():
            if resource.is_module:
                self._use_module(level, resource)
            else:
                self._emit_resource(level, resource)
        for output in template.outputs.values():
            self._sections["Outputs"][prefix + output.name] = self._output(level, output.path)

    def _output(self, level: _Level, path: Path) -> dict[str, Any]:
        assert level.scope is not None
        output = level.template.outputs[str(path[1])]
        source = level.template.document.value["Outputs"][output.name]
        body = {**source, "Value": level.scope.rewrite(output.value)}
        if output.condition is not None:
            body["Condition"] = level.scope.condition(output.condition)
        elif level.condition is not None:
            body["Condition"] = level.condition
        if output.export is not None:
            body["Export"] = {"Name": level.scope.rewrite(output.export)}
        return body

    def _emit_resource(self, level: _Level, resource: Resource) -> None:
        scope = level.scope
        assert scope is not None
        body: dict[str, Any] = {"Type": resource.type}
        for name, expression in _attributes(resource):
            body[name] = scope.rewrite(expression)
        for name, value in level.policies.items():
            body.setdefault(name, value)  # what the resource says itself overrides the module's
        depends_on = [*self._depends_on(level, resource), *level.depends_on]
        if depends_on:
            unique = list(dict.fromkeys(depends_on))
            body["DependsOn"] = unique[0] if len(unique) == 1 and level.values is None else unique
        condition = self._condition(level, resource)
        if condition is not None:
            body["Condition"] = condition
        final = level.prefix + resource.logical_id
        if final in self._sections["Resources"]:
            message = f'two resources of the expanded template are named "{final}"'
            self._report(level.template, "module.name-conflict", message, resource.path)
        self._sections["Resources"][final] = body
        if level.trail:
            inward = level.trail[::-1]
            self._modules[final] = ModuleInfo(
                "/".join(kind for _, kind in inward), "/".join(name for name, _ in inward)
            )

    def _condition(self, level: _Level, resource: Resource) -> str | None:
        assert level.scope is not None
        own = level.scope.condition(resource.condition) if resource.condition is not None else None
        if own is None or level.condition is None:
            return own or level.condition
        both = f"{level.prefix}{resource.logical_id}Condition"
        self._sections["Conditions"][both] = {"Fn::And": [{"Condition": level.condition}, {"Condition": own}]}
        return both

    def _depends_on(self, level: _Level, resource: Resource) -> list[str]:
        names: list[str] = []
        for name in resource.depends_on:
            target = level.template.resources.get(name)
            if target is not None and target.is_module:
                names += self._all_inside(target.type, level.prefix + name)
            elif (found := self._target(level.template, level.prefix, name)) is not None:
                names.append(found[0])
            else:
                message = f'"{name}" is not a resource of the template'
                self._report(level.template, "module.unresolved-reference", message, (*resource.path, "DependsOn"))
        return names

    def _all_inside(self, kind: str, prefix: str, depth: int = 1) -> Iterator[str]:
        fragment = self._fragment(kind)
        if fragment is None or depth > MAX_NESTING:
            return
        for each in fragment.resources.values():
            if each.is_module:
                yield from self._all_inside(each.type, prefix + each.logical_id, depth + 1)
            else:
                yield prefix + each.logical_id

    def _use_module(self, level: _Level, resource: Resource) -> None:
        template, path = level.template, resource.path
        if not self._check_nesting(level, resource) or self._is_full():
            return
        fragment = self._fragment(resource.type)
        if fragment is None:
            self._report(
                template,
                "module.unknown",
                f'module "{resource.type}" not found',
                (*path, "Type"),
                "a module in the given folders or the registry",
            )
            return
        for name, expression in (
            ("CreationPolicy", resource.creation_policy),
            ("UpdatePolicy", resource.update_policy),
        ):
            if expression is not None:
                message = f"{name} cannot be set on a module"
                self._report(template, "module.attribute", message, (*path, name), "it on a resource inside the module")
        assert level.scope is not None
        condition = self._condition(level, resource)
        self._expand(
            _Level(
                fragment,
                level.prefix + resource.logical_id,
                (*level.trail, (resource.logical_id, resource.type)),
                self._bind(level, resource, fragment),
                resource,
                (*self._depends_on(level, resource), *level.depends_on),
                condition,
                self._policies(level, resource),
            )
        )

    def _is_full(self) -> bool:
        """Return whether there are too many resources already: modules in modules multiply."""
        return len(self._sections["Resources"]) > MAX_RESOURCES

    def _check_nesting(self, level: _Level, resource: Resource) -> bool:
        kinds = [kind for _, kind in level.trail]
        at = (*resource.path, "Type")
        if resource.type in kinds:
            chain = " → ".join([*kinds[kinds.index(resource.type) :], resource.type])
            self._report(level.template, "module.circular", f"the module contains itself: {chain}", at)
            return False
        if len(kinds) >= MAX_NESTING:
            message = f"modules are nested {len(kinds) + 1} levels deep: {' → '.join([*kinds, resource.type])}"
            self._report(level.template, "module.nesting", message, at, f"at most {MAX_NESTING} levels")
            return False
        return True

    def _policies(self, level: _Level, resource: Resource) -> dict[str, Any]:
        assert level.scope is not None
        policies = dict(level.policies)
        for name, expression in (
            ("DeletionPolicy", resource.deletion_policy),
            ("UpdateReplacePolicy", resource.update_replace_policy),
        ):
            if expression is None:
                continue
            if name == "UpdateReplacePolicy" and literal(expression) == "Snapshot":
                self._report(
                    level.template,
                    "module.attribute",
                    "UpdateReplacePolicy: Snapshot cannot be set on a module",
                    (*resource.path, name),
                    "it on the resource inside the module that can be snapshot",
                )
                continue
            policies[name] = level.scope.rewrite(expression)
        return policies

    def _bind(self, level: _Level, resource: Resource, fragment: Template) -> dict[str, Any]:
        assert level.scope is not None
        given = resource.properties.members if isinstance(resource.properties, Members) else {}
        path = (*resource.path, "Properties")
        for name in given:
            if name not in fragment.parameters:
                what = "tags" if name == "Tags" else f'"{name}"'
                known = ", ".join(fragment.parameters) or "it declares none"
                message = f'the module "{resource.type}" has no parameter for {what}'
                self._report(
                    level.template, "module.unknown-parameter", message, (*path, name), f"a parameter: {known}"
                )
        values = {}
        for name, parameter in fragment.parameters.items():
            if name in given:
                values[name] = level.scope.rewrite(given[name])
            elif parameter.has_default:
                values[name] = parameter.default
            else:
                at = path if resource.properties is not None else resource.path
                message = f'the module "{resource.type}" needs a value for its parameter "{name}"'
                self._report(level.template, "module.missing-parameter", message, at, f'a property "{name}"')
                values[name] = {"Ref": "AWS::NoValue"}
        return values

    def _target(self, template: Template, prefix: str, text: str, depth: int = 0) -> tuple[str, str | None] | None:
        """Return the final logical id that `text` means in `template`, and the attribute that is left of it."""
        name, dot, rest = text.partition(".")
        resource = template.resources.get(name)
        if resource is not None and not resource.is_module:
            return prefix + name, rest if dot else None
        if depth > MAX_NESTING:
            return None
        for module_id, module in template.resources.items():
            inner = text.removeprefix(module_id)
            if not module.is_module or inner == text or not inner:
                continue
            fragment = self._fragment(module.type)
            found = fragment and self._target(fragment, prefix + module_id, inner.removeprefix("."), depth + 1)
            if found:
                return found
        return None

    def _fragment(self, kind: str) -> Template | None:
        if kind not in self._fragments:
            self._fragments[kind] = self._find(kind)
        return self._fragments[kind]

    def _report(self, template: Template, code: str, message: str, path: Path, expected: str | None = None) -> None:
        diagnostic = Diagnostic(code, Severity.ERROR, message, template.locate(path), expected)
        if diagnostic not in self._diagnostics:
            self._diagnostics.append(diagnostic)


def _attributes(resource: Resource) -> Iterator[tuple[str, Expression]]:
    for name, expression in (
        ("Properties", resource.properties),
        ("Metadata", resource.metadata),
        ("CreationPolicy", resource.creation_policy),
        ("UpdatePolicy", resource.update_policy),
        ("DeletionPolicy", resource.deletion_policy),
        ("UpdateReplacePolicy", resource.update_replace_policy),
    ):
        if expression is not None:
            yield name, expression
