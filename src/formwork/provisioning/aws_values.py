"""What AWS's own services decide about a resource: names, identifiers, ARNs and URLs in the forms that they have there.

Templates work on these values (a topic's ARN is split, a bucket's domain name goes into a policy), hence a simulated
resource of an AWS type has them as the real one would. Sources: the user guide's "Physical ID" and "Return values" of
each type; the service authorization reference's tables of resource types and ARN formats.

The random part comes from the call's token, so that a retry names the same resource.
"""

import contextlib
import hashlib
import re
import string
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from formwork.aws.partitions import dns_suffix_of
from formwork.aws.scope import Scope
from formwork.provisioning.provisioner import HandlerCall
from formwork.schema import ResourceSchema
from formwork.schema.view import UNKNOWN

_MIXED = string.digits + string.ascii_letters
_LOWER = string.digits + string.ascii_lowercase
_HEX = string.digits + "abcdef"

# Services whose ARNs name them otherwise than their types do.
_SERVICES = {"ElasticLoadBalancingV2": "elasticloadbalancing", "StepFunctions": "states"}

# The end of the names of FIFO queues and topics, and the properties that make them such.
_FIFO, _FIFO_PROPERTIES = ".fifo", ("FifoQueue", "FifoTopic")

# Services that take small letters only, and names no longer than so, where the schemas allow more.
_SMALL_LETTERS = ("AWS::DocDB::", "AWS::ElastiCache::", "AWS::Neptune::", "AWS::RDS::", "AWS::Redshift::", "AWS::S3::")
_LONGEST = {"AWS::IAM::": 64, "AWS::Lambda::Function": 64, "AWS::S3::Bucket": 63, "AWS::SQS::Queue": 80}

# Types whose ARN is not arn:PARTITION:SERVICE:REGION:ACCOUNT:TYPE/NAME; what stands behind the service.
_ARNS = {
    "AWS::ApiGateway::RestApi": "apigateway:{region}::/restapis/{name}",
    "AWS::AutoScaling::AutoScalingGroup": (
        "autoscaling:{region}:{account}:autoScalingGroup:{uuid}:autoScalingGroupName/{name}"
    ),
    "AWS::CloudWatch::Alarm": "cloudwatch:{region}:{account}:alarm:{name}",
    "AWS::CloudWatch::CompositeAlarm": "cloudwatch:{region}:{account}:alarm:{name}",
    "AWS::DynamoDB::GlobalTable": "dynamodb:{region}:{account}:table/{name}",
    "AWS::ECR::Repository": "ecr:{region}:{account}:repository/{name}",
    "AWS::ElasticLoadBalancingV2::LoadBalancer": (
        "elasticloadbalancing:{region}:{account}:loadbalancer/app/{name}/{hex16}"
    ),
    "AWS::Events::EventBus": "events:{region}:{account}:event-bus/{name}",
    "AWS::IAM::Group": "iam::{account}:group{path}{name}",
    "AWS::IAM::InstanceProfile": "iam::{account}:instance-profile{path}{name}",
    "AWS::IAM::ManagedPolicy": "iam::{account}:policy{path}{name}",
    "AWS::IAM::Role": "iam::{account}:role{path}{name}",
    "AWS::IAM::User": "iam::{account}:user{path}{name}",
    "AWS::KMS::Key": "kms:{region}:{account}:key/{name}",
    "AWS::KinesisFirehose::DeliveryStream": "firehose:{region}:{account}:deliverystream/{name}",
    "AWS::Lambda::CodeSigningConfig": "lambda:{region}:{account}:code-signing-config:csc-{hex17}",
    "AWS::Lambda::EventSourceMapping": "lambda:{region}:{account}:event-source-mapping:{name}",
    "AWS::Lambda::Function": "lambda:{region}:{account}:function:{name}",
    "AWS::Logs::LogGroup": "logs:{region}:{account}:log-group:{name}:*",
    "AWS::RDS::DBCluster": "rds:{region}:{account}:cluster:{name}",
    "AWS::RDS::DBInstance": "rds:{region}:{account}:db:{name}",
    "AWS::S3::AccessPoint": "s3:{region}:{account}:accesspoint/{name}",
    "AWS::S3::Bucket": "s3:::{name}",
    "AWS::SNS::Topic": "sns:{region}:{account}:{name}",
    "AWS::SQS::Queue": "sqs:{region}:{account}:{name}",
    "AWS::Scheduler::ScheduleGroup": "scheduler:{region}:{account}:schedule-group/{name}",
    "AWS::SecretsManager::Secret": "secretsmanager:{region}:{account}:secret:{name}-{mixed6}",
    "AWS::StepFunctions::Activity": "states:{region}:{account}:activity:{name}",
    "AWS::StepFunctions::StateMachine": "states:{region}:{account}:stateMachine:{name}",
}

# Other values with a form that templates count on, by type and property: the first for which everything is known. `p`
# are the resource's properties.
_FUNCTION = "arn:{partition}:lambda:{region}:{account}:function:{function}"
_FORMS = {
    ("AWS::ApiGateway::Deployment", "DeploymentId"): ("{lower6}",),
    ("AWS::ApiGateway::Resource", "ResourceId"): ("{lower6}",),
    ("AWS::ApiGateway::RestApi", "RestApiId"): ("{lower10}",),
    ("AWS::ApiGateway::RestApi", "RootResourceId"): ("{lower10}",),
    ("AWS::AppSync::DataSource", "DataSourceArn"): (
        "arn:{partition}:appsync:{region}:{account}:apis/{p[ApiId]}/datasources/{p[Name]}",
    ),
    ("AWS::AppSync::GraphQLSchema", "Id"): ("{p[ApiId]}GraphQLSchema",),
    ("AWS::AppSync::Resolver", "ResolverArn"): (
        "arn:{partition}:appsync:{region}:{account}:apis/{p[ApiId]}/types/{p[TypeName]}/resolvers/{p[FieldName]}",
    ),
    ("AWS::AppSync::GraphQLApi", "ApiId"): ("{lower26}",),
    ("AWS::AppSync::GraphQLApi", "Arn"): ("arn:{partition}:appsync:{region}:{account}:apis/{lower26}",),
    ("AWS::Cognito::UserPool", "UserPoolId"): ("{region}_{mixed9}",),
    ("AWS::DynamoDB::Table", "StreamArn"): (
        "{p[StreamSpecification]!s:.0}arn:{partition}:dynamodb:{region}:{account}:table/{name}/stream/{time}",
    ),
    ("AWS::EC2::EIP", "AllocationId"): ("eipalloc-{hex17}",),
    ("AWS::EC2::Instance", "PrivateDnsName"): ("ip-10-0-{low}-{high}.{region}.compute.internal",),
    ("AWS::EC2::Instance", "PrivateIp"): ("10.0.{low}.{high}",),
    ("AWS::EC2::Instance", "PublicDnsName"): ("ec2-203-0-113-{high}.{region}.compute.amazonaws.com",),
    ("AWS::EC2::Instance", "PublicIp"): ("203.0.113.{high}",),
    ("AWS::EC2::Instance", "VpcId"): ("{default_vpc}",),
    ("AWS::EC2::NetworkInterface", "PrimaryPrivateIpAddress"): ("10.0.{low}.{high}",),
    ("AWS::EC2::NetworkInterface", "VpcId"): ("{default_vpc}",),
    ("AWS::EC2::VPCGatewayAttachment", "AttachmentType"): ("{p[InternetGatewayId]:.0}IGW", "VGW"),
    ("AWS::ElasticLoadBalancingV2::LoadBalancer", "DNSName"): ("{name}-{digits10}.{region}.elb.{suffix}",),
    ("AWS::ElasticLoadBalancingV2::LoadBalancer", "LoadBalancerFullName"): ("app/{name}/{hex16}",),
    ("AWS::ElasticLoadBalancingV2::LoadBalancer", "LoadBalancerName"): ("{name}",),
    ("AWS::Events::Rule", "Arn"): (
        "arn:{partition}:events:{region}:{account}:rule/{p[EventBusName]}/{name}",
        "arn:{partition}:events:{region}:{account}:rule/{name}",
    ),
    ("AWS::Events::Rule", "RuleName"): ("{p[EventBusName]}|{name}", "{name}"),
    ("AWS::IAM::AccessKey", "Id"): ("AKIA{upper16}",),
    ("AWS::IAM::Policy", "Id"): ("{generated}",),
    ("AWS::KMS::Key", "KeyId"): ("{uuid}",),
    ("AWS::Lambda::Alias", "AliasArn"): (_FUNCTION + ":{p[Name]}",),
    ("AWS::Lambda::EventSourceMapping", "Id"): ("{uuid}",),
    ("AWS::Lambda::LayerVersion", "LayerVersionArn"): (
        "arn:{partition}:lambda:{region}:{account}:layer:{p[LayerName]}:1",
        "arn:{partition}:lambda:{region}:{account}:layer:{name}:1",
    ),
    ("AWS::Lambda::Permission", "Id"): ("{generated}",),
    ("AWS::Lambda::Url", "FunctionArn"): (_FUNCTION,),
    ("AWS::Lambda::Version", "FunctionArn"): (_FUNCTION + ":1",),
    ("AWS::Lambda::Version", "Version"): ("1",),
    ("AWS::S3::Bucket", "DomainName"): ("{name}.s3.{suffix}",),
    ("AWS::S3::Bucket", "DualStackDomainName"): ("{name}.s3.dualstack.{region}.{suffix}",),
    ("AWS::S3::Bucket", "RegionalDomainName"): ("{name}.s3.{region}.{suffix}",),
    ("AWS::S3::Bucket", "WebsiteURL"): ("http://{name}.s3-website-{region}.{suffix}",),
    ("AWS::SNS::Subscription", "Arn"): ("{p[TopicArn]}:{uuid}",),
    ("AWS::SQS::Queue", "QueueUrl"): ("https://sqs.{region}.{suffix}/{account}/{name}",),
    ("AWS::SQS::QueuePolicy", "Id"): ("{generated}",),
    ("AWS::SSM::MaintenanceWindow", "WindowId"): ("mw-{hex17}",),
    ("AWS::SSM::PatchBaseline", "Id"): ("pb-{hex17}",),
    ("AWS::SecretsManager::ResourcePolicy", "Id"): ("{p[SecretId]}",),
    ("AWS::SecretsManager::Secret", "Id"): (
        "arn:{partition}:secretsmanager:{region}:{account}:secret:{name}-{mixed6}",
    ),
}

# Values that the service chooses where a template leaves them out, and that `Fn::GetAtt` gives although the schema does
# not list them as read-only (user guide, "Return values"); they cannot change afterwards.
_CHOSEN = {
    "AWS::EC2::Instance": {"AvailabilityZone": "{region}a", "PrivateIpAddress": "10.0.{low}.{high}"},
    "AWS::EC2::SecurityGroup": {"VpcId": "{default_vpc}"},
    "AWS::EC2::Subnet": {"AvailabilityZone": "{region}a", "AvailabilityZoneId": "{zone_id}1"},
    "AWS::EC2::Volume": {"AvailabilityZone": "{region}a"},
    "AWS::EFS::MountTarget": {"IpAddress": "10.0.{low}.{high}"},
}

# Identifiers of EC2: a prefix and 17 hexadecimal digits.
_EC2_PREFIXES = {
    "CustomerGateway": "cgw",
    "DHCPOptions": "dopt",
    "EgressOnlyInternetGateway": "eigw",
    "FlowLog": "fl",
    "Instance": "i",
    "InternetGateway": "igw",
    "LaunchTemplate": "lt",
    "NatGateway": "nat",
    "NetworkAcl": "acl",
    "NetworkInterface": "eni",
    "PrefixList": "pl",
    "RouteTable": "rtb",
    "SecurityGroup": "sg",
    "Subnet": "subnet",
    "SubnetRouteTableAssociation": "rtbassoc",
    "TransitGateway": "tgw",
    "TransitGatewayAttachment": "tgw-attach",
    "VPC": "vpc",
    "VPCEndpoint": "vpce",
    "VPCPeeringConnection": "pcx",
    "VPNConnection": "vpn",
    "VPNGateway": "vgw",
    "Volume": "vol",
}


def decided_values(schema: ResourceSchema, call: HandlerCall, scope: Scope) -> dict[str, Any]:
    """Return the values, by property, that the service sets on creation, as far as their form is known.

    Values are the same for every call with the same token. What would not be valid in the schema is left out.
    """
    values: dict[str, Any] = {}
    desired = call.desired or {}
    name_property = _name_property(schema)
    name = desired.get(name_property) if name_property is not None else None
    if name_property is not None and name is None:
        name = next(_fitting(schema, name_property, _generated_names(schema, name_property, call)), None)
        if name is not None:
            values[name_property] = name
    known = _KnownValues(call, scope)
    decided = [path[0] for path in schema.read_only if len(path) == 1]
    for each in sorted(decided, key=lambda each: each.endswith(("Arn", "ARN"))):  # an ARN may hold another identifier
        own = name if isinstance(name, str) else next((values[key] for key in values if key in decided), None)
        known["name"] = own or known["mixed12"]
        texts = _filled(_forms(schema, each), known)
        found = next(_fitting(schema, each, texts), None)
        if found is not None:
            values[each] = found
    return values


def chosen_values(schema: ResourceSchema, call: HandlerCall, scope: Scope) -> dict[str, Any]:
    """Return the values, by property, that the service chooses if the template has none; see `_CHOSEN`."""
    forms = _CHOSEN.get(schema.type_name)
    if forms is None:
        return {}
    known = _KnownValues(call, scope)
    left_out = {name: form for name, form in forms.items() if name not in (call.desired or {})}
    texts = ((name, next(_fitting(schema, name, _filled((form,), known)), None)) for name, form in left_out.items())
    return {name: text for name, text in texts if text is not None}


class _KnownValues(dict[str, Any]):
    """What forms can name; those made from the token are computed when a form names them."""

    def __init__(self, call: HandlerCall, scope: Scope) -> None:
        desired = call.desired or {}
        function = str(desired.get("FunctionName") or desired.get("TargetFunctionArn") or "")
        super().__init__(
            p=desired,
            time="2026-01-01T00:00:00.000",  # as good as any: nothing tells when the resource is made
            partition=scope.partition,
            region=scope.region,
            account=scope.account,
            suffix=dns_suffix_of(scope.region),
            path=desired.get("Path") or "/",
            function=function.partition(":function:")[2] or function,
        )
        self._call = call
        self._scope = scope

    def __missing__(self, name: str) -> str:
        """Compute a value.

        Raises:
            KeyError: no value has this name.
        """
        scope, token = self._scope, self._call.token
        match name:
            case "default_vpc":
                found = f"vpc-0{_digits(f'{scope.account}{scope.region}', _HEX, 16)}"
            case "zone_id":
                found = f"{_short_region(scope.region)}-az"
            case "generated":
                stack = self._call.system_tags.get("aws:cloudformation:stack-name", "")
                found = "-".join(filter(None, (stack, self._call.logical_id, _digits(token, _MIXED, 12))))
            case _:
                found = _RANDOM[name](token)
        self[name] = found
        return found


def _filled(forms: tuple[str, ...], known: Mapping[str, Any]) -> Iterator[str]:
    for form in forms:
        with contextlib.suppress(KeyError):  # of a property that is not given
            yield form.format_map(known)


def _forms(schema: ResourceSchema, name: str) -> tuple[str, ...]:
    kind = schema.type_name
    service, resource = kind.split("::")[1:3]
    if (kind, name) in _FORMS:
        return _FORMS[kind, name]
    named = name[:-3] if name.endswith(("Arn", "ARN")) else None
    if named is not None and (named in {"", "Resource"} or resource.endswith(named)):
        usual = f"{_SERVICES.get(service, service.lower())}:{{region}}:{{account}}:{resource.lower()}/{{name}}"
        return ("arn:{partition}:" + _ARNS.get(kind, usual),)
    if service == "EC2" and resource in _EC2_PREFIXES and name in {"Id", f"{resource}Id", "GroupId", "VpcId"}:
        own = (name,) in schema.primary_identifier or name == "GroupId"
        return (f"{_EC2_PREFIXES[resource]}-{{hex17}}",) if own else ()
    return ()


def _name_property(schema: ResourceSchema) -> str | None:
    """The property with which a template may name the resource, where the service makes a name if it does not."""
    resource = schema.type_name.split("::")[2]
    required = set(schema.required)
    fixed = [path[0] for path in (*schema.primary_identifier, *schema.create_only) if len(path) == 1]
    names = [each for each in fixed if each.endswith("Name") and (each,) not in schema.read_only]
    own = [each for each in names if each == "Name" or resource.endswith(each.removesuffix("Name"))]
    found = own or [each for each in names if (each,) in schema.primary_identifier]
    return next((each for each in found if each not in required), next(iter(found), None))


def _generated_names(schema: ResourceSchema, name: str, call: HandlerCall) -> Iterator[str]:
    """STACK-LOGICALID-RANDOM, shorter where that is too long, in lower case where it must be."""
    stack = call.system_tags.get("aws:cloudformation:stack-name", "")
    usual = next((limit for prefix, limit in _LONGEST.items() if schema.type_name.startswith(prefix)), 128)
    longest = min(usual, (schema.subschema_at((name,)) or UNKNOWN).get("maxLength") or usual)
    fifo = _FIFO if any((call.desired or {}).get(each) in (True, "true") for each in _FIFO_PROPERTIES) else ""
    ends = tuple(_digits(call.token, alphabet, 12) + fifo for alphabet in (_MIXED, _LOWER))
    room = max(longest - 14 - len(fifo), 0)
    if schema.type_name == "AWS::SSM::Parameter":
        stack = "CFN"
    short = stack[: max(room - len(call.logical_id), room // 2)]
    begin = "-".join(filter(None, (short, call.logical_id[: max(room - len(short), 0)])))
    if schema.type_name.startswith(_SMALL_LETTERS):
        yield f"{begin}-{ends[1]}".lower()
    yield f"{begin}-{ends[0]}"
    yield f"{begin}-{ends[1]}".lower()
    yield f"{begin}-{ends[0]}".replace("-", "")


def _fitting(schema: ResourceSchema, name: str, values: Iterator[str]) -> Iterator[str]:
    return (each for each in values if not schema.validate_model({name: each}, shape_only=True))


def _uuid(token: str) -> str:
    digits = _digits(token, _HEX, 32)
    return "-".join((digits[:8], digits[8:12], f"4{digits[13:16]}", f"a{digits[17:20]}", digits[20:]))


_RANDOM: Mapping[str, Callable[[str], str]] = {
    "uuid": _uuid,
    "hex16": lambda token: _digits(token, _HEX, 16),
    "hex17": lambda token: f"0{_digits(token, _HEX, 16)}",
    "low": lambda token: str(int(_digits(token, _HEX, 2), 16)),
    "high": lambda token: str(1 + int(_digits(token, _HEX, 4)[2:4], 16) % 254),
    "digits10": lambda token: str(10**9 + int(_digits(token, _HEX, 7), 16)),
    "lower6": lambda token: _digits(token, _LOWER, 6),
    "lower10": lambda token: _digits(token, _LOWER, 10),
    "lower26": lambda token: _digits(token, _LOWER, 26),
    "upper16": lambda token: _digits(token, _LOWER, 16).upper(),
    "mixed6": lambda token: _digits(token, _MIXED, 6),
    "mixed9": lambda token: _digits(token, _MIXED, 9),
    "mixed12": lambda token: _digits(token, _MIXED, 12),
}


def _short_region(region: str) -> str:
    """`euw1` of eu-west-1, as the ids of zones begin."""
    area, *middle, number = region.split("-")
    words = re.findall("north|south|east|west|central|gov|iso[a-z]?", "".join(middle))
    return area + "".join(each[0] for each in words) + number


def _digits(token: str, alphabet: str, count: int) -> str:
    number = int.from_bytes(hashlib.sha256(f"{alphabet}{token}".encode()).digest())
    digits = []
    for _ in range(count):
        number, digit = divmod(number, len(alphabet))
        digits.append(alphabet[digit])
    return "".join(digits)
