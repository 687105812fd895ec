"""What `cfn invoke` prints and writes of handlers that repeat all they know."""

import os
from xml.sax import saxutils as xml

import pytest

from support.canaries import Canaries, Leaks
from support.handler_projects import make_project, write_json
from support.proving import Prover
from support.secret_world import vault_configuration
from support.stored_secrets import stored_secrets
from support.telltales import RESOURCE, vault_properties, vault_schema

THING = "Acme::Store::Thing"
# What the author wrote.
GIVEN = ("request.json", "configuration.json")


class Author:
    """A project whose handlers repeat all they know, with secrets in requests, configuration and credentials.

    `aws` is the address at which STS gives the credentials of handlers.
    """

    def __init__(self, folder, canaries, aws):
        self.folder, self.canaries = folder, canaries
        self.root = folder / "project"
        make_project(self.root, handlers=RESOURCE % str(folder / "store.json"), schema=vault_schema(THING))
        configuration = {**vault_configuration(canaries), "Stored": {}}  # names no secret
        self.configuration = write_json(self.root / "configuration.json", configuration)
        for place in ("temporary", "home"):
            (folder / place).mkdir()
        keys = {name: canaries.plant(f"the author's {name}") for name in ("AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN")}
        self.prover = Prover(
            {
                **{name: each for name, each in os.environ.items() if not name.startswith(("AWS_", "FORMWORK_"))},
                **keys,
                "AWS_ACCESS_KEY_ID": "AKIAIOSFODNN7EXAMPLE",
                "AWS_ENDPOINT_URL_STS": aws,
                "HOME": str(folder / "home"),
                "TMPDIR": str(folder / "temporary"),
            }
        )

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
    with stored_secrets({}, {}, keys=[xml.escape(each) for each in keys]) as aws:
        yield Author(tmp_path, canaries, aws)


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
