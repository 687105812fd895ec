"""`cfn permissions`: what the handlers used in the last `cfn test`, beside what the schema declares."""

import json
import shutil

import pytest

from support.corpus import REPOSITORY
from support.handler_projects import HANDLERS, SCHEMA, make_project
from support.namespaces import needs_namespaces

pytestmark = needs_namespaces

CALLS = """
    import boto3
    try:
        if event["action"] == "CREATE": boto3.client("iam").list_roles()
        if event["action"] == "READ": boto3.client("s3").head_bucket(Bucket="some-bucket")
    except Exception as error: print(error)
"""


@pytest.fixture(scope="module")
def tested(desk, tmp_path_factory):
    """A project whose handlers call AWS, after a run of one test."""
    handlers = HANDLERS.replace('    data = event["requestData"]', CALLS + '    data = event["requestData"]', 1)
    schema = json.loads(json.dumps(SCHEMA))
    schema["handlers"]["create"]["permissions"] = ["iam:*", "s3:GetObject"]
    project = make_project(tmp_path_factory.mktemp("permissions") / "thing", handlers=handlers, schema=schema)
    assert "no run of the contract tests saw calls here" in desk.cfn("permissions", cwd=project).err
    done = desk.cfn("test", "--", "-k", "contract_create_read", cwd=project)
    assert "read calls s3 HeadBucket, and its permissions lack s3:ListBucket" in done.out, done.out + done.err
    assert "> s3 HeadBucket: refused, this run has no AWS" in done.out
    assert done.code == 1
    return project


def test_what_is_missing_is_named(desk, tested):
    done = desk.cfn("permissions", cwd=tested)
    assert done.code == 1
    assert "read\n  + s3:ListBucket  used, and not among its permissions\n" in done.out
    assert "create\n    iam:*\n    s3:GetObject\n" in done.out, "nothing was answered: nothing is called unused"
    done = desk.cfn("permissions", "--format", "json", cwd=tested)
    told = json.loads(done.out)
    assert told["sealed"] is True
    assert told["complete"] is False
    assert told["handlers"]["create"]["used"] == ["iam:ListRoles"]
    assert told["handlers"]["read"]["missing"] == ["s3:ListBucket"]


def test_a_part_of_the_tests_prunes_nothing(desk, tested):
    done = desk.cfn("permissions", "--write", "--prune", cwd=tested)
    assert (done.code, done.out) == (1, "")
    assert "--prune needs a run of all tests" in done.err
    done = desk.cfn("permissions", "--prune", cwd=tested)
    assert done.code == 2
    assert "--prune has no meaning without --write" in done.err


def test_what_is_missing_is_written(desk, tested):
    before = json.loads((tested / "acme-store-thing.json").read_text())
    done = desk.cfn("permissions", "--write", cwd=tested)
    assert done.code == 0
    assert "wrote the permissions of read to acme-store-thing.json" in done.err
    before["handlers"]["read"]["permissions"] = ["s3:ListBucket"]
    assert json.loads((tested / "acme-store-thing.json").read_text()) == before
    assert '- "s3:ListBucket"' in (tested / "resource-role.yaml").read_text()
    assert desk.cfn("permissions", cwd=tested).code == 0


def test_what_is_not_a_tested_project_is_refused(desk, tmp_path):
    done = desk.cfn("permissions", cwd=tmp_path)
    assert done.code == 1
    assert "project.not-found" in done.err
    project = make_project(tmp_path / "thing")
    (project / "acme-store-thing.json").write_text("{")
    done = desk.cfn("permissions", cwd=project)
    assert done.code == 1
    assert "document.syntax" in done.err


def test_a_missing_permission_fails_the_call_where_they_are_enforced(desk, tmp_path):
    bundle = shutil.copytree(REPOSITORY / "examples/config-bundle", tmp_path / "bundle")
    words = ("test", "--aws", "moto", "--enforce-iam", "-k", "contract_create_read")
    assert desk.cfn(*words, cwd=bundle).code == 0
    file = bundle / "acme-config-bundle.json"
    schema = json.loads(file.read_text())
    schema["handlers"]["create"]["permissions"].remove("ssm:PutParameter")
    file.write_text(json.dumps(schema))
    done = desk.cfn(*words, cwd=bundle)
    assert done.code == 1
    assert "CREATE is FAILED with AccessDenied" in done.out
    assert "create is not authorized to" in done.out
    assert "✗ permissions.missing" in done.out


@pytest.mark.parametrize(
    "words", [["--aws", "real"], ["--role-arn", "arn"], ["--simulated"], ["--endpoint", "http://a"]]
)
def test_permissions_are_enforced_of_handlers_here_alone(desk, tested, words):
    done = desk.cfn("test", "--enforce-iam", *words, cwd=tested)
    assert done.code == 2
    assert "--enforce-iam cannot be used with" in done.err
