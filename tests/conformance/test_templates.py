"""Real templates: those that AWS was asked to deploy, and the fragments of real modules."""

import pytest

from formwork.documents import load_document, parse_document
from formwork.template import read_template, render_json, render_yaml
from support.corpus import FIXTURES, corpus_projects, needs_fixtures

SUFFIXES = {".yaml", ".yml", ".json", ".template"}
FOLDER = FIXTURES / "aws-recorded" / "templates"
# What stands there and is no template: Jinja sources that LocalStack renders first, and stack policies.
NO_TEMPLATES = {"stack_policy.json", "empty_policy.json", "invalid_stack_policy.json", "s3_bucketpolicy.yaml"}
# Templates that are wrong on purpose: the recorded answers say so.
WRONG = {
    "cfn_dependson_nonexisting_resource.yaml": "template.unresolved-reference",
    "getatt_validation.yml": "template.function-argument",
    "getatt_validation2.yml": "template.function-argument",
    "simple-mapping-nesting-depth.yaml": "template.function-argument",
    "simple-mapping-single-level.yaml": "template.mapping",
}


def real_templates():
    found = [each for each in sorted(FOLDER.rglob("*")) if each.suffix in SUFFIXES and each.name not in NO_TEMPLATES]
    fragments = [
        project.root / name
        for project in corpus_projects("MODULE")
        for name in project.files
        if name.startswith("fragments/")
    ]
    # "{{resolve:" is CloudFormation's own; any other "{{" is Jinja's.
    return [
        each for each in [*found, *fragments] if "{{" not in each.read_text(encoding="utf-8").replace("{{resolve:", "")
    ]


@needs_fixtures
@pytest.mark.parametrize("path", real_templates(), ids=lambda path: path.name)
def test_real_template(path):
    document = load_document(path, short_tags=True)
    read = read_template(document)
    errors = {each.code for each in read.diagnostics if each.severity == "error"}
    assert WRONG.get(path.name) in errors if path.name in WRONG else not errors
    assert parse_document(render_yaml(document.value), name="t.yaml", short_tags=True).value == document.value
    assert parse_document(render_json(document.value), name="t.json").value == document.value
