"""What a read handler must do."""

from formwork.contract.models import only
from formwork.contract.requirement import proves
from formwork.contract.requirements.handler_update_invalid import stranger
from formwork.contract.steps import judge_missing, parted, read_back
from formwork.contract.trial import Trial, model_of
from formwork.instances import Extent


@proves(
    "read.missing",
    needs=("create", "read", "delete"),
    provable_where="an identifier can be made that no resource has, and a read of a live resource succeeds",
    refuted_by="a read of it ends otherwise than FAILED with NotFound",
)
def contract_read_without_create(trial: Trial) -> None:
    """Reading what was never created fails with NotFound."""
    identifier = only(stranger(trial), trial.schema.primary_identifier)
    with trial.expecting_failure():
        read = trial.read(identifier)
    judge_missing(trial, "read.missing", "READ of a resource that was never created", [read])


@proves(
    "read.stable",
    "read.final",
    needs=("create", "read", "delete"),
    provable_where="a create and three reads succeed",
    refuted_by="one of them fails, or shows other values than the first, readOnly ones aside",
)
def contract_read_read(trial: Trial) -> None:
    """Two reads in a row return the same."""
    made = trial.make(trial.inputs.create(Extent.MAXIMAL))
    first = read_back(trial, made)
    second = trial.read(made.identifier)
    third = trial.read(made.identifier)
    models = [model_of(each) for each in (first, second, third)]
    if first.succeeded and any(each.status == "FAILED" for each in (second, third)):
        message = "of reads in a row some fail"
        trial.violate("read.stable", message, [first, second, third])
    if any(each is None for each in models):
        return
    one = models[0] or {}
    differences = [each for other in models[1:] for each in parted(trial, one, other or {})]
    message = "reads in a row return different models"
    trial.judge("read.stable", not differences, message, [first, second, third], differences=differences[:5])
