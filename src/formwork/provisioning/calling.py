"""Calls of provisioners of every kind: a failure's message is masked by the secrets of the call."""

from msgspec.structs import replace

from formwork.invoke.masking import Masker
from formwork.provisioning.outcomes import Failed, Outcome
from formwork.provisioning.provisioner import HandlerCall, Provisioner


def call_provisioner(provisioner: Provisioner, call: HandlerCall) -> Outcome:
    """Call a provisioner once and mask its failure; the engine calls provisioners only here."""
    outcome = provisioner.invoke(call)
    if not isinstance(outcome, Failed):
        return outcome
    masker = masker_of(provisioner, call)
    return replace(outcome, code=masker.word(outcome.code), message=masker.text(outcome.message))


def masker_of(provisioner: Provisioner, call: HandlerCall) -> Masker:
    """Return a masker of the secrets of a call."""
    masker = Masker.of_resource(provisioner.schema)
    masker.learn({}, call.secrets)
    for model in (call.desired, call.previous):
        masker.learn_model(model or {})
    return masker
