"""Publishing a type to every account of the Region, and what an activated type follows."""

from typing import Any

from formwork.console.pages.type_frame import TypePage
from formwork.console.parts import CallRefusedError
from formwork.console.visits import PageVisit, Redirection, ShownPage


def show_publishing(visit: PageVisit) -> ShownPage:
    """Show what is needed to publish the type, or whom an activated one is from."""
    return _shown(TypePage.of(visit), problem=None)


def publish(visit: PageVisit) -> ShownPage | Redirection:
    """Publish the default version; the account becomes a publisher first where the terms are accepted."""
    page = TypePage.of(visit)
    number = visit.field("number").strip()
    try:
        if visit.field("terms"):
            page.call("RegisterPublisher", AcceptTermsAndConditions=True)
        page.call("PublishType", **page.wanted, **({"PublicVersionNumber": number} if number else {}))
    except CallRefusedError as error:
        return _shown(page, problem=error.message)
    return page.back("/publishing")


def deactivate(visit: PageVisit) -> ShownPage | Redirection:
    """Take an activated type out of use."""
    page = TypePage.of(visit)
    try:
        page.call("DeactivateType", **page.wanted)
    except CallRefusedError as error:
        return _shown(page, problem=error.message)
    return Redirection(f"/registry?{page.path().partition('?')[2]}")


def _shown(page: TypePage, *, problem: str | None) -> ShownPage:
    activated = bool(page.described.get("PublisherId"))
    publisher = None if activated else _publisher(page)
    versions = [] if publisher is None else _published(page, publisher["PublisherId"])
    kind = ["--kind", page.kind.lower()]
    if activated:
        lines = page.lines("DeactivateType", ["registry", "deactivate", page.name, *kind], **page.wanted)
    else:
        lines = page.lines("PublishType", ["registry", "publish", page.name, *kind], **page.wanted)
        words = ["registry", "publish", page.name, *kind, "--accept-terms"]
        lines += page.lines_to("as a new publisher", "RegisterPublisher", words, AcceptTermsAndConditions=True)
    values: dict[str, Any] = {
        **page.frame("publishing"),
        "activated": activated,
        "publisher": publisher,
        "public_versions": versions,
        "problem": problem,
        "lines": lines,
    }
    return ShownPage("type_publishing.html", values, 200 if problem is None else 400)


def _publisher(page: TypePage) -> Any:
    try:
        return page.call("DescribePublisher")
    except CallRefusedError:
        return None


def _published(page: TypePage, publisher: str) -> list[Any]:
    """Return the public versions of the type, the newest first."""
    try:
        found = page.visit.call_all(
            page.scope, "ListTypeVersions", "TypeVersionSummaries", **page.wanted, PublisherId=publisher
        )
    except CallRefusedError:
        return []
    return list(reversed([each for each in found if each.get("PublicVersionNumber")]))
