"""ARNs of simulated resources: those who take one, such as a function its role's, check what it looks like.

Source: Service Authorization Reference, the formats of each service's resources; where a type is not listed here, the
commonest one.
"""

from collections.abc import Mapping
from typing import Any

from formwork.registry.scope import Scope

_SERVICES = {"ApiGateway": "apigateway", "ElasticLoadBalancingV2": "elasticloadbalancing", "StepFunctions": "states"}
# What follows the account, in front of the resource's name; None for a service whose ARNs know neither it nor a Region.
_KINDS: Mapping[str, str | None] = {
    "AWS::IAM::InstanceProfile": "instance-profile/",
    "AWS::IAM::ManagedPolicy": "policy/",
    "AWS::Lambda::Function": "function:",
    "AWS::Logs::LogGroup": "log-group:",
    "AWS::S3::Bucket": None,
    "AWS::SecretsManager::Secret": "secret:",
    "AWS::SNS::Topic": "",
    "AWS::SQS::Queue": "",
    "AWS::StepFunctions::StateMachine": "stateMachine:",
}


def is_own_arn(type_name: str, property_name: str) -> bool:
    """Whether a property is the ARN of the resource itself: `Arn`, or `TopicArn` of a Topic."""
    return property_name.upper() == "ARN" or property_name == f"{type_name.rpartition('::')[2]}Arn"


def own_arn(scope: Scope, type_name: str, model: Mapping[str, Any], otherwise: str) -> str:
    """The ARN of a resource of one of AWS's types; `otherwise` is its name where the model has none."""
    _, service, kind = type_name.split("::")[:3]
    prefix = _KINDS.get(type_name, f"{kind.lower()}/")
    names = (f"{kind}Name", "Name", f"{kind}Id", "Id")
    name = next((str(model[each]) for each in names if model.get(each)), otherwise)
    words = _SERVICES.get(service, service.lower())
    if prefix is None:
        return f"arn:{scope.partition}:{words}:::{name}"
    region = "" if words == "iam" else scope.region
    return f"arn:{scope.partition}:{words}:{region}:{scope.account}:{prefix}{name}"
