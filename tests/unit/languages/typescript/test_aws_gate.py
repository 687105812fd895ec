"""Node's clients, which take no proxy from the environment, are led to the gate in their process."""

import contextlib
import json
import os

import pytest

from formwork.egress.opening import open_gate
from formwork.egress.refusals import RefusalCause, RefusedCall
from formwork.egress.settings import EgressSettings
from formwork.lambda_host.function import LambdaFunction
from formwork.lambda_host.host import LambdaHost
from formwork.lambda_host.http_messages import Response
from formwork.lambda_host.http_server import HttpServer
from formwork.lambda_host.pool import HostSettings
from formwork.languages.typescript.launch import node_launch
from formwork.toolchain.node import find_node
from support.toolchains import needs_node

pytestmark = needs_node

HANDLER = """
const text = (response) => new Promise((resolve) => {
  const parts = [];
  response.on('data', (part) => parts.push(part)).on('end', () => resolve(Buffer.concat(parts).toString()));
});
const ways = {
  fetch: async (url) => (await fetch(url)).text(),
  own_agent: (url) => by(url, { agent: new (require(url.split(':')[0])).Agent({ keepAlive: true }) }),
  plain: (url) => by(url, {}),
};
const by = (url, options) => new Promise((resolve, reject) => {
  const request = require(url.split(':')[0]).get(url, options, (response) => resolve(text(response)));
  request.on('error', reject);
});
exports.handler = async ({ way, url }) => {
  try {
    return await ways[way](url);
  } catch (error) {
    return `failed: ${error.cause?.message ?? error.message}`;
  }
};
"""
URL = "https://bucket.s3.us-east-1.amazonaws.com/key?x=1"


@pytest.fixture
def endpoint():
    server = HttpServer(
        lambda request: Response(200, f"{request.headers['host']} {request.path}?{request.query}".encode()),
        max_body=1000,
    )
    yield f"http://{server.address}"
    server.close()


def calls(tmp_path, given, *events):
    """What the handler answers to each event, and the calls that were refused."""
    (tmp_path / "file.js").write_text(HANDLER)
    launch = node_launch(find_node(os.environ).executable, task_root=tmp_path)
    function = LambdaFunction("it", "file.handler", "nodejs22.x", tmp_path, lambda: launch, timeout=20.0)
    told = []
    with (
        contextlib.closing(open_gate(given, EgressSettings(refused=told.append))) as gate,
        LambdaHost([function], settings=HostSettings(way_out=gate)) as host,
    ):
        bodies = [host.invoke("it", json.dumps(each).encode()).body for each in events]
        return [json.loads(each) for each in bodies], told


def test_calls_of_every_client_arrive(tmp_path, endpoint):
    ways = [
        {"way": way, "url": url}
        for url in (URL, URL.replace("https:", "http:"))
        for way in ("plain", "own_agent", "fetch")
    ]
    local = {"way": "plain", "url": f"{endpoint}/here"}
    answers, told = calls(tmp_path, {"AWS_ENDPOINT_URL": endpoint}, *ways, *ways, local)
    assert answers == ["bucket.s3.us-east-1.amazonaws.com /key?x=1"] * 12 + [f"{endpoint[7:]} /here?"]
    assert told == []


def test_calls_are_refused_and_told_where_there_is_no_aws(tmp_path):
    answers, told = calls(tmp_path, None, *({"way": way, "url": URL} for way in ("plain", "own_agent", "fetch")))
    host = "bucket.s3.us-east-1.amazonaws.com"
    assert answers == [f"failed: Formwork refused this call: {host} is AWS itself and --aws says otherwise"] * 3
    assert told == [RefusedCall(host, 443, RefusalCause.NO_AWS)]


def test_hosts_of_aws_that_nothing_stands_in_for_are_refused(tmp_path, endpoint):
    event = {"way": "fetch", "url": "https://console.aws.amazon.com/"}
    answers, told = calls(tmp_path, {"AWS_ENDPOINT_URL": endpoint}, event)
    assert "Formwork refused this call" in answers[0]
    assert told == [RefusedCall("console.aws.amazon.com", 443, RefusalCause.NOT_AN_API)]
