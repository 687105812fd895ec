"""Pages of `cfn docs`: golden files, texts that try to be markup, examples that validate, files of others."""

import json
import re
from html.parser import HTMLParser

import pytest
import yaml

from formwork.cli.main import main
from formwork.documents import parse_document
from formwork.schema.hook import build_hook_schema
from formwork.schema.module import build_module_schema
from formwork.type_pages import describe_type, plan_pages
from formwork.type_pages.blocks import CodeExample
from support.cdk_cases import MODULE, SHELF, shelf_schema

HOOK = {
    "typeName": "Acme::Store::Guard",
    "description": "A hook.",
    "handlers": {"preCreate": {"targetNames": ["Acme::Store::Shelf"], "permissions": ["s3:GetObject"]}},
    "typeConfiguration": {
        "properties": {"Limit": {"type": "integer", "description": "How many."}},
        "additionalProperties": False,
    },
    "additionalProperties": False,
}
BEFORE = {**SHELF, "properties": {name: each for name, each in SHELF["properties"].items() if name != "Labels"}}
MARKUP = '<img src=x onerror="alert(1)"> </code></pre><script>alert(2)</script> [x](javascript:alert(3)) \u202e | # a'
ELEMENTS = {
    "a",
    "body",
    "br",
    "code",
    "dd",
    "details",
    "div",
    "dl",
    "dt",
    "h1",
    "h2",
    "head",
    "html",
    "li",
    "link",
    "main",
    "meta",
    "nav",
    "p",
    "pre",
    "span",
    "summary",
    "table",
    "tbody",
    "td",
    "th",
    "thead",
    "title",
    "tr",
    "ul",
}


def pages():
    """One page of each kind."""
    module = build_module_schema(parse_document(json.dumps(MODULE), name="module.json"))
    hook = build_hook_schema(parse_document(json.dumps(HOOK), name="hook.json"))
    schema = shelf_schema()
    return [
        describe_type(schema, [("00000001", shelf_schema(BEFORE)), ("00000002", schema)]),
        describe_type(hook),
        describe_type(module),
    ]


@pytest.mark.parametrize("form", ["html", "markdown"])
def test_golden(form, golden):
    plan = plan_pages(pages(), title="Acme's types", as_html=form == "html")
    for name, file in plan.items():
        golden(f"type_pages/{form}/{name}", file.text)


def test_the_same_in_any_order():
    assert plan_pages(pages(), title="x", as_html=True) == plan_pages(pages()[::-1], title="x", as_html=True)


class _Elements(HTMLParser):
    def __init__(self):
        super().__init__()
        self.names, self.attributes = set(), []

    def handle_starttag(self, tag, attrs):
        self.names.add(tag)
        self.attributes += attrs


def test_no_text_of_a_schema_becomes_markup():
    text = json.dumps(SHELF).replace("One board.", json.dumps(MARKUP)[1:-1]).replace("oak", json.dumps(MARKUP)[1:-1])
    hostile = {**json.loads(text), "description": MARKUP}
    hostile["properties"]["DBName"]["description"] = MARKUP
    hostile["properties"]["DBName"]["pattern"] = "<b>|`x`"
    hostile["properties"]["DBName"].pop("maxLength")
    page = describe_type(shelf_schema(hostile))
    html = plan_pages([page], title=MARKUP, as_html=True)
    for name, file in html.items():
        if name.endswith(".html"):
            found = _Elements()
            found.feed(file.text)
            assert found.names <= ELEMENTS
            assert {name for name, _ in found.attributes}.isdisjoint({"src", "onerror", "style"})
            links = [value for name, value in found.attributes if name == "href"]
            assert all(re.fullmatch(r"#[a-z-]+|[a-z-]+\.(html|css)", link) for link in links)
            assert "\u202e" not in file.text
    for file in plan_pages([page], title=MARKUP, as_html=False).values():
        assert not re.search(r"<(?!/?code>|/?pre>|!-- Generated)", file.text)
        outside = re.sub(r"<pre>.*?</pre>", "", file.text, flags=re.DOTALL)  # what is in these is not read as Markdown
        assert "](javascript:" not in outside.replace("\\](", "")


def test_examples_are_valid_and_their_forms_say_the_same():
    schema = shelf_schema()
    examples = [each for each in describe_type(schema).blocks if isinstance(each, CodeExample)]
    assert [each.label for each in examples] == ["YAML", "JSON", "CDK (TypeScript)"] * 2
    for in_yaml, in_json, program in zip(examples[::3], examples[1::3], examples[2::3], strict=True):
        template = json.loads(in_json.text)
        assert yaml.safe_load(in_yaml.text) == template
        model = template["Resources"]["Example"]["Properties"]
        assert schema.input_validator.is_valid(model)
        assert program.text.startswith("new CfnShelf(this, 'Example', {")


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "shelf.json").write_text(json.dumps(SHELF), encoding="utf-8")
    (tmp_path / "before.json").write_text(json.dumps(BEFORE), encoding="utf-8")
    return tmp_path


def test_the_command_writes_and_removes_nothing_of_others(here, capsys):
    (here / "site").mkdir()
    (here / "site" / "notes.txt").write_text("mine", encoding="utf-8")
    assert main(["docs", "shelf.json", "--since", "before.json"]) == 0
    assert "Wrote 1 page: site/index.html" in capsys.readouterr().out
    assert "property &quot;Labels&quot;" in (here / "site" / "acme-store-shelf.html").read_text(encoding="utf-8")
    assert (here / "site" / "notes.txt").read_text(encoding="utf-8") == "mine"
    assert main(["-v", "docs", "shelf.json", "--since", "before.json"]) == 0
    assert capsys.readouterr().err.count("unchanged: ") == 3


def test_versions_of_modules_are_not_said_to_be_equal(here, capsys):
    module = build_module_schema(parse_document(json.dumps(MODULE), name="module.json"))
    page = plan_pages([describe_type(module, [("1", module), ("2", module)])], title="Types", as_html=False)
    told = "".join(each.text for each in page.values())
    assert "not compared" in told
    assert "no change" not in told
    (here / "module.json").write_text(json.dumps(MODULE), encoding="utf-8")
    assert main(["docs", "module.json", "--since", "module.json"]) == 2
    assert "versions of modules are not compared" in capsys.readouterr().err


def test_a_file_of_others_is_not_replaced(here, capsys):
    (here / "README.md").write_text("mine", encoding="utf-8")
    assert main(["docs", "shelf.json", "--format", "markdown", "--output", "."]) == 3
    assert "is not a page of `cfn docs`" in capsys.readouterr().err
    assert (here / "README.md").read_text(encoding="utf-8") == "mine"
    assert not (here / "acme-store-shelf.md").exists()
