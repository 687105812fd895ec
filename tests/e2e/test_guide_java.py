"""The user guide's walkthrough of a resource type in Java: its schema and its code, with the real commands.

Its handlers call EC2 with version 1 of AWS's SDK, which here is an endpoint of the tests' own.
"""

import json
import re

import pytest

from support.commands import copy_project
from support.ec2 import serve_ec2
from support.guide_java import java_classes
from support.seeds import chapter, code_blocks, needs_guide
from support.toolchains import needs_java

pytestmark = [needs_guide, needs_java]
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
    "CreateHandlerTest": [],
    "DeleteHandlerTest": [],
    "CallbackContext": [],
}
# Since 2.0.3 AWS's runtime has a second injectCredentialsAndInvoke, for calls without a result, and the compiler can't
# tell which of the two these mean. There is no way round it in the generated project: the calls must say it.
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
    "event.failed.message": "the delete handler says NotFound, and no word beside it",
    "create.idempotent": "the client request token is not looked at",
    "delete.missing": "what EC2 says of an instance that never was is passed on",
}


def guide_schema():
    text = "".join(code_blocks(chapter("Model the resource type", "Implement the Resource handler"))[:2])
    return text.replace("userguide/\n", "userguide/")


def guide_dependency():
    found = code_blocks(chapter("Add dependencies", "Implement the Create handler"))
    return next(each for each in found if "aws-java-sdk-ec2" in each)


def guide_classes():
    return java_classes(chapter("Implement the Resource handler", "Test the resource type"), TORN)


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
    pom.write_text(pom.read_text().replace("\n    <dependencies>\n", f"\n    <dependencies>\n{guide_dependency()}", 1))
    main = root / "src" / "main" / "java" / PACKAGE
    classes = guide_classes()
    assert set(classes) == set(TORN)
    for name in ("CallbackContext", "CreateHandler", "DeleteHandler"):
        (main / f"{name}.java").write_text(unambiguous(name, classes[name]))
    (main / "ReadHandler.java").write_text(READ_HANDLER)
    for each in (root / "inputs").iterdir():
        each.unlink()
    (root / "overrides.json").write_text('{"CREATE": {"/SubnetId": "subnet-0bc6136e"}}')
    return root


def test_the_guides_sample_fails_the_clauses_that_it_breaks_and_no_other(desk, project):
    with serve_ec2() as (ec2, url):
        ended = desk.cfn("test", "--aws", url, "--report", "json", cwd=project, timeout=PATIENCE, env=CREDENTIALS)
    assert ended.out, str(ended)
    report = json.loads(ended.out)
    violated = {each["clause"] for each in report["findings"] if each["severity"] == "violation"}
    assert violated == AT_FAULT.keys(), "\n".join(f"{each['clause']}: {each['message']}" for each in report["findings"])
    # Every step of the handlers was played: the group is made before the instance and goes after it.
    assert {"DescribeSubnets", "CreateSecurityGroup", "AuthorizeSecurityGroupIngress", "RunInstances"} <= {*ec2.calls}
    assert {"DescribeInstances", "TerminateInstances", "DeleteSecurityGroup"} <= {*ec2.calls}


def test_as_written_nothing_but_the_ambiguous_calls_is_refused_by_the_compiler(desk, project, tmp_path):
    root = copy_project(project, tmp_path / "as-written")
    for name in AMBIGUOUS:
        (root / "src" / "main" / "java" / PACKAGE / f"{name}.java").write_text(guide_classes()[name])
    ended = desk.cfn("test", cwd=root, timeout=PATIENCE, env=CREDENTIALS)
    assert ended.code == 1, str(ended)
    errors = set(re.findall(r"/(\w+)\.java:(\[\d+,\d+\]) (.*)", ended.err))
    assert sorted(name for name, _, _ in errors) == sorted(name for name, calls in AMBIGUOUS.items() for _ in calls)
    assert {words for _, _, words in errors} == {"reference to injectCredentialsAndInvoke is ambiguous"}
