"""Probes of the operations that look at stacks and templates."""

import json

from support.member_probes.probe import ABSENT, Probe
from support.member_probes.stacks import IAM, PARAMETERS, QUEUE, create, template, url_of

EXPORTING = json.dumps({"Resources": {"Q": QUEUE}, "Outputs": {"O": {"Value": "v", "Export": {"Name": "e"}}}})
IMPORTING = json.dumps(
    {"Resources": {"Q": {**QUEUE, "Properties": {"QueueName": {"Fn::Sub": ["${E}", {"E": {"Fn::ImportValue": "e"}}]}}}}}
)
TRANSFORMED = json.dumps({"Transform": "AWS::LanguageExtensions", "Resources": {"Q": QUEUE}})


def exported(world):
    """Arrange an export `e` that the stack `u` imports."""
    world("CreateStack", StackName="s", TemplateBody=EXPORTING)
    world("CreateStack", StackName="u", TemplateBody=IMPORTING)


def physical_id(world):
    """The queue of the stack `s`."""
    return world("DescribeStackResource", StackName="s", LogicalResourceId="Q")["StackResourceDetail"][
        "PhysicalResourceId"
    ]


def drifted(world):
    """Arrange a stack whose drift is known."""
    create(template(Q=QUEUE, P=QUEUE))(world)
    world("DetectStackDrift", StackName="s")


PROBES = [
    Probe(operation="DescribeStacks", arrange=create(), changes={"StackName": "other", "NextToken": "1"}),
    Probe(
        operation="ListStacks",
        arrange=create(),
        changes={"StackStatusFilter": ["DELETE_COMPLETE"], "NextToken": "1"},
    ),
    Probe(
        operation="DescribeStackResource",
        arrange=create(),
        base={"StackName": "s", "LogicalResourceId": "Q"},
        changes={"StackName": "other", "LogicalResourceId": "Z"},
    ),
    Probe(
        operation="DescribeStackResources",
        arrange=create(template(Q=QUEUE, P=QUEUE)),
        base={"StackName": "s"},
        changes={"StackName": "other", "LogicalResourceId": "Q", "PhysicalResourceId": physical_id},
    ),
    Probe(
        operation="ListStackResources",
        arrange=create(),
        base={"StackName": "s"},
        changes={"StackName": "other", "NextToken": "1"},
    ),
    Probe(
        operation="DescribeStackEvents",
        arrange=create(),
        base={"StackName": "s"},
        changes={"StackName": "other", "NextToken": "1"},
    ),
    Probe(
        operation="GetTemplate",
        arrange=create(TRANSFORMED, Capabilities=["CAPABILITY_AUTO_EXPAND"]),
        base={"StackName": "s", "TemplateStage": "Original"},
        changes={"TemplateStage": "Processed"},
    ),
    Probe(operation="GetStackPolicy", arrange=create(), base={"StackName": "s"}, changes={"StackName": "other"}),
    Probe(operation="ListExports", arrange=exported, changes={"NextToken": "1"}),
    Probe(
        operation="ListImports",
        arrange=exported,
        base={"ExportName": "e"},
        changes={"ExportName": "other", "NextToken": "1"},
    ),
    Probe(
        operation="ValidateTemplate",
        base={"TemplateBody": template()},
        changes={"TemplateBody": IAM, "TemplateURL": url_of(IAM)},
    ),
    Probe(operation="ValidateTemplate", changes={"TemplateURL": url_of(IAM)}),
    Probe(
        operation="GetTemplateSummary",
        base={"TemplateBody": template()},
        changes={"TemplateBody": IAM},
    ),
    Probe(
        operation="GetTemplateSummary",
        arrange=create(),
        changes={"TemplateURL": url_of(IAM), "StackName": "s", "StackSetName": "none"},
    ),
    Probe(
        operation="GetTemplateSummary",
        base={"TemplateBody": template(Q={"Type": "Not::A::Type"}), "TemplateSummaryConfig": {}},
        changes={"TemplateSummaryConfig.TreatUnrecognizedResourceTypesAsWarnings": True},
    ),
    Probe(
        operation="EstimateTemplateCost",
        base={"TemplateBody": PARAMETERS, "Parameters": [{"ParameterKey": "P", "ParameterValue": "two"}]},
        changes={
            "TemplateBody": "{}",
            "Parameters.ParameterKey": "Z",
            "Parameters.ParameterValue": ABSENT,
        },
    ),
    Probe(
        operation="EstimateTemplateCost",
        base={"TemplateBody": PARAMETERS, "Parameters": [{"ParameterKey": "P"}]},
        changes={"Parameters.UsePreviousValue": True},
    ),
    Probe(operation="EstimateTemplateCost", changes={"TemplateURL": url_of(template())}),
    Probe(operation="DescribeAccountLimits", changes={"NextToken": "1"}),
    Probe(
        operation="DetectStackDrift",
        arrange=create(template(Q=QUEUE, P=QUEUE)),
        base={"StackName": "s"},
        look=lambda world: world("DescribeStackResources", StackName="s"),
        changes={"StackName": "other", "LogicalResourceIds": ["P"]},
    ),
    Probe(
        operation="DetectStackResourceDrift",
        arrange=create(template(Q=QUEUE, P=QUEUE)),
        base={"StackName": "s", "LogicalResourceId": "Q"},
        changes={"StackName": "other", "LogicalResourceId": "P"},
    ),
    Probe(
        operation="DescribeStackDriftDetectionStatus",
        arrange=drifted,
        base={"StackDriftDetectionId": lambda world: world("DetectStackDrift", StackName="s")["StackDriftDetectionId"]},
        changes={"StackDriftDetectionId": "c3df4a19-0000-4000-8000-000000000000"},
    ),
    Probe(
        operation="DescribeStackResourceDrifts",
        arrange=drifted,
        base={"StackName": "s"},
        changes={
            "StackName": "other",
            "StackResourceDriftStatusFilters": ["DELETED"],
            "NextToken": "1",
            "MaxResults": 1,
        },
    ),
    Probe(
        operation="SetAlias",
        arrange=create(),
        base={"StackName": "s", "AliasName": "a"},
        look=lambda world: world("DescribeStacks"),
        changes={"StackName": "other", "AliasName": "b"},
    ),
    Probe(
        operation="RemoveAlias",
        arrange=lambda world: (create()(world), world("SetAlias", StackName="s", AliasName="a")),
        base={"AliasName": "a"},
        changes={"AliasName": "b"},
    ),
]
