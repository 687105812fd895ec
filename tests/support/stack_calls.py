"""The API's operations on stacks over a bench's engine, without HTTP."""

from formwork.api.caller import Caller
from formwork.api.cloudformation.drift import drift_operations
from formwork.api.cloudformation.tables import stack_table
from formwork.engine.drift.detection import DriftDetection
from formwork.stack_sets.service import StackSetService
from support.engines import HERE

CALLER = Caller(HERE.account, HERE.region, HERE.account, f"arn:aws:iam::{HERE.account}:root")


class StackCalls:
    """Calls operations by name: `calls("DescribeStacks", StackName="shop")`."""

    def __init__(self, bench):
        drift = DriftDetection(bench.engine, bench.work)
        table = stack_table(
            bench.engine,
            StackSetService(bench.engine, drift, bench.work).sets,
            lambda _scope, url: bench.fetch_nested(_scope, url).encode(),
        )
        self._table = {**table, **drift_operations(drift)}

    def __call__(self, operation, **request):
        return self._table["cloudformation", operation](CALLER, request)
