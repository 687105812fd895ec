"""Calls of either version of AWS's SDK for Java go to AWS_ENDPOINT_URL, which neither version here knows."""

import contextlib
import os
import shutil
import zipfile
from pathlib import Path

import pytest

from formwork.languages.java.redirection import redirect_sdks
from support.egress import refusing_aws
from support.java import class_path, compile_java, jdk, run_java, settings
from support.toolchains import needs_java

pytestmark = needs_java


@pytest.fixture(scope="module")
def one_jar(tmp_path_factory):
    """The SDKs as a package has them: in a jar with everything else."""
    place = tmp_path_factory.mktemp("shaded") / "thing-handler-1.0.jar"
    with zipfile.ZipFile(place, "w") as jar:
        known = set()
        for each in class_path():
            if "amazon" in str(each):
                with zipfile.ZipFile(each) as part:
                    for name in set(part.namelist()) - known:
                        jar.writestr(name, part.read(name))
                    known |= set(part.namelist())
    return place


def redirected(where):
    return redirect_sdks(where, None, jdk=jdk(), settings=settings())


@pytest.fixture(scope="module", params=["project", "package"])
def classes(request, tmp_path_factory, one_jar):
    """The caller's classes, and those that redirect it."""
    folder = tmp_path_factory.mktemp("calls")
    shutil.copytree(Path(__file__).with_name("java"), folder / "sources")
    found = redirected(class_path() if request.param == "project" else (one_jar,))
    compile_java(folder / "sources", folder / "classes", *found)
    return [folder / "classes", *found]


@pytest.mark.acceptance
def test_only_what_calls_a_stand_in_is_redirected(one_jar, tmp_path):
    assert len(redirected((one_jar,))) == 4
    assert redirected((tmp_path, tmp_path / "gone.jar")) == ()
    real = {"AWS_ACCESS_KEY_ID": "id"}
    assert redirect_sdks((one_jar,), real, jdk=jdk(), settings=settings()) == ()


@pytest.mark.acceptance
def test_a_service_with_an_endpoint_of_its_own_is_called_there(classes):
    """As `cfn serve --aws moto` has CloudFormation: the stacks that handlers are in are its own, not moto's."""
    services = ("CLOUDFORMATION", "STS", "CLOUDWATCH_LOGS")
    known = {"AWS_ENDPOINT_URL": [], **{f"AWS_ENDPOINT_URL_{each}": [] for each in services}}
    with contextlib.ExitStack() as servers:
        environment = dict(os.environ)
        for name, called in known.items():
            environment[name] = servers.enter_context(refusing_aws(called.append))
        run_java("formwork.tests.Calls", classes=classes, env=environment)
    assert [*known.values()] == [
        [],
        ["cloudformation CancelUpdateStack"],
        ["sts GetCallerIdentity"],
        ["logs DescribeLogGroups"],
    ]


def test_calls_are_refused_with_a_word_about_it_and_buckets_move_into_the_path(classes):
    refused = []
    with refusing_aws(refused.append) as url:
        said = run_java("formwork.tests.Calls", classes=classes, env={**os.environ, "AWS_ENDPOINT_URL": url})
    lines = said.splitlines()
    assert all("there is no AWS here" in each for each in lines[:3]), said
    assert refused == ["sts GetCallerIdentity", "logs DescribeLogGroups", "cloudformation CancelUpdateStack"]
    assert lines[3:] == [
        'my-bucket.s3.eu-west-1.amazonaws.com "/my-bucket"',
        'a.b.s3-eu-west-1.amazonaws.com "/a.b"',
        's3.amazonaws.com.cn ""',
        'ec2.us-west-2.amazonaws.com ""',
    ]
