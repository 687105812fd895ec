"""Handlers of real projects, as their owners wrote them, reach AWS and their vendors' APIs through the gate alone.

`real_projects.toml` says which, and which actions are to succeed. Whether a project keeps the contract is not asked here.
"""

import json
import os
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import boto3
import pytest

from support.commands import Desk
from support.namespaces import needs_namespaces
from support.serving import serving
from support.toolchains import needs_go

CHECKOUTS = os.environ.get("FORMWORK_REAL_PROJECTS")
MANIFEST = tomllib.loads(Path(__file__).with_name("real_projects.toml").read_text(encoding="utf-8"))
SOURCES = MANIFEST["sources"]
MARKS = {"go": [needs_go]}
pytestmark = [
    pytest.mark.slow,
    needs_namespaces,
    pytest.mark.timeout(900),
    pytest.mark.skipif(CHECKOUTS is None, reason="FORMWORK_REAL_PROJECTS names no folder of checkouts"),
]
CALL = re.compile(r"^> .*: [1-5]\d\d in \d+ ms \((?:stand-in|stub|AWS at .*)\)$", re.MULTILINE)
ENDED = re.compile(r"^== \S+: (CREATE|READ|UPDATE|DELETE|LIST) SUCCESS$", re.MULTILINE)


def checked_out(repository, commit):
    """The folder of a checkout of the commit."""
    folder = Path(CHECKOUTS) / repository.replace("/", "+")
    if not folder.is_dir():
        pytest.skip(f"{folder} is not there: check {repository} out at {commit}")
    head = subprocess.run(["git", "-C", folder, "rev-parse", "HEAD"], check=True, capture_output=True, text=True)
    assert head.stdout.strip() == commit, f"check {repository} out at {commit}"
    return folder


@pytest.fixture(scope="module")
def sources(tmp_path_factory):
    """The tree of a source, by its name."""
    trees = {}

    def tree(name):
        if name not in trees:
            source, root = SOURCES[name], tmp_path_factory.mktemp(name)
            folder = checked_out(source["repository"], source["commit"])
            for path in source["paths"]:
                shutil.copytree(folder / path, root / path)
            if stub := source.get("stub"):
                shutil.copy(checked_out(stub["repository"], stub["commit"]) / stub["document"], root / "api.yaml")
            trees[name] = root
        return trees[name]

    return tree


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """A server with moto, in which the sources' secrets and the stacks of their tests are."""
    with serving(tmp_path_factory.mktemp("server"), "--aws", "moto", forked=True) as server:
        server.aws = server.process.stderr.readline().split()[-1]
        session = boto3.Session("testing", "testing", region_name="us-east-1")
        client = session.client("secretsmanager", endpoint_url=server.aws)
        for source in SOURCES.values():
            for name, secret in source.get("secrets", {}).items():
                client.create_secret(Name=name, SecretString=secret)
        yield server


def filled(value, rules, name=""):
    """A template of an input with its places filled in."""
    match value:
        case dict():
            return {key: filled(each, rules, key) for key, each in value.items()}
        case list():
            return [filled(each, rules, name) for each in value]
        case str():
            fits = (text for of, like, text in rules if re.fullmatch(of, name) and re.fullmatch(like, value))
            return next(fits, value)
    return value


def prepare(project, source, root, server):
    if "inputs" in source:
        (project / "inputs").mkdir(exist_ok=True)
        for kind in ("create", "update"):
            template = project / source["inputs"].format(kind)
            if template.is_file():
                value = filled(json.loads(template.read_text(encoding="utf-8")), source["fill"])
                (project / f"inputs/inputs_1_{kind}.json").write_text(json.dumps(value), encoding="utf-8")
    if "stub" in source:
        rule = {"stub": str(root / "api.yaml"), "exists": source["exists"]}
        (project / "egress.yml").write_text(json.dumps({"hosts": {source["stub"]["host"]: rule}}))
    setup = project / source.get("setup", "no-setup")
    if setup.is_file():
        stack = {"StackName": project.name.replace("_", "-"), "TemplateBody": setup.read_text(encoding="utf-8")}
        client = server.client("cloudformation", account="123456789012")
        client.create_stack(**stack, Capabilities=["CAPABILITY_NAMED_IAM"])
        client.get_waiter("stack_create_complete").wait(StackName=stack["StackName"])


PROJECTS = [
    pytest.param(f"{source}/{folder}", actions.split(), id=f"{source}-{folder}", marks=MARKS.get(each["language"], ()))
    for source, each in SOURCES.items()
    for folder, actions in each["projects"].items()
]


@pytest.mark.parametrize(("named", "actions"), PROJECTS)
def test_its_handlers_run_through_the_gate(named, actions, sources, server, tmp_path):
    source, _, folder = named.partition("/")
    root, given = sources(source), SOURCES[source]
    project = root / given["folder"] / folder
    prepare(project, given, root, server)
    desk = Desk(tmp_path)
    words = ["--aws", server.aws, "--cloudformation-endpoint-url", server.url, "--seed", "1", "-v"]
    environment = {"HOME": os.environ["HOME"], "AWS_ACCESS_KEY_ID": "123456789012", "AWS_SECRET_ACCESS_KEY": "x"}
    done = desk.cfn("test", *words, "--log-file", "log.txt", cwd=project, timeout=800, env=environment)
    assert "Traceback" not in done.said or "a bug in Formwork" not in done.said, str(done)
    assert "not sealed" not in done.err
    ended = set(ENDED.findall((project / "log.txt").read_text(encoding="utf-8")))
    assert set(actions) <= ended, str(done)[-6000:]
    assert CALL.search(done.err), "no call passed the gate"
