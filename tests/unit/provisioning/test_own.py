"""Types that the process makes by itself: how they are found and called."""

import pytest

from formwork.durable import open_database
from formwork.provisioning import HandlerCall, OwnProvisioner, OwnTypes
from formwork.provisioning.outcomes import Failed, Succeeded, Waiting
from formwork.provisioning.own import OwnHandlers
from formwork.stacks.errors import StackError
from support.engines import HERE, Bench, thing_schema

LAMP = "Resources: {A: {Type: Acme::Own::Lamp, Properties: {Color: %s}}}"


class Lamps(OwnHandlers):
    """An own type that is done at the second call of each operation."""

    def __init__(self):
        self.lit = {}
        self.calls = []
        self.schema = thing_schema("Acme::Own::Lamp")

    def provisioner(self, _scope, _name):
        return OwnProvisioner(self.schema, self)

    def create(self, call):
        self.calls.append(call)
        if call.desired["Color"] == "black":
            raise StackError("there is no black light")
        self.lit.setdefault(call.token, {"Id": "thing-0000000a", "Arn": "arn:thing:000001", **call.desired})
        if call.context is None:
            return Waiting(0, {**call.desired, "Id": "thing-0000000a"}, {"asked": 1})
        return Succeeded(self.lit[call.token])

    def update(self, call):
        self.calls.append(call)
        return Failed("GeneralServiceException", "The bulb is broken. ", plain=True)

    def read(self, _call):
        return Succeeded(next(iter(self.lit.values())))

    def delete(self, call):
        self.calls.append(call)
        self.lit.clear()
        return Succeeded(None)


class Named:
    """An own type whose provisioner is its name."""

    def provisioner(self, _scope, name):
        return name


@pytest.fixture
def lamps():
    return Lamps()


@pytest.fixture
def bench(tmp_path, lamps):
    opened = open_database(tmp_path)
    opened.migrate()
    made = Bench(opened)
    made.table.own.add("Acme::Own::Lamp", lamps)
    yield made
    opened.close()


def test_an_own_type_in_a_stack(bench, lamps):
    bench.create(LAMP % "red")
    assert bench.resources()["A"].physical_id == "thing-0000000a"
    assert len(lamps.lit) == 1
    bench.delete("shop")
    assert lamps.lit == {}
    assert lamps.calls[-1].properties == {"Color": "red"}


def test_its_own_failures_are_told_as_they_stand(bench):
    bench.create(LAMP % "red")
    bench.update(LAMP % "blue")
    assert ("A", "UPDATE_FAILED", "The bulb is broken. ") in bench.story()


@pytest.mark.parametrize(
    ("color", "told"),
    [("black", "there is no black light"), ("[]", "Property validation failure: /Color: [] has the wrong type")],
)
def test_what_it_refuses(bench, color, told):
    bench.create(LAMP % color)
    (reason,) = (reason for name, status, reason in bench.story() if status == "CREATE_FAILED")
    assert told in reason
    assert "HandlerErrorCode: InvalidRequest" in reason


def test_types_are_found_by_their_name_or_their_namespace(lamps):
    own = OwnTypes()
    own.add("Acme::Own::Lamp", lamps)
    own.add("Custom::*", Named())
    assert own.find(HERE, "Acme::Own::Lamp") is own.find(HERE, "Acme::Own::Lamp")
    assert own.find(HERE, "Custom::Any") == "Custom::Any"
    assert own.find(HERE, "Acme::Own::Other") is None


def test_an_action_without_a_handler(lamps):
    provisioner = OwnProvisioner(lamps.schema, OwnHandlers())
    outcome = provisioner.invoke(HandlerCall(action="LIST", desired=None, token="t"))
    assert outcome.code == "InvalidRequest"
