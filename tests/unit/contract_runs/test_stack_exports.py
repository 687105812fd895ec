"""`{{ExportName}}` from stacks: boto3 asks a server that speaks by our own codecs, and only where a name is missing."""

import argparse
import http.server
import json
import threading
from urllib.parse import parse_qsl

import pytest

from formwork.api.wire import load_service, parse_query_request, render_query_response
from formwork.contract_runs.stack_exports import read_exports
from formwork.diagnostics import BadInputError, EnvironmentProblemError
from formwork.project import load_project
from formwork.project.exports import substitute_exports
from formwork.project.inputs import load_input_sets
from formwork.project.overrides import load_overrides
from support.handler_projects import make_project, write_json

SERVICE = load_service("cloudformation")
STACK = "arn:aws:cloudformation:eu-west-3:123456789012:stack/network/1"
PAGES = {
    None: ([("SubnetId", "subnet-1"), ("VpcId", "vpc-1")], "two"),
    "two": ([("Network:Size", "12")], None),
}


@pytest.fixture
def endpoint():
    """A CloudFormation that knows ListExports; `asked` are the tokens and regions of its requests."""
    asked = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            operation = SERVICE.operation("ListExports")
            fields = parse_qsl(self.rfile.read(int(self.headers["Content-Length"])).decode())
            token = parse_query_request(operation, fields).get("NextToken")
            asked.append((token, self.headers["Authorization"].split("/")[2]))
            rows, following = PAGES[token]
            exports = [{"ExportingStackId": STACK, "Name": name, "Value": value} for name, value in rows]
            body = render_query_response(SERVICE, operation, {"Exports": exports, "NextToken": following}, "id")
            self.send_response(200)
            self.send_header("Content-Type", "text/xml")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_words):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}", asked
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture(autouse=True)
def credentials(monkeypatch):
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "AKIDEXAMPLE")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    monkeypatch.setenv("AWS_MAX_ATTEMPTS", "1")


def options(**given):
    names = ("exports", "aws", "profile", "role_arn", "cloudformation_endpoint_url")
    return argparse.Namespace(**{**dict.fromkeys(names), "region": "eu-west-3", **given})


def test_all_pages_of_the_stacks_exports_fill_placeholders(endpoint):
    url, asked = endpoint
    exports = read_exports(options(cloudformation_endpoint_url=url))
    filled = substitute_exports('{"Subnet": "{{SubnetId}}", "Size": {{Network:Size}}, "Other": "{{Unknown}}"}', exports)
    assert json.loads(filled.text) == {"Subnet": "subnet-1", "Size": 12, "Other": "{{Unknown}}"}
    assert filled.missing == ("Unknown",)
    assert asked == [(None, "eu-west-3"), ("two", "eu-west-3")]
    assert dict(exports) == {"SubnetId": "subnet-1", "VpcId": "vpc-1", "Network:Size": "12"}
    assert len(exports) == 3


def test_stacks_are_asked_only_for_what_the_file_lacks(endpoint, tmp_path):
    url, asked = endpoint
    path = tmp_path / "exports.json"
    path.write_text('{"SubnetId": "mine", "Count": 3}')
    exports = read_exports(options(exports=path, cloudformation_endpoint_url=url))
    assert substitute_exports("{{SubnetId}} {{Count}}", exports).text == "mine 3"
    assert substitute_exports("nothing to fill in", exports).text == "nothing to fill in"
    assert asked == []
    assert exports["VpcId"] == "vpc-1"
    assert exports["SubnetId"] == "mine"


def test_stacks_are_not_asked_for_inputs_that_name_no_export(endpoint, tmp_path):
    url, asked = endpoint
    root = make_project(tmp_path / "project")
    (root / "inputs").mkdir()
    write_json(root / "inputs" / "inputs_1_create.json", {"Name": "x"})
    write_json(root / "overrides.json", {"CREATE": {"/Name": "y"}})
    project = load_project(root)
    exports = read_exports(options(cloudformation_endpoint_url=url))
    load_input_sets(project, exports=exports)
    load_overrides(project, exports=exports)
    assert asked == []


def test_a_simulation_of_aws_has_the_stacks_too(endpoint):
    url, _ = endpoint
    assert read_exports(options(aws=url))["VpcId"] == "vpc-1"


def test_without_an_account_only_the_file_counts():
    assert "VpcId" not in read_exports(options())
    assert "VpcId" not in read_exports(options(aws="none"))


def test_an_endpoint_that_is_not_there_is_an_environments_problem():
    exports = read_exports(options(cloudformation_endpoint_url="http://127.0.0.1:1"))
    with pytest.raises(EnvironmentProblemError, match="does not list its exports"):
        exports.get("VpcId")


def test_a_file_that_is_no_object_is_refused(tmp_path):
    path = tmp_path / "exports.json"
    path.write_text("[]")
    with pytest.raises(BadInputError, match="not a JSON object"):
        read_exports(options(exports=path))


@pytest.mark.parametrize("variable", ["AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_CLOUDFORMATION"])
def test_the_endpoint_may_stand_in_the_environment(endpoint, monkeypatch, variable):
    url, _ = endpoint
    monkeypatch.setenv(variable, url)
    assert read_exports(options())["VpcId"] == "vpc-1"
    monkeypatch.setenv("AWS_IGNORE_CONFIGURED_ENDPOINT_URLS", "true")
    assert "VpcId" not in read_exports(options())
