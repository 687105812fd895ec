"""Names of models and identifiers of properties: deterministic, whatever the schema calls things.

A model is named after the nearest meaningful part of its path, as authors of existing projects expect
(`#/definitions/Tag` and `#/properties/Tags/items` become Tag and Tags). Where that name is taken or reserved, an
enclosing name is put in front (`PolicyRule`), then Model behind, then a number; definitions choose before inline
objects, so that an inline object never renames a definition.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

Path = tuple[str, ...]

# What follows these is a name; what follows the others of a schema's keywords is not.
_NAMED = frozenset({"properties", "definitions"})
_WITH_INDEX = frozenset({"patternProperties", "oneOf", "anyOf", "allOf", "dependencies"})
# Compilers name files after classes, Java's even `Thing$ThingBuilder.class`, and a file's name has 255 bytes.
_LONGEST = 115
_BARE = frozenset({"items", "additionalProperties", "contains", "typeConfiguration"})


def name_models(paths: Sequence[Path], *, fixed: Mapping[Path, str], reserved: Collection[str]) -> dict[Path, str]:
    """Return a name for each path, all different.

    Args:
        paths: where the schema defines the models, in the order of discovery.
        fixed: the names of some paths that must be exactly these.
        reserved: names that the language needs for itself; they bind everything but `fixed`.
    """
    names = dict(fixed)
    taken = set(reserved) | set(fixed.values())
    for path in sorted((each for each in paths if each not in fixed), key=lambda each: not _is_definition(each)):
        names[path] = next(each for each in _candidates(path) if each not in taken)
        taken.add(names[path])
    return {path: names[path] for path in paths}


def _is_definition(path: Path) -> bool:
    return len(path) == 2 and path[0] == "definitions"


def _candidates(path: Path) -> Iterator[str]:
    segments = [_as_class_name(each)[:_LONGEST] for each in meaningful_segments(path)] or ["Model"]
    for start in range(len(segments) - 1, -1, -1):
        name = "".join(segments[start:])
        if len(name) <= _LONGEST:
            yield name
    if not segments[-1].endswith("Model"):
        yield f"{segments[-1]}Model"
    number = 2
    while True:
        yield f"{segments[-1]}{number}"
        number += 1


def meaningful_segments(path: Path) -> list[str]:
    """Return the names in a path: of definitions and properties, without keywords, indexes and patterns."""
    found: list[str] = []
    tokens = iter(path)
    for token in tokens:
        if token in _NAMED:
            found.extend(_next(tokens))
        elif token in _WITH_INDEX:
            _next(tokens)
        elif token not in _BARE:
            found.append(token)  # a $ref may lead anywhere: #/shared/Tag
    return found


def _next(tokens: Iterator[str]) -> list[str]:
    return [each for each in (next(tokens, None),) if each is not None]


def _as_class_name(text: str) -> str:
    identifier = as_identifier(text.rsplit("/", 1)[-1])
    return f"Type{identifier}" if not identifier[:1].isalpha() else identifier[0].upper() + identifier[1:]


def as_identifier(text: str) -> str:
    """`text` with all but ASCII letters and digits as underscores; may still start with a digit."""
    if text.isascii() and text.isalnum():
        return text
    return "".join(each if each.isascii() and each.isalnum() else "_" for each in text)


def name_properties(names: Iterable[str], *, reserved: Collection[str]) -> dict[str, str]:
    """An identifier for each property of one model, all different: the name itself wherever the language allows it.

    A reserved word gets an underscore behind, a leading digit one in front; what then clashes gets a number. None has
    more than one underscore in front: Python, for one, gives those a meaning.
    """
    identifiers: dict[str, str] = {}
    taken = set(reserved)
    # Names that can stay as they are choose first: `None` becomes None_, unless None_ is a property itself.
    ordered = sorted(names, key=lambda each: not (_is_plain(each) and each not in taken))
    for name in ordered:
        plain = as_identifier(name)
        if not plain[:1].isalpha():
            plain = f"_{plain.lstrip('_')}"
        candidate, number = plain, 1
        while candidate in taken:
            candidate = f"{plain}_" if number == 1 else f"{'' if plain == '_' else plain}_{number}"
            number += 1
        identifiers[name] = candidate
        taken.add(candidate)
    return identifiers


def _is_plain(name: str) -> bool:
    return as_identifier(name) == name and name[:1].isalpha()
