"""Every resource schema at hand, those of the projects and cfn-lint's, and the contract suite on its simulator."""

import functools
from importlib.resources import files

from formwork.contract.suite import run_suite
from formwork.diagnostics import BadInputError
from formwork.documents import load_document
from formwork.schema.resource import build_resource_schema
from formwork.simulate import Behaviour, Simulator
from support.contract_subjects import subject_of
from support.corpus import corpus_projects

# What the schemas themselves get wrong: they say they are taggable, and have no such property.
OWN_FAULTS = {"tags.declared"}


@functools.cache
def schema_paths():
    """The files of all of them."""
    cfn_lint = files("cfnlint") / "data" / "schemas" / "resources"
    packaged = sorted((each for each in cfn_lint.iterdir() if each.name.endswith(".json")), key=lambda each: each.name)
    ours = [each.schema_path for each in corpus_projects("RESOURCE") if each.schema_path.is_file()]
    return [*ours, *packaged]


def load_type(path):
    """Its schema; None for what isn't one, or what nothing can be created and deleted of."""
    try:
        schema = build_resource_schema(load_document(path))
    except BadInputError:
        return None
    usable = schema.primary_identifier and {"create", "delete"} <= set(schema.handlers)
    return schema if usable else None


def accusations(schema, seed):
    """What the suite says that a conforming implementation violates: nothing, if the suite is right."""
    simulator = Simulator(schema, Behaviour(page_size=2), seed=seed)
    result = run_suite(subject_of(simulator, schema, seed=seed, examples=3))
    return [
        f"{each.clause}: {each.message} {[one.pointer for one in each.differences]}"
        for each in result.findings
        if each.is_violation and each.clause not in OWN_FAULTS
    ]
