"""Java projects as a user has them: init, a build by Maven when sources changed, the contract, packages."""

import contextlib
import json
import os
import re
import shutil
import subprocess
import sys
import threading
import zipfile
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from formwork.command_context.places import cache_folder
from formwork.invoke.project_host.host import open_project_host
from formwork.invoke.project_host.settings import ProjectHostSettings
from formwork.languages.projects import ProjectRuntimes
from formwork.project import load_project
from support.commands import copy_project
from support.serving import register, serving
from support.toolchains import describe, needs_java, needs_java_21

pytestmark = [needs_java, pytest.mark.acceptance, pytest.mark.xdist_group("java")]
RESOURCE, HOOK = "Acme::Store::Thing", "Acme::Guard::Hook"
PATIENCE = 500
UNSEEN = ("delete.billing",)  # costs cannot be seen from outside
BUCKET_HANDLER = """
package com.acme.store.thing;

import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.$CallRequest;
import software.amazon.cloudformation.proxy.AmazonWebServicesClientProxy;
import software.amazon.cloudformation.proxy.Logger;
import software.amazon.cloudformation.proxy.ProgressEvent;
import software.amazon.cloudformation.proxy.ProxyClient;
import software.amazon.cloudformation.proxy.ResourceHandlerRequest;

public class $nameHandler extends BaseHandler<CallbackContext> {
    @Override
    public ProgressEvent<ResourceModel, CallbackContext> handleRequest(
        final AmazonWebServicesClientProxy proxy,
        final ResourceHandlerRequest<ResourceModel> request,
        final CallbackContext callbackContext,
        final Logger logger) {
        final ResourceModel model = request.getDesiredResourceState();
        final ProxyClient<S3Client> s3 = proxy.newProxy(S3Client::create);
        return proxy.initiate("things::$name", s3, model, callbackContext != null ? callbackContext : new CallbackContext())
            .translateToServiceRequest(each -> $CallRequest.builder().bucket(each.getName()).build())
            .makeServiceCall((each, client) -> client.injectCredentialsAndInvokeV2(each, client.client()::$call))
            .done(each -> {
                model.setState("$nameHandler");
                return ProgressEvent.defaultSuccessHandler("$name".equals("Delete") ? null : model);
            });
    }
}
"""


def start(desk, folder, kind, type_name, *options):
    """A new project with working handlers, and a store of its own behind them."""
    folder.mkdir()
    ended = desk.cfn("init", "-a", kind, "-t", type_name, "java", "--sample", *options, cwd=folder)
    assert ended.code == 0, str(ended)
    template = folder / "template.yml"
    variables = f"    Environment: {{Variables: {{ACME_STORE_THING_FOLDER: {folder / 'store'}}}}}\n"
    template.write_text(template.read_text().replace("  Function:\n", "  Function:\n" + variables))
    return folder


@pytest.fixture(scope="module")
def resource(desk, tmp_path_factory):
    return start(desk, tmp_path_factory.mktemp("java") / "thing", "RESOURCE", RESOURCE)


@pytest.fixture(scope="module")
def hook(desk, tmp_path_factory):
    """For Java 21 where there is a JDK for it: so every run builds a project for each."""
    options = () if describe("java21")[1] else ("--answer", "java_version=21")
    return start(desk, tmp_path_factory.mktemp("java") / "guard", "HOOK", HOOK, *options)


def assert_all_proved(ended, but=()):
    """Every clause is proved or does not apply, but those that no test can prove."""
    assert ended.code == 0, str(ended)
    marks = re.findall(r"^(\S) (\S+) ", ended.out, re.MULTILINE)
    assert {mark for mark, _ in marks} <= {"✓", "·", "?"}, str(ended)
    assert tuple(clause for mark, clause in marks if mark == "?") == tuple(but), str(ended)
    return {clause for mark, clause in marks if mark == "✓"}


def test_the_sample_keeps_the_whole_contract(desk, resource):
    ended = desk.cfn("test", cwd=resource, timeout=PATIENCE)
    proved = assert_all_proved(ended, UNSEEN)
    assert {"create.applied", "update.replace", "delete.read", "list.ends", "create.idempotent"} <= proved
    assert "building the handlers with Maven" in ended.err
    again = desk.cfn("test", "--", "-k", "read", cwd=resource, timeout=PATIENCE)
    assert again.code == 0, str(again)
    assert "Maven" not in again.err  # nothing changed, so nothing is built


def test_the_sample_hook_keeps_the_contract_of_hooks(desk, hook):
    proved = assert_all_proved(desk.cfn("test", cwd=hook, timeout=PATIENCE))
    assert {"hook.success", "hook.failed", "hook.targets"} <= proved


def java_of(root, name):
    """The version of Java that the project's class is compiled for."""
    (compiled,) = root.glob(f"target/classes/com/acme/**/{name}.class")
    return int.from_bytes(compiled.read_bytes()[6:8], "big") - 44  # the class file's version


@needs_java_21
def test_a_hook_for_java_21(desk, hook, tmp_path):
    """On the oldest JDK at hand that knows Java 21, whichever the machine's own is."""
    ended = desk.cfn("test", "--", "-k", "contract_pre_create_success", cwd=hook, timeout=PATIENCE)
    assert ended.code == 0, str(ended)
    assert java_of(hook, "PreCreateHookHandler") == 21


@needs_java_21
@pytest.mark.slow
def test_a_resource_for_java_21(desk, tmp_path):
    root = start(desk, tmp_path / "thing", "RESOURCE", RESOURCE, "--answer", "java_version=21")
    assert_all_proved(desk.cfn("test", cwd=root, timeout=PATIENCE), UNSEEN)
    assert java_of(root, "CreateHandler") == 21


def test_the_machines_temporary_files_stay(desk, resource, tmp_path):
    """AWS's runtime empties the folder for temporary files before each request."""
    kept = tmp_path / "tmp" / "precious"
    kept.parent.mkdir()
    kept.touch()
    request = tmp_path / "request.json"
    request.write_text(json.dumps({"desiredResourceState": {"Name": "none"}, "previousResourceState": None}))
    ended = desk.cfn(
        "invoke", "resource", "READ", request, cwd=resource, timeout=PATIENCE, env={"TMPDIR": str(kept.parent)}
    )
    assert '"errorCode": "NotFound"' in ended.out, str(ended)
    assert kept.exists()
    assert [*kept.parent.iterdir()] == [kept]


def test_a_compilers_errors_are_shown_as_they_are(desk, resource, tmp_path):
    root = copy_project(resource, tmp_path / "thing")
    handler = root / "src/main/java/com/acme/store/thing/ReadHandler.java"
    handler.write_text(handler.read_text().replace("Entries.modelOf", "Entries.noSuchThing"))
    ended = desk.cfn("test", cwd=root, timeout=PATIENCE)
    assert ended.code == 1, str(ended)
    assert re.search(r"ReadHandler\.java:\[\d+,\d+\] cannot find symbol", ended.err), str(ended)
    assert "Traceback" not in ended.said


def test_the_test_entrypoint_takes_a_handlers_request(desk, resource, monkeypatch):
    monkeypatch.setenv("HOME", str(desk.home))
    notes, lines = [], []
    settings = ProjectHostSettings(
        cache=cache_folder(),  # what other tests have built is not built again
        home=Path.home(),
        user_environment=os.environ,
        note=notes.append,
        log=lambda _function, _request, line: lines.append(line),
    )
    event = {
        "credentials": {"accessKeyId": "a", "secretAccessKey": "b", "sessionToken": "c"},
        "action": "CREATE",
        "request": {
            "clientRequestToken": "4b90a7e4-b790-456b-a937-0cfdfa211dfe",
            "desiredResourceState": {"Name": "MyBlog"},
            "logicalResourceIdentifier": "MyResource",
        },
        "callbackContext": None,
    }
    with open_project_host(load_project(resource), settings, ProjectRuntimes) as host:
        first = json.loads(host.invoke("TestEntrypoint", json.dumps(event).encode()).body)
        assert first["status"] == "IN_PROGRESS"
        assert first["resourceModel"]["State"] == "Preparing"
        event["callbackContext"] = first["callbackContext"]
        second = json.loads(host.invoke("TestEntrypoint", json.dumps(event).encode()).body)
        assert (second["status"], second["resourceModel"]["State"]) == ("SUCCESS", "Ready")
        event["action"] = "READ"
        event["request"]["desiredResourceState"] = {"Name": "NoSuchBlog"}
        third = json.loads(host.invoke("TestEntrypoint", json.dumps(event).encode()).body)
        assert (third["status"], third["errorCode"]) == ("FAILED", "NotFound")
    assert any("created MyBlog" in line for line in lines)


@pytest.fixture(scope="module")
def package(desk, resource, tmp_path_factory):
    """The package of the project with handlers whose things are buckets."""
    root = copy_project(resource, tmp_path_factory.mktemp("s3") / "thing")
    pom = root / "pom.xml"
    dependency = "<groupId>software.amazon.awssdk</groupId><artifactId>s3</artifactId><version>2.19.0</version>"
    place = "\n    <dependencies>\n"
    pom.write_text(pom.read_text().replace(place, f"{place}<dependency>{dependency}</dependency>", 1))
    for name, call in (("Create", "createBucket"), ("Read", "headBucket"), ("Delete", "deleteBucket")):
        text = BUCKET_HANDLER.replace("$name", name).replace("$call", call).replace("$Call", call[0].upper() + call[1:])
        (root / f"src/main/java/com/acme/store/thing/{name}Handler.java").write_text(text)
    ended = desk.cfn("package", cwd=root, timeout=PATIENCE)
    assert ended.code == 0, str(ended)
    return root / "acme-store-thing.zip"


class Buckets(BaseHTTPRequestHandler):
    """As much of S3 as the handlers call."""

    def _answer(self):
        name, known = self.path.strip("/"), self.server.buckets
        self.server.calls.append(f"{self.command} {name}")
        code = 200 if self.command == "PUT" or name in known else 404
        {"PUT": known.add, "DELETE": known.discard, "HEAD": str}[self.command](name)
        self.send_response(code)
        self.send_header("Content-Length", "0")
        self.end_headers()

    do_PUT = do_HEAD = do_DELETE = _answer

    def log_message(self, *_words):
        pass


@contextlib.contextmanager
def serve_buckets():
    with ThreadingHTTPServer(("127.0.0.1", 0), Buckets) as server:
        server.buckets, server.calls = set(), []
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


def test_a_registered_jar_makes_resources_of_stacks_and_its_calls_go_where_they_are_sent(package, tmp_path):
    with serve_buckets() as s3, serving(tmp_path, "--aws", f"http://127.0.0.1:{s3.server_port}", forked=True) as server:
        register(server, RESOURCE, content=package.read_bytes())
        stacks = server.client("cloudformation")
        template = {"Resources": {"Thing": {"Type": RESOURCE, "Properties": {"Name": "paper"}}}}
        template["Outputs"] = {"State": {"Value": {"Fn::GetAtt": ["Thing", "State"]}}}
        stacks.create_stack(StackName="shop", TemplateBody=json.dumps(template))
        stacks.get_waiter("stack_create_complete").wait(StackName="shop", WaiterConfig={"Delay": 1})
        (stack,) = stacks.describe_stacks(StackName="shop")["Stacks"]
        assert (s3.buckets, stack["Outputs"][0]["OutputValue"]) == ({"paper"}, "ReadHandler")
        stacks.delete_stack(StackName="shop")
        stacks.get_waiter("stack_delete_complete").wait(StackName="shop", WaiterConfig={"Delay": 1})
        assert not s3.buckets
        assert {"PUT paper", "DELETE paper"} <= {*s3.calls}


def test_a_package_has_the_jar_and_the_sources(package):
    with zipfile.ZipFile(package) as archive:
        names = archive.namelist()
        metadata = json.loads(archive.read(".cfn_metadata.json"))
        assert names.index("schema.json") < names.index("target/acme-store-thing-handler-1.0-SNAPSHOT.jar")
        with archive.open("target/acme-store-thing-handler-1.0-SNAPSHOT.jar") as inner, zipfile.ZipFile(inner) as jar:
            held = set(jar.namelist())
    assert metadata["plugin-name"] == "java"
    assert metadata["plugin-version"] == "2.2.5"
    sources = {each for each in names if each.endswith(".java")}
    assert "src/main/java/com/acme/store/thing/CreateHandler.java" in sources
    assert "target/generated-sources/rpdk/com/acme/store/thing/ResourceModel.java" in sources
    assert {
        "acme-store-thing.json",
        "com/acme/store/thing/HandlerWrapper.class",
        "com/acme/store/thing/HandlerWrapperExecutable.class",
        "com/amazonaws/services/lambda/runtime/RequestStreamHandler.class",
    } <= held
    assert not {each for each in held if each.startswith(("org/eclipse/jgit/", "org/apache/maven/"))}


@pytest.mark.slow
def test_the_same_sources_are_the_same_package_to_the_byte(desk, resource):
    path = resource / "acme-store-thing.zip"
    assert desk.cfn("package", cwd=resource, timeout=PATIENCE).code == 0
    before = path.read_bytes()
    shutil.rmtree(resource / "target")
    assert desk.cfn("package", cwd=resource, timeout=PATIENCE).code == 0
    assert path.read_bytes() == before


def write_reactor(root, project):
    """Make the copied project in `root`/thing a module that calls the module beside it."""
    (root / "pom.xml").write_text(
        "<project><modelVersion>4.0.0</modelVersion><groupId>acme</groupId><artifactId>all</artifactId>"
        "<version>1</version><packaging>pom</packaging><modules><module>thing</module><module>common</module></modules>"
        "<properties><maven.compiler.release>17</maven.compiler.release></properties></project>"
    )
    parent = "<parent><groupId>acme</groupId><artifactId>all</artifactId><version>1</version></parent>"
    compiler = re.search(r"<version>([^<]*)", (project / "pom.xml").read_text().split("maven-compiler-plugin")[1])[1]
    common = root / "common" / "src" / "main" / "java" / "acme" / "Common.java"
    common.parent.mkdir(parents=True)
    common.write_text(
        'package acme;\n\npublic final class Common {\n    public static final String NAME = "first";\n}\n'
    )
    (root / "common" / "pom.xml").write_text(
        f"<project><modelVersion>4.0.0</modelVersion>{parent}<artifactId>common</artifactId><build><plugins><plugin>"
        f"<artifactId>maven-compiler-plugin</artifactId><version>{compiler}</version></plugin></plugins></build></project>"
    )
    model = "<modelVersion>4.0.0</modelVersion>"
    needed = "\n    <dependencies>\n"
    dependency = "<dependency><groupId>acme</groupId><artifactId>common</artifactId><version>1</version></dependency>"
    text = (project / "pom.xml").read_text().replace(model, model + parent, 1)
    (project / "pom.xml").write_text(text.replace(needed, needed + dependency, 1))
    handler = project / "src/main/java/com/acme/store/thing/CreateHandler.java"
    handler.write_text(handler.read_text().replace('"created "', "acme.Common.NAME", 1))
    return common


@pytest.mark.slow
def test_a_module_is_built_with_the_modules_that_it_needs(desk, resource, tmp_path):
    project = copy_project(resource, tmp_path / "thing")
    shutil.rmtree(project / "target", ignore_errors=True)
    common = write_reactor(tmp_path, project)
    ended = desk.cfn("test", "--", "-k", "contract_create_create", cwd=project, timeout=PATIENCE)
    assert ended.code == 0, str(ended)
    common.write_text("broken")
    ended = desk.cfn("test", "--", "-k", "contract_create_create", cwd=project, timeout=PATIENCE)
    assert ended.code != 0
    assert "Common.java" in ended.out + ended.err, str(ended)
    common.write_text("package acme;\n\npublic final class Common {\n    public static final String NAME = null;\n}\n")
    ended = desk.cfn("package", cwd=project, timeout=PATIENCE)
    assert ended.code == 0, str(ended)
    with zipfile.ZipFile(project / "acme-store-thing.zip") as archive:
        (jar,) = [each for each in archive.namelist() if each.endswith(".jar")]
        with archive.open(jar) as inner, zipfile.ZipFile(inner) as held:
            assert "acme/Common.class" in held.namelist()


@pytest.mark.slow
def test_the_lombok_of_old_projects_compiles(desk, resource, tmp_path):
    root = copy_project(resource, tmp_path / "thing")
    pom = root / "pom.xml"
    text = re.sub(r"<lombok.version>[^<]*", "<lombok.version>1.18.4", pom.read_text())
    pom.write_text(text)
    ended = desk.cfn("test", "--", "-k", "read", cwd=root, timeout=PATIENCE)
    assert ended.code == 0, str(ended)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["RESOURCE", "HOOK"])
def test_a_guided_project_passes_its_own_unit_tests(desk, tmp_path, kind):
    root = tmp_path / "thing"
    root.mkdir()
    ended = desk.cfn("init", "-a", kind, "-t", RESOURCE, "java", "--codegen-model", "guided_aws", cwd=root)
    assert ended.code == 0, str(ended)
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    built = subprocess.run(
        ["mvn", "-B", "test"], cwd=root, env=environment, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert built.returncode == 0, built.stdout
    assert re.search(r"Tests run: \d+, Failures: 0, Errors: 0, Skipped: 0", built.stdout)
