"""The user guide's walkthrough of a resource type in Java: its schema and its code, with the real commands.

Its code is compiled and run as it is written, with the version of AWS's runtime that the guide names (2.0.0; "Setting
up your environment"). Its handlers call EC2 with version 1 of AWS's SDK, which here is an endpoint of the tests' own.
"""

import json
import re

import pytest

from support.commands import copy_project
from support.ec2 import serve_ec2
from support.guide_java import java_classes, run_unit_tests
from support.guide_wordpress import guide_template
from support.java import with_runtime
from support.seeds import chapter, code_blocks, needs_guide
from support.serving import serving
from support.toolchains import needs_java

pytestmark = [needs_guide, needs_java, pytest.mark.acceptance, pytest.mark.xdist_group("java")]
TYPE = "Example::Testing::WordPress"
PACKAGE = "com/example/testing/wordpress"
PATIENCE = 500
CREDENTIALS = {"AWS_ACCESS_KEY_ID": "AKIDEXAMPLE", "AWS_SECRET_ACCESS_KEY": "secret", "AWS_REGION": "us-west-2"}
# Where a page ends, the text that we have of the guide lost or doubled a bracket: these are all the places.
TORN = {
    "CreateHandler": [
        (".withMaxCount(1) } .withMinCount(1)", ".withMaxCount(1) .withMinCount(1)"),
        ('+ " not found"); }); } }); }', '+ " not found"); }); }'),
    ],
    "DeleteHandler": [
        (
            ".instanceSecurityGroups(instanceSecurityGroups) .build() .build();",
            ".instanceSecurityGroups(instanceSecurityGroups) .build()) .build();",
        ),
        (
            ".callbackContext(CallbackContext.builder()) .build(); } .instance(",
            ".callbackContext(CallbackContext.builder() .instance(",
        ),
        (
            ".stabilizationRetriesRemaining(NUMBER_OF_STATE_POLL_RETRIES) .build() .build(); } else",
            ".stabilizationRetriesRemaining(NUMBER_OF_STATE_POLL_RETRIES) .build()) .build(); } else",
        ),
        (
            "getStabilizationRetriesRemaining() - 1) .build() .build(); }",
            "getStabilizationRetriesRemaining() - 1) .build()) .build(); }",
        ),
    ],
    "CreateHandlerTest": [
        (
            '.withPublicIpAddress("54.0.0.0").with final',
            '.withPublicIpAddress("54.0.0.0").withSecurityGroups(group); final',
        ),
    ],
    "DeleteHandlerTest": [
        ("any(DeleteSecurityGroupR any())", "any(DeleteSecurityGroupRequest.class), any())"),
        ("any(TerminateInstancesReq any())", "any(TerminateInstancesRequest.class), any())"),
        ('.withName("terminated"))) .withSecurityGroups(', '.withName("terminated")) .withSecurityGroups('),
        (
            "isEqualTo(ComparingFieldByField(desiredOutputContext))",
            "isEqualToComparingFieldByField(desiredOutputContext)",
        ),
        ("isNull(); } assertThat", "isNull(); assertThat"),
        (") Instance().withState(inProgressState).withSecurityGroups(group)) .instance(", ") .instance("),
        (') Instance().withState(new InstanceState().withName("terminated"))) .instance(', ") .instance("),
        (".build(); } try", ".build(); try"),
        # It calls a method that it doesn't import; the other test has the same line in these words.
        (
            "assertEquals(EXPECTED_TIMEOUT_MESSAGE, e.getMessage());",
            "assertThat(e.getMessage()).isEqualTo(EXPECTED_TIMEOUT_MESSAGE);",
        ),
    ],
    "CallbackContext": [],
}
# Since 2.0.4 AWS's runtime has a second injectCredentialsAndInvoke, for calls without a result, and the compiler can't
# tell which of the two these mean. There is no way round it in the generated project: the calls would have to say it.
AMBIGUOUS = {
    "CreateHandler": ["describeSubnets", "describeInstances"],
    "DeleteHandler": ["describeInstances"],
}
# The guide writes create and delete, and leaves reading to the reader: this is ours.
READ_HANDLER = """
package com.example.testing.wordpress;

import com.amazonaws.services.ec2.AmazonEC2;
import com.amazonaws.services.ec2.AmazonEC2ClientBuilder;
import com.amazonaws.services.ec2.model.AmazonEC2Exception;
import com.amazonaws.services.ec2.model.DescribeInstancesRequest;
import com.amazonaws.services.ec2.model.Instance;
import software.amazon.cloudformation.exceptions.CfnNotFoundException;
import software.amazon.cloudformation.proxy.AmazonWebServicesClientProxy;
import software.amazon.cloudformation.proxy.Logger;
import software.amazon.cloudformation.proxy.ProgressEvent;
import software.amazon.cloudformation.proxy.ResourceHandlerRequest;

public class ReadHandler extends BaseHandler<CallbackContext> {
    @Override
    public ProgressEvent<ResourceModel, CallbackContext> handleRequest(
        final AmazonWebServicesClientProxy proxy,
        final ResourceHandlerRequest<ResourceModel> request,
        final CallbackContext callbackContext,
        final Logger logger) {
        final String id = request.getDesiredResourceState().getInstanceId();
        final AmazonEC2 ec2 = AmazonEC2ClientBuilder.standard().withRegion("us-west-2").build();
        final Instance found;
        try {
            found = proxy.injectCredentialsAndInvoke(
                new DescribeInstancesRequest().withInstanceIds(id),
                (final DescribeInstancesRequest each) -> ec2.describeInstances(each))
                .getReservations().get(0).getInstances().get(0);
        } catch (final AmazonEC2Exception error) {
            throw new CfnNotFoundException(ResourceModel.TYPE_NAME, id);
        }
        if ("terminated".equals(found.getState().getName())) {
            throw new CfnNotFoundException(ResourceModel.TYPE_NAME, id);
        }
        return ProgressEvent.defaultSuccessHandler(ResourceModel.builder()
            .instanceId(id)
            .publicIp(found.getPublicIpAddress())
            .subnetId(found.getSubnetId())
            .name(found.getTags().get(0).getValue())
            .build());
    }
}
"""


# Clause → how the guide's handlers break it.
AT_FAULT = {
    "event.identifier": "the first IN_PROGRESS comes before the model has an identifier",
    "delete.empty": "the delete handler answers SUCCESS with the model",
    "create.idempotent": "the client request token is not looked at",
    "delete.missing": "what EC2 says of an instance that never was is passed on",
    "permissions.missing": "the delete handler's permissions have ec2>DeleteSecurityGroup, with a > for the colon",
}
# The guide's version of AWS's runtime itself refuses a deletion's model that has not all that a creation needs.
OF_THE_OLD_RUNTIME = {"delete.minimal"}
# And so no deletion of what is gone reaches the handler there.
ON_A_NEW_RUNTIME = {"event.failed.message": "the delete handler says NotFound, and no word beside it"}
NEWEST_RUNTIME = "2.2.5"


def guide_schema():
    text = "".join(code_blocks(chapter("Model the resource type", "Implement the Resource handler"))[:2])
    return text.replace("userguide/\n", "userguide/")


def guide_dependency():
    found = code_blocks(chapter("Add dependencies", "Implement the Create handler"))
    return next(each for each in found if "aws-java-sdk-ec2" in each)


def guide_classes():
    return java_classes(chapter("Implement the Resource handler", "Test the resource type"), TORN)


def guide_runtime():
    """The version of AWS's runtime that the guide says to use."""
    last = "To upgrade CFN-CLI 2.0 and the CloudFormation Provider Development Toolkit Python Plugin"
    (dependency, *_) = code_blocks(chapter("2. Update Java plugin in maven pom.xml to 2.0.0.", last))
    return re.search(r"rpdk-java-plugin</artifactId>\s*<version>(.*?)</version>", dependency)[1]


def unambiguous(name, text):
    for call in AMBIGUOUS.get(name, ()):
        kind = call[0].upper() + call[1:]
        package = "com.amazonaws.services.ec2.model"
        meant = f"(java.util.function.Function<{package}.{kind}Request, {package}.{kind}Result>) ec2Client::{call}"
        assert text.count(f"ec2Client::{call})") == 1
        text = text.replace(f"ec2Client::{call})", f"{meant})")
    return text


@pytest.fixture(scope="module")
def project(desk, tmp_path_factory):
    root = tmp_path_factory.mktemp("walk") / "example-testing-wordpress"
    root.mkdir()
    ended = desk.cfn("init", "-a", "RESOURCE", "-t", TYPE, "java", "--namespace", PACKAGE.replace("/", "."), cwd=root)
    assert ended.code == 0, str(ended)
    (root / "example-testing-wordpress.json").write_text(guide_schema())
    ended = desk.cfn("generate", cwd=root)
    assert (ended.code, ended.out) == (0, f"Generated files for {TYPE}\n"), str(ended)
    pom = root / "pom.xml"
    text = pom.read_text().replace("\n    <dependencies>\n", f"\n    <dependencies>\n{guide_dependency()}", 1)
    pom.write_text(with_runtime(text, guide_runtime()))
    main, tests = (root / "src" / each / "java" / PACKAGE for each in ("main", "test"))
    classes = guide_classes()
    assert set(classes) == set(TORN)
    for name, code in classes.items():
        ((tests if name.endswith("Test") else main) / f"{name}.java").write_text(code)
    (main / "ReadHandler.java").write_text(READ_HANDLER)
    (tests / "ReadHandlerTest.java").unlink()  # it says that nothing is written yet
    for each in (root / "inputs").iterdir():
        each.unlink()
    (root / "overrides.json").write_text('{"CREATE": {"/SubnetId": "subnet-0bc6136e"}}')
    return root


def violations(desk, root, *chosen):
    """The clauses that `cfn test` finds violated, by all tests or the chosen ones, and the calls that EC2 got."""
    with serve_ec2() as (ec2, url):
        words = ("test", "--aws", url, "--report", "json", *chosen)
        ended = desk.cfn(*words, cwd=root, timeout=PATIENCE, env=CREDENTIALS)
    assert ended.out, str(ended)
    findings = json.loads(ended.out)["findings"]
    return {each["clause"] for each in findings if each["severity"] == "violation"}, {*ec2.calls}


SOME = ("--", "-k", "contract_create_delete or contract_delete_delete")
FOUND_BY_SOME = {"event.identifier", "delete.empty", "delete.minimal", "permissions.missing"}


@pytest.mark.parametrize(
    ("chosen", "found"),
    [(SOME, FOUND_BY_SOME), pytest.param((), AT_FAULT.keys() | OF_THE_OLD_RUNTIME, marks=pytest.mark.slow)],
    ids=["some", "all"],
)
def test_the_guides_sample_fails_the_clauses_that_it_breaks_and_no_other(desk, project, chosen, found):
    violated, calls = violations(desk, project, *chosen)
    assert violated == found
    # Every step of the handlers was played: the group is made before the instance and goes after it.
    assert {"DescribeSubnets", "CreateSecurityGroup", "AuthorizeSecurityGroupIngress", "RunInstances"} <= calls
    assert {"DescribeInstances", "TerminateInstances", "DeleteSecurityGroup"} <= calls


@pytest.mark.slow
def test_the_guides_stack_is_created_and_deleted(desk, project, tmp_path):
    """From `init` to a deleted stack: the guide's runtime refuses a deletion without the properties it requires."""
    with serve_ec2() as (ec2, url), serving(tmp_path, "--aws", url) as server:
        words = ("submit", "--endpoint-url", server.url, "--region", "us-west-2", "--set-default", "--no-role")
        ended = desk.cfn(*words, cwd=project, timeout=PATIENCE, env=CREDENTIALS)
        assert ended.code == 0, str(ended)
        client = server.client("cloudformation", region="us-west-2", account=CREDENTIALS["AWS_ACCESS_KEY_ID"])
        client.create_stack(StackName="wordpress", TemplateBody=guide_template())
        client.get_waiter("stack_create_complete").wait(StackName="wordpress")
        (instance,) = ec2.instances.values()
        assert (instance["state"], instance["site"]) == ("running", "MyWebsite")
        client.delete_stack(StackName="wordpress")
        client.get_waiter("stack_delete_complete").wait(StackName="wordpress")
        assert (instance["state"], ec2.groups) == ("terminated", set())


@pytest.fixture(scope="module")
def current(project, tmp_path_factory):
    """The guide's project with the runtime that new projects have."""
    root = copy_project(project, tmp_path_factory.mktemp("current") / project.name)
    pom = root / "pom.xml"
    pom.write_text(with_runtime(pom.read_text(), NEWEST_RUNTIME))
    return root


@pytest.mark.slow
def test_with_a_new_runtime_nothing_but_the_ambiguous_calls_is_refused_by_the_compiler(desk, current):
    ended = desk.cfn("test", cwd=current, timeout=PATIENCE, env=CREDENTIALS)
    assert ended.code == 1, str(ended)
    errors = set(re.findall(r"/(\w+)\.java:(\[\d+,\d+\]) (.*)", ended.err))
    assert sorted(name for name, _, _ in errors) == sorted(name for name, calls in AMBIGUOUS.items() for _ in calls)
    assert {words for _, _, words in errors} == {"reference to injectCredentialsAndInvoke is ambiguous"}


@pytest.mark.slow
def test_with_a_new_runtime_and_the_calls_told_apart_the_same_clauses_fail(desk, current, tmp_path):
    root = copy_project(current, tmp_path / current.name)
    for name in AMBIGUOUS:
        (root / "src" / "main" / "java" / PACKAGE / f"{name}.java").write_text(unambiguous(name, guide_classes()[name]))
    violated, _ = violations(desk, root)
    assert violated == AT_FAULT.keys() | ON_A_NEW_RUNTIME.keys()


@pytest.mark.slow
def test_the_guides_unit_tests_pass(project):
    ended = run_unit_tests(project, PATIENCE)
    assert ended.returncode == 0, ended.stdout
    assert re.search(r"Tests run: \d+, Failures: 0, Errors: 0, Skipped: 0", ended.stdout)
