"""`resource-role.yaml` and `hook-role.yaml`: the handlers' permissions, and who may assume the role."""

import json
from collections.abc import Iterable, Sequence

from formwork.extensions import ExtensionKind, arn_name
from formwork.schema.permissions import is_iam_action

# A session must outlive its operation: 70 s per minute of the handler's timeout, within IAM's bounds.
_SECONDS_PER_MINUTE = 70
_SHORTEST_SESSION = 3600
_LONGEST_SESSION = 12 * 3600

_TEMPLATE = """\
AWSTemplateFormatVersion: "2010-09-09"
Description: The role that CloudFormation assumes to run the handlers of {type_name}
Resources:
  ExecutionRole:
    Type: AWS::IAM::Role
    Properties:
      MaxSessionDuration: {duration}
      AssumeRolePolicyDocument:
        Version: "2012-10-17"
        Statement:
          - Effect: Allow
            Principal:
              Service:
{services}
            Action: sts:AssumeRole
            Condition:
              StringEquals:
                aws:SourceAccount: !Ref AWS::AccountId
              StringLike:
                aws:SourceArn: !Sub {source}
      Path: "/"
      Policies:
        - PolicyName: {policy}
          PolicyDocument:
            Version: "2012-10-17"
            Statement:
              - Effect: {effect}
                Action:
{actions}
                Resource: "*"
Outputs:
  ExecutionRoleArn:
    Value: !GetAtt ExecutionRole.Arn
"""

_SOURCE = "arn:${{AWS::Partition}}:cloudformation:${{AWS::Region}}:${{AWS::AccountId}}:type/{kind}/{name}/*"

_SERVICES = {
    ExtensionKind.RESOURCE: ("resources.cloudformation.amazonaws.com",),
    ExtensionKind.HOOK: ("hooks.cloudformation.amazonaws.com", "resources.cloudformation.amazonaws.com"),
}
_POLICIES = {ExtensionKind.RESOURCE: "ResourceTypePolicy", ExtensionKind.HOOK: "HookTypePolicy"}


def render_role(
    kind: ExtensionKind, type_name: str, permissions: Iterable[str], timeouts_in_minutes: Sequence[int]
) -> str:
    """Return the role's template, with all handlers' permissions and a session for the longest timeout.

    Permissions of third parties' APIs are left out, since IAM refuses a policy with them. Without any other permission
    the role denies everything, since a policy needs an action.
    """
    actions = sorted({each for each in permissions if is_iam_action(each)})
    return _TEMPLATE.format(
        type_name=type_name,
        duration=session_seconds(timeouts_in_minutes),
        services=_items(_SERVICES[kind], " " * 16, quoted=False),
        source=_SOURCE.format(kind=kind.noun, name=arn_name(type_name)),
        policy=_POLICIES[kind],
        effect="Allow" if actions else "Deny",
        actions=_items(actions or ["*"], " " * 18, quoted=True),
    )


def session_seconds(timeouts_in_minutes: Sequence[int]) -> int:
    """Return how long a session must last for handlers with these timeouts, of which there is at least one."""
    return min(max(_SECONDS_PER_MINUTE * max(timeouts_in_minutes), _SHORTEST_SESSION), _LONGEST_SESSION)


def _items(texts: Iterable[str], indent: str, *, quoted: bool) -> str:
    # JSON strings are YAML strings, whatever a permission contains.
    return "\n".join(f"{indent}- {json.dumps(each) if quoted else each}" for each in texts)
