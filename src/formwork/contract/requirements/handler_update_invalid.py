"""Updating what does not exist."""

from formwork.contract.listing import list_all
from formwork.contract.models import Model, has_identifier, identity_of, with_value
from formwork.contract.recording import BlockedError, NotProvableError
from formwork.contract.requirement import proves
from formwork.contract.resource_case import ResourceTestCase
from formwork.contract.steps import judge_missing
from formwork.contract.updates import change_of
from formwork.contract_results.findings import ABSENT


def stranger(test: ResourceTestCase) -> dict[str, object]:
    """Return a model, valid as far as is known, of a resource that was never created.

    Raises:
        NotProvableError: no such identifier can be made.
        BlockedError: the resource that the author's input names exists, because an earlier test could not delete it.
    """
    schema = test.schema
    model: Model = test.inputs.create()
    for path in schema.primary_identifier:
        if test.subject.is_read_only(path):
            value = test.inputs.value_at(path)
            if value is None or value is ABSENT:
                raise NotProvableError(f"no value fits /{'/'.join(path)}")
            model = with_value(model, path, value)
    if not has_identifier(schema, model):
        raise NotProvableError("the create input leaves the identifier to the handler")
    if identity_of(schema, model) in test.subject.memory.existing:
        raise BlockedError("an earlier test could not delete the resource of the create input")
    if test.inputs.given and test.subject.has("list"):
        # The author's identifier may be that of a resource which another test could not get rid of.
        listing = list_all(test, model)
        if identity_of(schema, model) in listing:
            raise BlockedError("the resource of the create input exists already")
    return dict(model)


@proves(
    "update.missing",
    needs=("create", "update", "delete"),
    provable_where="an identifier can be made that no resource has, there is an update input, and an update succeeds",
    refuted_by="an update of it ends otherwise than FAILED with NotFound",
)
def contract_update_without_create(test: ResourceTestCase) -> None:
    """Updating what was never created fails with NotFound."""
    model = stranger(test)
    wanted: Model = change_of(test, model)
    for path in test.schema.primary_identifier:
        wanted = with_value(wanted, path, _at(model, path))
    with test.expecting_failure():
        updated = test.update(wanted, model)
    if updated.succeeded:
        test.adopt(wanted)
    judge_missing(test, "update.missing", "UPDATE of a resource that was never created", [updated])


def _at(model: Model, path: tuple[str, ...]) -> object:
    value: object = model
    for step in path:
        assert isinstance(value, dict)
        value = value[step]
    return value
