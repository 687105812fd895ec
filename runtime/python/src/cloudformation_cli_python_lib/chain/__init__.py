"""Progress chaining: an operation as a chain of service calls that resumes where it was left.

The framework that the user guide describes in "Progress chaining, stabilization, and callback pattern", for Python:

    chain = Chain(model, callback_context, token=request.clientRequestToken)
    return (
        chain.initiate("create-stream", kinesis)
        .request(lambda model: {"StreamName": model.Name, "ShardCount": model.ShardCount})
        .call(lambda request, client: client.create_stream(**request))
        .stabilize(lambda step: is_active(step.client, step.model))
        .progress()
        .then(lambda progress: set_tags(chain, kinesis))
        .then(lambda progress: read(session, request, callback_context))
    )

Each time CloudFormation calls the handler again, the chain runs from the top: steps whose call was made answer from the
callback context, and the first unfinished one continues. Service errors are translated and throttling is waited out.

The reasons are in docs/decisions/0105.
"""

from .delays import Blended, CappedExponential, Constant, Delay, Exponential, MultipleOf, ShiftBy
from .errors import Retry
from .graph import CONTEXT_LIMIT_BYTES, Chain, chain_of
from .progress import Progress
from .stages import Step
from .timing import Timing

__all__ = [
    "CONTEXT_LIMIT_BYTES",
    "Blended",
    "CappedExponential",
    "Chain",
    "Constant",
    "Delay",
    "Exponential",
    "MultipleOf",
    "Progress",
    "Retry",
    "ShiftBy",
    "Step",
    "Timing",
    "chain_of",
]
