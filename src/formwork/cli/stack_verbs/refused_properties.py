"""What validation before an operation found in a template, which the service reports by DescribeEvents only."""

from typing import Any

_MARK = "DescribeEvents"


def refused_properties(client: Any, reason: str, **of: str) -> tuple[str, ...]:
    """Return a line for each property that the service refused, sorted by its path.

    `reason` is the operation's, which mentions DescribeEvents where there are any; `of` names the operation or the
    change set, as DescribeEvents takes it. Without the operation in the client's version there are none.
    """
    import botocore.exceptions

    describe = getattr(client, "describe_events", None)
    if _MARK not in reason or describe is None:
        return ()
    found: list[dict[str, Any]] = []
    token: dict[str, str] = {}
    try:
        while True:
            page = describe(**of, Filters={"FailedEvents": True}, **token)
            found += page.get("OperationEvents", ())
            if not page.get("NextToken"):
                break
            token = {"NextToken": page["NextToken"]}
    except (botocore.exceptions.ClientError, botocore.exceptions.BotoCoreError):
        return ()
    lines = {
        f"{each.get('ValidationPath') or each.get('LogicalResourceId')}: {each['ValidationStatusReason']}": None
        for each in found
        if each.get("EventType") == "VALIDATION_ERROR" and each.get("ValidationStatusReason")
    }
    return tuple(sorted(lines))
