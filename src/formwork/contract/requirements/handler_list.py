"""What a list handler must do: every resource once, over all pages, and an end."""

import contextlib
import time

from formwork.contract.inputs import identities_of
from formwork.contract.listing import Listing, expect_complete, explain, list_all, required_by_list
from formwork.contract.memory import Effort
from formwork.contract.models import identity_of, only
from formwork.contract.outcomes import failed_with, outcome
from formwork.contract.recording import BlockedError, NotProvableError, StopTestError
from formwork.contract.requirement import proves
from formwork.contract.resource_case import CreatedResource, ResourceTestCase
from formwork.schema import PropertyPath

_AT_LEAST = 3
_AT_MOST = {Effort.QUICK: 12, Effort.THOROUGH: 105}
_FAST_CREATE = 0.03  # seconds: where creates are cheap, more resources are made until a second page appears
_MOST_READS = 25
_MOST_SECONDS = 10.0


@proves(
    "list.token",
    "list.ends",
    "list.identifiers",
    "list.array",
    "list.final",
    "list.filter",
    "create.list",
    needs=("create", "list", "delete"),
    several=True,
    provable_where="at least two resources can be made that do not fit on one page",
    refuted_by="a page fails, a resource is listed twice or not at all, or the tokens do not end",
)
def contract_list_pages(test: ResourceTestCase) -> None:
    """Following the tokens lists every resource once, and ends."""
    test.not_applicable("list.filter", "a handler may filter or not: neither is judged")
    made = _make_several(test, _AT_LEAST)
    listing = list_all(test, made[0].model, looking_for=made[0].identity)
    memory = test.subject.memory
    if (
        len(listing.pages) == 1
        and len(made) >= _AT_LEAST
        and memory.pace.decide("fast creates", lambda: (memory.fastest_create or 0.0) < _FAST_CREATE)
    ):
        made += _make_several(test, _AT_MOST[test.subject.effort], made)
        listing = list_all(test, made[0].model, looking_for=made[0].identity)
    expect_complete(test, listing, "create.list", shown=[made[0].operation])
    _judge_all_there(test, made, listing)
    if len(made) == 1:
        why = "one resource proves little: add inputs_2_create.json, inputs_3_create.json with other identifiers"
        test.not_provable("list.token", why)
    elif len(listing.pages) == 1:
        test.not_provable("list.token", f"{len(made)} resources fit on one page")


def _make_several(
    test: ResourceTestCase, count: int, known: list[CreatedResource] | None = None
) -> list[CreatedResource]:
    taken = {alias for each in known or () for alias in identities_of(test.schema, each.model)}
    requests = [each for each in test.several(count) if not taken & identities_of(test.schema, each)]
    if known is None:
        return test.make_together(requests)
    started = time.perf_counter()
    made = []
    for request in requests:
        if not test.subject.memory.pace.decide("more", lambda: time.perf_counter() - started <= _MOST_SECONDS):
            break
        made.append(test.make(request))
    return made


def _judge_all_there(test: ResourceTestCase, made: list[CreatedResource], listing: Listing) -> None:
    lost = [each for each in made if each.identity not in listing]
    if not lost:
        test.hold("create.list")
        return
    named = ", ".join(each.identity for each in lost[:3])
    alone = all(each.identity not in listing for each in made)
    message = f"a complete list over {len(listing.pages)} page(s) lacks {named}"
    if not alone or len(listing.pages) > 1:
        test.violate("list.token", message, listing.pages[:6])
    test.violate("create.list", message, [lost[0].operation, *listing.pages[:6]])


@proves(
    "list.readable",
    needs=("create", "list", "read", "delete"),
    provable_where="a create and a complete list succeed, and a read of a listed resource does",
    refuted_by="a resource that is listed before and after is NotFound for READ",
)
def contract_list_read(test: ResourceTestCase) -> None:
    """Each listed resource can be read."""
    made = test.make()
    listing = list_all(test, made.model, looking_for=made.identity)
    expect_complete(test, listing)
    readable = 0
    for entry in listing.entries[-_MOST_READS:]:
        identity = identity_of(test.schema, entry)
        if identity is None:
            continue
        read = test.read(only(entry, _paths(test)))
        readable += read.succeeded
        if not failed_with(read, "NotFound"):
            continue
        again = list_all(test, made.model)  # another user of the account may have deleted it meanwhile
        if identity in again:
            message = f"the listed resource {identity} cannot be read: NotFound"
            test.violate("list.readable", message, [*again.pages[-1:], read])
            return
    if readable:
        test.hold("list.readable")
    else:
        raise BlockedError("no READ of a listed resource succeeded")


def _paths(test: ResourceTestCase) -> tuple[PropertyPath, ...]:
    return test.schema.primary_identifier


@proves(
    "list.array",
    needs=("list",),
    alone=True,  # when the others have tried to create
    adapts=True,
    provable_where="no create of the run succeeds: an account without resources lists none",
    refuted_by="LIST is FAILED, whether it is asked for nothing or with the create input",
)
def contract_list_empty(test: ResourceTestCase) -> None:
    """Where nothing can be created, LIST answers with an array all the same."""
    subject = test.subject
    if subject.memory.has_created:
        return  # the other tests of the list handler judge it
    request = test.inputs.create()
    if subject.has("create") and subject.has("delete"):
        with contextlib.suppress(StopTestError):
            made = test.make(request)
            list_all(test, made.model, looking_for=made.identity)
            return
    listing = list_all(test, request)
    if listing.failed:
        if (needed := required_by_list(test.schema)) and not test.inputs.given:
            names = ", ".join(f"/{name}" for name in needed)
            raise NotProvableError(f"LIST asks for {names} of something that exists; give inputs that name it")
        message = f"LIST is {outcome(listing.pages[-1])} where nothing exists: an empty array is demanded"
        test.violate("list.array", message, listing.pages[-1:])
    elif not listing.complete:
        raise BlockedError(explain(listing))
