"""Real templates: those that AWS was asked to deploy or answered with, the guide's, and those of real projects."""

import json
import re

import pytest

from formwork.diagnostics import BadInputError
from formwork.documents import load_document, parse_document
from formwork.template import read_template, render_json, render_yaml
from support.corpus import FIXTURES, corpus_projects, needs_fixtures
from support.seeds import SEEDS, code_blocks, needs_guide

SUFFIXES = {".yaml", ".yml", ".json", ".template"}
FOLDER = FIXTURES / "aws-recorded" / "templates"
# What stands there and is no template: Jinja sources that LocalStack renders first, and stack policies.
NO_TEMPLATES = {"stack_policy.json", "empty_policy.json", "invalid_stack_policy.json", "s3_bucketpolicy.yaml"}
# Templates that are wrong: the recorded answers say so, of a function in a policy without its transform AWS's guide.
WRONG = {
    "cfn_dependson_nonexisting_resource.yaml": "template.unresolved-reference",
    "deletion_policy.yaml": "template.computed-policy",
    "getatt_validation.yml": "template.function-argument",
    "getatt_validation2.yml": "template.function-argument",
    "simple-mapping-invalid-ref.yaml": "template.mapping",
    "simple-mapping-nesting-depth.yaml": "template.mapping",
    "simple-mapping-single-level.yaml": "template.mapping",
}


# A logical id in an answer of AWS that the normalised recording no longer spells out.
NORMALISED_NAME = re.compile(r'"[A-Za-z]*<[^"]*": *\{')


def real_templates():
    found = [each for each in sorted(FOLDER.rglob("*")) if each.suffix in SUFFIXES and each.name not in NO_TEMPLATES]
    projects = [
        project.root / name
        for project in corpus_projects()
        for name in project.files
        if name.startswith("fragments/") or (name.endswith((".yaml", ".yml")) and "/" not in name)
    ]
    # "{{resolve:" is CloudFormation's own; any other "{{" is Jinja's.
    texts = {each: each.read_text(encoding="utf-8") for each in [*found, *projects]}
    return [
        each
        for each, text in texts.items()
        if "{{" not in text.replace("{{resolve:", "")
        and (each in found or re.search(r"^\W*Resources\W*:", text, re.MULTILINE))
    ]


def recorded_templates():
    """The templates in the answers that AWS gave, each once, by the test that recorded them."""
    found = {}
    for path in sorted((FIXTURES / "aws-recorded" / "snapshots").rglob("*.json")):
        for test, recording in json.loads(path.read_text(encoding="utf-8")).items():
            for value in _templates_in(recording):
                text = value if isinstance(value, str) else json.dumps(value)
                if not NORMALISED_NAME.search(text):
                    found.setdefault(text, f"{test.rpartition('::')[2]}-{len(found)}")
    return [pytest.param(text, id=name) for text, name in found.items()]


def _templates_in(value):
    if isinstance(value, list):
        for each in value:
            yield from _templates_in(each)
    elif isinstance(value, dict):
        resources = value.get("Resources")
        if isinstance(resources, dict) and "properties" not in resources:  # that would be a module's schema
            yield value
            return
        for name, each in value.items():
            if name == "TemplateBody" and isinstance(each, str) and "Resources" in each:
                yield each
            else:
                yield from _templates_in(each)


def guide_templates():
    """The whole templates that the guide prints; those that its pages cut or wrap are no templates any more."""
    for path in sorted(SEEDS.glob("002_*")):
        for number, text in enumerate(code_blocks(path.read_text(encoding="utf-8"))):
            if re.search(r"^\W*Resources\W*:", text, re.MULTILINE):
                try:
                    document = parse_document(text, name="guide.yaml", short_tags=True)
                except BadInputError:
                    continue
                if not any(each.severity == "error" for each in read_template(document).diagnostics):
                    yield pytest.param(text, id=f"block-{number}")


@needs_fixtures
@pytest.mark.parametrize("path", real_templates(), ids=lambda path: path.name)
def test_real_template(path):
    document = load_document(path, short_tags=True)
    read = read_template(document)
    errors = {each.code for each in read.diagnostics if each.severity == "error"}
    assert WRONG.get(path.name) in errors if path.name in WRONG else not errors
    check_printing(document)


@needs_fixtures
@pytest.mark.parametrize("text", recorded_templates())
def test_a_template_that_aws_answered_with(text):
    document = parse_document(text, name="recorded", short_tags=True)
    assert [each for each in read_template(document).diagnostics if each.severity == "error"] == []
    check_printing(document)


@needs_guide
@pytest.mark.parametrize("text", list(guide_templates()))
def test_a_template_of_the_guide(text):
    check_printing(parse_document(text, name="guide.yaml", short_tags=True))


@needs_fixtures
@needs_guide
def test_there_are_enough():
    assert len(real_templates()) + len(recorded_templates()) + len(list(guide_templates())) >= 300


def check_printing(document):
    assert parse_document(render_yaml(document.value), name="t.yaml", short_tags=True).value == document.value
    assert parse_document(render_json(document.value), name="t.json").value == document.value
