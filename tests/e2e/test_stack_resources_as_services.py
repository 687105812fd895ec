"""What stacks have made is there for other clients on a plain server: parameters by SSM, functions by Lambda."""

import json

import pytest
from botocore.exceptions import ClientError

from support.serving import serving

TEMPLATE = {
    "Resources": {
        "Version": {
            "Type": "AWS::SSM::Parameter",
            "Properties": {"Name": "/cdk-bootstrap/hnb659fds/version", "Type": "String", "Value": "21"},
        },
        "Zones": {
            "Type": "AWS::SSM::Parameter",
            "Properties": {"Name": "/cdk-bootstrap/zones", "Type": "StringList", "Value": "a,b"},
        },
        "Double": {
            "Type": "AWS::Lambda::Function",
            "Properties": {
                "FunctionName": "double",
                "Role": "arn:aws:iam::123456789012:role/any",
                "Runtime": "python3.12",
                "Handler": "index.double",
                "Timeout": 20,
                "Environment": {"Variables": {"FACTOR": "2"}},
                "Code": {
                    "ZipFile": "import os\n\ndef double(event, context):\n"
                    "    return int(os.environ['FACTOR']) * event['n']\n"
                },
            },
        },
    }
}
# As the CDK writes it into every template.
BOOTSTRAPPED = {
    "Parameters": {
        "BootstrapVersion": {
            "Type": "AWS::SSM::Parameter::Value<String>",
            "Default": "/cdk-bootstrap/hnb659fds/version",
        }
    },
    "Resources": {
        "Topic": {"Type": "AWS::SNS::Topic", "Properties": {"DisplayName": "{{resolve:ssm:/cdk-bootstrap/zones:1}}"}}
    },
    "Outputs": {"Version": {"Value": {"Ref": "BootstrapVersion"}}},
}


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("services"), forked=True) as running:
        deploy(running, "tools", TEMPLATE)
        yield running


def deploy(server, name, template, operation="create"):
    client = server.client("cloudformation")
    getattr(client, f"{operation}_stack")(StackName=name, TemplateBody=json.dumps(template))
    client.get_waiter(f"stack_{operation}_complete").wait(StackName=name)
    return client.describe_stacks(StackName=name)["Stacks"][0]


def test_parameters_are_read_by_ssm(server):
    ssm = server.client("ssm")
    found = ssm.get_parameter(Name="/cdk-bootstrap/hnb659fds/version", WithDecryption=True)["Parameter"]
    assert (found["Value"], found["Type"], found["Version"]) == ("21", "String", 1)
    assert ssm.get_parameter(Name=found["ARN"])["Parameter"]["Value"] == "21"
    assert ssm.get_parameter(Name=f"{found['Name']}:1")["Parameter"]["Selector"] == ":1"
    for name in ("/cdk-bootstrap/none", f"{found['Name']}:2"):
        with pytest.raises(ssm.exceptions.ParameterNotFound):
            ssm.get_parameter(Name=name)
    several = ssm.get_parameters(Names=[found["Name"], "/none"])
    assert ([each["Value"] for each in several["Parameters"]], several["InvalidParameters"]) == (["21"], ["/none"])
    below = ssm.get_parameters_by_path(Path="/cdk-bootstrap")["Parameters"]
    assert [each["Name"] for each in below] == ["/cdk-bootstrap/zones"]
    page = ssm.get_parameters_by_path(Path="/", Recursive=True, MaxResults=1)
    rest = ssm.get_parameters_by_path(Path="/", Recursive=True, NextToken=page["NextToken"])
    assert len(page["Parameters"] + rest["Parameters"]) == 2
    with pytest.raises(ClientError, match="InvalidFilterKey"):
        ssm.get_parameters_by_path(Path="/", ParameterFilters=[{"Key": "Type", "Values": ["String"]}])
    with pytest.raises(ClientError, match="PutParameter"):
        ssm.put_parameter(Name="x", Value="y", Type="String")


def test_a_template_of_the_cdk_reads_the_version_of_its_bootstrap(server):
    made = deploy(server, "app", BOOTSTRAPPED)
    assert made["Outputs"][0]["OutputValue"] == "21"
    changed = json.loads(json.dumps(TEMPLATE).replace('"21"', '"22"'))
    deploy(server, "tools", changed, "update")
    found = server.client("ssm").get_parameter(Name="/cdk-bootstrap/hnb659fds/version")["Parameter"]
    assert (found["Value"], found["Version"]) == ("22", 2)
    deploy(server, "tools", TEMPLATE, "update")


def test_functions_are_invoked_listed_and_described(server):
    functions = server.client("lambda")
    answer = functions.invoke(FunctionName="double", Payload=b'{"n": 21}', LogType="Tail")
    assert json.load(answer["Payload"]) == 42
    failed = functions.invoke(FunctionName="double", Payload=b"{}")
    assert failed["FunctionError"] == "Unhandled"
    assert [each["FunctionName"] for each in functions.list_functions()["Functions"]] == ["double"]
    found = functions.get_function(FunctionName="double")["Configuration"]
    assert (found["Handler"], found["Timeout"], found["Runtime"]) == ("index.double", 20, "python3.12")
    assert json.load(functions.invoke(FunctionName=found["FunctionArn"], Payload=b'{"n": 1}')["Payload"]) == 2
    assert functions.get_function_configuration(FunctionName="double")["MemorySize"] == 128
    with pytest.raises(functions.exceptions.ResourceNotFoundException):
        functions.invoke(FunctionName="other")
    with pytest.raises(functions.exceptions.ResourceNotFoundException):
        server.client("lambda", account="222222222222").invoke(FunctionName="double")


def test_what_needs_another_aws_says_so(server):
    with pytest.raises(ClientError, match="cfn serve --aws moto"):
        server.client("dynamodb").list_tables()
