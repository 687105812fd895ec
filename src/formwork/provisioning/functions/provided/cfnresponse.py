"""The module that Lambda lays beside Python code written into a template: it answers for a custom resource."""

import json
import urllib.request
from typing import Any

SUCCESS = "SUCCESS"
FAILED = "FAILED"


def send(  # noqa: PLR0913, PLR0917 - Lambda's own signature
    event: Any,
    context: Any,
    responseStatus: str,  # noqa: N803
    responseData: Any,  # noqa: N803
    physicalResourceId: Any = None,  # noqa: N803
    noEcho: Any = False,  # noqa: N803, FBT002
    reason: Any = None,
) -> Any:
    """Put the answer to a custom resource's request where CloudFormation waits for it."""
    log_stream = getattr(context, "log_stream_name", "")
    answer = {
        "Status": responseStatus,
        "Reason": reason or f"See the details in CloudWatch Log Stream: {log_stream}",
        "PhysicalResourceId": physicalResourceId or event.get("PhysicalResourceId") or log_stream or event["RequestId"],
        "StackId": event["StackId"],
        "RequestId": event["RequestId"],
        "LogicalResourceId": event["LogicalResourceId"],
        "NoEcho": noEcho,
        "Data": responseData,
    }
    body = json.dumps(answer).encode()
    request = urllib.request.Request(event["ResponseURL"], body, {"Content-Type": ""}, method="PUT")  # noqa: S310
    with urllib.request.urlopen(request, timeout=30) as response:  # noqa: S310 - the URL that the event names
        return response.status
