"""The order of macros, what they get, and what becomes of what they give."""

import pytest

from formwork.aws.scope import Scope
from formwork.documents import parse_document
from formwork.preparation.dependencies import TemplateContext
from formwork.preparation.prepared import read_checked
from formwork.preparation.transforms.processing import apply_transforms, declared_transforms
from formwork.stacks.errors import MacroError, ProcessingError, StackError
from formwork.template.evaluation import Environment


def read(text):
    return read_checked(parse_document(text, name="template", short_tags=True))


HERE = Scope("111122223333", "eu-west-1")


class Recorder:
    """A macro that gives back what it gets, or the answers of a table, and remembers its calls."""

    def __init__(self, **answers):
        self.answers = answers
        self.calls = []

    def run(self, _scope, call):
        self.calls.append(call)
        return self.answers.get(call.name.replace("::", "_"), call.fragment)

    @property
    def names(self):
        return [each.name for each in self.calls]


def apply(text, recorder, **parameters):
    environment = Environment(parameters=parameters, pseudo={"AWS::Region": "eu-west-1"})
    return apply_transforms(read(text), TemplateContext(HERE, environment, None, None, recorder)).document.value


NESTED = """
Transform: [Top, {Name: Second}]
Resources:
  A:
    Type: Acme::A::B
    Properties:
      Inner: {Deep: 1, Fn::Transform: Deepest}
      Fn::Transform: [{Name: One}, Two]
  Fn::Transform: {Name: Section}
"""


def test_the_order():
    recorder = Recorder()
    apply(NESTED, recorder)
    assert recorder.names == ["Deepest", "One", "Two", "Section", "Top", "Second"]
    assert declared_transforms(read(NESTED)) == ("Top", "Second", "Deepest", "One", "Two", "Section")


def test_what_they_get():
    recorder = Recorder(Deepest={"made": True}, Section={"B": {"Type": "Acme::A::B"}})
    made = apply(NESTED, recorder)
    calls = {each.name: each.fragment for each in recorder.calls}
    assert calls["Deepest"] == {"Deep": 1}
    assert calls["One"] == {"Inner": {"made": True}}
    assert calls["Section"] == {"A": {"Type": "Acme::A::B", "Properties": {"Inner": {"made": True}}}}
    assert calls["Top"] == calls["Second"] == made == {"Resources": {"B": {"Type": "Acme::A::B"}}}


def test_their_parameters_are_worked_out_where_they_can_be():
    text = """
    Parameters: {Word: {Type: String}}
    Transform:
      Name: Top
      Parameters: {A: !Ref Word, B: !Sub "${AWS::Region}-${Word}", C: !GetAtt Thing.Arn, D: [1, {E: !Ref Word}]}
    Resources: {Thing: {Type: Acme::A::B}}
    """
    recorder = Recorder()
    apply(text, recorder, Word="hello")
    (call,) = recorder.calls
    assert call.parameters == {
        "A": "hello",
        "B": "eu-west-1-hello",
        "C": {"Fn::GetAtt": ["Thing", "Arn"]},
        "D": [1, {"E": "hello"}],
    }
    assert call.values == {"Word": "hello"}


def test_includes_join_their_siblings():
    text = """
    Transform: {Name: AWS::Include, Parameters: {Location: s3://b/k}}
    Resources: {A: {Type: Acme::A::B}}
    """
    included = {"Resources": {"B": {"Type": "Acme::A::B"}}, "Outputs": {"O": {"Value": 1}}}
    assert apply(text, Recorder(AWS_Include=included)) == {
        "Resources": {"A": {"Type": "Acme::A::B"}, "B": {"Type": "Acme::A::B"}},
        "Outputs": {"O": {"Value": 1}},
    }
    alone = "Resources: {A: {Type: Acme::A::B, Properties: {X: {Fn::Transform: {Name: AWS::Include}}}}}"
    made = apply(alone, Recorder(AWS_Include=["a", "b"]))
    assert made["Resources"]["A"]["Properties"] == {"X": ["a", "b"]}
    with pytest.raises(MacroError, match="has to be an object where it has siblings"):
        apply(text, Recorder(AWS_Include=["a"]))


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ("words", "Template format error: unsupported structure."),
        ({"Resources": {}}, "Template format error: At least one Resources member must be defined."),
        ({"Resources": {"A": {}}}, "[/Resources/A] Every Resources object must contain a Type member."),
    ],
)
def test_what_macros_make_must_be_a_template(answer, message):
    with pytest.raises(ProcessingError, match="Template format error") as caught:
        apply("Transform: Top\nResources: {A: {Type: Acme::A::B}}", Recorder(Top=answer))
    assert caught.value.message.endswith(message)


def test_a_macros_name_is_a_text():
    for text in (
        "Parameters: {Word: {Type: String}}\nTransform: [{Name: !Ref Word}]\nResources: {A: {Type: Acme::A::B}}",
        (
            "Parameters: {Word: {Type: String}}\n"
            "Resources: {A: {Type: Acme::A::B, Properties: {X: {Fn::Transform: {Name: !Ref Word}, Y: 1}}}}"
        ),
    ):
        with pytest.raises(StackError, match="Key Name of transform definition must be a string"):
            apply(text, Recorder())


def test_a_macros_own_transform_section_is_not_run():
    recorder = Recorder(Top={"Transform": "Other", "Resources": {"A": {"Type": "Acme::A::B"}}})
    assert apply("Transform: Top\nResources: {A: {Type: Acme::A::B}}", recorder) == {
        "Resources": {"A": {"Type": "Acme::A::B"}}
    }
    assert recorder.names == ["Top"]
