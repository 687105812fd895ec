"""`--aws moto` as a user meets it, with the example that calls S3 and SSM."""

import json
import os
import signal

import pytest

from support.commands import copy_project, refuses
from support.corpus import REPOSITORY
from support.handler_projects import make_project

# What breaks the example, and the clause that this violates, by the file and the words in it.
BREAKS = {
    "list.ends": ("handlers.py", "nextToken=token,", "nextToken=request.nextToken or token,"),
    "delete.read": ("store.py", "        self._ssm.delete_parameter(Name=_path(name))\n\n", "        return\n\n"),
    "event.writeonly": ("handlers.py", "_success(store.get(_name(store, request)))", "_leak(session, store, request)"),
}
LEAK = """

def _leak(session: Any, store: Any, request: Any) -> ProgressEvent:
    bundle = store.get(_name(store, request))
    parameter = session.client("ssm").get_parameter(Name=bundle["Arn"].partition(":parameter")[2], WithDecryption=True)
    return _success({**bundle, "Secret": parameter["Parameter"]["Value"]})
"""
DELETE = "        self._s3.delete_object(Bucket=self.bucket, Key=name)\n"


@pytest.fixture
def bundle(tmp_path):
    return copy_project(REPOSITORY / "examples" / "config-bundle", tmp_path / "bundle")


def test_broken_handlers_are_named_by_their_clauses(desk, bundle):
    source = bundle / "src" / "acme_config_bundle"
    for file, sound, broken in BREAKS.values():
        text = (source / file).read_text(encoding="utf-8")
        assert text.count(sound) == 1
        (source / file).write_text(text.replace(sound, broken), encoding="utf-8")
    store = (source / "store.py").read_text(encoding="utf-8")
    (source / "store.py").write_text(store.replace(DELETE, ""), encoding="utf-8")
    with (source / "handlers.py").open("a", encoding="utf-8") as file:
        file.write(LEAK)
    tests = "inputs_1 and (contract_list_pages or contract_delete_read or contract_create_read)"
    ended = desk.cfn("test", "--aws", "moto", "--report", "json", "--", "-k", tests, cwd=bundle)
    assert ended.code == 1, str(ended)
    violated = {each["id"] for each in json.loads(ended.out)["clauses"] if each["state"] == "violated"}
    assert violated == BREAKS.keys(), violated
    assert "correct horse battery" not in ended.said
    assert "moto stands in for AWS at http://127.0.0.1:" in ended.err


@pytest.mark.slow
def test_the_example_passes_whole_twice_in_a_row(desk, bundle):
    for _ in range(2):
        ended = desk.cfn("test", "--aws", "moto", "--report", "json", cwd=bundle)
        assert ended.code == 0, str(ended)
        clauses = json.loads(ended.out)["clauses"]
        # A create that fails half-way deletes what it made: no run of a sound back end sees that permission used.
        assert {each["id"] for each in clauses if each["state"] == "warned"} == {"permissions.unused"}, str(ended)
        states = {each["state"] for each in clauses if each["id"] != "permissions.unused"}
        assert states <= {"proved", "not applicable", "not provable"}, str(ended)


def test_invoke_starts_moto_and_it_is_gone_afterwards(desk, bundle, tmp_path):
    properties = json.loads((bundle / "inputs" / "inputs_1_create.json").read_text(encoding="utf-8"))
    request = tmp_path / "request.json"
    request.write_text(json.dumps({"desiredResourceState": properties}), encoding="utf-8")
    ended = desk.cfn("invoke", "resource", "CREATE", request, "--aws", "moto", cwd=bundle)
    assert ended.code == 0, str(ended)
    assert "s3://acme-config-bundle-123456789012-us-east-1/checkout" in ended.out


def test_where_moto_is_not_installed_the_command_says_how_to(desk, tmp_path):
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "sitecustomize.py").write_text("import sys; sys.modules['moto'] = None")
    project = make_project(tmp_path / "thing")
    ended = desk.cfn("serve", "--port", "0", "--aws", "moto", cwd=project, env={"PYTHONPATH": str(tmp_path / "site")})
    refuses(ended, 3, "moto's server is not installed", "pip install '.[moto]'")


def test_a_service_that_runs_elsewhere_has_its_own_aws(desk, tmp_path):
    project = make_project(tmp_path / "thing")
    request = tmp_path / "request.json"
    request.write_text('{"desiredResourceState": {}}', encoding="utf-8")
    words = ("invoke", "resource", "READ", request, "--aws", "moto", "--endpoint", "http://127.0.0.1:1")
    refuses(desk.cfn(*words, cwd=project), 2, "cannot be used with --endpoint", "cfn serve --aws moto")


def test_serve_keeps_moto_up_and_ends_it(desk, tmp_path):
    project = make_project(tmp_path / "thing")
    with desk.start("serve", "--port", "0", "--aws", "moto", cwd=project) as process:
        try:
            said = process.stderr.readline()
            assert said.startswith("moto stands in for AWS at http://127.0.0.1:"), said + process.stderr.read()
            assert process.stdout.readline().startswith("ready ")
            os.kill(process.pid, signal.SIGTERM)
            assert process.wait(30) == 0
        finally:
            process.kill()
