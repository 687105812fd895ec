"""Probes of Lambda's API; the functions answer what they are given, without a process."""

import base64
import json

from formwork.aws.scope import Scope
from formwork.lambda_host.http_messages import Response
from formwork.lambda_host.outcome import Outcome, OutcomeKind
from formwork.provisioning.functions.finding import DeployedFunction
from formwork.stand_ins.lambda_functions import LambdaApi
from support.member_probes.probe import Probe, Refusal

CONTEXT = base64.b64encode(json.dumps({"custom": {"a": "b"}}).encode()).decode()


class Echo:
    """Two functions that return their event and what the client says of itself."""

    def __init__(self, scope):
        self.deployed = {name: DeployedFunction(scope, name, {}) for name in ("f", "g")}
        self.function_names = tuple(self.deployed)

    def arn(self, name):
        return self.deployed[name].arn if name in self.deployed else name

    def invoke(self, name, payload, *, timeout=None, client_context=None):
        answer = json.dumps([name, json.loads(payload), client_context])
        return Outcome(OutcomeKind.RETURNED, answer.encode(), "request", log="said\n")


def functions(world):
    """Arrange the functions `f` and `g`."""
    api = LambdaApi(lambda _request: Response(404, b"{}"))
    api.start(lambda _scope: Echo(Scope(world.account, world.region)))
    world.saved["lambda"] = api


PROBES = [
    Probe(
        operation="Invoke",
        arrange=functions,
        base={"FunctionName": "f", "Payload": b"{}"},
        changes={
            "FunctionName": "g",
            "InvocationType": "DryRun",
            "LogType": "Tail",
            "ClientContext": CONTEXT,
            "Payload": b"[1]",
            "Qualifier": "1",
        },
    ),
    Refusal(
        operation="Invoke",
        arrange=functions,
        base={"FunctionName": "f"},
        changes={"DurableExecutionName": "name", "TenantId": "tenant"},
    ),
    Probe(operation="ListFunctions", arrange=functions, changes={"Marker": "f", "MaxItems": 1}),
    Refusal(operation="ListFunctions", arrange=functions, changes={"MasterRegion": "us-east-1"}),
    *(
        Probe(
            operation=name,
            arrange=functions,
            base={"FunctionName": "f"},
            changes={"FunctionName": "g", "Qualifier": "1"},
        )
        for name in ("GetFunction", "GetFunctionConfiguration")
    ),
]
