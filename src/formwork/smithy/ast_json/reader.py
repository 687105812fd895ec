"""The JSON AST reader: the text of one .json file to its definitions."""

import json
import re
from typing import Any

from formwork.smithy.ast_json.shapes import UnusableAstError, UnusableShapeError, read_shape
from formwork.smithy.definitions import VERSIONS, MetadataEntry, ModelFile
from formwork.smithy.events import describe_unknown_properties, model_error, model_warning
from formwork.smithy.json_offsets import REPEATED
from formwork.smithy.nodes import parse_number, type_name
from formwork.smithy.places import SourcePlace, SourceText

MAX_DEPTH = 1000
_LONG_NUMBER = re.compile(r"[0-9]{4000}")  # which Python makes no int of


class RepeatedKeys(dict[str, Any]):
    """An object in which a key stood more than once; `pairs` are all of them."""

    pairs: list[tuple[str, Any]]


def parse_ast(text: str, *, name: str) -> ModelFile | None:
    """Parse the JSON file `name`; return None where it is not a Smithy model. Never raise for its content."""
    source = SourceText(name, text)
    file = ModelFile(source)
    try:
        value = json.loads(
            text,
            parse_float=parse_number,
            parse_int=parse_number if _LONG_NUMBER.search(text) else None,
            parse_constant=_refuse_constant,
            object_pairs_hook=_make_object,
        )
    except json.JSONDecodeError as error:
        problem = f"Error parsing JSON: {_describe(error)}"
        file.events.append(model_error(problem, place=SourcePlace(source, error.pos)))
        return file
    except (RecursionError, ValueError) as error:
        problem = "it is nested too deeply" if isinstance(error, RecursionError) else str(error)
        file.events.append(model_error(f"Error parsing JSON: {problem}", place=SourcePlace(source, 0)))
        return file
    if not isinstance(value, dict) or "smithy" not in value:
        return None
    try:
        _read_document(file, value)
    except UnusableAstError as error:
        file.events.append(model_error(str(error), place=SourcePlace(source, -1, error.pointer)))
    return file


def _refuse_constant(constant: str) -> Any:
    message = f"Expected value, but found {constant}"
    raise ValueError(message)


def _make_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) == len(pairs):
        return value
    repeated = RepeatedKeys(value)
    repeated.pairs = pairs
    return repeated


def _describe(error: json.JSONDecodeError) -> str:
    match error.msg:
        case "Expecting value" | "Unexpected UTF-8 BOM (decode using utf-8-sig)":
            return "Expected value"
        case "Expecting property name enclosed in double quotes" | "Illegal trailing comma before end of object":
            return "Expected name"
        case "Expecting ':' delimiter":
            return "Expected ':'"
        case "Expecting ',' delimiter":
            return "Expected ',' or closing bracket"
        case other:
            return other


def _read_document(file: ModelFile, value: dict[str, Any]) -> None:
    version = value["smithy"]
    if not isinstance(version, str):
        raise UnusableAstError(f"Expected `smithy` member to be a string, but found {type_name(version)}", ("smithy",))
    if version not in VERSIONS:
        raise UnusableAstError(f"Unsupported Smithy version number: {version}", ("smithy",))
    file.version = VERSIONS[version]
    unknown = sorted(value.keys() - {"smithy", "metadata", "shapes"})
    if unknown:
        message = describe_unknown_properties(("metadata", "shapes", "smithy"), unknown)
        file.events.append(model_warning(message, place=SourcePlace(file.source, -1, ())))
    metadata = _expect_object(value, "metadata")
    for key, each in metadata.items():
        file.metadata.append(MetadataEntry(key, each, SourcePlace(file.source, -1, ("metadata", key))))
    _read_shapes(file, _expect_object(value, "shapes"))


def _expect_object(value: dict[str, Any], key: str) -> dict[str, Any]:
    member = value.get(key, {})
    if not isinstance(member, dict):
        raise UnusableAstError(f"Expected `{key}` to be an object; found {type_name(member)}", (key,))
    return member


def _read_shapes(file: ModelFile, shapes: dict[str, Any]) -> None:
    seen: set[str] = set()
    for shape_id, raw in shapes.pairs if isinstance(shapes, RepeatedKeys) else shapes.items():
        again = (REPEATED,) if shape_id in seen else ()
        seen.add(shape_id)
        try:
            read_shape(file, shape_id, raw, *again)
        except UnusableShapeError as problem:
            place = SourcePlace(file.source, -1, ("shapes", shape_id, *problem.pointer))
            file.events.append(model_error(str(problem), shape=shape_id if "#" in shape_id else None, place=place))
