"""What is done with each kind of work: turns in a circle, each with how it must end and what there is then.

A turn that the server has acknowledged is never asked for again; one whose answer was lost is, with the same token.
"""

import json
from collections import Counter
from dataclasses import dataclass

from botocore.exceptions import ClientError

from support.campaign.calls import ACCOUNT
from support.campaign.catalogue import (
    BUCKET,
    PROVED,
    REGIONS,
    import_body,
    nested_body,
    nested_things,
    set_body,
    stack_body,
    stack_things,
)
from support.crash_life import THING

_NESTED = "AWS::CloudFormation::Stack"
_EVENT_KEYS = (
    *("LogicalResourceId", "ResourceStatus", "ResourceStatusReason", "PhysicalResourceId", "DetailedStatus"),
    *("HookType", "HookStatus", "HookInvocationPoint", "HookStatusReason"),
)


@dataclass(frozen=True)
class Turn:
    """What is done, with which arguments; the status it ends in, and the (name, colour) of what there is then."""

    do: str
    wanted: str
    things: tuple = ()
    body: str = ""
    color: str = ""


class Story:
    """Turns in a circle, of which the last one leaves nothing."""

    def __init__(self, calls, ledger, name):
        self.calls, self.ledger, self.name = calls, ledger, name
        self.number = 0
        self.begun = self.asked = False  # asked: and the server has said so
        self.turns = self.make_turns()

    @property
    def turn(self):
        return self.turns[self.number % len(self.turns)]

    @property
    def token(self):
        """That of the turn, the same one whenever it is asked for."""
        return f"{self.name}-turn-{self.number}"

    @property
    def is_between_circles(self):
        return self.number % len(self.turns) == 0 and not self.begun

    def advance(self):
        """Ask for the turn unless it was; None while it goes on, else what is wrong with how it ended."""
        if not self.asked:
            self.begun = True
            self.ask(self.turn)
            self.asked = True
        status = self.status()
        if status is None:
            return None
        found = self.judge(status)
        self.number += 1
        self.begun = self.asked = False
        return found

    def judge(self, status):
        """What is wrong with the turn that has ended."""
        found = [] if status == self.turn.wanted else [f"{status}, not {self.turn.wanted}: {self.said}"]
        there, wanted = Counter(self.ledger.of(self.name).values()), Counter(self.turn.things)
        found += [f"leaked: {each}" for each in (there - wanted).elements()]
        found += [f"missing: {each}" for each in (wanted - there).elements()]
        found += self.also_wrong()
        return [f"{self.name}, turn {self.number} ({self.turn.do}): {each}" for each in found]

    def also_wrong(self):
        """What else is wrong."""
        return []

    said = None  # the server's own words about the status

    def describe(self):
        """What is known of the turn, for a failure's message."""
        return f"{self.name}, turn {self.number} ({self.turn.do}, {'asked' if self.asked else 'not asked'})"


class StackStory(Story):
    """A stack of things, a hook that looks at each of them and at the stack, simulated types and a module."""

    body, things = staticmethod(stack_body), staticmethod(stack_things)
    stack_id = None

    def make_turns(self):
        red, blue = (tuple(self.things(self.name, color)) for color in ("red", "blue"))
        body = self.body
        return [
            Turn("create", "CREATE_COMPLETE", red, body(self.name, "red")),
            Turn("update", "UPDATE_COMPLETE", blue, body(self.name, "blue")),
            Turn("update", "UPDATE_ROLLBACK_COMPLETE", blue, self.broken("bad")),
            Turn("update", "UPDATE_ROLLBACK_COMPLETE", blue, self.broken("forbidden")),
            Turn("update", "UPDATE_COMPLETE", red, body(self.name, "red")),
            Turn("delete", "DELETE_COMPLETE"),
            Turn("create", "ROLLBACK_COMPLETE", (), self.broken("bad")),
            Turn("delete", "DELETE_COMPLETE"),
        ]

    def broken(self, color):
        return self.body(self.name, "green", (2, color))

    def ask(self, turn):
        client, given = self.calls(), {"StackName": self.name, "ClientRequestToken": self.token}
        more = {"TemplateBody": turn.body, "Capabilities": ["CAPABILITY_AUTO_EXPAND"]}
        match turn.do:
            case "create":
                self.stack_id = client.create_stack(**given, **more)["StackId"]
            case "update":
                client.update_stack(**given, **more)
            case "delete":
                client.delete_stack(**given)

    def status(self):
        (stack,) = self.calls().describe_stacks(StackName=self.stack_id)["Stacks"]
        self.said = stack.get("StackStatusReason")
        return None if stack["StackStatus"].endswith("_IN_PROGRESS") else stack["StackStatus"]

    def also_wrong(self):
        return [*self._told_twice(), *self._other_ids()]

    def _told_twice(self):
        pages = self.calls().get_paginator("describe_stack_events").paginate(StackName=self.stack_id)
        events = [event for page in pages for event in page["StackEvents"]]
        told, phase = Counter(), None  # a rollback says again what the update said before it
        for event in reversed(events):
            if event.get("ClientRequestToken") == self.token:
                told[phase, *(str(event.get(key)) for key in _EVENT_KEYS)] += 1
            if event["PhysicalResourceId"] == self.stack_id:
                phase = event["ResourceStatus"]
        times = [event["Timestamp"] for event in events]
        late = [] if times == sorted(times, reverse=True) else ["its events are not in the order of their times"]
        return [*late, *(f"told {number} times: {each}" for each, number in told.items() if number > 1)]

    def _other_ids(self):
        """Whether the stacks know the same things as the type's own store."""
        if self.turn.wanted == "DELETE_COMPLETE":
            return []
        known = set(self._known(self.stack_id))
        there = set(self.ledger.of(self.name))
        return [] if known == there else [f"the stacks have {sorted(known)}, the store {sorted(there)}"]

    def _known(self, stack):
        for each in self.calls().describe_stack_resources(StackName=stack)["StackResources"]:
            physical = each.get("PhysicalResourceId")
            if each["ResourceStatus"] == "DELETE_COMPLETE" or not physical:
                continue
            if each["ResourceType"] == THING:
                yield physical
            elif each["ResourceType"] == _NESTED:
                yield from self._known(physical)


class NestedStory(StackStory):
    """A stack with two nested ones."""

    body, things = staticmethod(nested_body), staticmethod(nested_things)

    def broken(self, color):
        return nested_body(self.name, "green", color)


class ImportStory(StackStory):
    """A stack that begins with things which exist already."""

    def make_turns(self):
        names = tuple(f"{self.name}-{number}" for number in range(2))
        red, blue = (tuple((name, color) for name in names) for color in ("red", "blue"))
        self.names = names
        return [
            Turn("import", "IMPORT_COMPLETE", red, import_body(names, "red")),
            Turn("update", "UPDATE_COMPLETE", blue, import_body(names, "blue")),
            Turn("delete", "DELETE_COMPLETE"),
        ]

    def ask(self, turn):
        if turn.do != "import":
            super().ask(turn)
            return
        outside = {f"Thing{number}": f"outside-{self.token}-{number}" for number in range(len(self.names))}
        for name, identifier in zip(self.names, outside.values(), strict=True):
            self.ledger.add_outside(identifier, name, "red")
        wanted = [
            {"ResourceType": THING, "LogicalResourceId": logical_id, "ResourceIdentifier": {"Id": identifier}}
            for logical_id, identifier in outside.items()
        ]
        made = self.calls().create_change_set(
            StackName=self.name,
            ChangeSetName=f"import-{self.number}",
            ChangeSetType="IMPORT",
            ClientToken=self.token,
            TemplateBody=turn.body,
            ResourcesToImport=wanted,
        )
        self.stack_id, self.change_set, self.executed = made["StackId"], made["Id"], False

    def status(self):
        if self.turn.do == "import" and not self.executed:
            found = self.calls().describe_change_set(ChangeSetName=self.change_set)
            if found["Status"] in {"CREATE_PENDING", "CREATE_IN_PROGRESS"}:
                return None
            if found["Status"] != "CREATE_COMPLETE":
                return f"change set {found['Status']}: {found.get('StatusReason')}"
            if found["ExecutionStatus"] == "AVAILABLE":
                self.calls().execute_change_set(ChangeSetName=self.change_set, ClientRequestToken=self.token)
            self.executed = True
        return super().status()


class SetStory(Story):
    """A stack set over two Regions."""

    def make_turns(self):
        red, blue = (tuple((f"{self.name}-{region}", color) for region in REGIONS) for color in ("red", "blue"))
        return [
            Turn("create", "SUCCEEDED", red, color="red"),
            Turn("update", "SUCCEEDED", blue, color="blue"),
            Turn("update", "FAILED", blue, color="bad"),
            Turn("update", "SUCCEEDED", red, color="red"),
            Turn("empty", "SUCCEEDED"),
            Turn("delete", "deleted"),
        ]

    def ask(self, turn):
        client, name, given = self.calls(), f"{self.name}-{self.number - self.number % len(self.turns)}", {}
        self.set_name = name
        given = {"StackSetName": name, "OperationId": self.token}
        parameters = [{"ParameterKey": "Color", "ParameterValue": turn.color}]
        try:
            match turn.do:
                case "create":
                    client.create_stack_set(
                        StackSetName=name,
                        TemplateBody=set_body(self.name),
                        Parameters=parameters,
                        ClientRequestToken=self.token,
                    )
                    client.create_stack_instances(**given, Accounts=[ACCOUNT], Regions=list(REGIONS))
                case "update":
                    preferences = {"FailureToleranceCount": 0, "RegionConcurrencyType": "PARALLEL"}
                    client.update_stack_set(
                        **given, UsePreviousTemplate=True, Parameters=parameters, OperationPreferences=preferences
                    )
                case "empty":
                    client.delete_stack_instances(
                        **given, Accounts=[ACCOUNT], Regions=list(REGIONS), RetainStacks=False
                    )
                case "delete":
                    client.delete_stack_set(StackSetName=name)
        except ClientError as error:
            if error.response["Error"]["Code"] != "OperationIdAlreadyExistsException":
                raise

    def status(self):
        if self.turn.do == "delete":
            return "deleted"
        found = self.calls().describe_stack_set_operation(StackSetName=self.set_name, OperationId=self.token)
        status = found["StackSetOperation"]["Status"]
        if status in {"RUNNING", "QUEUED", "STOPPING"}:
            return None
        given = {"StackSetName": self.set_name, "OperationId": self.token}
        results = self.calls().list_stack_set_operation_results(**given)["Summaries"]
        self.said = [(each["Region"], each["Status"], each.get("StatusReason")) for each in results]
        return status

    def also_wrong(self):
        if self.turn.do == "delete":
            return []
        found = self.calls().list_stack_instances(StackSetName=self.set_name)["Summaries"]
        number = 0 if self.turn.do == "empty" else len(REGIONS)
        return [] if len(found) == number else [f"{len(found)} stack instances, not {number}"]


class ControlStory(Story):
    """A resource of Cloud Control, without any stack."""

    identifier = None

    def make_turns(self):
        red, blue = (((f"{self.name}-one", color),) for color in ("red", "blue"))
        return [
            Turn("create", "SUCCESS", red, color="red"),
            Turn("update", "SUCCESS", blue, color="blue"),
            Turn("update", "FAILED", blue, color="bad"),
            Turn("update", "FAILED", blue, color="forbidden"),
            Turn("delete", "SUCCESS"),
            Turn("create", "FAILED", color="bad"),
        ]

    def ask(self, turn):
        client, given = self.calls("cloudcontrol"), {"TypeName": THING, "ClientToken": self.token}
        match turn.do:
            case "create":
                state = json.dumps({"Name": f"{self.name}-one", "Color": turn.color})
                answer = client.create_resource(**given, DesiredState=state)
            case "update":
                patch = json.dumps([{"op": "replace", "path": "/Color", "value": turn.color}])
                answer = client.update_resource(**given, Identifier=self.identifier, PatchDocument=patch)
            case "delete":
                answer = client.delete_resource(**given, Identifier=self.identifier)
        self.request = answer["ProgressEvent"]["RequestToken"]

    def status(self):
        found = self.calls("cloudcontrol").get_resource_request_status(RequestToken=self.request)["ProgressEvent"]
        if found["OperationStatus"] in {"PENDING", "IN_PROGRESS"}:
            return None
        self.identifier, self.said = found.get("Identifier", self.identifier), found.get("StatusMessage")
        return found["OperationStatus"]


class ProvedStory(Story):
    """A version of a type that is registered, tested, and deregistered."""

    version = read = None

    def make_turns(self):
        return [Turn("register", "COMPLETE"), Turn("test", "PASSED"), Turn("read logs", "read")]

    def ask(self, turn):
        client = self.calls()
        match turn.do:
            case "register":
                url = f"s3://{BUCKET}/{PROVED.replace('::', '-')}"
                given = {"Type": "RESOURCE", "TypeName": PROVED, "SchemaHandlerPackage": url}
                self.registration = client.register_type(**given, ClientRequestToken=self.token)["RegistrationToken"]
            case "test":
                client.test_type(Arn=self.version, LogDeliveryBucket=BUCKET)

    def status(self):
        client = self.calls()
        match self.turn.do:
            case "register":
                found = client.describe_type_registration(RegistrationToken=self.registration)
                self.version = found.get("TypeVersionArn")
                return None if found["ProgressStatus"] == "IN_PROGRESS" else found["ProgressStatus"]
            case "test":
                found = client.describe_type(Arn=self.version)
                self.said = found.get("TypeTestsStatusDescription")
                return None if found["TypeTestsStatus"] == "IN_PROGRESS" else found["TypeTestsStatus"]
            case _:
                return "read" if self._read_logs() else "no logs were delivered"

    def _read_logs(self):
        """Read and remove what was delivered; whether there was any, perhaps before an answer was lost."""
        s3 = self.calls("s3")
        for each in s3.list_objects_v2(Bucket=BUCKET, Prefix="CloudFormation/").get("Contents", []):
            s3.get_object(Bucket=BUCKET, Key=each["Key"])["Body"].read()
            self.read = self.number
            s3.delete_object(Bucket=BUCKET, Key=each["Key"])
        return self.read == self.number


KINDS = {
    "stack": StackStory,
    "nested": NestedStory,
    "import": ImportStory,
    "set": SetStory,
    "control": ControlStory,
    "proved": ProvedStory,
}
