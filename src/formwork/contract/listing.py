"""Reads all pages of a list, within bounds."""

import json
from collections.abc import Iterable
from typing import Any

from msgspec import Struct

from formwork.contract.answers import is_unfinished_read
from formwork.contract.memory import ListInput
from formwork.contract.models import Identity, Model, identity_of
from formwork.contract.outcomes import outcome
from formwork.contract.recording import BlockedError
from formwork.contract.resource_case import ResourceTestCase
from formwork.contract_results.findings import ClauseState
from formwork.invoke import Operation
from formwork.schema import ResourceSchema

_FRUITLESS_PAGES = 5


class Listing(Struct, frozen=True):
    """All pages of a list. `identities` are in the order listed, `complete` is False where it failed or never ends."""

    pages: tuple[Operation, ...]
    entries: tuple[dict[str, Any], ...]
    identities: tuple[Identity, ...]
    complete: bool

    def __contains__(self, identity: object) -> bool:
        return identity in self.identities

    @property
    def failed(self) -> bool:
        """Whether its last page is FAILED by the handler's own decision."""
        last = self.pages[-1]
        return last.status == "FAILED" and not is_unfinished_read("LIST", last.event)


def list_all(test: ResourceTestCase, model: Model, *, looking_for: Identity | None = None) -> Listing:
    """List to the last page; `model` is a resource of the type, for list handlers that ask for more than nothing.

    Which of the two a handler wants is found out once: nothing first, since a model's properties may filter. A list
    that fails is a violation as soon as that is known.
    """
    memory = test.subject.memory
    wanted = memory.list_input
    if wanted is not None:
        listing = _list(test, model if wanted is ListInput.MODEL else _required_by_handler(test, model))
        _judge_failure(test, listing)
        return listing
    listing = _list(test, _required_by_handler(test, model))
    if listing.complete and (looking_for is None or looking_for in listing):
        if looking_for is not None:
            _decide(test, ListInput.NOTHING)
        return listing
    with_model = _list(test, model)
    if with_model.complete and (not listing.complete or (looking_for is not None and looking_for in with_model)):
        _decide(test, ListInput.MODEL)
        return with_model
    if listing.complete or looking_for is not None:
        _decide(test, ListInput.NOTHING)
        _judge_failure(test, listing)
    elif listing.failed:
        memory.failed_list = memory.failed_list or listing.pages[-1]
    return listing


def _decide(test: ResourceTestCase, wanted: ListInput) -> None:
    """The list handler wants this. A list that failed before anything existed was asked for rightly, or was not."""
    memory = test.subject.memory
    memory.list_input = wanted
    failed, memory.failed_list = memory.failed_list, None
    if wanted is ListInput.NOTHING and failed is not None:
        message = f"LIST is {outcome(failed)} where nothing exists: an empty array is demanded"
        test.violate("list.array", message, [failed])


def _judge_failure(test: ResourceTestCase, listing: Listing) -> None:
    """A page that is FAILED: the first is `list.array`, a later one `list.token`."""
    if not listing.failed:
        return
    last = listing.pages[-1]
    if len(listing.pages) == 1:
        test.violate("list.array", f"LIST is {outcome(last)} where an array of models is demanded", [last])
    else:
        message = f"the token of page {len(listing.pages) - 1} does not fetch the next page: LIST is {outcome(last)}"
        test.violate("list.token", message, listing.pages[-2:])


def _required_by_handler(test: ResourceTestCase, model: Model) -> dict[str, Any]:
    """Return the properties that the list handler's own schema requires, with the model's values."""
    return {name: model[name] for name in required_by_list(test.schema) if name in model}


def required_by_list(schema: ResourceSchema) -> tuple[str, ...]:
    """Return the properties that a request for LIST must have by the schema of the list handler itself."""
    info = schema.handlers.get("list")
    return () if info is None or info.schema is None else tuple(info.schema.get("required") or ())


def _list(test: ResourceTestCase, model: Model) -> Listing:
    pages: list[Operation] = []
    entries: list[dict[str, Any]] = []
    tokens: set[str] = set()
    known: set[Identity] = set()
    fruitless = 0
    token: str | None = None
    complete = True
    while True:
        page = test.list_page(model, token)
        pages.append(page)
        event = page.event or {}
        models = event.get("resourceModels")
        if not page.succeeded or not isinstance(models, list):
            complete = False
            break
        entries += [each for each in models if isinstance(each, dict)]
        fresh = {identity for each in models if (identity := identity_of(test.schema, each))} - known
        known |= fresh
        fruitless = 0 if fresh else fruitless + 1
        token = event.get("nextToken")
        if token is None:
            break
        if _runs_away(test, pages, token, tokens, fruitless):
            complete = False
            break
        tokens.add(_text(token))
    if complete:
        test.hold("list.ends")
    identities = tuple(identity for each in entries if (identity := identity_of(test.schema, each)))
    listing = Listing(tuple(pages), tuple(entries), identities, complete)
    _judge_duplicates(test, listing)
    if not complete and len(pages) > 1:
        test.leave_gap("list.ends", "later pages", explain(listing), ClauseState.NOT_TESTED)
    return listing


def _runs_away(test: ResourceTestCase, pages: list[Operation], token: Any, tokens: set[str], fruitless: int) -> bool:
    """Return whether following the token leads nowhere; recorded as a violation."""
    shown = pages[-3:]
    if token == "":
        test.violate("list.ends", "the last page has an empty nextToken where null says that all is out", shown)
        return True
    if not isinstance(token, str):
        test.violate("list.token", f"nextToken is a {type(token).__name__}, no text", shown)
        return True
    if _text(token) in tokens:
        test.violate("list.ends", "a nextToken came back a second time: following tokens never ends", shown)
        return True
    if fruitless > _FRUITLESS_PAGES or len(pages) >= test.subject.limits.pages:
        if len(pages) >= test.subject.limits.pages:
            endless = test.subject.memory.endless
            endless["LIST"] = endless.get("LIST", 0) + 1
        message = f"the list does not end: {len(pages)} pages, the last {fruitless} without anything new"
        test.violate("list.ends", message, shown)
        return True
    return False


def _text(token: Any) -> str:
    return json.dumps(token, sort_keys=True)


def _judge_duplicates(test: ResourceTestCase, listing: Listing) -> None:
    seen: set[Identity] = set()
    twice = {identity for identity in listing.identities if identity in seen or seen.add(identity)}  # type: ignore[func-returns-value]
    if twice:
        named = ", ".join(sorted(twice)[:3])
        pages = len(listing.pages)
        test.violate("list.token", f"listed more than once over {pages} page(s): {named}", listing.pages[:4])
    elif len(listing.pages) > 1 and listing.complete:
        test.hold("list.token")


def expect_complete(test: ResourceTestCase, listing: Listing, *clauses: str, shown: Iterable[Operation] = ()) -> None:
    """Raise where the list has no end; `clauses`, which demand a list, are violated where LIST fails at once.

    Raises:
        BlockedError: the list is not complete; what is wrong with it is recorded.
    """
    if listing.complete:
        return
    if listing.failed and len(listing.pages) == 1:
        for clause in clauses:
            message = f"a complete list is demanded, and LIST is {outcome(listing.pages[-1])}"
            test.violate(clause, message, [*shown, *listing.pages])
    raise BlockedError(explain(listing))


def explain(listing: Listing) -> str:
    """Return how the list ended, in words."""
    if listing.pages[-1].succeeded:
        return f"LIST comes to no last page: not followed after {len(listing.pages)} page(s)"
    return f"LIST ended {outcome(listing.pages[-1])} after {len(listing.pages)} page(s)"
