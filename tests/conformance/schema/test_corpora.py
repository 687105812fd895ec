"""Real schemas: no crash, and AWS's own command's verdict on each but for the differences listed here."""

import pytest
from bench.corpora import provider_schemas

from formwork.diagnostics import Severity
from formwork.documents import load_document, parse_document
from formwork.extensions import ExtensionKind
from formwork.schema import load_hook_schema, load_resource_schema, validate_schema
from support.corpus import corpus_projects, needs_fixtures

# What AWS's command (cloudformation-cli 0.2.41) refuses among the provider schemas in cfn-lint, for their structure:
# keywords that the meta-schema lacks, members that it requires, additionalProperties that is not false.
REFUSED = {
    *("AWS::Backup::BackupPlan", "AWS::CloudFormation::CustomResource", "AWS::CloudWatch::Alarm"),
    *("AWS::Cognito::UserPoolDomain", "AWS::DevOpsAgent::Service", "AWS::DynamoDB::GlobalTable"),
    *("AWS::DynamoDB::Table", "AWS::QuickSight::ApprovalPolicy", "AWS::RDS::DBCluster", "AWS::Serverless::Api"),
    *("AWS::Serverless::Application", "AWS::Serverless::CapacityProvider", "AWS::Serverless::Connector"),
    *("AWS::Serverless::Function", "AWS::Serverless::GraphQLApi", "AWS::Serverless::HttpApi"),
    *("AWS::Serverless::LayerVersion", "AWS::Serverless::MicrovmImage", "AWS::Serverless::NetworkConnector"),
    *("AWS::Serverless::SimpleTable", "AWS::Serverless::StateMachine", "AWS::Serverless::WebFunction"),
    "AWS::Serverless::WebSocketApi",
}
# Where our verdict is another one, and why.
ACCEPTED_HERE = dict.fromkeys(
    (
        *("AWS::AutoScaling::AutoScalingGroup", "AWS::CloudFront::Distribution", "AWS::EC2::LaunchTemplate"),
        *("AWS::ECS::Service", "AWS::ECS::TaskDefinition", "AWS::QuickSight::Analysis"),
        *("AWS::QuickSight::Dashboard", "AWS::QuickSight::Template", "AWS::RDS::DBInstance", "AWS::S3::Bucket"),
    ),
    "AWS's command measures the whole schema against the 60 KiB of a type configuration; neither seed limits a schema",
)
REFUSED_HERE = {
    "AWS::EC2::VerifiedAccessTrustProvider": "a definition that is nothing but a $ref to itself: draft-07, which the seeds extend, gives it "
    "no meaning, and there is no schema to find",
}


def errors_of(diagnostics):
    return [each for each in diagnostics if each.severity is Severity.ERROR]


def test_provider_schemas():
    verdicts = {}
    for name, text in provider_schemas():
        found = load_resource_schema(parse_document(text, name=name)).diagnostics
        assert all(each.location.start and each.expected for each in found)
        verdicts.setdefault(name, set()).add(bool(found))
    refused = {name for name, faulty in verdicts.items() if True in faulty}
    assert len(verdicts) > 1_500
    assert refused == REFUSED | REFUSED_HERE.keys()
    assert not refused & ACCEPTED_HERE.keys()


@needs_fixtures
def test_projects():
    """AWS's command accepts all 298."""
    projects = [each for each in corpus_projects() if each.schema_path.is_file()]
    assert len(projects) == 298
    for project in projects:
        kind = ExtensionKind(project.kind)
        document = load_document(project.schema_path)
        found = validate_schema(document, kind=kind)
        assert errors_of(found) == [], project.id
        assert all(each.location.file and each.location.start for each in found)
        load = load_hook_schema if kind is ExtensionKind.HOOK else load_resource_schema
        assert load(document).schema.type_name == project.type_name


@pytest.mark.slow
def test_every_rule_over_every_provider_schema():
    for name, text in provider_schemas():
        document = parse_document(text, name=name)
        found = validate_schema(document, kind=ExtensionKind.RESOURCE)
        assert errors_of(found) == load_resource_schema(document).diagnostics
        assert all(each.location.start and each.message for each in found)


@pytest.mark.slow
def test_every_provider_schema_compiles_for_models():
    for name, text in provider_schemas():
        schema = load_resource_schema(parse_document(text, name=name)).schema
        if schema is not None:
            assert isinstance(schema.validate_model({}), list)
            assert schema.validate_model({}, shape_only=True) == []
