"""The public functions over Smithy models: sources in, values and diagnostics out."""

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, TypeAlias

from msgspec import Struct

from formwork.diagnostics import BadInputError, Diagnostic
from formwork.smithy.ast_json.writer import ast_of
from formwork.smithy.idl.formatter import format_idl
from formwork.smithy.idl.parser import parse_idl
from formwork.smithy.load import library, load_texts, model_files, read_text
from formwork.smithy.model import Model
from formwork.smithy.selectors import SelectorSyntaxError, select
from formwork.smithy.validate import validate

# A str is always the text of a model in IDL or JSON, never a path: paths are os.PathLike, such as pathlib.Path.
ModelSource: TypeAlias = Mapping[str, Any] | str | bytes | os.PathLike[str]
_LIBRARIES = ("prelude", "aws.api", "aws.iam", "aws.cloudformation")


class ParsedModel(Struct, frozen=True):
    """A model, as complete as its sources allow, and everything that loading and validating it found.

    `valid` says whether it has no errors, so that code and schemas may be generated from it.
    """

    model: Model
    diagnostics: tuple[Diagnostic, ...]
    valid: bool


def load_model(*sources: ModelSource, allow_unknown_traits: bool = False) -> ParsedModel:
    """Return one model of all `sources`, loaded and validated.

    A `str` or `bytes` is the text of a model file, in the IDL or as a JSON AST; a mapping is a JSON AST; a path is a
    file, or a folder of .smithy and .json files. The traits of AWS's API, IAM and CloudFormation models are known.

    Raises:
        BadInputError: a path can't be read or is not text.
        TypeError: a source is of another type.
    """
    texts = [text for number, source in enumerate(sources, 1) for text in _texts(source, number)]
    loaded = load_texts(texts, base=library(*_LIBRARIES), allow_unknown_traits=allow_unknown_traits)
    events = validate(loaded.model, after=loaded.events)
    diagnostics = tuple(event.to_diagnostic() for event in events if event.severity.rank > 0)
    return ParsedModel(loaded.model, diagnostics, valid=not any(event.breaks_model for event in events))


def _texts(source: ModelSource, number: int) -> Iterator[tuple[str, str]]:
    name = f"<model {number}>"
    match source:
        case os.PathLike():
            yield from ((str(path), read_text(path)) for path in model_files(Path(source)))
        case str():
            yield _named(name, source), source
        case bytes():
            text = _decode(source, name)
            yield _named(name, text), text
        case Mapping():
            yield f"{name}.json", json.dumps(source, ensure_ascii=False)
        case _:
            raise TypeError(f"a model is a str, bytes, a mapping or a path, not {type(source).__name__}")


def _named(name: str, text: str) -> str:
    """Return the name of a text with the suffix of its format, which decides how it is parsed."""
    return f"{name}.json" if text.lstrip("\ufeff \t\r\n").startswith("{") else f"{name}.smithy"


def _decode(source: bytes, name: str) -> str:
    try:
        return source.decode("utf-8")
    except UnicodeDecodeError as error:
        raise BadInputError.of(
            "smithy.not-utf-8",
            f'"{name}" is not UTF-8 text: byte {error.start} cannot be decoded',
            expected="UTF-8",
        ) from error


def format_model(source: str | bytes | os.PathLike[str]) -> str:
    """Return a model file in the IDL in its one layout; a path is read and not written.

    Raises:
        BadInputError: the file can't be read, or its syntax has errors.
    """
    if isinstance(source, os.PathLike):
        name, text = str(source), read_text(Path(source))
    else:
        name = "<model>"
        text = _decode(source, name) if isinstance(source, bytes) else source
    errors = [event.to_diagnostic() for event in parse_idl(text, name=name).events if event.breaks_model]
    if errors:
        raise BadInputError(errors)
    return format_idl(text)


def render_model(model: Model) -> dict[str, Any]:
    """Return a model as a JSON AST, without the shapes that come with the toolkit."""
    shipped = library(*_LIBRARIES).shapes
    ast = ast_of(model)
    shapes = {key: value for key, value in ast["shapes"].items() if key.partition("$")[0] not in shipped}
    return {**ast, "shapes": shapes}


def select_shapes(model: Model, selector: str) -> list[str]:
    """Return the ids of the shapes that a selector picks, sorted.

    Raises:
        ValueError: the selector has an error in its syntax.
    """
    try:
        return sorted(select(model, selector))
    except SelectorSyntaxError as error:
        raise ValueError(f"invalid selector: {error}") from error
