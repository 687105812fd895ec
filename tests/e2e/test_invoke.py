"""`cfn invoke` as a user runs it."""

import contextlib
import io
import json
import os
import re
import signal
import subprocess
import sys
import time
import types
import unittest.mock
from pathlib import Path

import pytest

from formwork.cli.main import main
from formwork.command_context.output import CommandOutput
from support.egress import refusing_aws
from support.handler_projects import SCHEMA, make_hook_project, make_project, write_json
from support.lambdas import alive

CANARY = "canary-4711-0815"


def cfn(*words, cwd, env=None, typed=None):
    """Run `cfn` in this process, as its entry point does; `.stdout` and `.stderr` as text."""
    environment = {"FORMWORK_CACHE": str(Path(cwd).parent / "cache"), "HOME": str(Path(cwd).parent), **(env or {})}
    out, err = io.StringIO(), io.StringIO()
    with contextlib.chdir(cwd), unittest.mock.patch.dict(os.environ, environment):
        code = main(
            [str(each) for each in words], CommandOutput(out, err, colour=False, interactive=False, answers=typed)
        )
    return types.SimpleNamespace(returncode=code, stdout=out.getvalue(), stderr=err.getvalue())


def responses(done):
    """The responses printed, parsed."""
    parts = done.stdout.split("=== Handler response ===\n")[1:]
    return [json.loads(part.partition("=== Handler input ===")[0]) for part in parts]


def requests(done):
    parts = done.stdout.split("=== Handler input ===\n")[1:]
    return [json.loads(part.partition("=== Handler response ===")[0]) for part in parts]


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    return make_project(tmp_path_factory.mktemp("invoke") / "thing")


@pytest.fixture
def request_file(tmp_path):
    def write(name=None, **more):
        desired = {
            "Password": CANARY,
            "Logins": [{"Login": "a", "Key": CANARY + "-key"}],
            **({"Name": name} if name else {}),
        }
        return write_json(
            tmp_path / "request.json", {"desiredResourceState": desired, "previousResourceState": None, **more}
        )

    return write


def test_a_create_shows_request_and_response_with_secrets_masked(project, request_file):
    done = cfn("invoke", "-v", "resource", "CREATE", request_file("x"), cwd=project)
    assert done.returncode == 0, done.stderr
    (request,) = requests(done)
    assert request["action"] == "CREATE"
    assert request["resourceType"] == "Acme::Store::Thing"
    assert request["requestData"]["resourceProperties"] == {
        "Password": "********",
        "Logins": [{"Login": "a", "Key": "********"}],
        "Name": "x",
    }
    assert set(request["requestData"]["callerCredentials"].values()) == {"********"}
    (response,) = responses(done)
    assert response["status"] == "SUCCESS"
    assert response["resourceModel"]["Id"] == "1"
    assert CANARY not in done.stdout + done.stderr


def test_without_v_the_responses_alone(project, request_file):
    done = cfn("invoke", "CREATE", request_file("x"), cwd=project)
    assert "Handler input" not in done.stdout
    assert responses(done)[0]["status"] == "SUCCESS"


def test_one_json_document(project, request_file):
    done = cfn("invoke", "CREATE", request_file("progress"), "--format", "json", cwd=project)
    document = json.loads(done.stdout)
    assert (document["end"], document["status"]) == ("answered", "SUCCESS")
    assert [each["response"]["status"] for each in document["calls"]] == ["IN_PROGRESS"] * 3 + ["SUCCESS"]
    assert document["calls"][0]["request"]["requestData"]["resourceProperties"]["Password"] == "********"
    assert CANARY not in done.stdout + done.stderr


def test_a_request_on_standard_input(project):
    done = cfn("invoke", "CREATE", "-", cwd=project, typed=io.StringIO('{"desiredResourceState": {"Name": "x"}}'))
    assert done.returncode == 0, done.stderr
    assert responses(done)[0]["resourceModel"]["Name"] == "x"
    done = cfn("invoke", "CREATE", "-", cwd=project, typed=io.StringIO('{"desiredResourceState": '))
    assert done.returncode == 1
    assert "<stdin>:1" in done.stderr
    done = cfn("invoke", "CREATE", "-", cwd=project)
    assert done.returncode == 2
    assert "standard input" in done.stderr


@pytest.mark.parametrize("words", [["CREATE"], ["resource", "CREATE"], ["resource", "create"]])
def test_the_guides_older_form_and_the_newer(project, request_file, words):
    assert cfn("invoke", *words, request_file("x"), cwd=project).returncode == 0


def test_options_may_stand_anywhere(project, request_file):
    file = request_file("progress")
    for words in (
        ["--max-reinvoke", "1", "resource", "CREATE", file],
        ["resource", "--max-reinvoke", "1", "CREATE", file],
        ["resource", "CREATE", "--max-reinvoke=1", file],
        ["CREATE", file, "--max-reinvoke", "1", "--region", "eu-west-1"],
    ):
        done = cfn("invoke", "-v", *words, cwd=project)
        assert done.returncode == 0, done.stderr
        assert len(requests(done)) == 2, "one call, and one more"
        assert "after the calls that --max-reinvoke allows" in done.stderr


def test_callbacks_are_followed_to_the_end(project, request_file):
    done = cfn("invoke", "-v", "CREATE", request_file("progress"), cwd=project)
    assert done.returncode == 0
    assert [each["status"] for each in responses(done)] == ["IN_PROGRESS"] * 3 + ["SUCCESS"]
    tokens = {each["bearerToken"] for each in requests(done)}
    assert len(tokens) == 1
    assert requests(done)[3]["callbackContext"] == {"turn": 3, "secret": "********"}
    assert CANARY not in done.stdout + done.stderr


def test_a_delay_is_waited_for_and_said(project, tmp_path):
    file = write_json(tmp_path / "request.json", {"desiredResourceState": {"Name": "progress", "Wait": 0.1}})
    started = time.monotonic()
    done = cfn("invoke", "CREATE", file, cwd=project)
    assert time.monotonic() - started > 0.3
    assert done.stderr.count("waiting 0.1 s, as the handler asks") == 3


@pytest.mark.parametrize(
    ("name", "code", "says"),
    [
        ("fail", 1, ""),
        ("crash", 1, "Runtime exited with error: exit status 3"),
        ("raise", 1, "the handler did not answer: boom ********"),
        ("nonsense", 1, "not a JSON object: "),
        ("no status", 1, 'the response has no "status"'),
        ("delay", 0, "does not ask for a further call"),
        ("loud", 0, "| my password is ********"),
    ],
)
def test_how_it_ends(project, request_file, name, code, says):
    done = cfn("invoke", "CREATE", request_file(name), cwd=project)
    assert done.returncode == code
    assert says in done.stderr
    assert CANARY not in done.stdout + done.stderr
    assert "Traceback" not in done.stderr or name == "raise", "a handler's own traceback is its log"


def test_a_failed_handlers_message_is_masked_too(project, request_file):
    (response,) = responses(cfn("invoke", "CREATE", request_file("fail"), cwd=project))
    assert response == {"status": "FAILED", "errorCode": "NotFound", "message": "no ********"}


def test_the_members_of_a_request_file(project, request_file, tmp_path):
    file = request_file(
        "x",
        nextToken="page-2",
        clientRequestToken="my-token",
        logicalResourceIdentifier="Mine",
        desiredResourceTags={"a": "b"},
        stackId="arn:aws:cloudformation:us-east-1:123456789012:stack/s/1",
        typeConfiguration={"ApiKey": CANARY + "-configured"},
    )
    done = cfn("invoke", "-v", "LIST", file, cwd=project)
    (request,) = requests(done)
    assert (request["nextToken"], request["bearerToken"]) == ("page-2", "my-token")
    assert request["stackId"].endswith("stack/s/1")
    assert request["requestData"]["logicalResourceId"] == "Mine"
    assert request["requestData"]["stackTags"] == {"a": "b"}
    assert request["requestData"]["typeConfiguration"] == {"ApiKey": "********"}
    assert responses(done)[0]["nextToken"] == "page-2"
    assert CANARY not in done.stdout + done.stderr


def test_a_type_configuration_from_a_file_or_the_users_home(request_file, tmp_path):
    schema = {
        **SCHEMA,
        "typeConfiguration": {"properties": {"Limit": {"type": "string"}}, "additionalProperties": False},
    }
    project = make_project(tmp_path / "thing", schema=schema)
    configuration = write_json(tmp_path / "configuration.json", {"Limit": CANARY})
    done = cfn("invoke", "CREATE", request_file("x"), "--typeconfig", configuration, cwd=project)
    assert responses(done)[0]["message"] == "{'Limit': '********'}"
    home = tmp_path / "home"
    (home / ".cfn-cli").mkdir(parents=True)
    write_json(home / ".cfn-cli" / "typeConfiguration.json", {"Limit": "1"})
    done = cfn("invoke", "CREATE", request_file("x"), cwd=project, env={"HOME": str(home)})
    assert responses(done)[0]["message"] == "{'Limit': '1'}"


def test_a_whole_event_goes_to_the_test_entry_point_as_it_is(project, tmp_path):
    event = """{
      "credentials": {"accessKeyId": "a", "secretAccessKey": "CANARY", "sessionToken": "t"},
      "action": "CREATE",
      "request": {
        "clientRequestToken": "4b90a7e4-b790-456b-a937-0cfdfa211dfe", # Can be any UUID.
        "desiredResourceState": {"Name": "MyBlog", "Password": "CANARY"},
        "logicalResourceIdentifier": "MyResource"
      },
      "callbackContext": null
    }""".replace("CANARY", CANARY)
    (tmp_path / "create.json").write_text(event, encoding="utf-8")
    for words in ([], ["CREATE"], ["resource", "CREATE"]):
        done = cfn("invoke", "-v", *words, tmp_path / "create.json", cwd=project)
        assert done.returncode == 0, done.stderr
        assert responses(done)[0]["message"] == "tested"
        assert requests(done)[0]["request"]["desiredResourceState"] == {"Name": "MyBlog", "Password": "********"}
        assert CANARY not in done.stdout + done.stderr
    assert cfn("invoke", "DELETE", tmp_path / "create.json", cwd=project).returncode == 2


def test_a_hook(tmp_path):
    project = make_hook_project(tmp_path / "check")
    file = write_json(
        tmp_path / "hook.json",
        {
            "targetName": "AWS::S3::Bucket",
            "targetModel": {"resourceProperties": {"BucketName": "good", "Secret": CANARY}},
        },
    )
    for words in (["hook"], []):
        done = cfn("invoke", "-v", *words, "CREATE_PRE_PROVISION", file, cwd=project)
        assert done.returncode == 0, done.stderr
        assert [each["hookStatus"] for each in responses(done)] == ["IN_PROGRESS", "SUCCESS"]
        assert requests(done)[0]["requestData"]["targetModel"]["resourceProperties"]["Secret"] == "********"
        assert requests(done)[0]["requestData"]["callerCredentials"] == "********"
        assert CANARY not in done.stdout + done.stderr
    write_json(file, {"targetName": "AWS::S3::Bucket", "targetModel": {"resourceProperties": {"BucketName": "bad"}}})
    assert cfn("invoke", "hook", "CREATE_PRE_PROVISION", file, cwd=project).returncode == 1


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{", "error[document."),
        ('["x"]', "the request is not a JSON object"),
        ('{"Name": "x"}', 'the request has no "desiredResourceState"'),
        ('{"desiredResourceState": {}, "previousResourceStat": {}}', 'did you mean "previousResourceState"?'),
        ('{"desiredResourceState": {}, "nextToken": 5}', '"nextToken" is a number'),
        ('{"desiredResourceState": {}, "desiredResourceState": {}}', "error[document."),
    ],
)
def test_bad_request_files(project, tmp_path, text, says):
    (tmp_path / "request.json").write_text(text, encoding="utf-8")
    done = cfn("invoke", "CREATE", tmp_path / "request.json", cwd=project)
    assert (done.returncode, done.stdout) == (1, "")
    assert says in done.stderr
    assert re.search(r"request\.json:\d+:\d+", done.stderr)


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (["CREATE", "absent.json"], 1, "cannot be read"),
        (["FROB", "request.json"], 2, 'unknown action "FROB"'),
        (["resource", "CREATE_PRE_PROVISION", "request.json"], 2, "unknown action"),
        (["hook", "CREATE_PRE_PROVISION", "request.json"], 2, "this project is a resource"),
        (["CREATE"], 2, "missing request file"),
        (["resource", "CREATE", "request.json", "more"], 2, "too many arguments"),
        (["request.json"], 2, "missing action"),
        (["CREATE", "request.json", "--max-reinvoke", "-1"], 2, "0 or more"),
        (["CREATE", "request.json", "--docker-image", "x"], 2, "without Docker"),
        (["CREATE", "request.json", "--function-name", "Nope"], 2, "its functions: TestEntrypoint, TypeFunction"),
        (["CREATE", "request.json", "--endpoint", "http://127.0.0.1:1"], 3, "nothing answers at http://127.0.0.1:1"),
        (["CREATE", "request.json", "--endpoint", "ftp://x"], 2, "a URL such as"),
        (["CREATE", "request.json", "--aws", "maybe"], 2, "one of none, real"),
        (["CREATE", "request.json", "--aws", "none", "--role-arn", "x"], 2, "are for real AWS"),
        (["CREATE", "request.json", "-d", "0"], 2, "a port from 1"),
        (["CREATE", "request.json", "--typeconfig", "absent.json"], 1, "cannot be read"),
    ],
)
def test_words_that_make_no_sense(tmp_path, words, code, says):
    project = make_project(tmp_path / "thing")
    write_json(project / "request.json", {"desiredResourceState": {}})
    done = cfn("invoke", *words, cwd=project)
    assert done.returncode == code, done.stderr
    assert says in done.stderr


def test_no_project_here(tmp_path):
    (tmp_path / "empty").mkdir()
    done = cfn("invoke", "CREATE", "request.json", cwd=tmp_path / "empty")
    assert (done.returncode, done.stdout) == (1, "")
    assert "is not a project" in done.stderr


def test_an_aws_call_is_refused_with_the_choices(project, request_file):
    done = cfn("invoke", "CREATE", request_file("aws"), cwd=project)
    assert done.returncode == 1
    assert "sts GetCallerIdentity: there is no AWS here" in done.stdout
    assert "--aws moto" in done.stdout


def test_an_aws_call_goes_where_it_is_told(project, request_file):
    with refusing_aws() as stand_in:
        done = cfn("invoke", "CREATE", request_file("aws"), "--aws", stand_in, cwd=project)
    assert "FormworkNoAws" in done.stdout


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("import nowhere", "Unable to import module 'acme_store_thing.handlers': No module named 'nowhere'"),
        ("import nowhere", "= help: add the distribution that contains nowhere to requirements.txt"),
        ("from . import absent", "cannot import name 'absent'"),
        ("from .models import ResourceModel", "= help: `cfn generate` writes it"),
        ("def resource(:", "Syntax error in module 'acme_store_thing.handlers'"),
        ("x = 1", "Handler 'resource' missing on module 'acme_store_thing.handlers'"),
    ],
)
def test_handlers_that_do_not_load(tmp_path, source, says):
    project = make_project(tmp_path / "thing", handlers=source)
    write_json(project / "request.json", {"desiredResourceState": {}})
    done = cfn("invoke", "CREATE", "request.json", cwd=project)
    assert done.returncode == 1
    assert says in done.stderr


def test_a_folder_whose_case_differs(tmp_path):
    project = make_project(tmp_path / "thing")
    (project / "src" / "acme_store_thing").rename(project / "src" / "Acme_Store_Thing")
    write_json(project / "request.json", {"desiredResourceState": {}})
    done = cfn("invoke", "CREATE", "request.json", cwd=project)
    assert done.returncode == 1
    assert 'names "acme_store_thing", but the file is "Acme_Store_Thing"' in done.stderr


def test_a_project_without_a_template_runs_from_its_config(tmp_path):
    project = make_project(tmp_path / "thing", template=None)
    write_json(project / "request.json", {"desiredResourceState": {}})
    done = cfn("invoke", "CREATE", "request.json", cwd=project)
    assert done.returncode == 0
    assert "taking the functions from .rpdk-config" in done.stderr


def test_a_read_only_folder_is_enough(tmp_path):
    project = make_project(tmp_path / "thing")
    file = write_json(tmp_path / "request.json", {"desiredResourceState": {}})
    before = sorted(project.rglob("*"))
    for each in [project, *project.rglob("*")]:
        each.chmod(each.stat().st_mode & ~0o222)
    try:
        assert (
            cfn("invoke", "CREATE", file, cwd=project, env={"FORMWORK_CACHE": str(project / "cache")}).returncode == 0
        )
        if os.geteuid() != 0:
            assert sorted(project.rglob("*")) == before
    finally:
        for each in [project, *project.rglob("*")]:
            each.chmod(each.stat().st_mode | 0o200)


def test_nothing_is_left_in_the_project(tmp_path):
    project = make_project(tmp_path / "thing")
    file = write_json(tmp_path / "request.json", {"desiredResourceState": {}})
    before = sorted(project.rglob("*"))
    assert cfn("invoke", "CREATE", file, cwd=project).returncode == 0
    assert sorted(project.rglob("*")) == before


def test_ctrl_c_ends_it_and_its_handlers(project, request_file, tmp_path):
    source = "import os, time\ndef resource(event, context):\n    print('pid', os.getpid(), flush=True)\n    time.sleep(600)\n"
    project = make_project(tmp_path / "thing", handlers=source)
    file = write_json(tmp_path / "request.json", {"desiredResourceState": {}})
    command = [sys.executable, "-m", "formwork.cli.main", "invoke", "CREATE", str(file)]
    environment = {**os.environ, "FORMWORK_CACHE": str(tmp_path / "cache")}
    with subprocess.Popen(
        command, cwd=project, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as running:
        pid = int(next(line for line in running.stderr if line.startswith("| pid")).split()[-1])
        running.send_signal(signal.SIGINT)
        started = time.monotonic()
        assert running.wait(10) == 130
        assert time.monotonic() - started < 5
        assert "Traceback" not in running.stderr.read()
    assert not alive(pid)


def test_a_schema_with_errors_is_refused_since_secrets_could_not_be_told(tmp_path):
    project = make_project(tmp_path / "thing", schema={**SCHEMA, "primaryIdentifier": 5})
    write_json(project / "request.json", {"desiredResourceState": {}})
    done = cfn("invoke", "CREATE", "request.json", cwd=project)
    assert done.returncode == 1
    assert "acme-store-thing.json" in done.stderr


# What an SDK that knows no AWS_ENDPOINT_URL does.
OLD_SDK = """
import urllib.request

def resource(event, context):
    try:
        urllib.request.urlopen("https://sqs.us-east-1.amazonaws.com/", timeout=10)
    except OSError as error:
        return {"status": "FAILED", "errorCode": "InternalFailure", "message": str(error)}
"""


def test_a_call_for_aws_itself_is_refused_and_told_once(tmp_path, request_file):
    project = make_project(tmp_path / "old", handlers=OLD_SDK)
    done = cfn("invoke", "resource", "CREATE", request_file("x"), cwd=project)
    assert (
        "Formwork refused a call of the handlers to sqs.us-east-1.amazonaws.com, which is AWS itself"
        in responses(done)[0]["message"]
    )
    assert done.stderr.count("refused a call of the handlers to sqs.us-east-1.amazonaws.com") == 1
    assert "handlers have no AWS in this run. --aws moto answers such calls" in done.stderr
