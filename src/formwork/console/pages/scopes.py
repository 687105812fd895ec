"""The account and the Region that a page is about, where its address does not name a stack."""

import re

from formwork.aws.scope import Scope
from formwork.console.visits import NotShownError, PageVisit
from formwork.registry.listing import list_scopes

_ACCOUNT = re.compile(r"\d{12}", re.ASCII)
_REGION = re.compile(r"[a-z]{2,4}(-[a-z]+){1,3}-\d{1,2}", re.ASCII)
# The account of access keys that name none, and the usual Region.
USUAL = Scope("123456789012", "us-east-1")


def read_scope(visit: PageVisit, account: str, region: str) -> Scope:
    """Return the scope of these texts; the usual one where they are empty.

    Raises:
        NotShownError: one is not valid, or the session may not see the account.
    """
    account = account or visit.session.account or USUAL.account
    region = region or USUAL.region
    if not _ACCOUNT.fullmatch(account) or not _REGION.fullmatch(region):
        raise NotShownError("this is not an account and a Region")
    visit.expect_account(account)
    return Scope(account, region)


def chosen_scope(visit: PageVisit) -> Scope:
    """Return the scope that the address names, else the first one with types, else the usual one."""
    given = visit.query.get("account", ""), visit.query.get("region", "")
    if not any(given):
        scopes = scopes_of_types(visit)
        return scopes[0] if scopes and USUAL not in scopes else read_scope(visit, *given)
    return read_scope(visit, *given)


def scopes_of_types(visit: PageVisit) -> list[Scope]:
    """Return the accounts and Regions that have types."""
    with visit.services.engine.database.read() as connection:
        found = list_scopes(connection)
    return [each for each in found if visit.session.account in {None, each.account}]
