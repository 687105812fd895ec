"""What hooks are asked about a template: evaluated as the engine does, and placed where the template has it."""

import pytest

from formwork.aws.scope import Scope
from formwork.diagnostics import BadInputError
from formwork.documents import parse_document
from formwork.hook_dry_runs.planning import DryRunContext, plan_template
from formwork.hooks import TargetKind
from formwork.template import read_template

MARK = "{{changeSet:KNOWN_AFTER_APPLY}}"
TEMPLATE = """\
Parameters:
  Name: {Type: String, Default: logs}
  Secret: {Type: String, NoEcho: true, Default: hush-hush}
Conditions:
  Never: !Equals [!Ref Name, other]
Resources:
  Key:
    Type: AWS::KMS::Key
  Logs:
    Type: AWS::S3::Bucket
    Properties:
      BucketName: !Sub '${Name}-${AWS::Region}'
      KeyId: !GetAtt Key.Arn
      Tags:
        - {Key: owner, Value: !Ref Secret}
        - {Key: stored, Value: '{{resolve:ssm:owner}}'}
  Absent:
    Type: AWS::S3::Bucket
    Condition: Never
"""


def plan(text, *, kinds=(TargetKind.RESOURCE,), action="CREATE", **more):
    scope = Scope("123456789012", "eu-west-1")
    context = DryRunContext(scope=scope, stack_name="shop", stack_arn="arn:shop", **more)
    document = parse_document(text, name="t.yaml", short_tags=True)
    return plan_template(document, context, kinds=kinds, action=action)


def test_references_are_resolved_and_the_rest_is_marked():
    key, logs = plan(TEMPLATE)
    assert (key.target.name, key.properties) == ("AWS::KMS::Key", {})
    assert logs.properties["BucketName"] == "logs-eu-west-1"
    assert logs.properties["KeyId"] == MARK
    assert logs.unknown == (("KeyId",), ("Tags", 1, "Value"))
    assert (logs.target.identifier, logs.target.stack_name, logs.target.action) == ("Logs", "shop", "CREATE")


def test_given_parameters_count_and_secret_ones_are_secret():
    targets = plan(TEMPLATE, parameters={"Name": "other", "Secret": "given"})
    assert [each.target.identifier for each in targets] == ["Key", "Logs", "Absent"]
    assert targets[1].properties["BucketName"] == "other-eu-west-1"
    assert targets[1].secrets == ("given",)


def test_places_are_those_of_the_properties():
    logs = plan(TEMPLATE)[1]
    assert (logs.locate(("Tags", 1, "Value")).start.line, logs.locate().start.line) == (16, 9)
    assert logs.locate(("Tags", 1, "Value")).pointer == "/Resources/Logs/Properties/Tags/1/Value"


def test_templates_and_change_sets_are_asked_about_whole():
    stack, change_set = plan(TEMPLATE, kinds=[TargetKind.STACK, TargetKind.CHANGE_SET])
    assert stack.payload == {"template": TEMPLATE, "previousTemplate": ""}
    changes = {each["logicalResourceId"]: each for each in change_set.payload["changedResources"]}
    assert set(changes) == {"Key", "Logs"}
    assert (changes["Logs"]["action"], changes["Logs"]["lineNumber"]) == ("CREATE", 9)
    assert '"BucketName":"logs-eu-west-1"' in changes["Logs"]["afterContext"]


def test_an_update_has_what_was_there():
    logs = plan(TEMPLATE, action="UPDATE")[1]
    assert logs.model["previousResourceProperties"] == logs.model["resourceProperties"]


def test_a_missing_parameter_is_refused_with_the_option_that_gives_it():
    with pytest.raises(BadInputError) as raised:
        plan("Parameters:\n  Name: {Type: String}\nResources:\n  Topic: {Type: AWS::SNS::Topic}\n")
    (found,) = raised.value.diagnostics
    assert (found.code, found.location.file) == ("hook.template", "t.yaml")
    assert "--parameter" in found.hint


def test_in_a_module_parameters_without_a_value_are_unknown():
    text = "Parameters:\n  Name: {Type: String}\nResources:\n  T: {Type: AWS::SNS::Topic, Properties: {N: !Ref Name}}\n"
    (topic,) = plan(text, open_parameters=True)
    assert topic.properties == {"N": MARK}


def test_a_module_is_expanded_and_its_resources_are_placed_at_its_use():
    fragment = "Resources:\n  Topic: {Type: AWS::SNS::Topic, Properties: {DisplayName: red}}\n"
    modules = {"Acme::Sns::Topic::MODULE": read_template(parse_document(fragment, name="fragment")).template}
    text = "Resources:\n  First: {Type: AWS::SNS::Topic}\n  Mine:\n    Type: Acme::Sns::Topic::MODULE\n"
    _, topic = plan(text, modules=modules.get)
    assert (topic.target.identifier, topic.properties) == ("MineTopic", {"DisplayName": "red"})
    assert topic.locate().start.line == 3


def test_what_is_no_template_is_refused_with_its_place():
    with pytest.raises(BadInputError) as raised:
        plan("Resources:\n  Topic: {Type: 5}\n")
    assert raised.value.diagnostics[0].location.start.line == 2


def test_a_macro_is_refused_by_name():
    with pytest.raises(BadInputError, match="the macro Acme is not run here"):
        plan("Transform: Acme\nResources:\n  Topic: {Type: AWS::SNS::Topic}\n")


def test_a_condition_of_an_unknown_parameter_needs_its_value():
    text = (
        "Parameters:\n  Name: {Type: String}\nConditions:\n  Named: !Equals [!Ref Name, x]\n"
        "Resources:\n  T: {Type: AWS::SNS::Topic, Condition: Named}\n"
    )
    with pytest.raises(BadInputError) as raised:
        plan(text, open_parameters=True)
    assert "--parameter" in raised.value.diagnostics[0].hint


def test_a_list_that_parameter_store_holds_is_unknown():
    text = (
        "Parameters:\n  Zones: {Type: AWS::SSM::Parameter::Value<List<String>>, Default: /zones}\n"
        "Resources:\n  T: {Type: AWS::SNS::Topic, Properties: {Zone: !Select [1, !Ref Zones]}}\n"
    )
    (topic,) = plan(text)
    assert topic.properties == {"Zone": MARK}


def test_a_rule_about_a_stored_value_is_left_to_the_service():
    """As every template of the CDK has one, about the version of its bootstrap stack."""
    text = (
        "Parameters:\n  Version: {Type: AWS::SSM::Parameter::Value<String>, Default: /cdk-bootstrap/version}\n"
        "Rules:\n  Check:\n    Assertions:\n"
        "      - Assert: {Fn::Contains: [['1', '2'], !Ref Version]}\n"
        "      - Assert: !Equals [!Ref Version, '6']\n"
        "Resources:\n  T: {Type: AWS::SNS::Topic}\n"
    )
    (topic,) = plan(text)
    assert topic.target.identifier == "T"
