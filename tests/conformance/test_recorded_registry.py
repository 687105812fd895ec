"""AWS's recorded answers of the registry, member by member: which are ours, which differ and why.

The calls are those that the recordings' names and answers tell. Answers pass through the wire as a client reads them.
"""

import json
import re

import pytest
from botocore.parsers import create_parser

from formwork.api.caller import Caller
from formwork.api.cloudformation.registry import registry_operations
from formwork.api.wire import (
    ApiError,
    check_constraints,
    load_service,
    render_query_error,
    render_query_response,
)
from support.corpus import FIXTURES, needs_fixtures
from support.registry import ROLE, hook_package, module_package, open_desk, resource_package

RECORDED = FIXTURES / "aws-recorded" / "snapshots" / "api" / "test_extensions_api.snapshot.json"
MODULE_CASE = "test_extension_versioning"
# What differs on purpose, by the end of its path, and why.
REASONS = {
    "description": "the words of the hook's configuration schema are our own (decision 1003)",
}
PLACEHOLDERS = re.compile(
    r"<(?:partition|region|default-version-id:\d+|registration-token:\d+|execution-role-arn:\d+)>"
)


def recorded():
    if not RECORDED.is_file():
        return {}
    cases = json.loads(RECORDED.read_text(encoding="utf-8"))
    return {name.partition("TestExtensionsApi::")[2]: case["recorded-content"] for name, case in cases.items()}


CASES = recorded()


class Client:
    """Calls operations as a client does, and answers what botocore reads of it; an error as its text."""

    def __init__(self, desk):
        self.desk = desk
        self._operations = registry_operations(desk.registry)
        self._service = load_service("cloudformation")
        self._parser = create_parser("query")

    def call(self, name, **request):
        operation = self._service.operation(name)
        caller = Caller("111111111111", "us-east-1", "111111111111", "arn:aws:iam::111111111111:root")
        try:
            check_constraints(operation, request)
            output = self._operations["cloudformation", name](caller, request)
            body, status = render_query_response(self._service, operation, output, "r"), 200
        except ApiError as error:
            body, status = render_query_error(self._service, error, "r"), error.status
        response = {"body": body, "headers": {}, "status_code": status}
        parsed = self._parser.parse(response, operation.output_shape)
        parsed["ResponseMetadata"] = {"HTTPHeaders": {}, "HTTPStatusCode": status}
        if status >= 400:
            parsed["Error"].setdefault("Type", "Sender")
            parsed.setdefault("Message", parsed["Error"]["Message"])
        return parsed

    def refused(self, name, **request):
        answer = self.call(name, **request)
        error = answer["Error"]
        return f"An error occurred ({error['Code']}) when calling the {name} operation: {error['Message']}"


@pytest.fixture
def client(tmp_path):
    desk = open_desk(tmp_path / "state")
    yield Client(desk)
    desk.close()


def package(name, case):
    """A package with the schema that was recorded."""
    kind = kind_of(name)
    schema = case["describe_response"]["Schema"] if case else None
    if kind == "MODULE":
        members = {"schema.json": json.dumps(schema)} if schema else {}
        return module_package(name, files=members)
    if kind == "HOOK":
        return hook_package(name, schema=schema)
    return resource_package(name, schema=schema)


def kind_of(name):
    if name.endswith("::MODULE"):
        return "MODULE"
    return "HOOK" if "Hook" in name else "RESOURCE"


def register(client, name, content, **more):
    kind = kind_of(name)
    url = client.desk.storage.put(content)
    return client.call("RegisterType", Type=kind, TypeName=name, SchemaHandlerPackage=url, **more)


def live(client, name, case):
    """What was done with one extension, from its registration to its end."""
    client.desk.work.hold()
    more = {"ExecutionRoleArn": ROLE} if "ExecutionRoleArn" in case["describe_response"] else {}
    registered = register(client, name, package(name, case), **more)
    token = registered["RegistrationToken"]
    asked = client.call("DescribeTypeRegistration", RegistrationToken=token)
    client.desk.work.release()
    arn = asked["TypeArn"]
    return {
        "register_response": registered,
        "describe_type_response": asked,
        "describe_response": client.call("DescribeType", Arn=arn),
        "list_response": client.call("ListTypeRegistrations", TypeName=name),
        "deregister_response": client.call("DeregisterType", Arn=arn),
    }


def versions(client):
    """The same module twice, when its numbers had come to 50."""
    name = "LocalStack::Testing::TestModule::MODULE"
    case = CASES[next(each for each in CASES if "TestModule::" in each)]
    for number in range(51):
        register(client, name, package(name, case))
        if number < 49:
            last = client.call("ListTypeVersions", Type="MODULE", TypeName=name)["TypeVersionSummaries"][-1]
            client.call("DeregisterType", Type="MODULE", TypeName=name, VersionId=last["VersionId"])
    listed = client.call("ListTypeVersions", Type="MODULE", TypeName=name)
    first, second = listed["TypeVersionSummaries"]
    return {
        "versions": listed,
        "set_default_response": client.call("SetTypeDefaultVersion", Arn=second["Arn"]),
        "multiple_versions_error": client.call("DeregisterType", Type="MODULE", TypeName=name),
        "version_not_found_error": client.call("DeregisterType", Type="MODULE", TypeName=name, VersionId="00000099"),
        "delete_unused_version_response": client.call("DeregisterType", Arn=first["Arn"]),
        "error_for_deleting_default_with_arn": client.call("DeregisterType", Arn=second["Arn"]),
        "deleting_default_response": client.call("DeregisterType", Type="MODULE", TypeName=name),
    }


def not_complete(client):
    client.desk.work.hold()
    name = "LocalStack::Testing::TestHook"
    register(client, name, hook_package(name))
    return {"not_found_error": client.refused("DescribeType", Type="HOOK", TypeName=name)}


def configured(client):
    name = "LocalStack::Testing::DeployableHook"
    token = register(client, name, hook_package(name))["RegistrationToken"]
    arn = client.call("DescribeTypeRegistration", RegistrationToken=token)["TypeArn"]
    configuration = {
        "CloudFormationConfiguration": {"HookConfiguration": {"TargetStacks": "ALL", "FailureMode": "FAIL"}}
    }
    return {
        "set_type_configuration_response": client.call(
            "SetTypeConfiguration", TypeArn=arn, Configuration=json.dumps(configuration)
        ),
        "batch_describe_configurations_errors": client.refused("BatchDescribeTypeConfigurations"),
        "batch_describe_configurations": client.call(
            "BatchDescribeTypeConfigurations", TypeConfigurationIdentifiers=[{"TypeArn": arn}]
        ),
    }


def replay(client, case):
    if case.startswith("test_crud_extension"):
        return live(client, re.search(r"-(LocalStack::[A-Za-z:]+)-", case)[1], CASES[case])
    return {
        MODULE_CASE: versions,
        "test_extension_not_complete": not_complete,
        "test_extension_type_configuration": configured,
    }[case](client)


def leaves(value, path=()):
    """Every member that has no members, by its path."""
    if isinstance(value, str) and path and path[-1] in {"Schema", "ConfigurationSchema", "Configuration"}:
        value = json.loads(value)
    if isinstance(value, dict) and value:
        for key, each in value.items():
            yield from leaves(each, (*path, key))
    elif isinstance(value, list) and value:
        for index, each in enumerate(value):
            yield from leaves(each, (*path, str(index)))
    else:
        yield "/".join(path), value


def alike(theirs, ours):
    """Equal, where what the recording keeps no value of stands for any."""
    if theirs == "datetime":
        return bool(ours)
    if not isinstance(theirs, str) or not isinstance(ours, str):
        return theirs == ours
    pattern = "".join(
        "[^/]+"
        if PLACEHOLDERS.fullmatch(part) and "role" not in part
        else ".+"
        if PLACEHOLDERS.fullmatch(part)
        else re.escape(part)
        for part in re.split(f"({PLACEHOLDERS.pattern})", theirs)
    )
    pattern = pattern.replace(r"arn:[^/]+:cloudformation:[^/]+:", r"arn:[^:]+:cloudformation:[^:]+:")
    return re.fullmatch(pattern, ours, re.DOTALL) is not None


def compare(case, ours):
    """Path → verdict, for every member recorded or answered."""
    theirs, mine = dict(leaves(CASES[case])), dict(leaves(ours))
    missing = object()
    return {
        path: alike(theirs.get(path, missing), mine.get(path, missing)) for path in sorted(theirs.keys() | mine.keys())
    }


@needs_fixtures
@pytest.mark.parametrize("case", CASES or ["none"])
def test_recorded_answers_are_ours(client, case, golden):
    verdicts = compare(case, replay(client, case))
    different = [path for path, equal in verdicts.items() if not equal]
    unexplained = [path for path in different if path.rpartition("/")[2] not in REASONS]
    assert unexplained == []
    reasons = sorted({REASONS[path.rpartition("/")[2]] for path in different})
    table = f"members: {len(verdicts)}, equal: {len(verdicts) - len(different)}, different: {len(different)}\n"
    golden(f"registry/{_slug(case)}/recorded.txt", table + "".join(f"different: {each}\n" for each in reasons))
    assert len(different) <= 0.2 * len(verdicts)


def _slug(case):
    return re.sub(r"[^a-z]+", "-", case.lower()).strip("-")[:60].strip("-")


def test_the_comparison_sees_differences():
    assert alike("arn:<partition>:x", "arn:aws:x")
    assert not alike("LIVE", "DEPRECATED")
    assert not alike("datetime", None)
    assert dict(leaves({"a": [{"b": 1}], "c": {}})) == {"a/0/b": 1, "c": {}}
