"""What `cfn test` and `cfn invoke` print and write, and what TestType delivers, of handlers that repeat all they know."""

import io
import json
import os
import time
import zipfile
from xml.sax import saxutils as xml

import pytest

from support.canaries import Canaries, Leaks
from support.handler_projects import make_project, write_json
from support.proving import Prover
from support.secret_world import ALLOWED, given_vault, search, stored_values, vault_configuration, world_of
from support.stored_secrets import stored_secrets
from support.telltales import RESOURCE, VAULT, vault_package, vault_properties, vault_schema

THING = "Acme::Store::Thing"
REPORTS = ("text", "json", "junit", "html")
# As `ALLOWED`.
PACKAGED = ((r"^file state/(objects|packages)/", r"^package:", "the package, as its author wrote it"),)
# What the author wrote.
GIVEN = ("inputs", "request.json", "configuration.json")


class Author:
    """A project whose handlers repeat all they know, with secrets in inputs, configuration and credentials.

    `aws` is the address at which STS gives the credentials of handlers, and stores the values that are referred to.
    """

    def __init__(self, folder, canaries, aws):
        self.folder, self.canaries = folder, canaries
        self.root = folder / "project"
        make_project(self.root, handlers=RESOURCE % str(folder / "store.json"), schema=vault_schema(THING))
        self.configuration = write_json(self.root / "configuration.json", vault_configuration(canaries))
        (self.root / "inputs").mkdir()
        for place in ("temporary", "home"):
            (folder / place).mkdir()
        keys = {name: canaries.plant(f"the author's {name}") for name in ("AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN")}
        self.prover = Prover(
            {
                **{name: each for name, each in os.environ.items() if not name.startswith(("AWS_", "FORMWORK_"))},
                **keys,
                "AWS_ACCESS_KEY_ID": "AKIAIOSFODNN7EXAMPLE",
                **{f"AWS_ENDPOINT_URL_{each}": aws for each in ("STS", "SSM", "SECRETS_MANAGER")},
                "HOME": str(folder / "home"),
                "TMPDIR": str(folder / "temporary"),
            }
        )

    def give(self, name, about, **more):
        """Write an input or a request."""
        write_json(self.root / name, vault_properties(self.canaries, about, **more))

    def run(self, *words):
        """What a command printed and said."""
        options = ("--typeconfig", str(self.configuration), "--aws", "real")
        _code, printed, said = self.prover.cfn(words[0], *options, *words[1:], cwd=self.root)
        assert "a bug in Formwork" not in said, said
        return printed + said

    def search(self, leaks):
        """Search in all that was written."""
        given = {self.root / each for each in GIVEN}
        leaks.search_files(self.root, skip=lambda path: bool(given & {path, *path.parents}))
        for place in ("temporary", "home"):
            leaks.search_files(self.folder / place, skip=lambda path: "site-packages" in path.parts)


@pytest.fixture
def author(tmp_path):
    canaries = Canaries()
    keys = (canaries.plant("the handlers' secret access key"), canaries.plant("the handlers' session token", "quoted"))
    with stored_secrets(*stored_values(canaries), keys=[xml.escape(each) for each in keys]) as aws:
        yield Author(tmp_path, canaries, aws)


@pytest.mark.parametrize(
    ("reports", "clauses"),
    [
        pytest.param(("json",), "contract_create_read", id="one report"),
        pytest.param(REPORTS, "create or update or read", id="all reports", marks=pytest.mark.slow),
    ],
)
def test_no_report_of_cfn_test_has_a_secret(reports, clauses, author):
    for number, (mode, updated) in enumerate([("wait-create", "fail-update"), ("", "raise-update"), ("fail-read", "")]):
        author.give(f"inputs/inputs_{number + 1}_create.json", f"input {mode}", Mode=mode)
        author.give(f"inputs/inputs_{number + 1}_update.json", f"input {updated}", Mode=updated, Name=f"input-{mode}")
    leaks = Leaks(author.canaries)
    for report in reports:
        files = ("--report-file", f"report.{report}", "--log-file", f"{report}.log")
        words = ("--report", report, *files, "-v", "--examples", "1", "--no-coverage", "--jobs", "1", "-k", clauses)
        (author.folder / "store.json").unlink(missing_ok=True)  # of the report before
        said = author.run("test", *words)
        leaks.search(f"terminal, {report}", said)
        for name in files[1::2]:
            assert (author.root / name).is_file(), said
            assert "*****" in (author.root / name).read_text(), said
    author.search(leaks)
    assert len(author.canaries) >= 60
    assert not leaks, f"{leaks}"


def test_nothing_that_cfn_invoke_prints_has_a_secret(author):
    leaks = Leaks(author.canaries)
    for mode in ("fail-create", "raise-create", "wait-create", "locals-create", "code-create"):
        desired = vault_properties(author.canaries, f"request {mode}", Mode=mode)
        previous = vault_properties(author.canaries, f"previous state {mode}")
        write_json(author.root / "request.json", {"desiredResourceState": desired, "previousResourceState": previous})
        (author.folder / "store.json").unlink(missing_ok=True)  # what only the handler knows is not masked
        for options in (("-v",), ("--format", "json")):
            said = author.run("invoke", *options, "resource", "CREATE", "request.json")
            leaks.search(f"cfn invoke {mode} {options}", said)
            assert "*****" in said, said
    author.search(leaks)
    assert len(author.canaries) >= 60
    assert not leaks, f"{leaks}"


@pytest.mark.slow
def test_nothing_that_test_type_delivers_has_a_secret(tmp_path, monkeypatch):
    def package(store):
        inputs = vault_properties(own, "package: input", Mode="wait-create")
        changed = vault_properties(own, "package: update", Mode="fail-update", Name=inputs["Name"])
        files = {"inputs/inputs_1_create.json": json.dumps(inputs), "inputs/inputs_1_update.json": json.dumps(changed)}
        return vault_package(store, files=files)

    own = Canaries(500)
    with world_of(tmp_path, monkeypatch, package=package, hook=None) as world:
        cloudformation, s3 = world.cloudformation, world.server.client("s3")
        s3.create_bucket(Bucket="delivered")
        resources, parameters = given_vault(world.canaries, "stack", Mode="fail-create")
        world.stack("failed", resources, parameters=parameters)
        tested = {"Type": "RESOURCE", "TypeName": VAULT, "VersionId": "00000001"}
        cloudformation.test_type(**tested, LogDeliveryBucket="delivered")
        end = time.monotonic() + 300
        while (found := cloudformation.describe_type(**tested))["TypeTestsStatus"] == "IN_PROGRESS":
            assert time.monotonic() < end
            time.sleep(0.3)
        leaks, packaged = Leaks(world.canaries, ALLOWED), Leaks(own, PACKAGED)
        (delivered,) = s3.list_objects_v2(Bucket="delivered")["Contents"]
        content = s3.get_object(Bucket="delivered", Key=delivered["Key"])["Body"].read()
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            assert {"report.txt", "handlers.log"} <= set(archive.namelist())
        for each in (leaks, packaged):
            each.search("delivered", content)
            each.search("description", found["TypeTestsStatusDescription"])
        search(world, leaks)
    for place in ("home", "temporary"):
        packaged.search_files(tmp_path / place)
    assert not leaks, f"{leaks}"
    assert not packaged, f"{packaged}"
