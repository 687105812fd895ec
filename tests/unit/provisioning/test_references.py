"""Dynamic references in stacks: handlers get the values, the store and the events keep the references."""

import pytest

from formwork.diagnostics.secrets import Secret
from formwork.documents import parse_document
from formwork.durable import open_database
from formwork.durable.sealing import SEALER
from formwork.provisioning import HandlerCall
from formwork.provisioning.outcomes import Succeeded, Waiting
from formwork.provisioning.own import OwnHandlers, OwnProvisioner
from formwork.provisioning.references import conceal, misplaced_secure_strings, without_references
from formwork.provisioning.simulated import SimulatedProvisioner
from formwork.schema import load_resource_schema
from formwork.schema.at_hand import installed_schemas
from formwork.stacks.errors import StackError
from support.engines import HERE, Bench, Resolving, thing_schema

SECRET = "correct horse battery"
REFERENCE = "{{resolve:secretsmanager:db:SecretString:password}}"
TEMPLATE = """
Resources:
  A:
    Type: Acme::Web::Thing
    Properties: {Color: red, Secret: !Join ["", ["{{resolve:", "secretsmanager:db:SecretString:password}}"]]}
"""


class Values:
    """What one reference stands for, until it is taken away."""

    def __init__(self):
        self.there = True

    def __call__(self, _scope, value):
        match value:
            case dict():
                return {name: self(_scope, each) for name, each in value.items()}
            case str() if value == REFERENCE and not self.there:
                raise StackError("Secrets Manager can't find the specified secret.")
            case str() if value == REFERENCE:
                return Secret(SECRET)
            case _:
                return value


@pytest.fixture
def values():
    return Values()


@pytest.fixture
def bench(tmp_path, values):
    database = open_database(tmp_path / "state")
    setattr(database.engine.dialect, SEALER, None)  # a secret shall not even be there sealed
    database.migrate()
    yield Bench(database, references=Resolving(values))
    database.close()
    for file in (tmp_path / "state").rglob("*"):
        if file.is_file() and file.name.startswith("formwork.db"):
            assert SECRET.encode() not in file.read_bytes().replace(b"\0", b""), file


def test_a_handler_gets_the_value_and_nobody_keeps_it(bench):
    waiting = Waiting(1, {"Id": "thing-00000001", "Color": "red", "Secret": SECRET}, {"n": 1})
    made = Succeeded({"Id": "thing-00000001", "Color": "red"})
    bench.things.answer("CREATE", waiting, made)
    bench.things.answer("READ", made)
    bench.create(TEMPLATE)
    first, second = (each for each in bench.things.calls if each.action == "CREATE")
    assert first.desired["Secret"].reveal() == SECRET
    assert second.desired["Secret"].reveal() == SECRET  # the value came back in the model, and was not stored
    assert bench.stack().status == "CREATE_COMPLETE"
    assert bench.resources()["A"].properties["Secret"] == REFERENCE
    assert SECRET not in str(bench.engine.lookups.list_events(bench.stack().scope, "shop"))


def test_what_is_read_back_is_kept_as_the_reference_and_resolved_where_it_is_used(bench):
    bench.create("""
    Resources:
      A: {Type: Acme::Web::Thing, Properties: {Color: "{{resolve:secretsmanager:db:SecretString:password}}"}}
      B: {Type: Acme::Web::Thing, Properties: {Of: !GetAtt A.Color}}
    Outputs: {Color: {Value: !GetAtt A.Color}}
    """)
    assert bench.stack().status == "CREATE_COMPLETE"
    assert bench.resources()["A"].model["Color"] == REFERENCE
    (made,) = (each for each in bench.things.calls if each.action == "CREATE" and each.logical_id == "B")
    assert made.desired["Of"].reveal() == SECRET
    assert bench.stack().outputs["Color"][0] == REFERENCE
    bench.update("Resources: {A: {Type: Acme::Web::Thing, Properties: {Color: blue}}}")
    assert bench.resources()["A"].model["Color"] == "blue"


def test_a_reference_that_leads_nowhere_fails_the_resource(bench, values):
    values.there = False
    bench.create(TEMPLATE)
    message = "Secrets Manager can't find the specified secret."
    assert ("A", "CREATE_FAILED", message) in bench.story()
    assert bench.stack().status == "ROLLBACK_COMPLETE"


def test_what_an_old_reference_stood_for_may_be_gone_at_an_update(bench, values):
    bench.create(TEMPLATE)
    values.there = False
    bench.update("Resources: {A: {Type: Acme::Web::Thing, Properties: {Color: blue}}}")
    assert bench.stack().status == "UPDATE_COMPLETE"


def test_secrets_in_a_model_are_put_back_as_references():
    written = {"A": {"B": [REFERENCE, "x"]}, "C": REFERENCE, "D": "plain"}
    resolved = {"A": {"B": [Secret(SECRET), "x"]}, "C": Secret(SECRET), "D": "plain"}
    model = {"A": {"B": [SECRET, "x"], "E": 1}, "C": "other", "D": "plain", "Id": "1"}
    assert conceal(model, resolved, written) == {**model, "A": {"B": [REFERENCE, "x"], "E": 1}}


def test_drift_leaves_references_out():
    assert without_references({"A": {"B": REFERENCE, "C": 1}, "D": ["x", REFERENCE], "E": ["y"]}) == {
        "A": {"C": 1},
        "E": ["y"],
    }


def test_where_secure_strings_may_stand():
    secure = "{{resolve:ssm-secure:p:1}}"
    stack = {"RdsDbInstances": [{"DbPassword": secure, "DbUser": secure}], "Name": f"x{secure}"}
    assert list(misplaced_secure_strings("AWS::OpsWorks::Stack", stack)) == [
        "AWS::OpsWorks::Stack/Properties/RdsDbInstances",
        "AWS::OpsWorks::Stack/Properties/Name",
    ]
    assert not list(misplaced_secure_strings("AWS::RDS::DBInstance", {"MasterUserPassword": secure}))


def test_what_this_process_makes_by_itself_gets_the_references():
    asked = []

    class Recording(OwnHandlers):
        def create(self, call):
            asked.append(call)
            return Succeeded(call.desired)

    own = OwnProvisioner(thing_schema(), Recording())
    desired, written = {"Color": Secret(SECRET), "Name": "n"}, {"Color": REFERENCE, "Name": "n"}
    outcome = own.invoke(HandlerCall(action="CREATE", desired=desired, token="t", properties=written))
    assert isinstance(outcome, Succeeded), outcome
    assert asked[0].desired == written


def test_names_and_arns_of_simulated_resources_may_come_of_secrets(bench):
    schema = load_resource_schema(parse_document(installed_schemas().find("AWS::SNS::Topic"), name="topic.json")).schema
    simulated = SimulatedProvisioner(schema, bench.engine.database, HERE)
    outcome = simulated.invoke(HandlerCall(action="CREATE", desired={"TopicName": Secret("hidden")}, token="t"))
    assert outcome.model["TopicArn"].endswith(":hidden")
