"""Resources that a handler made under a name derived from the one it was asked for: `name-copy`, `backup of name`.

Where the inputs fix the name, such a resource is made once and stays: neither its appearance nor that of another can be
seen again. What gives it away is its name, and that the list did not hold it before the run.

Deleting such a resource to see whether it comes back was the alternative; it may belong to someone else.
"""

from formwork.contract.listing import Listing, list_all
from formwork.contract.models import Identity, Model, identity_of, value_at
from formwork.contract.recording import StopTestError
from formwork.contract.resource_case import CreatedResource, ResourceTestCase

_SHORTEST = 3  # characters of a name: a shorter one is contained in others by chance


def remember_earlier_resources(test: ResourceTestCase) -> None:
    """List once a run, before its first test, what there is already."""
    memory, subject = test.subject.memory, test.subject
    if memory.earlier is not None or not subject.has("list"):
        return
    if not test.inputs.given or subject.generated_identifier:  # names differ from create to create
        return
    memory.earlier = frozenset()
    try:
        listing = list_all(test, {})
    except StopTestError:
        return
    memory.earlier = frozenset(listing.identities)


def derived_resources(
    test: ResourceTestCase, made: CreatedResource, listing: Listing, before: Listing
) -> dict[Identity, Model]:
    """The listed resources that no test made, were not there before the run, and have a name derived from `made`'s."""
    earlier = test.subject.memory.earlier
    known = set(before.identities) if earlier is None else earlier
    strange = test.unaccounted(set(listing.identities) - known)
    return {
        identity: entry
        for entry in listing.entries
        if (identity := identity_of(test.schema, entry)) in strange and identity and _is_derived(test, made, entry)
    }


def _is_derived(test: ResourceTestCase, made: CreatedResource, entry: Model) -> bool:
    """Return whether every part of the identifier holds the part of `made`'s, and one holds more."""
    longer = False
    for path in test.schema.primary_identifier:
        own, other = str(value_at(made.identifier, path)), str(value_at(entry, path))
        if own not in other:
            return False
        longer = longer or (own != other and len(own) >= _SHORTEST)
    return longer
