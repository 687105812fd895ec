"""Preparing templates: parameters, macros, modules, and what is refused, in the service's words."""

import pytest

from formwork.aws.scope import Scope
from formwork.aws.stored_values import StoredParameter
from formwork.documents import parse_document
from formwork.preparation.capabilities import needed_capabilities
from formwork.preparation.dependencies import TemplateContext
from formwork.preparation.parameters import GivenParameter
from formwork.preparation.prepared import prepare_template, read_checked
from formwork.stacks.errors import MacroError, StackError
from formwork.template import read_template
from formwork.template.evaluation import Environment

STORE = {
    "/ami": StoredParameter("ami-1", "String", 1),
    "/zones": StoredParameter("a, b", "StringList", 1),
    "/password": StoredParameter("x", "SecureString", 1),
}
FRAGMENT = """
Parameters: {Size: {Type: String}}
Resources:
  Inner: {Type: Acme::A::B, Properties: {Size: !Ref Size}}
"""
HERE = Scope("111122223333", "eu-west-1")
ONE = "Resources: {A: {Type: Acme::A::B}}"


class StandIn:
    """A provisioner as far as templates are prepared with it."""

    version = None


class Types:
    """Every type but those of nobody, and one module."""

    def find(self, _scope, name, _version=None):
        return None if name.startswith("Nobody") else StandIn()

    def find_module(self, _scope, name):
        known = "Known" in name
        return read_template(parse_document(FRAGMENT, name="m.yaml", short_tags=True)).template if known else None

    def explain(self, _scope, _name):
        return None


class References:
    def parameter(self, _scope, name):
        return STORE.get(name)

    def parameter_exists(self, _scope, name):
        return name in STORE

    def pin(self, _scope, value):
        return {key: str(each).replace("ssm:/ami}", "ssm:/ami:1}") for key, each in value.items()}


class Macros:
    def run(self, _scope, call):
        return transform(call)


def transform(call):
    match call.name:
        case "Upper":
            return {key.upper(): value for key, value in call.fragment.items()} | dict(call.parameters)
        case "Whole":
            return {**call.fragment, "Outputs": {"Made": {"Value": "by the macro"}}}
        case "AWS::Include":
            return {"Included": call.parameters["Location"]}
        case _:
            raise MacroError(call.name, "it is not there")


def prepare(text, *given, previous=None, capabilities=("CAPABILITY_AUTO_EXPAND",)):
    environment = Environment(pseudo={"AWS::Region": "eu-west-1"})
    context = TemplateContext(HERE, environment, Types(), References(), Macros())
    return prepare_template(text, given, context, previous=previous, capabilities=capabilities)


def refused(text, *given, **more):
    with pytest.raises(StackError) as caught:
        prepare(text, *given, **more)
    return f"{caught.value.code}: {caught.value.message}"


PARAMETERS = """
Parameters:
  Name: {Type: String, Default: shop, MaxLength: 6}
  Count: {Type: Number}
  Names: {Type: CommaDelimitedList, Default: "a, b"}
  Image: {Type: AWS::SSM::Parameter::Value<String>, Default: /ami}
  Zones: {Type: "AWS::SSM::Parameter::Value<List<String>>", Default: /zones}
  Key: {Type: AWS::SSM::Parameter::Name, Default: /ami}
  Named: {Type: "AWS::SSM::Parameter::Value<List<String>>", Default: /zones, AllowedPattern: "/z.*"}
  Word: {Type: String, Default: x, AllowedPattern: "[a-z]", ConstraintDescription: one small letter}
Resources: {A: {Type: Acme::A::B}}
"""


def test_parameters():
    found = prepare(PARAMETERS, GivenParameter("Count", "3")).parameters
    assert found.given == {
        "Name": "shop",
        "Count": "3",
        "Names": "a, b",
        "Image": "/ami",
        "Zones": "/zones",
        "Key": "/ami",
        "Named": "/zones",
        "Word": "x",
    }
    assert found.stored == {"Image": "ami-1", "Zones": "a,b", "Named": "a,b"}
    assert found.values == {
        "Name": "shop",
        "Count": "3",
        "Names": ["a", "b"],
        "Image": "ami-1",
        "Zones": ["a", "b"],
        "Key": "/ami",
        "Named": ["a", "b"],
        "Word": "x",
    }


def test_parameters_that_the_stack_has():
    given = GivenParameter("Count", use_previous=True), GivenParameter("Name", use_previous=True)
    assert prepare(PARAMETERS, *given, previous={"Count": "7"}).parameters.given["Count"] == "7"
    assert prepare(PARAMETERS, *given, previous={"Count": "7"}).parameters.given["Name"] == "shop"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "ValidationError: Parameters: [Count] must have values"),
        ({"Count": "3", "Other": "x"}, "ValidationError: Parameters: [Other] do not exist in the template"),
        ({"Count": "many"}, "ValidationError: Parameter 'Count' must be a number."),
        ({"Count": "3", "Name": "a long one"}, "ValidationError: Parameter 'Name' must contain at most 6 characters"),
        ({"Count": "3", "Word": "X"}, "ValidationError: Parameter Word failed to satisfy constraint: one small letter"),
        (
            {"Count": "3", "Image": "/nowhere"},
            "ValidationError: Unable to fetch parameters [/nowhere] from parameter store for this account.",
        ),
        (
            {"Count": "3", "Image": "/password"},
            "ValidationError: Parameters [/password] referenced by template have types not supported by CloudFormation.",
        ),
        (
            {"Count": "3", "Image": "/zones", "Zones": "/ami"},
            "ValidationError: Types for SSM parameters [/zones,/ami] defined in CFN template and SSM are incompatible",
        ),
        (
            {"Count": "3", "Key": "/gone"},
            "ValidationError: Parameter validation failed: parameter value /gone for parameter name Key does not exist",
        ),
        ({"Count": "3", "Named": "/ami"}, "ValidationError: Parameter 'Named' must match pattern /z.*"),
    ],
)
def test_parameters_refused(given, message):
    assert refused(PARAMETERS, *(GivenParameter(*each) for each in given.items())) == message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"Resources": {"A": }}', "Template format error: JSON not well-formed. (line 1, column 22)"),
        ("Resources: [a\n", "Template format error: YAML not well-formed. (line 2, column 1)"),
        ("[a]", "Template format error: unsupported structure."),
        ("Resources: {}", "Template format error: At least one Resources member must be defined."),
        (
            "Resources: {A: {Type: Nobody::Has::It}}",
            "Template format error: Unrecognized resource types: [Nobody::Has::It]",
        ),
        (
            "Mappings: {M: {a: {b: c}}}\nResources: {A: {Type: Acme::A::B, Properties: {X: !FindInMap [M, z, b]}}}",
            "Template error: Unable to get mapping for M::z::b",
        ),
        (
            "Parameters: {P: {Type: String, Default: '{{resolve:ssm:/ami}}'}}\n" + ONE,
            "Template error: parameter P should not contain ssm versionless resolver",
        ),
        (
            "Resources: {A: {Type: Acme::A::B, Properties: {X: {Y: [{Z: '{{resolve:ssm-secure:/password:1}}'}]}}}}",
            "SSM Secure reference is not supported in: [Acme::A::B/Properties/X/Y]",
        ),
        ("Transform: Gone\n" + ONE, "Transform Gone failed with: it is not there"),
        ("Transform: {No: name}\n" + ONE, "Key Name of transform definition must be a string."),
    ],
)
def test_templates_refused(text, message):
    assert refused(text) == f"ValidationError: {message}"


def test_references_to_parameter_store_name_the_version_of_now():
    text = """
    Conditions: {Never: !Equals [a, b]}
    Resources:
      A: {Type: Acme::A::B, Properties: {X: "{{resolve:ssm:/ami}}", Y: "{{resolve:secretsmanager:s}}"}}
      B: {Type: Acme::A::B, Condition: Never, Properties: {X: "{{resolve:ssm:/ami}}"}}
      U: {Type: AWS::IAM::User, Properties: {LoginProfile: {Password: "{{resolve:ssm-secure:/password:1}}"}}}
    """
    found = prepare(text, capabilities=("CAPABILITY_IAM", "CAPABILITY_AUTO_EXPAND")).value["Resources"]
    assert found["A"]["Properties"] == {"X": "{{resolve:ssm:/ami:1}}", "Y": "{{resolve:secretsmanager:s}}"}
    assert found["B"]["Properties"] == {"X": "{{resolve:ssm:/ami}}"}


def test_rules():
    text = """
    Parameters: {Size: {Type: String}}
    Rules: {R: {Assertions: [{Assert: !Equals [!Ref Size, big], AssertDescription: big ones only}]}}
    """
    message = refused(text + ONE, GivenParameter("Size", "small"))
    assert message == "ValidationError: Template validation error: big ones only"
    prepare(text + ONE, GivenParameter("Size", "big"))


def test_modules_are_expanded_and_need_an_acknowledgement():
    text = "Resources: {M: {Type: Acme::Known::Mod::MODULE, Properties: {Size: big}}}"
    found = prepare(text)
    assert found.value["Resources"]["MInner"]["Properties"] == {"Size": "big"}
    assert found.modules["MInner"].logical_id_hierarchy == "M"
    message = "InsufficientCapabilitiesException: Requires capabilities : [CAPABILITY_AUTO_EXPAND]"
    assert refused(text, capabilities=()) == message
    assert prepare(text, capabilities=None).modules == found.modules


def test_macros_inside_first_then_those_of_the_whole():
    found = prepare(
        """
        Transform: [Whole, AWS::LanguageExtensions]
        Resources:
          A:
            Type: Acme::A::B
            Properties:
              Kept:
                name: x
                Fn::Transform: {Name: Upper, Parameters: {Region: !Ref "AWS::Region"}}
              Fn::Transform: {Name: AWS::Include, Parameters: {Location: s3://b/k}}
        """
    )
    assert found.value == {
        "Resources": {
            "A": {
                "Type": "Acme::A::B",
                "Properties": {"Kept": {"NAME": "x", "Region": "eu-west-1"}, "Included": "s3://b/k"},
            }
        },
        "Outputs": {"Made": {"Value": "by the macro"}},
    }


def test_an_export_that_is_not_there_is_no_matter_yet():
    prepare("Resources: {A: {Type: Acme::A::B, Properties: {X: !ImportValue nothing}}}")


@pytest.mark.parametrize(
    ("properties", "acknowledged", "missing"),
    [
        ("{}", (), "CAPABILITY_IAM"),
        ("{}", ("CAPABILITY_IAM",), None),
        ("{}", ("CAPABILITY_NAMED_IAM",), None),
        ("{RoleName: me}", ("CAPABILITY_IAM",), "CAPABILITY_NAMED_IAM"),
        ("{RoleName: me}", ("CAPABILITY_NAMED_IAM",), None),
    ],
)
def test_iam_needs_an_acknowledgement(properties, acknowledged, missing):
    text = f"Resources: {{R: {{Type: AWS::IAM::Role, Properties: {properties}}}}}"
    if missing is None:
        prepare(text, capabilities=acknowledged)
    else:
        message = f"InsufficientCapabilitiesException: Requires capabilities : [{missing}]"
        assert refused(text, capabilities=acknowledged) == message


def test_what_a_template_needs_is_told_without_preparing():
    template = read_checked(parse_document("Resources: {A: {Type: AWS::IAM::Policy}}", name="t", short_tags=True))
    assert list(needed_capabilities(template)) == ["CAPABILITY_IAM"]
