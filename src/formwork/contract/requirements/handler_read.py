"""Tests of the read handler."""

from formwork.contract.models import only
from formwork.contract.outcomes import model_of
from formwork.contract.requirement import proves
from formwork.contract.requirements.handler_update_invalid import stranger
from formwork.contract.resource_case import ResourceTestCase
from formwork.contract.steps import judge_missing, parted, read_back
from formwork.instances import Extent


@proves(
    "read.missing",
    needs=("create", "read", "delete"),
    provable_where="an identifier can be made that no resource has, and a read of a live resource succeeds",
    refuted_by="a read of it ends otherwise than FAILED with NotFound",
)
def contract_read_without_create(test: ResourceTestCase) -> None:
    """Reading what was never created fails with NotFound."""
    identifier = only(stranger(test), test.schema.primary_identifier)
    with test.expecting_failure():
        read = test.read(identifier)
    judge_missing(test, "read.missing", "READ of a resource that was never created", [read])


@proves(
    "read.stable",
    "read.final",
    needs=("create", "read", "delete"),
    provable_where="a create and three reads succeed",
    refuted_by="one of them fails, or shows other values than the first, readOnly ones aside",
)
def contract_read_read(test: ResourceTestCase) -> None:
    """Two reads in a row return the same."""
    made = test.make(test.inputs.create(Extent.MAXIMAL))
    first = read_back(test, made)
    second = test.read(made.identifier)
    third = test.read(made.identifier)
    models = [model_of(each) for each in (first, second, third)]
    if first.succeeded and any(each.status == "FAILED" for each in (second, third)):
        message = "of reads in a row some fail"
        test.violate("read.stable", message, [first, second, third])
    if any(each is None for each in models):
        return
    one = models[0] or {}
    differences = [each for other in models[1:] for each in parted(test, one, other or {})]
    message = "reads in a row return different models"
    test.judge("read.stable", not differences, message, [first, second, third], differences=differences[:5])
