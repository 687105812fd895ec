"""The pseudo parameters of a stack: `AWS::Region` and the others that every template may refer to."""

from collections.abc import Sequence

from formwork.aws.partitions import dns_suffix_of
from formwork.aws.scope import Scope
from formwork.documents import Json


def pseudo_parameters(
    scope: Scope, *, stack_name: str, stack_id: str, notification_arns: Sequence[str] = ()
) -> dict[str, Json]:
    """Return the values of the pseudo parameters, except for `AWS::NoValue`, which has none."""
    return {
        "AWS::AccountId": scope.account,
        "AWS::NotificationARNs": list(notification_arns),
        "AWS::Partition": scope.partition,
        "AWS::Region": scope.region,
        "AWS::StackId": stack_id,
        "AWS::StackName": stack_name,
        "AWS::URLSuffix": dns_suffix_of(scope.region),
    }
