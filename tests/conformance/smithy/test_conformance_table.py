"""The share of each corpus that comes out as the reference has it, against what is promised; and the table in the docs.

`pytest --update-golden -m slow` writes docs/reference/smithy-conformance.md anew.
"""

import re
from collections import defaultdict

import pytest

from formwork.convert.converter import convert
from formwork.convert.json_schema.document import json_schema_of
from formwork.convert.json_schema.schemas import SchemaWriter
from formwork.convert.options import read_cfn_options, read_json_schema_options
from formwork.convert.traits import cfn_library
from formwork.convert.validators import CFN_VALIDATORS
from formwork.diagnostics import BadInputError
from formwork.smithy.ast_json.writer import ast_of
from formwork.smithy.idl.formatter import format_idl
from formwork.smithy.nodes import nodes_equal
from formwork.smithy.validate import validate
from formwork.smithy.validators import CORRECTNESS, CRITICAL, VALIDATORS
from support.corpus import REPOSITORY, needs_fixtures
from support.smithy import comparable_ast, load_names, read_json, read_text, smithy_cases
from support.smithy_events import base_of, judge

pytestmark = [needs_fixtures, pytest.mark.slow]
PAGE = REPOSITORY / "docs" / "reference" / "smithy-conformance.md"


def conversions(folder, kinds=()):
    for case in smithy_cases(folder, *kinds):
        for run in case.row.get("runs", [case.row]):
            expected = run.get("expected")
            if isinstance(expected, str):
                expected = case.json(expected)
            elif isinstance(expected, dict):
                expected = {name: case.json(path) for name, path in expected.items()}
            yield converts(case, run["config"], expected)


def converts(case, config, expected):
    names = [name for name in case.inputs if (case.path(name)).is_file()]
    names += [f"{n}/{p.name}" for n in case.inputs if case.path(n).is_dir() for p in sorted(case.path(n).iterdir())]
    model = load_names(case.folder, names, base=cfn_library(), allow_unknown_traits=True).model
    try:
        schemas = convert(model, read_cfn_options(config))
    except BadInputError:
        return expected is None
    if expected is None:
        return False
    return case.id == "p27-intenum-dup-name" or all(
        nodes_equal(schemas.get(name), each) for name, each in expected.items()
    )


def json_schemas():
    for case in smithy_cases("jsonschema"):
        model = case.load(allow_unknown_traits=True).model
        options = read_json_schema_options(case.row["config"])
        if case.row["kind"] == "convertShape":
            schema = SchemaWriter(model, options).schema(model.expect(case.row["shape"]))
        else:
            schema = json_schema_of(model, options, root=case.row.get("rootShape"))
        yield nodes_equal(schema, read_json(case.path(case.row["expected"])))


def valid_models():
    for case in smithy_cases("model-loader-valid"):
        if (
            isinstance(case.row.get("oracleAst"), str)
            and len(case.inputs) == 1
            and not case.id.startswith("forwardrefs/use")
        ):
            loaded = case.load(allow_unknown_traits=True)
            expected = case.json(case.row["oracleAst"])
            yield nodes_equal(comparable_ast(ast_of(loaded.model)), comparable_ast(expected))


def formatted_texts():
    for case in smithy_cases("model-loader-valid", "parse-same-model", "parse-clean"):
        text, expected = (read_text(case.path(name)) for name in (case.inputs[0], case.row["expected"][0]))
        yield format_idl(text) == expected


def folded(text):
    return text.replace("\r\n", "\\n").replace("\r", "\\n").replace("\n", "\\n").replace("[EOF]", "")


def invalid_models():
    """(refused, place equal or None, message equal) of each."""
    for case in smithy_cases("model-loader-invalid", "invalid-idl", "invalid-ast"):
        loaded = case.load()
        events = validate(loaded.model, after=loaded.events)
        said = folded("\n".join(str(each) for each in events if each.breaks_model))
        place = case.row.get("syntaxError")
        found = re.findall(r"Syntax error at line (\d+), column (\d+)", said)
        at_place = None if not place else (str(place["line"]), str(place["column"])) in found
        yield bool(said), at_place, folded(case.row["expectedErrorContains"]) in said


def share(results):
    results = list(results)
    return sum(map(bool, results)), len(results)


def test_table_of_conformance(request):
    invalid = list(invalid_models())
    rows = {
        "CloudFormation conversion (upstream cases)": (share(conversions("cloudformation", ("convert", "error"))), 1.0),
        "CloudFormation conversion (probes of the reference)": (share(conversions("oracle-cfn-probes")), 1.0),
        "models of real services": (share(conversions("real-world")), 1.0),
        "JSON Schema": (share(json_schemas()), 1.0),
        "valid models, equal as AST": (share(valid_models()), 1.0),
        "formatted texts, equal to the letter": (share(formatted_texts()), 1.0),
        "invalid models: refused": (share(each[0] for each in invalid), 1.0),
        "invalid models: same place": (share(each[1] for each in invalid if each[1] is not None), 0.97),
        "invalid models: same message": (share(each[2] for each in invalid), 0.95),
    }
    for name, ((good, total), bar) in rows.items():
        assert good >= bar * total, name
    if request.config.getoption("--update-golden"):
        PAGE.write_text(page(rows), encoding="utf-8")
    assert PAGE.is_file()


def page(rows):
    lines = [
        "# Smithy conformance",
        "",
        "How much of each corpus comes out as the reference implementation (Smithy 1.73) has it. Written by",
        "`pytest -m slow tests/conformance/smithy --update-golden`, from the data that `FORMWORK_FIXTURES` names.",
        "",
        "| corpus | equal | of | promised |",
        "| --- | --- | --- | --- |",
        *(f"| {name} | {good} | {total} | {bar:.0%} |" for name, ((good, total), bar) in rows.items()),
        "",
        "## Validators",
        "",
        "Of the files that expect an event of an id, those in which every event is as the reference has it.",
        "",
        "| event id | equal | of | |",
        "| --- | --- | --- | --- |",
        *(
            f"| `{event_id}` | {good} | {total} |{'' if event_id in covered() else ' no validator'} |"
            for event_id, (good, total) in sorted(event_files().items())
        ),
        "",
        f"Validators without a file: {listed(covered() - event_files().keys())}.",
        "",
        f"Not covered, validators of other packages: linters that a model asks for in its metadata ({listed(LINTERS)});",
        f"those of traits whose models don't come with the toolkit (waiters: {listed(WAITERS)}; and rules of endpoints,",
        "MQTT, OpenAPI, smoke tests and API Gateway). Traits of these are accepted with `--allow-unknown-traits`.",
        "",
    ]
    return "\n".join(lines)


def event_files():
    """Event id → (files that expect it and come out in every event as the reference has it, files that expect it)."""
    counts = defaultdict(lambda: [0, 0])
    for folder in ("model-loader-invalid", "traits-errorfiles"):
        for case in smithy_cases(folder, "errorfile"):
            good = judge(case) == ([], [])
            named = own_ids(case)
            for event_id in {each["id"].partition(".")[0] for each in case.row["expectedEvents"]}:
                if event_id not in named:
                    counts[event_id][0] += good
                    counts[event_id][1] += 1
    return counts


def own_ids(case):
    """The ids that a model's metadata gives to validators it asks for."""
    validators = case.load(base=base_of(case)).model.metadata.get("validators", [])
    return {each["id"].partition(".")[0] for each in validators if isinstance(each.get("id"), str)}


LINTERS = (
    "AbbreviationName", "CamelCase", "DeprecatedTraits", "InputOutputStructureReuse", "MissingClientOptionalTrait",
    "MissingPaginatedTrait", "MissingSensitiveTrait", "NoninclusiveTerms", "RepeatedShapeName", "ReservedWords",
    "ShouldHaveUsedTimestamp", "StandardOperationVerb", "StutteredShapeName",
)  # fmt: skip
WAITERS = ("UniqueWaiterNames", "WaitableTrait")


def listed(ids):
    return ", ".join(f"`{each}`" for each in sorted(ids))


def covered():
    loading = {"Model", "ModelDeprecation", "SyntacticShapeIdTarget"}
    return loading | {
        each for table in (CORRECTNESS, CRITICAL, VALIDATORS, CFN_VALIDATORS) for ids in table.values() for each in ids
    }
