"""Probes of how an operation deploys: express mode, its rollback, and validation before it begins."""

from support.member_probes.change_sets import CHANGE, NEW, described
from support.member_probes.probe import Probe
from support.member_probes.recovery import by_id, failed
from support.member_probes.stacks import BROKEN, FAILING, QUEUE, create, state, template

INVALID = template(Q={**QUEUE, "Properties": {"VisibilityTimeout": "long"}})
UPDATE_BROKEN = template(Q=QUEUE, W=FAILING)


def deployment(operation, base, arrange, look):
    """Probes of the members of DeploymentConfig where the operation fails on the way."""
    return Probe(
        operation=operation,
        base={**base, "DeploymentConfig": {"Mode": "STANDARD"}},
        arrange=arrange,
        look=look,
        changes={"DeploymentConfig.Mode": "EXPRESS", "DeploymentConfig.DisableRollback": True},
    )


PROBES = [
    deployment("CreateStack", {"StackName": "s", "TemplateBody": BROKEN}, lambda _world: None, state),
    deployment("UpdateStack", {"StackName": "s", "TemplateBody": UPDATE_BROKEN}, create(), state),
    deployment("CreateChangeSet", {**CHANGE, "TemplateBody": UPDATE_BROKEN}, create(), described),
    deployment("DeleteStack", {"StackName": "s"}, create(), by_id),
    deployment("RollbackStack", {"StackName": "s"}, failed, state),
    Probe(
        operation="CreateStack",
        base={"StackName": "s", "TemplateBody": INVALID},
        look=state,
        changes={"DisableValidation": True},
    ),
    Probe(
        operation="UpdateStack",
        arrange=create(),
        base={"StackName": "s", "TemplateBody": INVALID},
        look=state,
        changes={"DisableValidation": True},
    ),
    Probe(
        operation="CreateChangeSet",
        arrange=create(),
        base=CHANGE,
        look=described,
        changes={"DeploymentMode": "REVERT_DRIFT"},
    ),
    Probe(
        operation="CreateChangeSet",
        base={**NEW, "TemplateBody": INVALID},
        look=described,
        changes={"DisableValidation": True},
    ),
]
