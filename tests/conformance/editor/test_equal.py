"""What the server publishes is what the command line finds, over the whole corpus, and every fix is a code action.

The corpus: the projects of the fixtures, AWS's schemas, each fault of the rules' golden files in JSON and YAML, and the
Smithy models of the fixtures.
"""

import contextlib
import json
import re
from collections import Counter
from itertools import count

import pytest
import yaml
from bench.corpora import provider_schemas

from formwork.cli.schema_files import check_values
from formwork.command_context.remote import kept_documents
from formwork.convert.files import check_models
from formwork.diagnostics import BadInputError
from formwork.diagnostics.render import diagnostic_to_json
from formwork.diagnostics.visible import visible
from formwork.documents import load_document
from formwork.documents.load import SUFFIXES
from formwork.editor.protocol.addresses import address_of
from formwork.project.check import check_path
from formwork.schema.fixes import fix_schema, list_edits
from formwork.schema.load import detect_kind, validate_schema
from formwork.smithy.events import EventSeverity
from support.corpus import FIXTURES, corpus_projects, needs_fixtures
from support.faults import FAULTS
from support.lsp import served
from support.typing_client import applied

pytestmark = pytest.mark.slow
# Files that `cfn validate` does not read: what other commands find in them is more.
MORE = ("template.yml", "template.yaml", "egress.yml")
SEVERITIES = {"error": 1, "warning": 2, "info": 3}
WHOLE = {"start": {"line": 0, "character": 0}, "end": {"line": 10**6, "character": 0}}
UNITS = ["utf-32"]  # characters, as the command line counts columns


@pytest.fixture
def client():
    with_characters = served(checked=False)
    with_characters.initialize(encodings=UNITS)
    yield with_characters
    assert with_characters.close() == 0


def documents(root):
    for file in sorted(root.rglob("*")):
        if file.is_file() and (file.suffix in SUFFIXES or file.name == ".rpdk-config"):
            try:
                yield file, file.read_text(encoding="utf-8")
            except UnicodeDecodeError:
                continue


def told(diagnostic):
    """A diagnostic of the command line: its JSON form, as the server would show it."""
    value = diagnostic_to_json(diagnostic)
    more = {"expected": value["expected"], "help": value["hint"]}
    lines = [value["message"], *value.get("notes", ()), *(f"{name}: {text}" for name, text in more.items() if text)]
    text = "\n".join(visible(line) for line in lines)
    place = (value["line"] or 1) - 1, (value["column"] or 1) - 1
    return value["code"], SEVERITIES[value["severity"]], text, *place


def validated(root, files):
    """What `cfn validate` finds in a project, with `--configuration` for each type configuration in it."""
    yield from check_path(root).diagnostics
    named = [file for file in files if file.name.lower() == "typeconfiguration.json"]
    if named:
        with contextlib.suppress(BadInputError):  # of the schema, which is found already
            yield from check_values(root, [], named, remote=kept_documents())


def published(diagnostics):
    return Counter(
        (each["code"], each["severity"], each["message"], *each["range"]["start"].values()) for each in diagnostics
    )


def shown(client, more=()):
    found = list(client.published.items())
    return published(each for uri, told_of in found if uri not in more for each in told_of["diagnostics"])


def close(client, opened):
    for uri in opened:
        client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})


@needs_fixtures
def test_projects(client):
    compared = 0
    for project in corpus_projects():
        client.published.clear()
        more = {address_of(project.root / name) for name in MORE}
        texts = dict(documents(project.root))
        opened = [client.open(file, text) for file, text in texts.items()]
        found = Counter(told(each) for each in validated(project.root, texts))
        for uri in opened:
            client.diagnostics(uri, 1)
        client.wait(lambda: shown(client, more) == found)  # noqa: B023 - called at once
        assert shown(client, more) == found, project.id
        compared += sum(found.values())
        close(client, opened)
    assert compared > 1_700


@needs_fixtures
def test_fixes_of_projects(client):
    made = 0
    for project in corpus_projects("RESOURCE") + corpus_projects("HOOK"):
        if project.schema_path.is_file():
            uri = client.open(project.schema_path)
            made += check_fixes(client, uri, project.schema_path)
            close(client, [uri])
    assert made > 50


def test_awss_schemas(client, tmp_path):
    texts = dict(provider_schemas())
    assert len(texts) > 1850
    compared = fixes = 0
    for name in sorted(texts):
        file = tmp_path / f"{name.replace('::', '-').lower()}.json"
        file.write_text(json.dumps(json.loads(texts[name]), indent=2), encoding="utf-8")
        found, made = compare_schema(client, file)
        compared, fixes = compared + found, fixes + made
    assert compared > 3_000
    assert fixes > 80


@pytest.mark.parametrize("suffix", [".json", ".yaml"])
def test_faults_of_every_rule(client, tmp_path, suffix):
    fixes = 0
    for number, fault in zip(count(), FAULTS):
        text = json.dumps(fault.schema, indent=4)
        file = tmp_path / f"schema-{number}{suffix}"
        file.write_text(text if suffix == ".json" else yaml.safe_dump(json.loads(text), sort_keys=False))
        found, made = compare_schema(client, file)
        assert found > 0
        fixes += made
    assert fixes > 20


@needs_fixtures
@pytest.mark.parametrize(("suffix", "least"), [(".smithy", 500), (".json", 100)])
def test_smithy_models(tmp_path, suffix, least):
    client = served(checked=False)
    client.initialize()
    compared = 0
    for number, model in enumerate(sorted((FIXTURES / "smithy").rglob(f"*{suffix}"))):
        text = model.read_text(encoding="utf-8")
        if suffix == ".json" and (not re.search(r'"smithy": *"\d', text) or '"validators"' in text):
            continue  # something other than a model, or one with codes of its own
        file = tmp_path / str(number) / f"model{suffix}"  # by itself: a folder is one model
        file.parent.mkdir()
        file.write_text(text, encoding="utf-8")
        found = Counter(
            told(each)
            for event in check_models([file]).told(EventSeverity.WARNING)
            if (each := event.to_diagnostic()).location.file in (None, str(file))
        )
        uri = client.open(file, text, language=suffix[1:])
        assert published(client.diagnostics(uri, 1)) == found, model
        compared += sum(found.values())
        close(client, [uri])
    assert compared > least
    assert client.close() == 0


def compare_schema(client, file):
    """Compare all that is said of a schema file; return how much was found, and how many fixes are offered."""
    found = Counter(told(each) for each in check_path(file).diagnostics)
    uri = client.open(file)
    assert published(client.diagnostics(uri, 1)) == found, file.name
    made = check_fixes(client, uri, file)
    close(client, [uri])
    return sum(found.values()), made


def check_fixes(client, uri, file):
    """Check that each fix of `cfn validate --fix` is a code action, and that all of them together write the same."""
    document = load_document(file)
    params = {"textDocument": {"uri": uri}, "range": WHOLE, "context": {"diagnostics": []}}
    actions = client.ask("textDocument/codeAction", params) or []
    fixed = fix_schema(document)
    left = {(each.code, each.location.pointer) for each in fixed.left}
    certain = Counter(
        told(each)
        for each in validate_schema(document, kind=detect_kind(document))
        if list_edits(document, each) and (each.code, each.location.pointer) not in left
    )
    offered = published(one for each in actions if each["kind"] == "quickfix" for one in each["diagnostics"])
    assert offered == certain, file.name
    written = [each["edit"]["documentChanges"][0]["edits"] for each in actions if each["kind"] == "source.fixAll"]
    text = file.read_text(encoding="utf-8")
    assert [applied(text, edits) for edits in written] == ([fixed.text] if fixed.fixed else []), file.name
    return sum(certain.values())
