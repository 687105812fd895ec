"""Any schema, with names that some language has other plans for, gives Java that compiles without a warning and
round-trips through AWS's serializer.

Hypothesis only chooses the schemas, and one compiler run takes them all.
"""

import json
import re
import shutil

import pytest
from bench.corpora import provider_schemas
from hypothesis import given, settings
from hypothesis import strategies as st

from formwork.extensions import ExtensionKind
from formwork.languages.java.generate.identifiers import identifier_members
from formwork.languages.java.generate.naming import (
    KEYWORDS,
    RESERVED_MODEL_NAMES,
    default_namespace,
    is_package,
    name_fields,
    target_class,
    target_package,
)
from formwork.languages.java.generate.text import javadoc, literal
from formwork.model import build_type_model
from support.any_schema import SCHEMAS
from support.java import SUPPORT, canonical, compile_java, generate_all, round_trips
from support.model_values import ModelValues
from support.toolchains import needs_java

COUNTS = [15, pytest.param(120, marks=pytest.mark.slow)]


@needs_java
@pytest.mark.parametrize("count", COUNTS)
def test_models_of_any_schema_compile_and_round_trip(tmp_path, count):
    chosen = {}

    @settings(max_examples=count, database=None)
    @given(SCHEMAS, st.integers(0, 5))
    def choose(document, seed):
        chosen[f"{len(chosen):04}"] = (document, ModelValues(document, seed).model(0.7).typed)

    choose()
    assert len(chosen) >= count
    sources, classes = tmp_path / "sources", tmp_path / "classes"
    generated = generate_all({name: document for name, (document, _) in chosen.items()}, sources)
    shutil.copytree(SUPPORT, sources, dirs_exist_ok=True)
    compile_java(sources, classes)
    asked = [(name, value) for name, (_, value) in chosen.items() if is_told_apart(value)]
    assert len(asked) > count // 4
    models = [(f"{generated.packages[name]}.ResourceModel", value) for name, value in asked]
    for (name, value), got in zip(asked, round_trips(models, [classes]), strict=True):
        assert canonical(without_repetition(got)) == canonical(without_repetition(value)), chosen[name]


def is_told_apart(value):
    """Whether AWS's serializer can hold the value.

    Its integers are ints, it takes names in any case for the same, and a property whose name is empty for one without.
    """
    if isinstance(value, dict):
        names = [each.lower() for each in value]
        return "" not in names and len(names) == len(set(names)) and all(map(is_told_apart, value.values()))
    if isinstance(value, list):
        return all(map(is_told_apart, value))
    return not isinstance(value, int) or -(2**31) <= value < 2**31


def without_repetition(value):
    """`value` with each array's item once: a set has it once."""
    if isinstance(value, dict):
        return {name: without_repetition(each) for name, each in value.items()}
    if isinstance(value, list):
        found = []
        for each in map(without_repetition, value):
            if each not in found:
                found.append(each)
        return found
    return value


@needs_java
@pytest.mark.slow
def test_860_targets_of_one_hook_compile(tmp_path):
    targets = {name: json.loads(text) for name, text in provider_schemas()}
    targets = {name: targets[name] for name in sorted(targets)[:860]}
    assert len(targets) == 860
    hook = {
        "typeName": "Acme::Guard::Hook",
        "description": "Looks at everything.",
        "typeConfiguration": {"properties": {}, "additionalProperties": False},
        "handlers": {"preCreate": {"targetNames": sorted(targets), "permissions": []}},
        "additionalProperties": False,
    }
    generated = generate_all({"hook": hook}, tmp_path / "sources", kind=ExtensionKind.HOOK, targets={"hook": targets})
    compile_java(generated.sources, tmp_path / "classes")
    compiled = {each.name for each in (tmp_path / "classes").rglob("*TargetModel.class")}
    assert {f"{target_class(name)}TargetModel.class" for name in targets} <= compiled


@given(st.dictionaries(st.text(), st.sampled_from(["String", "Object", "Integer"])))
def test_fields_are_java_identifiers_and_all_different_without_regard_to_case(types):
    fields = name_fields(types, reserved={"primaryIdentifier"})
    assert fields.keys() == types.keys()
    assert len({each.lower() for each in fields.values()}) == len(types)
    assert all(re.fullmatch(r"[a-z_][A-Za-z0-9_]*", each) and each not in KEYWORDS for each in fields.values())


@given(SCHEMAS)
def test_identifiers_are_constants_and_methods_once_each(document):
    pointers = [f"/properties/{name}" for name in document["properties"]]
    document = {**document, "primaryIdentifier": pointers, "additionalIdentifiers": [[each] for each in pointers]}
    members = identifier_members(build_type_model(document, reserved=RESERVED_MODEL_NAMES), reserved=())
    for lines, pattern in ((members.constants, r" (IDENTIFIER_KEY_\w*) ="), (members.methods, r"public \S+ (\w+)\(\)")):
        names = re.findall(pattern, "\n".join(lines))
        assert names
        assert len(names) == len(set(names))


@given(st.text(), st.text(), st.text())
def test_any_name_of_a_type_makes_a_package(first, second, third):
    name = "::".join(each or "x" for each in (first, second, third))
    assert is_package(".".join(default_namespace(name)))
    assert is_package(".".join(target_package(name)))


@given(st.text())
def test_texts_stay_where_they_are_put(text):
    assert re.fullmatch(r'"([ !#-\[\]-~]|\\["\\]|\\[0-7]{3}|\\u[0-9a-f]{4})*"', literal(text))
    lines = javadoc(text, "    ")
    assert all(line.isprintable() and line.isascii() and "\\" not in line for line in lines)
    assert "".join(lines).count("*/") == min(len(lines), 1)
