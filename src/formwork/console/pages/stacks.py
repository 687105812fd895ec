"""The list of stacks, of all accounts and Regions."""

from formwork.console.views.statuses import status_kind
from formwork.console.visits import PageVisit, ShownPage
from formwork.stacks.store.stacks import list_summaries

_MOST = 500
# Groups of statuses that the list can be limited to; the kinds are those of `status_kind`.
GROUPS = ("busy", "bad", "good")


def list_stacks(visit: PageVisit) -> ShownPage:
    """Show the stacks whose names contain the text that is searched for."""
    search = visit.query.get("q", "").strip()
    group = visit.query.get("group", "")
    deleted = visit.query.get("deleted") == "1"
    with visit.services.engine.database.read() as connection:
        found = list_summaries(
            connection, account=visit.session.account, containing=search, deleted=deleted, limit=_MOST
        )
    shown = [each for each in found if group not in GROUPS or status_kind(each.status) == group]
    return ShownPage(
        "stacks.html",
        {
            "stacks": shown,
            "search": search,
            "group": group,
            "deleted": deleted,
            "cut": len(found) == _MOST,
            "several": len({each.scope for each in found}) > 1,
        },
    )
