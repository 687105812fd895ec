"""Calls of either version of AWS's SDK for Java go to AWS_ENDPOINT_URL, which neither version here knows."""

import os
import shutil
from pathlib import Path

import pytest

from formwork.lambda_host.aws_refusal import AwsRefusal
from formwork.lambda_host.java_launch import AWS_HANDLERS, AWS_SOURCES
from formwork.toolchain.maven import compile_classes
from support.java import class_path, compile_java, jdk, run_java, settings
from support.toolchains import needs_java

pytestmark = needs_java


@pytest.fixture(scope="module")
def classes(tmp_path_factory):
    """The caller's classes, and those that redirect it."""
    folder = tmp_path_factory.mktemp("calls")
    shutil.copytree(Path(__file__).with_name("java"), folder / "sources")
    found = []
    for version, (_, handlers) in AWS_HANDLERS.items():
        sources = [AWS_SOURCES / "target", AWS_SOURCES / version]
        found += [compile_classes(sources, jdk=jdk(), settings=settings(), class_path=class_path()), handlers]
    compile_java(folder / "sources", folder / "classes", *found)
    return [folder / "classes", *found]


def test_calls_are_refused_with_a_word_about_it_and_buckets_move_into_the_path(classes):
    refused = []
    refusal = AwsRefusal(refused.append)
    try:
        said = run_java("formwork.tests.Calls", classes=classes, env={**os.environ, "AWS_ENDPOINT_URL": refusal.url})
    finally:
        refusal.close()
    lines = said.splitlines()
    assert all("there is no AWS here" in each for each in lines[:3]), said
    assert refused == ["sts GetCallerIdentity", "logs DescribeLogGroups", "cloudformation CancelUpdateStack"]
    assert lines[3:] == [
        'my-bucket.s3.eu-west-1.amazonaws.com "/my-bucket"',
        'a.b.s3-eu-west-1.amazonaws.com "/a.b"',
        's3.amazonaws.com.cn ""',
        'ec2.us-west-2.amazonaws.com ""',
    ]
