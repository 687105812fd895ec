"""Handlers of real projects, as their owners wrote them, reach AWS and their vendors' APIs through the gate alone.

`real_projects.toml` says which, and which actions are to succeed. Whether a project keeps the contract is not asked here.
The file that REAL_PROJECTS_DONE names keeps which were seen to succeed, so that a campaign that was cut does only the rest.
"""

import os
import re
from pathlib import Path

import boto3
import pytest

from support.commands import Desk
from support.namespaces import needs_namespaces
from support.real_projects import CheckoutMissingError, Checkouts, maven_environment, read_sources
from support.serving import serving
from support.toolchains import needs_go, needs_java, needs_node

FOLDER = os.environ.get("FORMWORK_REAL_PROJECTS")
DONE = os.environ.get("REAL_PROJECTS_DONE")
SOURCES = read_sources()
MARKS = {"go": [needs_go], "java": [needs_java], "typescript": [needs_node], "python": []}
pytestmark = [
    pytest.mark.slow,
    needs_namespaces,
    pytest.mark.timeout(900),
    pytest.mark.skipif(FOLDER is None, reason="FORMWORK_REAL_PROJECTS names no folder of checkouts"),
]
CALL = re.compile(r"^> .*: [1-5]\d\d in \d+ ms \((?:stand-in|stub|AWS at .*)\)$", re.MULTILINE)
ENDED = re.compile(r"^== \S+: (CREATE|READ|UPDATE|DELETE|LIST) SUCCESS$", re.MULTILINE)


@pytest.fixture(scope="module")
def checkouts():
    return Checkouts(Path(FOLDER), Path(FOLDER) / "copies")


@pytest.fixture(scope="module")
def maven():
    """Variables for Maven; one local repository, in the folder of checkouts, serves all projects."""
    return maven_environment(Path(FOLDER))


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """A server with moto, in which the sources' secrets are."""
    with serving(tmp_path_factory.mktemp("server"), "--aws", "moto", forked=True) as server:
        server.aws = server.process.stderr.readline().split()[-1]
        session = boto3.Session("testing", "testing", region_name="us-east-1")
        client = session.client("secretsmanager", endpoint_url=server.aws)
        secrets = {name: each for source in SOURCES.values() for name, each in (source.secrets or {}).items()}
        for name, secret in secrets.items():
            client.create_secret(Name=name, SecretString=secret)
        yield server


def make_stack(name, template, server):
    """Make the stack of a project's own tests, whose exports its inputs name."""
    client = server.client("cloudformation", account="123456789012")
    capabilities = ["CAPABILITY_NAMED_IAM"]
    client.create_stack(StackName=name, TemplateBody=template.read_text(encoding="utf-8"), Capabilities=capabilities)
    client.get_waiter("stack_create_complete").wait(StackName=name)


PROJECTS = [
    pytest.param(project, id=project.name.replace("/", "-"), marks=MARKS[source.language])
    for source in SOURCES.values()
    for project in source.projects
]


@pytest.mark.parametrize("project", PROJECTS)
def test_its_handlers_run_through_the_gate(project, checkouts, server, maven, tmp_path):
    done = Path(DONE) if DONE else tmp_path / "done"
    if done.is_file() and project.name in done.read_text(encoding="utf-8").splitlines():
        pytest.skip(f"{done} says that it succeeded")
    try:
        folder = checkouts.prepare(project)
    except CheckoutMissingError as error:
        pytest.skip(str(error))
    setup = folder / (project.source.setup or "no-setup")
    if setup.is_file():
        make_stack(project.folder.replace("_", "-").replace("/", "-"), setup, server)
    words = ["--aws", server.aws, "--cloudformation-endpoint-url", server.url, "--seed", "1", "-v"]
    if (folder / "type-configuration.json").is_file():
        words += ["--typeconfig", "type-configuration.json"]
    java = maven if project.source.language == "java" else {}
    environment = {
        "HOME": os.environ["HOME"],
        "AWS_ACCESS_KEY_ID": "123456789012",
        "AWS_SECRET_ACCESS_KEY": "x",
        **java,
    }
    ran = Desk(tmp_path).cfn("test", *words, "--log-file", "log.txt", cwd=folder, timeout=800, env=environment)
    assert "Traceback" not in ran.said or "a bug in Formwork" not in ran.said, str(ran)
    assert "not sealed" not in ran.err
    log = folder / "log.txt"
    ended = set(ENDED.findall(log.read_text(encoding="utf-8"))) if log.is_file() else set()
    assert project.actions <= ended, f"{sorted(ended)} succeeded; {str(ran)[-6000:]}"
    assert CALL.search(ran.err), "no call passed the gate"
    with done.open("a", encoding="utf-8") as file:
        file.write(project.name + "\n")
