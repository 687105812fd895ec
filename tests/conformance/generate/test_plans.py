"""Every real project can be generated: the links of its documentation lead somewhere, its role is a template."""

import re

import pytest
import yaml

from formwork.documents import load_document
from formwork.extensions import ExtensionKind
from formwork.generate.generated import plan_generated_files
from formwork.languages.catalogue import expect_generator
from formwork.schema.hook import build_hook_schema
from formwork.schema.resource import build_resource_schema
from support.corpus import corpus_projects, needs_fixtures

BUILD = {"RESOURCE": build_resource_schema, "HOOK": build_hook_schema}
PROJECTS = [each for each in corpus_projects() if each.kind in BUILD and each.schema_path.is_file()]


class TemplateLoader(yaml.SafeLoader):
    """YAML with CloudFormation's short tags, as their arguments."""


TemplateLoader.add_multi_constructor("!", lambda loader, _suffix, node: loader.construct_scalar(node))


@needs_fixtures
@pytest.mark.parametrize("project", PROJECTS, ids=lambda each: each.id)
def test_project(project):
    schema = BUILD[project.kind](load_document(project.schema_path))
    plan = plan_generated_files(ExtensionKind(project.kind), expect_generator("python312"), schema, {}, {})
    check_links({name.removeprefix("docs/"): file.text for name, file in plan.items() if name.startswith("docs/")})
    role = plan.get(f"{project.kind.lower()}-role.yaml")
    if role is not None:
        check_role(yaml.load(role.text, TemplateLoader), schema)


def check_links(pages):
    for name, text in pages.items():
        headings = {each.lower() for each in re.findall(r"^#+ (\S+)$", text, re.MULTILINE)}
        for target in re.findall(r'<a href="([^"]*)"', text):
            page, _, fragment = target.partition("#")
            assert not page or page in pages, f"{name} links to {page}"
            assert not fragment or fragment in headings, f"{name} links to #{fragment}"
        if name != "README.md":
            assert any(f'"{name}"' in other or f"({name})" in other for other in pages.values()), f"no link to {name}"


def check_role(template, schema):
    properties = template["Resources"]["ExecutionRole"]["Properties"]
    assert 3600 <= properties["MaxSessionDuration"] <= 43200
    (statement,) = properties["Policies"][0]["PolicyDocument"]["Statement"]
    wanted = {each for handler in schema.handlers.values() for each in handler.permissions if each}
    assert set(statement["Action"]) == (wanted or {"*"})
    assert statement["Effect"] == ("Allow" if wanted else "Deny")
