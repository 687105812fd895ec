"""The snippets of the VS Code extension: what they insert is valid, and each is named in the how-to page."""

import json
import re

import pytest

from formwork.convert.files import check_models
from formwork.diagnostics import Severity
from formwork.documents import parse_document
from formwork.egress.rules_file import read_egress
from formwork.project.check import check_text
from formwork.smithy.events import EventSeverity
from formwork.template import read_template
from support.corpus import REPOSITORY

SNIPPETS = REPOSITORY / "editors" / "vscode" / "snippets"
ROWS = {
    (path.name, row["prefix"]): "\n".join(row["body"])
    for path in sorted(SNIPPETS.glob("*.json"))
    for row in json.loads(path.read_text(encoding="utf-8")).values()
}


def inserted(body):
    """What a snippet inserts where every placeholder is kept."""
    names = dict(re.findall(r"\$\{(\d+):([^}]*)\}", body))
    text = re.sub(r"\$\{\d+\|([^,|]*)[^}]*\}", r"\1", body)
    text = re.sub(r"\$\{(\d+)(?::[^}]*)?\}", lambda found: names[found[1]], text)
    return re.sub(r"(?<!\\)\$0", "", text).replace("\\$", "$")


@pytest.mark.parametrize("file", ["schema.json", "schema.yaml.json"])
@pytest.mark.parametrize("prefix", ["cfn-resource", "cfn-hook"])
def test_whole_schemas_are_valid(file, prefix):
    if (file, prefix) not in ROWS:
        return
    name = "schema.json" if file == "schema.json" else "schema.yaml"
    found = check_text(inserted(ROWS[file, prefix]), name=name).diagnostics
    assert [each for each in found if each.severity is Severity.ERROR] == []


@pytest.mark.parametrize("file", ["schema.json", "template.json"])
def test_members_are_json(file):
    for (name, _prefix), body in ROWS.items():
        if name == file:
            text = inserted(body)
            json.loads(text if text.startswith("{") else f"{{{text}}}")


def test_the_smithy_model_is_valid(tmp_path):
    model = tmp_path / "model.smithy"
    model.write_text(inserted(ROWS["smithy.json", "cfn-model"]))
    checked = check_models([model])
    assert list(checked.told(EventSeverity.DANGER)) == []


def test_every_snippet_is_in_the_page():
    page = (REPOSITORY / "docs" / "how-to" / "use-vs-code.md").read_text(encoding="utf-8")
    assert {prefix for _file, prefix in ROWS} == set(re.findall(r"`(cfn-[a-z-]+)`", page))


def test_egress_rules_are_valid():
    read_egress(parse_document(inserted(ROWS["schema.yaml.json", "cfn-egress"]), name="egress.yml"))


def test_templates_are_valid():
    for file, name in (("template.json", "stack.json"), ("template.yaml.json", "stack.yaml")):
        text = inserted(ROWS[file, "cfn-template"])
        assert not read_template(parse_document(text, name=name, short_tags=True)).diagnostics
