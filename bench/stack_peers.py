"""moto's CloudFormation beside ours: the same template deployed through boto3, and what each refuses.

Both run as servers of their own. A feature is tried as a client uses it on AWS: it works, or the server says why not.
"""

import contextlib
import functools
import itertools
import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.incumbent import REPOSITORY
from bench.served import Served, cpu_seconds, run_cfn, serving
from bench.small import SMALL
from bench.table import Row

SIZE = 10 if SMALL else 100
_PAGE = REPOSITORY / "docs" / "reference" / "stack-peers.md"
Client = Any


def beside_moto() -> Iterator[Row]:
    """Deployment of one template by both, and the page with the events and the features of each."""
    from bench.engine import today

    begun = today()
    with tempfile.TemporaryDirectory(prefix="formwork-bench-") as folder:
        with ours(Path(folder)) as server:
            mine = deploy(server)
            features_of_ours = dict(try_all(server))
        with moto() as server:
            theirs = deploy(server)
            features_of_moto = dict(try_all(server))
    if not SMALL:
        write_page(begun, mine, theirs, features_of_ours, features_of_moto)
    note = f"{mine.cpu:.2f} s of CPU beside {theirs.cpu:.2f} s; events {len(mine.events)} beside {len(theirs.events)}"
    yield Row(
        f"{SIZE} resources of AWS's, from request to CREATE_COMPLETE, beside moto",
        "s",
        mine.wall,
        theirs.wall,
        note=note,
    )


@contextlib.contextmanager
def ours(folder: Path) -> Iterator[Served]:
    """`cfn serve` on a state folder of its own."""
    with serving(folder) as server:
        yield server


@contextlib.contextmanager
def moto() -> Iterator[Served]:
    """moto's server."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "moto.server", "-p", str(port)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=os.environ) as process:
        try:
            end = time.monotonic() + 60
            while time.monotonic() < end:
                with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                    break
                time.sleep(0.1)
            yield Served(f"http://127.0.0.1:{port}", process.pid)
        finally:
            process.kill()


# -- the same template


@dataclass(frozen=True, slots=True)
class Deployed:
    """What a deployment took, and told."""

    wall: float
    cpu: float
    events: list[str]


def same_template(size: int = SIZE) -> str:
    """Queues, topics that refer to them, and parameters of Parameter Store."""
    resources: dict[str, Any] = {}
    for number in range(size):
        match number % 3:
            case 0:
                resources[f"R{number}"] = {"Type": "AWS::SQS::Queue", "Properties": {"DelaySeconds": number % 60}}
            case 1:
                name = {"Fn::GetAtt": [f"R{number - 1}", "QueueName"]}
                resources[f"R{number}"] = {"Type": "AWS::SNS::Topic", "Properties": {"DisplayName": name}}
            case _:
                properties = {
                    "Name": {"Fn::Sub": f"/${{AWS::StackName}}/{number}"},
                    "Type": "String",
                    "Value": {"Ref": f"R{number - 1}"},
                }
                resources[f"R{number}"] = {"Type": "AWS::SSM::Parameter", "Properties": properties}
    return json.dumps({"Resources": resources})


def deploy(server: Served) -> Deployed:
    """The template made into a stack, after a small one that warms the server."""
    client = server.client("cloudformation")
    for name, size in (("warm", 6), ("shop", SIZE)):
        wall, cpu = time.perf_counter(), cpu_seconds(server.pid)
        client.create_stack(StackName=name, TemplateBody=same_template(size))
        client.get_waiter("stack_create_complete").wait(StackName=name, WaiterConfig={"Delay": 1})
        took = time.perf_counter() - wall, cpu_seconds(server.pid) - cpu
    pages = client.get_paginator("describe_stack_events").paginate(StackName="shop").build_full_result()
    told = [f"{each['LogicalResourceId']} {each['ResourceStatus']}" for each in reversed(pages["StackEvents"])]
    return Deployed(*took, told)


# -- features


_NUMBERS = itertools.count()
TOPIC = {"Type": "AWS::SNS::Topic", "Properties": {"DisplayName": "one"}}


def try_all(server: Served) -> Iterator[tuple[str, str]]:
    """Each feature: "yes", or what is wrong with it."""
    for words, attempt in FEATURES.items():
        try:
            attempt(server, f"try{next(_NUMBERS)}")
        except Exception as error:  # noqa: BLE001 - whatever a server does is its answer
            yield words, _told(error)
        else:
            yield words, "yes"


def _told(error: Exception) -> str:
    """What went wrong, short."""
    text = re.sub(r"\s+", " ", str(error) or type(error).__name__)
    if "500 Internal Server Error" in text:
        return "500 Internal Server Error, in HTML"
    return re.sub(r"^An error occurred \((\S+)\) when calling .* operation[^:]*: (?:0\): )?", r"\1: ", text)[:110]


def _make(server: Served, name: str, resources: dict[str, Any], **more: Any) -> Client:
    client = server.client("cloudformation")
    client.create_stack(StackName=name, TemplateBody=json.dumps({"Resources": resources}), **more)
    client.get_waiter("stack_create_complete").wait(StackName=name, WaiterConfig={"Delay": 1, "MaxAttempts": 20})
    return client


def _expect(condition: object, words: str) -> None:
    if not condition:
        raise AssertionError(words)


def _is_refused(call: Callable[[], object], words: str) -> None:
    from botocore.exceptions import ClientError

    try:
        call()
    except ClientError as error:
        if error.response["ResponseMetadata"]["HTTPStatusCode"] >= 500:
            raise
        return
    raise AssertionError(words)


def _unknown_type(server: Served, name: str) -> None:
    client = server.client("cloudformation")
    body = json.dumps({"Resources": {"Thing": {"Type": "Acme::Not::Registered"}}})
    _is_refused(lambda: client.create_stack(StackName=name, TemplateBody=body), "an unregistered type is created")


def _bad_property(server: Served, name: str) -> None:
    client = server.client("cloudformation")
    body = json.dumps({"Resources": {"Queue": {"Type": "AWS::SQS::Queue", "Properties": {"DelaySeconds": "soon"}}}})
    with contextlib.suppress(client.exceptions.ClientError):
        client.create_stack(StackName=name, TemplateBody=body)
        for _ in range(50):
            status = client.describe_stacks(StackName=name)["Stacks"][0]["StackStatus"]
            if not status.endswith("_IN_PROGRESS"):
                break
            time.sleep(0.1)
        _expect(status.startswith("ROLLBACK"), f"the stack is {status}")


def _rollback(server: Served, name: str) -> None:
    client = _make(server, name, {"Topic": TOPIC})
    changed = {
        "Topic": {**TOPIC, "Properties": {"DisplayName": "two"}},
        "Bad": {"Type": "AWS::SQS::Queue", "DependsOn": "Topic"},
    }
    changed["Bad"]["Properties"] = {"MaximumMessageSize": 7, "QueueName": "not a name!"}
    client.update_stack(StackName=name, TemplateBody=json.dumps({"Resources": changed}))
    for _ in range(100):
        status = client.describe_stacks(StackName=name)["Stacks"][0]["StackStatus"]
        if not status.endswith("_IN_PROGRESS"):
            break
        time.sleep(0.1)
    _expect(status == "UPDATE_ROLLBACK_COMPLETE", f"the stack is {status}")


def _values(server: Served, name: str) -> None:
    client = _make(server, name, {"Topic": TOPIC})
    changed = {"Topic": {**TOPIC, "Properties": {"DisplayName": "two"}}}
    client.create_change_set(StackName=name, ChangeSetName="c", TemplateBody=json.dumps({"Resources": changed}))
    client.get_waiter("change_set_create_complete").wait(StackName=name, ChangeSetName="c", WaiterConfig={"Delay": 1})
    found = client.describe_change_set(StackName=name, ChangeSetName="c", IncludePropertyValues=True)["Changes"]
    target = found[0]["ResourceChange"]["Details"][0]["Target"]
    _expect(target.get("BeforeValue") == "one" and target.get("AfterValue") == "two", "no values before and after")


def _replacement(server: Served, name: str) -> None:
    client = _make(server, name, {"Topic": {"Type": "AWS::SNS::Topic", "Properties": {"TopicName": f"{name}-a"}}})
    changed = {"Topic": {"Type": "AWS::SNS::Topic", "Properties": {"TopicName": f"{name}-b"}}}
    client.update_stack(StackName=name, TemplateBody=json.dumps({"Resources": changed}))
    client.get_waiter("stack_update_complete").wait(StackName=name, WaiterConfig={"Delay": 1, "MaxAttempts": 20})
    events = client.describe_stack_events(StackName=name)["StackEvents"]
    told = [e.get("ResourceStatusReason", "") for e in events if e["LogicalResourceId"] == "Topic"]
    _expect(any("requires the creation of a new physical resource" in each for each in told), "no event says so")


def _no_change(server: Served, name: str) -> None:
    client = _make(server, name, {"Topic": TOPIC})
    body = json.dumps({"Resources": {"Topic": TOPIC}})
    _is_refused(lambda: client.update_stack(StackName=name, TemplateBody=body), "an update without changes is made")


def _drift(server: Served, name: str) -> None:
    client = _make(server, name, {"Topic": TOPIC})
    detection = client.detect_stack_drift(StackName=name)["StackDriftDetectionId"]
    for _ in range(50):
        found = client.describe_stack_drift_detection_status(StackDriftDetectionId=detection)
        if found["DetectionStatus"] != "DETECTION_IN_PROGRESS":
            break
        time.sleep(0.1)
    _expect(found.get("StackDriftStatus") == "IN_SYNC", f"the drift is {found.get('StackDriftStatus')}")


def _protection(server: Served, name: str) -> None:
    client = _make(server, name, {"Topic": TOPIC}, EnableTerminationProtection=True)
    _is_refused(lambda: client.delete_stack(StackName=name), "a protected stack is deleted")


def _policy(server: Served, name: str) -> None:
    policy = {"Statement": [{"Effect": "Deny", "Action": "Update:*", "Principal": "*", "Resource": "*"}]}
    client = _make(server, name, {"Topic": TOPIC}, StackPolicyBody=json.dumps(policy))
    changed = {"Topic": {**TOPIC, "Properties": {"DisplayName": "two"}}}
    with contextlib.suppress(client.exceptions.ClientError):
        client.update_stack(StackName=name, TemplateBody=json.dumps({"Resources": changed}))
        time.sleep(1)
        events = client.describe_stack_events(StackName=name)["StackEvents"]
        _expect(any(each["ResourceStatus"] == "UPDATE_FAILED" for each in events), "the policy is not asked")


def _exports(server: Served, name: str) -> None:
    client = server.client("cloudformation")
    outputs = {"Out": {"Value": {"Ref": "Topic"}, "Export": {"Name": f"{name}-topic"}}}
    client.create_stack(StackName=name, TemplateBody=json.dumps({"Resources": {"Topic": TOPIC}, "Outputs": outputs}))
    client.get_waiter("stack_create_complete").wait(StackName=name, WaiterConfig={"Delay": 1})
    value = {"Fn::ImportValue": f"{name}-topic"}
    user = {"Param": {"Type": "AWS::SSM::Parameter", "Properties": {"Type": "String", "Value": value}}}
    _make(server, f"{name}-user", user)
    _is_refused(lambda: client.delete_stack(StackName=name), "an export in use is deleted")


def _for_each(server: Served, name: str) -> None:
    body = {
        "Transform": "AWS::LanguageExtensions",
        "Resources": {"Fn::ForEach::Topics": ["Name", ["One", "Two"], {"Topic${Name}": {"Type": "AWS::SNS::Topic"}}]},
    }
    client = server.client("cloudformation")
    client.create_stack(StackName=name, TemplateBody=json.dumps(body), Capabilities=["CAPABILITY_AUTO_EXPAND"])
    client.get_waiter("stack_create_complete").wait(StackName=name, WaiterConfig={"Delay": 1, "MaxAttempts": 20})
    found = {each["LogicalResourceId"] for each in client.describe_stack_resources(StackName=name)["StackResources"]}
    _expect(found == {"TopicOne", "TopicTwo"}, f"the resources are {sorted(found)}")


def _cloud_control(server: Served, name: str) -> None:
    control = server.client("cloudcontrol")
    desired = json.dumps({"QueueName": name})
    token = control.create_resource(TypeName="AWS::SQS::Queue", DesiredState=desired)["ProgressEvent"]["RequestToken"]
    control.get_waiter("resource_request_success").wait(
        RequestToken=token, WaiterConfig={"Delay": 1, "MaxAttempts": 20}
    )


@functools.cache
def _package() -> bytes:
    """Return the package of a resource type."""
    from bench.stack_workers import write_project

    with tempfile.TemporaryDirectory(prefix="formwork-bench-") as folder:
        project = Path(folder) / "thing"
        write_project(project)
        run_cfn("package", cwd=project)
        return (project / "bench-sleep-thing.zip").read_bytes()


def _register(server: Served, name: str) -> None:
    from bench.stack_workers import THING

    del name
    s3, client = server.client("s3"), server.client("cloudformation")
    s3.create_bucket(Bucket="packages")
    s3.put_object(Bucket="packages", Key="thing.zip", Body=_package())
    token = client.register_type(Type="RESOURCE", TypeName=THING, SchemaHandlerPackage="s3://packages/thing.zip")[
        "RegistrationToken"
    ]
    client.get_waiter("type_registration_complete").wait(RegistrationToken=token, WaiterConfig={"Delay": 1})


def _events(server: Served, name: str) -> None:
    client = _make(server, name, {"Topic": TOPIC})
    found = client.describe_events(StackName=name)["OperationEvents"]
    _expect(found, "there are none")


def _token(server: Served, name: str) -> None:
    client = _make(server, name, {"Topic": TOPIC}, ClientRequestToken="once")
    first = client.describe_stacks(StackName=name)["Stacks"][0]["StackId"]
    body = json.dumps({"Resources": {"Topic": TOPIC}})
    again = client.create_stack(StackName=name, TemplateBody=body, ClientRequestToken="once")["StackId"]
    _expect(first == again, "the same token makes another stack")


FEATURES: dict[str, Callable[[Served, str], None]] = {
    "an unregistered type is refused": _unknown_type,
    "a property of the wrong type fails": _bad_property,
    "a failed update is rolled back": _rollback,
    "change sets with property values before and after": _values,
    "a replacement is reported in the events": _replacement,
    "an update without changes is refused": _no_change,
    "drift of a stack": _drift,
    "termination protection": _protection,
    "stack policies": _policy,
    "an export in use can't be deleted": _exports,
    "Fn::ForEach": _for_each,
    "client request tokens": _token,
    "DescribeEvents": _events,
    "Cloud Control": _cloud_control,
    "types of one's own, registered with their handlers": _register,
}


# -- the page


def write_page(
    begun: str, mine: Deployed, theirs: Deployed, features_of_ours: dict[str, str], features_of_moto: dict[str, str]
) -> None:
    """Times, events and features side by side."""
    import moto as package

    lines = [
        "# moto's CloudFormation beside this one",
        "",
        f"<!-- Written by `python -m bench engine` ({begun}). -->",
        "",
        f"The same template ({SIZE} resources: queues, topics, parameters that refer to each other) deployed through",
        f"boto3 to `cfn serve` and to moto {package.__version__}'s server, each warm: {begun}.",
        "moto makes its resources inside its own services, before it answers; here they are simulated from their",
        "schemas, as work that survives a crash.",
        "",
        "| | here | moto |",
        "| --- | --- | --- |",
        f"| from the request to CREATE_COMPLETE | {mine.wall:.2f} s | {theirs.wall:.2f} s |",
        f"| CPU time of the server | {mine.cpu:.2f} s | {theirs.cpu:.2f} s |",
        f"| events | {len(mine.events)} | {len(theirs.events)} |",
        "",
        "The first events of each:",
        "",
        "| here | moto |",
        "| --- | --- |",
        *(
            f"| {a} | {b} |"
            for a, b in itertools.islice(itertools.zip_longest(mine.events, theirs.events, fillvalue=""), 8)
        ),
        "",
        "What each does, tried with boto3 as a client uses it on AWS; a server that does not is quoted.",
        "",
        "| | here | moto |",
        "| --- | --- | --- |",
        *(f"| {words} | {_cell(features_of_ours[words])} | {_cell(features_of_moto[words])} |" for words in FEATURES),
        "",
    ]
    _PAGE.write_text("\n".join(lines), encoding="utf-8")


def _cell(text: str) -> str:
    return "yes" if text == "yes" else f"no: {text.replace('|', '/')}"
