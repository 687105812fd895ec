"""What the traits for CloudFormation, tagging, IAM and AWS services ask of a model: validators for `validate`."""

from collections.abc import Mapping

from formwork.convert.validators import (
    arns,
    aws_protocols,
    aws_services,
    checksums,
    condition_keys,
    endpoint_discovery,
    iam,
    properties,
    service_names,
    tagging,
)
from formwork.smithy.validators.context import Validator

# Validator → the event ids it gives.
CFN_VALIDATORS: Mapping[Validator, tuple[str, ...]] = {
    arns.delimiters: ("ArnTrait",),
    arns.templates: ("ArnTemplate",),
    aws_protocols.error_codes: ("QueryErrorCode",),
    aws_protocols.http_payloads: ("ProtocolHttpPayload",),
    aws_protocols.http_versions: ("ProtocolHttp", "Rpcv2CborTrait", "Rpcv2JsonTrait"),
    aws_services.cloud_watch_namespaces: ("CloudWatchNamespace",),
    aws_services.error_renames: ("ErrorRename",),
    aws_services.signing_names: ("SigV4Traits",),
    checksums.checksums: ("HttpChecksumTrait",),
    condition_keys.condition_keys: ("ConditionKeys",),
    condition_keys.defined_keys: ("DefineConditionKeysTrait",),
    condition_keys.values_of_keys: ("ConditionKeyValueTrait",),
    endpoint_discovery.endpoint_discovery: ("ClientEndpointDiscovery",),
    iam.iam_actions: ("IamAction",),
    iam.iam_resource_names: ("IamResourceTraitConflictingName",),
    iam.iam_resources: ("IamResourceTrait",),
    properties.mutability_of_identifiers: ("CfnMutabilityTrait",),
    properties.resource_properties: ("CfnResourceProperty",),
    service_names.event_sources: ("EventSource",),
    service_names.sdk_ids: ("SdkServiceId",),
    tagging.service_tagging: ("ServiceTagging", "TagEnabledService"),
    tagging.taggable_resources: ("TaggableResource",),
    tagging.tag_properties: ("TagResourcePropertyName", "TagResourcePropertyType"),
}
