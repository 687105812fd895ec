"""The real schemas that constructs are made of: AWS's, in parts, and those of the fixtures."""

from bench.corpora import provider_schemas

from formwork.diagnostics import BadInputError
from support.cdk import resource
from support.corpus import corpus_projects

PARTS = 6


def aws_schemas(part):
    """The schemas of a part of AWS's types: the newest of each."""
    texts = dict(provider_schemas())
    assert len(texts) > 1850
    return [resource(texts[name], name) for name in sorted(texts)[part::PARTS]]


def project_schemas():
    """The schemas of resource types in the fixtures that are valid and have a name of their own."""
    found = {}
    for each in corpus_projects("RESOURCE"):
        if each.schema_path.is_file():
            try:
                schema = resource(each.schema_path.read_text(encoding="utf-8"), str(each.schema_path))
            except BadInputError:
                continue
            found.setdefault(schema.type_name.lower(), schema)
    assert len(found) > 200
    return list(found.values())
