"""What all pages of one type have in common: its address, its versions, and the tabs that it has."""

import functools
import json
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, urlencode

from msgspec import Struct

from formwork.aws.scope import Scope
from formwork.console.pages.scopes import chosen_scope
from formwork.console.parts import CallRefusedError
from formwork.console.views.commands import EquivalentCall, cfn_line
from formwork.console.visits import NotShownError, PageVisit, Redirection
from formwork.documents import Document, DocumentFormat, parse_document
from formwork.extensions import ExtensionKind
from formwork.schema import ResourceSchema, load_resource_schema

_KINDS = tuple(str(each) for each in ExtensionKind)
_WEB_ADDRESS = re.compile(r"https://[^\s]+", re.ASCII)
_VERSION = re.compile(r"\d{8}", re.ASCII)


class TypePage(Struct, frozen=True, dict=True):
    """A visit of a page about a type."""

    visit: PageVisit
    scope: Scope
    kind: str
    name: str

    @classmethod
    def of(cls, visit: PageVisit) -> "TypePage":
        """Return the page that the address names.

        Raises:
            NotShownError: there is no such kind, or the session may not see the account.
        """
        if visit.path["kind"] not in _KINDS:
            raise NotShownError("this kind of type does not exist")
        return cls(visit, chosen_scope(visit), visit.path["kind"], visit.path["name"])

    @property
    def wanted(self) -> dict[str, str]:
        """The members of requests that name the type."""
        return {"Type": self.kind, "TypeName": self.name}

    @property
    def version(self) -> str:
        """The version that the address names, "" for the default one."""
        given = self.visit.query.get("version", "")
        return given if _VERSION.fullmatch(given) else ""

    @functools.cached_property
    def described(self) -> Mapping[str, Any]:
        """The description of the version."""
        return self.describe(self.version)

    def describe(self, version: str) -> Mapping[str, Any]:
        """Return the description of a version, "" for the default one."""
        return self.call("DescribeType", **self.wanted, **({"VersionId": version} if version else {}))

    @functools.cached_property
    def versions(self) -> list[Mapping[str, Any]]:
        """All versions, the newest first; `DeprecatedStatus` is added."""
        found: list[Mapping[str, Any]] = []
        for status in ("LIVE", "DEPRECATED"):
            try:
                listed = self.visit.call_all(
                    self.scope, "ListTypeVersions", "TypeVersionSummaries", DeprecatedStatus=status, **self.wanted
                )
            except CallRefusedError:  # AWS's own types have none that are listed
                continue
            found += [{**each, "DeprecatedStatus": status} for each in listed if each.get("VersionId")]
        return sorted(found, key=lambda each: str(each["VersionId"]), reverse=True)

    @functools.cached_property
    def schema(self) -> dict[str, Any]:
        """The schema document, {} where there is none."""
        try:
            value = json.loads(self.described.get("Schema") or "{}")
        except ValueError:
            return {}
        return value if isinstance(value, dict) else {}

    @functools.cached_property
    def resource_schema(self) -> ResourceSchema | None:
        """The schema of a resource type, None where the type is none, or its schema has errors."""
        if self.kind != "RESOURCE":
            return None
        return load_resource_schema(self.document(self.described)).schema

    @staticmethod
    def document(described: Mapping[str, Any]) -> Document:
        """Return the schema of a description as a document."""
        return parse_document(described.get("Schema") or "{}", name="schema", format=DocumentFormat.JSON)

    def call(self, operation: str, service: str = "cloudformation", **members: Any) -> Mapping[str, Any]:
        """Call an operation in the scope of the page."""
        return self.visit.call(self.scope, operation, service, **members)

    def lines(
        self, operation: str, cfn: list[str] | None, service: str = "cloudformation", **members: Any
    ) -> list[tuple[str, str]]:
        """Return the equivalent lines of a call; `cfn` are the words of our command, None where there is none."""
        call = EquivalentCall(self.scope, self.visit.parts.api, operation, members, service)
        return call.lines(None if cfn is None else cfn_line(*cfn, scope=self.scope))

    def lines_to(
        self, what: str, operation: str, cfn: list[str] | None, service: str = "cloudformation", **members: Any
    ) -> list[tuple[str, str]]:
        """Return the lines of a button beside the page's own call, each named by what it does."""
        return [(f"{name}, {what}", text) for name, text in self.lines(operation, cfn, service, **members)]

    def path(self, part: str = "", **query: str) -> str:
        """Return the address of a page of this type."""
        asked = {"account": self.scope.account, "region": self.scope.region, **query}
        return f"/registry/{self.kind}/{quote(self.name, safe='')}{part}?{urlencode(asked)}"

    def back(self, part: str = "", **query: str) -> Redirection:
        """Lead to a page of this type."""
        return Redirection(self.path(part, **query))

    def frame(self, tab: str) -> dict[str, Any]:
        """Return the values that every page of a type shows."""
        described = self.described
        version = self.version or described.get("DefaultVersionId") or ""
        return {
            "page": self,
            "scope": self.scope,
            "kind": self.kind,
            "name": self.name,
            "tab": tab,
            "tabs": self._tabs(),
            "described": described,
            "version_id": version,
            "is_default": bool(version) and version == self._default,
            "versions": self.versions,
            "links": {
                label: described[member]
                for label, member in (("Documentation", "DocumentationUrl"), ("Source", "SourceUrl"))
                if _WEB_ADDRESS.fullmatch(described.get(member) or "")
            },
        }

    @property
    def registered(self) -> bool:
        """Whether the account has the type, and not only AWS."""
        return bool(self.versions)

    @property
    def _default(self) -> str:
        return next((str(each["VersionId"]) for each in self.versions if each.get("IsDefaultVersion")), "")

    def _tabs(self) -> list[tuple[str, str, str]]:
        """Return key, part of the address, and label of each tab."""
        found = [("schema", "", "Contents" if self.kind == "MODULE" else "Schema")]
        if self.registered:
            found.append(("versions", "/versions", "Versions"))
        if self.kind != "MODULE" and self.registered:
            found.append(("configuration", "/configuration", "Configuration"))
        if self.registered and not self.described.get("PublisherId"):
            found.append(("tests", "/tests", "Contract tests"))
        if self.registered:
            found.append(("publishing", "/publishing", "Publishing"))
        if self.kind == "RESOURCE":
            found.append(("resources", "/resources", "Resources"))
        if self.kind != "MODULE" and self.registered:
            found.append(("calls", "/calls", "Handler calls"))
        return found
