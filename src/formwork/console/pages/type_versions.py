"""The versions of a type: which there are, and what changed between any two of them."""

from typing import Any

from formwork.console.pages.type_frame import TypePage
from formwork.console.visits import PageVisit, Redirection, ShownPage
from formwork.diagnostics import BadInputError, Diagnostic, Severity
from formwork.schema import load_hook_schema, load_resource_schema
from formwork.schema_changes import compare_hooks, compare_schemas

_EFFECTS = {Severity.ERROR: "breaking", Severity.WARNING: "risky", Severity.INFO: "compatible"}


def show_versions(visit: PageVisit) -> ShownPage:
    """Show the versions, and the comparison of the two that the address names."""
    page = TypePage.of(visit)
    known = [str(each["VersionId"]) for each in page.versions]
    old, new = _chosen(visit, known)
    values: dict[str, Any] = {
        **page.frame("versions"),
        "known": known,
        "old": old,
        "new": new,
        "compared": bool(visit.query.get("new")) and page.kind != "MODULE",
        "changes": [],
        "problem": None,
        "counts": {},
        "before": None,
        "after": None,
    }
    if values["compared"]:
        before, after = page.describe(old), page.describe(new)
        try:
            changes = _changes(page, before, after)
            values["changes"] = [(_EFFECTS[each.severity], each) for each in changes]
            values["counts"] = _count([effect for effect, _ in values["changes"]])
        except BadInputError as error:
            values["problem"] = str(error)
    lines = page.lines("ListTypeVersions", ["registry", "versions", page.name], **page.wanted)
    if new:
        words = ["registry", "set-default", page.name, new]
        lines += page.lines_to("set the default", "SetTypeDefaultVersion", words, **page.wanted, VersionId=new)
    if values["compared"]:
        api, region = visit.parts.api, page.scope.region
        line = f"cfn diff --all --endpoint-url {api} --region {region} 'registry:{page.name}@{old}' ."
        lines = [("cfn", line), *page.lines("DescribeType", None, **page.wanted, VersionId=old)]
    values["lines"] = lines
    return ShownPage("type_versions.html", values)


def set_default(visit: PageVisit) -> Redirection:
    """Make a version the one that operations use."""
    page = TypePage.of(visit)
    page.call("SetTypeDefaultVersion", **page.wanted, VersionId=visit.field("version"))
    return page.back("/versions")


def deregister(visit: PageVisit) -> ShownPage | Redirection:
    """Ask for a confirmation, then take a version out of use, or the type with its last one."""
    page = TypePage.of(visit)
    version = visit.field("version")
    if visit.field("confirmation") == f"{page.name} {version}".strip():
        page.call("DeregisterType", **page.wanted, **({"VersionId": version} if version else {}))
        alone = not version or len([each for each in page.versions if each["DeprecatedStatus"] == "LIVE"]) == 1
        return Redirection(f"/registry?{page.path().partition('?')[2]}") if alone else page.back("/versions")
    members = {**page.wanted, **({"VersionId": version} if version else {})}
    words = ["registry", "deregister", page.name, *(["--version", version] if version else [])]
    values = {
        **page.frame("versions"),
        "asked": version,
        "wanted": f"{page.name} {version}".strip(),
        "problem": "This is not the text to confirm with." if visit.field("confirmation") else None,
        "lines": page.lines("DeregisterType", words, **members),
    }
    return ShownPage("type_deregister.html", values)


def _chosen(visit: PageVisit, known: list[str]) -> tuple[str, str]:
    """Return the older and the newer version to compare: those of the address, else the last two."""
    new = visit.query.get("new", "")
    new = new if new in known else (known[0] if known else "")
    earlier = [each for each in known if each < new] or known[-1:] or [""]
    old = visit.query.get("old", "")
    return (old if old in known else earlier[0]), new


def _changes(page: TypePage, old: Any, new: Any) -> list[Diagnostic]:
    documents = [page.document(each) for each in (old, new)]
    if page.kind == "HOOK":
        hooks = [load_hook_schema(each) for each in documents]
        if hooks[0].schema is None or hooks[1].schema is None:
            raise BadInputError(each for loaded in hooks for each in loaded.diagnostics)
        found = compare_hooks(hooks[0].schema, hooks[1].schema)
    else:
        types = [load_resource_schema(each) for each in documents]
        if types[0].schema is None or types[1].schema is None:
            raise BadInputError(each for loaded in types for each in loaded.diagnostics)
        found = compare_schemas(types[0].schema, types[1].schema)
    return sorted(found, key=lambda each: each.severity.rank)


def _count(effects: list[str]) -> dict[str, int]:
    return {each: effects.count(each) for each in _EFFECTS.values()}
