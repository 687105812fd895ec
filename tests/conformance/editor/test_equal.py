"""What the server publishes is what `cfn validate` finds, over the whole corpus."""

from collections import Counter

import pytest

from formwork.documents.load import SUFFIXES
from formwork.editor.protocol.addresses import address_of
from formwork.project.check import check_path
from support.corpus import corpus_projects, needs_fixtures
from support.lsp import served

# Files that `cfn validate` does not read: what other commands find in them is more.
_MORE = ("template.yml", "template.yaml", "egress.yml")


def documents(root):
    for file in sorted(root.rglob("*")):
        if file.is_file() and (file.suffix in SUFFIXES or file.name == ".rpdk-config"):
            try:
                yield file, file.read_text(encoding="utf-8")
            except UnicodeDecodeError:
                continue


def place(diagnostic):
    """Code, message and first line, which do not depend on how characters are counted."""
    line = diagnostic.location.start.line - 1 if diagnostic.location.start else 0
    return diagnostic.code, diagnostic.message, line


def shown(client, more):
    return Counter(
        (each["code"], each["message"].split("\n", 1)[0], each["range"]["start"]["line"])
        for uri, published in list(client.published.items())
        if uri not in more
        for each in published["diagnostics"]
    )


@needs_fixtures
@pytest.mark.slow
def test_projects():
    client = served(checked=False)
    client.initialize()
    compared = 0
    for project in corpus_projects():
        client.published.clear()
        more = {address_of(project.root / name) for name in _MORE}
        opened = [client.open(file, text) for file, text in documents(project.root)]
        found = Counter(place(each) for each in check_path(project.root).diagnostics)
        for uri in opened:
            client.diagnostics(uri, 1)
        client.wait(lambda: shown(client, more) == found)  # noqa: B023 - called at once
        assert shown(client, more) == found, project.id
        compared += sum(found.values())
        for uri in opened:
            client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    assert compared > 1_700
    assert client.close() == 0
