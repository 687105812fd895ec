"""Calls of operations as boto3 makes them: who calls, errors in each protocol, waiters that are held."""

import concurrent.futures
import socket
import threading
import time
from datetime import UTC, datetime

import pytest
from botocore.exceptions import ClientError, WaiterError

from formwork.api.connections import BoundedProtocol
from formwork.api.wire import ApiError
from formwork.diagnostics import EnvironmentProblemError
from support.api import serve_api

NAME = "Acme::Store::Thing"


def describe_type(caller, request):
    """Tells who asked."""
    if request["TypeName"] == "Acme::Is::Absent":
        raise ApiError("TypeNotFoundException", f"The type '{request['TypeName']}' cannot be found.", status=404)
    if request["TypeName"] == "Acme::Has::Bug":
        raise ZeroDivisionError("oops")
    return {
        "Arn": caller.arn,
        "Description": f"{caller.account} {caller.region} <&>\x00",
        "TimeCreated": datetime(2026, 1, 1, tzinfo=UTC),
        "RequiredActivatedTypes": [],
    }


TABLE = {("cloudformation", "DescribeType"): describe_type}


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    with serve_api(tmp_path_factory.mktemp("state"), operations=TABLE) as found:
        yield found


def error_of(caught):
    error = caught.value.response
    return error["Error"]["Code"], error["Error"]["Message"], error["ResponseMetadata"]["HTTPStatusCode"]


def test_the_body_of_an_answer_waits_for_no_acknowledgement_of_its_head(served, monkeypatch):
    """Clients delay acknowledgements by 40 ms, which Nagle's algorithm would wait for."""
    delays_off = []
    made = BoundedProtocol.connection_made

    def note(connection, transport):
        made(connection, transport)
        delays_off.append(transport.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))

    monkeypatch.setattr(BoundedProtocol, "connection_made", note)
    served.client("cloudformation").describe_type(Type="RESOURCE", TypeName=NAME)
    assert delays_off
    assert all(delays_off)


def test_who_calls(served):
    def ask(**more):
        answer = served.client("cloudformation", **more).describe_type(Type="RESOURCE", TypeName=NAME)
        return answer["Description"], answer["Arn"]

    assert ask() == ("123456789012 us-east-1 <&>", "arn:aws:iam::123456789012:user/formwork")
    assert ask(account="999999999999", region="eu-central-1")[0] == "999999999999 eu-central-1 <&>"
    assert ask(region="cn-north-1")[1].startswith("arn:aws-cn:iam::")


def test_an_answer(served):
    answer = served.client("cloudformation").describe_type(Type="RESOURCE", TypeName=NAME)
    assert answer["TimeCreated"] == datetime(2026, 1, 1, tzinfo=UTC)
    assert answer["RequiredActivatedTypes"] == [], "empty lists are there"
    assert len(answer["ResponseMetadata"]["RequestId"]) == 36
    status, headers, _ = served.send("GET", "/")
    assert status == 403
    assert len(headers.get_all("Date")) == 1
    assert headers.get_all("Server") is None


def test_errors(served):
    client = served.client("cloudformation")
    with pytest.raises(client.exceptions.TypeNotFoundException) as caught:
        client.describe_type(Type="RESOURCE", TypeName="Acme::Is::Absent")
    assert error_of(caught) == ("TypeNotFoundException", "The type 'Acme::Is::Absent' cannot be found.", 404)
    with pytest.raises(ClientError) as caught:
        client.activate_organizations_access()
    assert error_of(caught) == (
        "InvalidAction",
        "cloudformation operation ActivateOrganizationsAccess is not available here",
        400,
    )
    with pytest.raises(ClientError) as caught:
        client.describe_type(Type="resource", TypeName="thing-less")
    code, message, status = error_of(caught)
    assert (code, status) == ("ValidationError", 400)
    assert message.startswith(
        "2 validation errors detected: Value 'resource' at 'type' failed to satisfy constraint: Member"
    )


def test_cloud_control_is_not_there_yet(served):
    client = served.client("cloudcontrol")
    for call in (
        lambda: client.list_resources(TypeName=NAME),
        lambda: client.create_resource(TypeName=NAME, DesiredState="{}"),
        lambda: client.get_resource_request_status(RequestToken="x"),
    ):
        with pytest.raises(ClientError) as caught:
            call()
        code, message, status = error_of(caught)
        assert (code, status) == ("UnknownOperationException", 400)
        assert message.startswith("cloudcontrol operation ")
        assert message.endswith(" is not available here")


def test_other_services(served):
    for name, call in [("sns", "list_topics"), ("ec2", "describe_vpcs"), ("dynamodb", "list_tables")]:
        with pytest.raises(ClientError) as caught:
            getattr(served.client(name), call)()
        assert "is not available here" in error_of(caught)[1]


def test_sts(served):
    sts = served.client("sts", account="222222222222")
    assert sts.get_caller_identity()["Account"] == "222222222222"
    role = "arn:aws:iam::333333333333:role/path/Deploy"
    given = sts.assume_role(RoleArn=role, RoleSessionName="me")
    assert given["AssumedRoleUser"]["Arn"] == "arn:aws:sts::333333333333:assumed-role/Deploy/me"
    there = served.client(
        "sts",
        aws_access_key_id=given["Credentials"]["AccessKeyId"],
        aws_secret_access_key=given["Credentials"]["SecretAccessKey"],
        aws_session_token=given["Credentials"]["SessionToken"],
    )
    identity = there.get_caller_identity()
    assert (identity["Account"], identity["Arn"]) == ("333333333333", given["AssumedRoleUser"]["Arn"])
    assert sts.get_session_token()["Credentials"]["AccessKeyId"].startswith("ASIA222222222222")
    with pytest.raises(ClientError, match="ValidationError"):
        sts.assume_role(RoleArn="arn:aws:iam::333333333333:user/nobody", RoleSessionName="me")


class Progress:
    """A registration that completes when it is told to."""

    def __init__(self):
        self.status = "IN_PROGRESS"
        self.asked = 0

    def describe(self, caller, request):
        self.asked += 1
        return {"ProgressStatus": self.status, "TypeArn": "arn"}


def test_a_waiter_is_answered_when_it_is_done(tmp_path):
    progress = Progress()
    with serve_api(tmp_path, operations={("cloudformation", "DescribeTypeRegistration"): progress.describe}) as served:
        client = served.client("cloudformation")
        waiter = client.get_waiter("type_registration_complete")
        assert waiter.config.delay == 30

        def complete():
            time.sleep(0.4)
            progress.status = "COMPLETE"
            served.changes.changed()

        threading.Thread(target=complete).start()
        started = time.monotonic()
        waiter.wait(RegistrationToken="t" * 36)
        assert 0.3 < time.monotonic() - started < 1.4
        assert progress.asked <= 4, "it is told, and does not poll"
        progress.status = "IN_PROGRESS"
        assert client.describe_type_registration(RegistrationToken="t" * 36)["ProgressStatus"] == "IN_PROGRESS"
        progress.status = "FAILED"
        with pytest.raises(WaiterError):
            waiter.wait(RegistrationToken="t" * 36)


def test_work_of_another_process_rings_no_bell_and_is_seen_nevertheless(tmp_path):
    progress = Progress()
    with serve_api(tmp_path, operations={("cloudformation", "DescribeTypeRegistration"): progress.describe}) as served:
        threading.Timer(0.3, lambda: setattr(progress, "status", "COMPLETE")).start()
        started = time.monotonic()
        served.client("cloudformation").get_waiter("type_registration_complete").wait(RegistrationToken="t" * 36)
        assert time.monotonic() - started < 2.5


def test_a_hold_ends(tmp_path):
    progress = Progress()
    table = {("cloudformation", "DescribeTypeRegistration"): progress.describe}
    with serve_api(tmp_path, operations=table, hold_seconds=0.3) as served:
        waiter = served.client("cloudformation").get_waiter("type_registration_complete")
        started = time.monotonic()
        with pytest.raises(WaiterError, match="Max attempts"):
            waiter.wait(RegistrationToken="t" * 36, WaiterConfig={"Delay": 0, "MaxAttempts": 2})
        assert 0.6 <= time.monotonic() - started < 3


def test_closing_the_server_lets_waiters_go(tmp_path):
    progress = Progress()
    with (
        concurrent.futures.ThreadPoolExecutor() as pool,
        serve_api(tmp_path, operations={("cloudformation", "DescribeTypeRegistration"): progress.describe}) as served,
    ):
        waiter = served.client("cloudformation").get_waiter("type_registration_complete")
        told = pool.submit(waiter.wait, RegistrationToken="t" * 36, WaiterConfig={"MaxAttempts": 1})
        while not progress.asked:
            time.sleep(0.01)
    with pytest.raises(WaiterError, match="Max attempts"):
        told.result(timeout=5)


def test_operations_may_come_late(tmp_path):
    gate = threading.Event()

    def make():
        gate.wait()
        return TABLE

    with serve_api(tmp_path, make=make) as served, concurrent.futures.ThreadPoolExecutor() as pool:
        client = served.client("cloudformation")
        late = pool.submit(client.describe_type, Type="RESOURCE", TypeName=NAME)
        assert served.client("sts").get_caller_identity()["Account"] == "123456789012", "needs nothing that is late"
        assert not late.done()
        gate.set()
        assert late.result(timeout=10)["Arn"]


def test_operations_that_never_come(tmp_path):
    def make():
        raise EnvironmentProblemError("the disk is gone")

    with serve_api(tmp_path, make=make) as served:
        with pytest.raises(ClientError) as caught:
            served.client("cloudformation").describe_type(Type="RESOURCE", TypeName=NAME)
        assert error_of(caught) == ("ServiceUnavailable", "the disk is gone", 503)


def test_a_bug_is_an_answer_too(tmp_path):
    with serve_api(tmp_path, operations=TABLE) as served:
        with pytest.raises(ClientError) as caught:
            served.client("cloudformation").describe_type(Type="RESOURCE", TypeName="Acme::Has::Bug")
        assert error_of(caught)[0::2] == ("InternalFailure", 500)
        assert "oops" not in error_of(caught)[1]
        assert isinstance(served.bugs.pop(), ZeroDivisionError)


def test_a_hundred_clients_at_once(served):
    def ask(number):
        client = served.client("cloudformation", account=f"{number:012}")
        return [client.describe_type(Type="RESOURCE", TypeName=NAME)["Description"].split()[0] for _ in range(3)]

    with concurrent.futures.ThreadPoolExecutor(100) as pool:
        assert list(pool.map(ask, range(100))) == [[f"{number:012}"] * 3 for number in range(100)]
