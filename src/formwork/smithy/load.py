"""Loading model files: texts or paths in, a model and events out."""

from collections.abc import Iterable, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path

from formwork.diagnostics import BadInputError, Location
from formwork.documents.opening import open_file, read_at_most, size_of
from formwork.smithy.ast_json.reader import parse_ast
from formwork.smithy.definitions import ModelFile
from formwork.smithy.idl.parser import parse_idl
from formwork.smithy.loading.assemble import LoadedModel, assemble
from formwork.smithy.model import Model

# Larger than any model file there is (the largest service's AST is some 10 MB) and small enough to refuse quickly.
MAX_BYTES = 64 * 1024 * 1024
SUFFIXES = (".smithy", ".json")


def parse_model_file(text: str, *, name: str) -> ModelFile | None:
    """Parse a file by its suffix: .json is an AST, everything else IDL. Return None for JSON that is not a model."""
    return parse_ast(text, name=name) if name.endswith(".json") else parse_idl(text, name=name)


@cache
def prelude() -> Model:
    """Return the shapes and traits that every model has."""
    return library("prelude")


@cache
def library(*names: str) -> Model:
    """Trait models that come with the toolkit, built once: `prelude`, `aws.api`, `aws.iam` and others."""
    base = None if names[0] == "prelude" and len(names) == 1 else library(*names[:-1]) if len(names) > 1 else prelude()
    text = files("formwork.smithy.models").joinpath(f"{names[-1]}.smithy").read_text(encoding="utf-8")
    return assemble([parse_idl(text, name=f"{names[-1]}.smithy")], base=base).model


def load_texts(
    texts: Iterable[tuple[str, str]], *, base: Model | None = None, allow_unknown_traits: bool = False
) -> LoadedModel:
    """Load (name, text) pairs as one model on top of `base`, the prelude by default."""
    parsed = (parse_model_file(text, name=name) for name, text in texts)
    return assemble(
        [each for each in parsed if each is not None],
        base=base if base is not None else prelude(),
        allow_unknown_traits=allow_unknown_traits,
    )


def load_paths(paths: Sequence[Path], *, base: Model | None = None, allow_unknown_traits: bool = False) -> LoadedModel:
    """Load files, and every .smithy and .json file below folders, as one model.

    Raises:
        BadInputError: a path cannot be read or is not text.
    """
    texts = [(str(path), read_text(path)) for each in paths for path in model_files(each)]
    return load_texts(texts, base=base, allow_unknown_traits=allow_unknown_traits)


def model_files(path: Path) -> list[Path]:
    """Return `path` itself, or the .smithy and .json files below a folder, sorted."""
    if not path.is_dir():
        return [path]
    return sorted(each for each in path.rglob("*") if each.suffix in SUFFIXES and each.is_file())


def read_text(path: Path) -> str:
    """Return the text of a model file, line ends as they are.

    Raises:
        BadInputError: it cannot be read, is too large or is not UTF-8.
    """
    place = Location(str(path))
    try:
        with open_file(path) as file:
            size = size_of(file)
            content = read_at_most(file, MAX_BYTES, size=size)
            size = max(len(content), size)
    except OSError as error:
        raise BadInputError.of(
            "smithy.unreadable",
            f'cannot read "{path}": {error.strerror or error}',
            location=place,
            expected="a file that exists and may be read, or a folder of them",
        ) from error
    if size > MAX_BYTES:
        message = f'"{path}" has {size:,} bytes'
        raise BadInputError.of("smithy.too-large", message, location=place, expected=f"at most {MAX_BYTES:,} bytes")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        message = f'"{path}" is not UTF-8 text: byte {error.start} cannot be decoded'
        raise BadInputError.of(
            "smithy.not-utf-8", message, location=place, expected="UTF-8", hint="save the file as UTF-8"
        ) from error
