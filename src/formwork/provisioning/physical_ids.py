"""Physical ids: the primary identifier, but of some AWS types only a part of it, which is what `Ref` gives.

Source: the user guide's "Return values" of each type.
"""

from collections.abc import Mapping
from typing import Any

from formwork.schema import ResourceSchema

# The property that `Ref` gives, where that is not the whole primary identifier.
_REFERENCES = {
    "AWS::ApiGateway::Authorizer": "AuthorizerId",
    "AWS::ApiGateway::Deployment": "DeploymentId",
    "AWS::ApiGateway::Model": "Name",
    "AWS::ApiGateway::RequestValidator": "RequestValidatorId",
    "AWS::ApiGateway::Resource": "ResourceId",
    "AWS::ApiGateway::Stage": "StageName",
    "AWS::ApiGatewayV2::Authorizer": "AuthorizerId",
    "AWS::ApiGatewayV2::Deployment": "DeploymentId",
    "AWS::ApiGatewayV2::Integration": "IntegrationId",
    "AWS::ApiGatewayV2::Route": "RouteId",
    "AWS::ApiGatewayV2::Stage": "StageName",
    "AWS::Cognito::UserPoolClient": "ClientId",
    "AWS::Cognito::UserPoolGroup": "GroupName",
    "AWS::EC2::EIP": "PublicIp",
    "AWS::ECS::Service": "ServiceArn",
    "AWS::Events::Rule": "RuleName",
    "AWS::Lambda::Permission": "Id",
    "AWS::Logs::LogStream": "LogStreamName",
    "AWS::Logs::MetricFilter": "FilterName",
    "AWS::Logs::SubscriptionFilter": "FilterName",
    "AWS::SSM::MaintenanceWindowTask": "WindowTaskId",
}


def physical_id_of(schema: ResourceSchema, model: Mapping[str, Any]) -> str | None:
    """Return the resource's physical id in a stack; None while its primary identifier is incomplete."""
    identifier = schema.identifier_of(model)
    value = model.get(_REFERENCES.get(schema.type_name, ""))
    return value if identifier is not None and isinstance(value, str) else identifier


def identifying_model(schema: ResourceSchema, physical_id: str | None, model: Mapping[str, Any]) -> dict[str, Any]:
    """Return the model with the primary identifier alone of the resource with this physical id, as far as it is known.

    `model` is the resource's own as it was answered last.
    """
    if schema.type_name in _REFERENCES and schema.identifier_of(model) is not None:
        found = schema.parse_identifier(schema.identifier_of(model) or "")
    else:
        found = None if physical_id is None else schema.parse_identifier(physical_id)
    return dict(found or {})
