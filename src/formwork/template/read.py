"""Documents to templates: every section read, everything wrong with it reported at its place.

The first words of a message are the service's own where it has some ("Template format error: …"), for those who search.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct

from formwork.diagnostics import Diagnostic
from formwork.documents import Document
from formwork.template.checking import check_nulls, checked_expression
from formwork.template.dynamic import MAX_REFERENCES, REFERRING, count_dynamic_references
from formwork.template.expressions import Expression, Path, build_expression
from formwork.template.functions import TemplatePart
from formwork.template.language import check_language
from formwork.template.parameters import read_parameter
from formwork.template.problems import Problems
from formwork.template.read_resource import read_condition_name, read_resource
from formwork.template.read_rule import read_rule
from formwork.template.resolution import check_references
from formwork.template.template import Output, Resource, Rule, Template

SECTIONS = (
    "AWSTemplateFormatVersion",
    "Description",
    "Metadata",
    "Parameters",
    "Rules",
    "Mappings",
    "Conditions",
    "Transform",
    "Resources",
    "Outputs",
    "Globals",  # the serverless transform's own
    "Hooks",
)
MAX_DESCRIPTION = 1024  # bytes
LIMITS = {"Resources": 500, "Parameters": 200, "Mappings": 200, "Outputs": 200}
MAX_MAPPING_ATTRIBUTES = 200

FORMAT_VERSION = "2010-09-09"
_ALPHANUMERIC = re.compile(r"[A-Za-z0-9]+", re.ASCII)
_LOOP = "Fn::ForEach::"
_OUTPUT_MEMBERS = ("Condition", "Description", "Export", "Value")
_ODD_NAMES = frozenset({("Conditions", "AWS::NoValue")})  # the service takes it


class ReadTemplate(Struct, frozen=True):
    """The result of reading; `template` is None where the document cannot be read as a template."""

    template: Template | None
    diagnostics: tuple[Diagnostic, ...]


def read_template(document: Document, *, extended: bool = False) -> ReadTemplate:
    """Read a document (parsed with `short_tags=True`) as a template; `extended` what AWS::LanguageExtensions has made.

    All problems are collected; a template is given also where there are errors, as far as it could be read.
    """
    return _Reader(document, extended=extended).read()


class _Reader:
    def __init__(self, document: Document, *, extended: bool) -> None:
        self._document = document
        self._problems = Problems(document)
        self._macros = False
        self._extended = extended

    def read(self) -> ReadTemplate:
        value = self._document.value
        if not isinstance(value, dict):
            self._problems.error(
                "template.format", "Template format error: unsupported structure.", (), expected="an object of sections"
            )
            return ReadTemplate(None, tuple(self._problems.found))
        self._check_sections(value)
        self._check_dynamic_references(value)
        transforms = self._transforms(value)
        loops: dict[str, dict[str, Expression]] = {}
        template = Template(
            self._document,
            description=self._description(value),
            transforms=transforms,
            metadata=build_expression(value["Metadata"], ("Metadata",)) if "Metadata" in value else None,
            parameters=self._named(value, "Parameters", self._parameter, loops),
            rules=self._named(value, "Rules", self._rule, loops),
            mappings=self._mappings(value),
            conditions=self._named(value, "Conditions", self._condition, loops),
            resources=self._resources(value, loops),
            outputs=self._named(value, "Outputs", self._output, loops),
            loops=loops,
            extended=self._extended,
        )
        if not self._macros:  # a macro may add whatever is missing
            check_language(template, self._problems, extended=self._extended)
            check_references(template, self._problems)
        return ReadTemplate(template, tuple(self._problems.found))

    def _check_sections(self, value: dict[str, Any]) -> None:
        for name in value:
            if name not in SECTIONS and not name.startswith("Fn::"):
                self._problems.error(
                    "template.unknown-section",
                    f"Invalid template property or properties [{name}]",
                    (name,),
                    key=True,
                    expected="one of " + ", ".join(SECTIONS[:-2]),
                )
        if value.get("Hooks"):
            self._problems.error(
                "template.hooks",
                "Template format error: Hooks are not available here: blue/green deployments need CodeDeploy",
                ("Hooks",),
                key=True,
                hint="remove the section",
            )
        version = value.get("AWSTemplateFormatVersion", FORMAT_VERSION)
        if version != FORMAT_VERSION:
            self._problems.error(
                "template.format-version",
                f'Template format error: "{version}" is not a supported value for AWSTemplateFormatVersion.',
                ("AWSTemplateFormatVersion",),
                expected=FORMAT_VERSION,
            )

    def _check_dynamic_references(self, value: dict[str, Any]) -> None:
        counts = {section: count_dynamic_references(value.get(section)) for section in REFERRING}
        if (count := sum(counts.values())) <= MAX_REFERENCES:
            return
        # The number is the service's, the words are not: its own are documented nowhere. These are those of the limits
        # of sections.
        self._problems.error(
            "template.limit",
            f"Template format error: Number of dynamic references, {count}, is greater than maximum allowed, "
            f"{MAX_REFERENCES}",
            (max(counts, key=lambda section: counts[section]),),
            expected=f"at most {MAX_REFERENCES}",
            key=True,
        )

    def _description(self, value: dict[str, Any]) -> str | None:
        text = value.get("Description")
        if text is None:
            return None
        if not isinstance(text, str):
            self._problems.error(
                "template.format", "Template format error: Description must be a string.", ("Description",)
            )
            return None
        if len(text.encode()) > MAX_DESCRIPTION:
            self._problems.error(
                "template.limit",
                f"Template format error: 'Description' length is greater than {MAX_DESCRIPTION}.",
                ("Description",),
                expected=f"at most {MAX_DESCRIPTION:,} bytes",
            )
        return text

    def _transforms(self, value: dict[str, Any]) -> tuple[Expression, ...]:
        if "Transform" not in value and "Fn::Transform" not in value:
            return ()
        key = "Transform" if "Transform" in value else "Fn::Transform"
        given = value[key]
        entries = given if isinstance(given, list) else [given]
        paths: list[Path] = [(key, i) for i in range(len(entries))] if isinstance(given, list) else [(key,)]
        names = [each.get("Name") if isinstance(each, dict) else each for each in entries]
        self._extended = self._extended or "AWS::LanguageExtensions" in names
        self._macros = any(name != "AWS::LanguageExtensions" for name in names)
        return tuple(build_expression(each, path) for each, path in zip(entries, paths, strict=True))

    def _named(
        self,
        value: dict[str, Any],
        section: str,
        read: Callable[[str, Any, Path], Any],
        loops: dict[str, dict[str, Expression]],
    ) -> dict[str, Any]:
        entries = value.get(section)
        if entries is None:
            return {}
        if not isinstance(entries, dict):
            self._problems.error("template.format", f"Template format error: {section} must be an object.", (section,))
            return {}
        self._check_limit(section, len(entries))
        found = {}
        for name, entry in entries.items():
            path: Path = (section, name)
            if name.startswith(_LOOP):
                loops.setdefault(section, {})[name] = build_expression(entry, path)
            elif name == "Fn::Transform":
                self._macros = True
            elif _ALPHANUMERIC.fullmatch(name) is None and section != "Rules" and (section, name) not in _ODD_NAMES:
                kind = {"Resources": "Resource", "Parameters": "Parameter"}.get(section, section.removesuffix("s"))
                self._problems.error(
                    "template.name",
                    f"Template format error: {kind} name {name} is non alphanumeric.",
                    path,
                    key=True,
                    expected="letters and digits only",
                )
            elif (item := read(name, entry, path)) is not None:
                found[name] = item
        return found

    def _check_limit(self, section: str, count: int) -> None:
        limit = LIMITS.get(section)
        if limit is not None and count > limit:
            told = f"Number of {section.lower()}, {count}, is greater than maximum allowed, {limit}"
            self._problems.error(
                "template.limit",
                f"Template format error: {told}",
                (section,),
                expected=f"at most {limit}",
                key=True,
            )

    def _parameter(self, name: str, entry: Any, path: Path) -> Any:
        return read_parameter(name, entry, path, self._problems)

    def _rule(self, name: str, entry: Any, path: Path) -> Rule | None:
        return read_rule(name, entry, path, self._problems)

    def _mappings(self, value: dict[str, Any]) -> dict[str, Mapping[str, Mapping[str, Any]]]:
        mappings = value.get("Mappings")
        if mappings is None:
            return {}
        if not isinstance(mappings, dict):
            self._problems.error("template.format", "Template format error: Mappings must be an object.", ("Mappings",))
            return {}
        self._check_limit("Mappings", len(mappings))
        good = {}
        for name, table in mappings.items():
            if name == "Fn::Transform":
                self._macros = True
            elif _ALPHANUMERIC.fullmatch(name) is None and not name.startswith(_LOOP):
                self._problems.error(
                    "template.name",
                    f"Template format error: Mapping name {name} is non alphanumeric.",
                    ("Mappings", name),
                    key=True,
                    expected="letters and digits only",
                )
            elif self._check_mapping(table, ("Mappings", name)):
                good[name] = table
        return good

    def _check_mapping(self, table: Any, path: Path) -> bool:
        if not isinstance(table, dict):
            self._problems.error(
                "template.mapping", "Template format error: Every Mappings member must be a map", path, key=True
            )
            return False
        if "Fn::Transform" in table or any(key.startswith(_LOOP) for key in table):
            return True
        good = self._check_attributes(table, path)
        for key, row in table.items():
            if not isinstance(row, dict):
                self._problems.error(
                    "template.mapping",
                    f"Template format error: Every Mappings member {key} must be a map",
                    (*path, key),
                )
                good = False
            elif len(row) > MAX_MAPPING_ATTRIBUTES:
                self._problems.error(
                    "template.limit",
                    f"the mapping has {len(row)} attributes",
                    (*path, key),
                    expected=f"at most {MAX_MAPPING_ATTRIBUTES}",
                )
        return good

    def _check_attributes(self, table: dict[str, Any], path: Path) -> bool:
        wrong = [
            (*path, key, name)
            for key, row in table.items()
            if isinstance(row, dict)
            for name, value in row.items()
            if name != "Fn::Transform" and not _is_attribute(value)
        ]
        for place in wrong:
            self._problems.error(
                "template.mapping", "Template format error: Every Mappings attribute must be a String or a List.", place
            )
        return not wrong

    def _condition(self, name: str, entry: Any, path: Path) -> Expression:
        del name
        return checked_expression(entry, path, TemplatePart.CONDITIONS, self._problems)

    def _resources(self, value: dict[str, Any], loops: dict[str, dict[str, Expression]]) -> dict[str, Resource]:
        resources = value.get("Resources")
        if resources is not None and not isinstance(resources, dict):
            self._problems.error(
                "template.resource", "Template format error: Any Resources member must be an object.", ("Resources",)
            )
            return {}
        if not isinstance(resources, dict) or (not resources and not self._macros):
            given = "Resources" in value
            self._problems.error(
                "template.no-resources",
                "Template format error: At least one Resources member must be defined.",
                ("Resources",) if given else (),
                hint=None if given else 'add a section "Resources"',
            )
            return {}
        return self._named(value, "Resources", self._resource, loops)

    def _resource(self, name: str, entry: Any, path: Path) -> Resource | None:
        if isinstance(entry, dict) and "Fn::Transform" in entry:
            self._macros = True
            return None
        return read_resource(name, entry, path, self._problems, loose=self._macros, extended=self._extended)

    def _output(self, name: str, entry: Any, path: Path) -> Output | None:
        unknown = [each for each in entry if each not in _OUTPUT_MEMBERS] if isinstance(entry, dict) else []
        if unknown and "Fn::Transform" not in entry:
            check_nulls(entry, path, self._problems)  # which the service names first
            self._problems.error(
                "template.output",
                f"Template format error: Invalid outputs property : [{', '.join(unknown)}]",
                (*path, unknown[0]),
                key=True,
                expected="one of " + ", ".join(_OUTPUT_MEMBERS),
            )
            return None
        if not isinstance(entry, dict) or ("Value" not in entry and "Fn::Transform" not in entry):
            self._problems.error(
                "template.output", "Template format error: Every Outputs member must contain a Value object", path
            )
            return None
        if "Value" not in entry:
            self._macros = True
            return None
        description, export = entry.get("Description"), entry.get("Export")
        if description is not None and not isinstance(description, str):
            self._problems.error(
                "template.output",
                "Template format error: The Description field of every Outputs member must be a string.",
                (*path, "Description"),
            )
        exported = None
        if export is not None:
            if isinstance(export, dict) and set(export) == {"Name"}:
                exported = checked_expression(
                    export["Name"], (*path, "Export", "Name"), TemplatePart.OUTPUTS, self._problems
                )
            else:
                self._problems.error(
                    "template.output", f'the export of "{name}" has no name', (*path, "Export"), expected='{"Name": …}'
                )
        return Output(
            name,
            checked_expression(entry["Value"], (*path, "Value"), TemplatePart.OUTPUTS, self._problems),
            path,
            description=description if isinstance(description, str) else None,
            condition=read_condition_name(entry, path, self._problems),
            export=exported,
        )


def _is_attribute(value: Any) -> bool:
    """Return whether a mapping may give the value: a scalar, a list of those, or what a macro or loop makes of it."""
    if isinstance(value, dict):
        return "Fn::Transform" in value
    return not isinstance(value, list) or not any(isinstance(each, (dict, list)) for each in value)
