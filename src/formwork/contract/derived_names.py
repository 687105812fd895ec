"""Resources that a handler made under a name derived from the one it was asked for: `name-copy`, `backup of name`.

Where the inputs fix the name, such a resource is made once and stays: neither its appearance nor that of another can be
seen again. What gives it away is its name, and that the list did not hold it before the run.
"""

from formwork.contract.bench import StopTestError
from formwork.contract.listing import Listing, list_all
from formwork.contract.models import Identity, Model, identity_of, value_at
from formwork.contract.trial import Made, Trial

_SHORTEST = 3  # characters of a name that another can be told to be derived from


def remember_earlier_resources(trial: Trial) -> None:
    """List once a run, before its first test, what there is already."""
    memory, subject = trial.subject.memory, trial.subject
    if memory.earlier is not None or not subject.has("list"):
        return
    if not trial.inputs.given or subject.generated_identifier:  # names differ from create to create
        return
    memory.earlier = frozenset()
    try:
        listing = list_all(trial, {})
    except StopTestError:
        return
    memory.earlier = frozenset(listing.identities)


def derived_resources(trial: Trial, made: Made, listing: Listing, before: Listing) -> dict[Identity, Model]:
    """The listed resources that no test made, were not there before the run, and have a name derived from `made`'s."""
    earlier = trial.subject.memory.earlier
    known = set(before.identities) if earlier is None else earlier
    strange = trial.unaccounted(set(listing.identities) - known)
    return {
        identity: entry
        for entry in listing.entries
        if (identity := identity_of(trial.schema, entry)) in strange and identity and _is_derived(trial, made, entry)
    }


def _is_derived(trial: Trial, made: Made, entry: Model) -> bool:
    """Whether every part of the identifier holds the part of `made`'s, and one holds more."""
    longer = False
    for path in trial.schema.primary_identifier:
        own, other = str(value_at(made.identifier, path)), str(value_at(entry, path))
        if own not in other:
            return False
        longer = longer or (own != other and len(own) >= _SHORTEST)
    return longer
