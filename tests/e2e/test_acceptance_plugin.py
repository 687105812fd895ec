"""The pytest plugin as its users run it: in a run of its own, on several workers, and from unittest."""

import os
import subprocess
import sys

import pytest

from support.corpus import REPOSITORY

SHELVES = f"import sys; sys.path.insert(0, {str(REPOSITORY / 'tests')!r})\n"
LEAKING = (
    SHELVES
    + """
import os
import boto3
import pytest
from support.shelves import TEMPLATE, Shelf

@pytest.mark.parametrize("number", range(6))
def test_it_leaks(cloudformation, number):
    cloudformation.register(Shelf)
    cloudformation.deploy(TEMPLATE, stack="shop")
    boto3.client("cloudformation").create_stack(StackName="behind", TemplateBody='{"Resources":{"A":{"Type":"AWS::SQS::Queue"}}}')
    boto3.client("s3").create_bucket(Bucket="shared")
    boto3.client("s3").put_object(Bucket="shared", Key="a/b", Body=b"c")
    os.environ["AWS_ACCESS_KEY_ID"] = "999999999999"
    os.environ["AWS_ENDPOINT_URL_S3"] = "http://127.0.0.1:9"
    boto3.setup_default_session(region_name="eu-west-1")
    assert number % 3, "some of them fail, too"

@pytest.mark.parametrize("number", range(6))
def test_it_finds_nothing(cloudformation, number):
    client = boto3.client("cloudformation")
    assert client.meta.region_name == "us-east-1"
    assert boto3.client("sts").get_caller_identity()["Account"] == cloudformation.account
    assert client.describe_stacks()["Stacks"] == []
    assert client.list_types(Visibility="PRIVATE")["TypeSummaries"] == []
    assert boto3.client("s3").list_buckets()["Buckets"] == []
    cloudformation.register(Shelf)
    cloudformation.deploy(TEMPLATE, stack="shop")

def test_outside_the_variables_are_those_of_before():
    assert os.environ["AWS_ACCESS_KEY_ID"] == "mine"
    assert "AWS_ENDPOINT_URL" not in os.environ
    assert "AWS_ENDPOINT_URL_S3" not in os.environ
"""
)
UNITTEST = (
    SHELVES
    + """
import unittest
from formwork.testing import CloudFormationTestCase
from support.shelves import TEMPLATE, Shelf

class ShopTest(CloudFormationTestCase):
    def test_a_shop(self):
        self.cloudformation.register(Shelf)
        shop = self.cloudformation.deploy(TEMPLATE, stack="shop")
        self.assertEqual(shop.outputs, {"Arn": "arn:acme:novels"})

    def test_a_failure(self):
        self.cloudformation.register(Shelf)
        shop = self.cloudformation.deploy(TEMPLATE, stack="shop")
        shop.expect_in_place("Shelf")
        shop.update(parameters={"Name": "poems"})

    def test_an_empty_account(self):
        self.assertEqual(self.cloudformation.cloudformation.describe_stacks()["Stacks"], [])

unittest.main()
"""
)


def run(folder, *words, umask=-1, **more):
    environment = {name: each for name, each in os.environ.items() if not name.startswith(("AWS_", "PYTEST_"))}
    environment |= {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "TMPDIR": str(folder), "AWS_ACCESS_KEY_ID": "mine", **more}
    done = subprocess.run(
        [sys.executable, *words], cwd=folder, capture_output=True, text=True, check=False, env=environment, umask=umask
    )
    return done.returncode, done.stdout + done.stderr


def run_pytest(folder, *words, umask=-1):
    plain = (
        "-m",
        "pytest",
        "-p",
        "formwork.testing.plugin",
        "-q",
        "-p",
        "no:cacheprovider",
        "--basetemp",
        str(folder / "t"),
    )
    return run(folder, *plain, *words, umask=umask)


@pytest.mark.acceptance
def test_what_one_test_leaves_disturbs_no_other_on_two_workers(tmp_path):
    (tmp_path / "test_leaks.py").write_text(LEAKING)
    code, said = run_pytest(tmp_path, "-p", "xdist.plugin", "-n", "2")
    assert code == 1, said
    assert "2 failed, 11 passed" in said
    assert "left by the test" in said
    assert "stack behind (CREATE_COMPLETE)" in said
    assert "some of them fail, too" in said


@pytest.mark.skipif(os.name != "posix", reason="the umask of POSIX")
def test_files_that_tests_write_have_the_modes_that_they_have_without_it(tmp_path):
    (tmp_path / "test_modes.py").write_text(
        "def test_it(cloudformation, tmp_path):\n"
        "    (tmp_path / 'file').touch()\n"
        "    assert (tmp_path / 'file').stat().st_mode & 0o777 == 0o644\n"
    )
    code, said = run_pytest(tmp_path, umask=0o022)
    assert code == 0, said


def test_unittest_has_the_same_account(tmp_path):
    (tmp_path / "shop_test.py").write_text(UNITTEST)
    code, said = run(tmp_path, "shop_test.py")
    assert code == 1, said
    assert "Ran 3 tests" in said
    assert "FAILED (failures=1)" in said
    assert "Shelf was replaced; an update in place was expected" in said
    assert "replay:    python -m unittest __main__.ShopTest.test_a_failure" in said


def test_an_unused_plugin_imports_nothing(tmp_path):
    program = (
        "import sys, formwork.testing.plugin\n"
        "print(sorted(name for name in sys.modules if name.partition('.')[0] in ('formwork', 'boto3', 'botocore')))"
    )
    code, said = run(tmp_path, "-c", program)
    assert (code, said.strip()) == (0, "['formwork', 'formwork.testing', 'formwork.testing.plugin']")


def test_an_operation_that_was_expected_and_never_came_is_reported(tmp_path):
    (tmp_path / "test_open.py").write_text(
        "def test_it(cloudformation):\n    cloudformation.expect_refused(by='A::B::C')\n"
    )
    code, said = run_pytest(tmp_path)
    assert code == 1, said
    assert "the test ended without the operation that was to bring a refusal by A::B::C" in said
