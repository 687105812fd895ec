"""A few schemas that show, together, every feature that a code generator must cope with."""

import re

from formwork.model import (
    AnyType,
    ListType,
    MapType,
    ModelType,
    ScalarType,
    SetType,
    UnionType,
    build_type_model,
)

# Words that some language keeps for itself.
_KEYWORDS = frozenset(
    [
        "abstract",
        "break",
        "case",
        "catch",
        "class",
        "const",
        "continue",
        "default",
        "delete",
        "do",
        "else",
        "enum",
        "export",
        "extends",
        "false",
        "finally",
        "for",
        "from",
        "func",
        "function",
        "go",
        "if",
        "implements",
        "import",
        "in",
        "interface",
        "is",
        "lambda",
        "map",
        "new",
        "none",
        "null",
        "package",
        "pass",
        "private",
        "protected",
        "public",
        "range",
        "return",
        "select",
        "static",
        "struct",
        "super",
        "switch",
        "this",
        "throw",
        "true",
        "try",
        "type",
        "typeof",
        "var",
        "void",
        "while",
        "with",
    ]
)


def features(document):
    """What of a schema document could trip a generator, as words."""
    types = build_type_model(document)
    found = {f"handlers {','.join(sorted(types.handlers))}"}
    found |= {f"{kind} identifiers {len(each)}" for kind, each in _identifiers(types)}
    if types.type_configuration is not None:
        found.add("type configuration")
    for model in types.models:
        found.add("closed" if model.closed else "open")
        found |= {"no properties"} if not model.properties else set()
        names = [each.name.lower() for each in model.properties]
        found |= {"names that differ in case"} if len(set(names)) < len(names) else set()
        found |= {"recursion"} if any(_mentions(each.type, model.name) for each in model.properties) else set()
        for each in model.properties:
            found |= {_shape(each.type), *each.flags, *_of_name(each.name), *_of_text(each.description)}
    return found


def covering_sample(documents):
    """Few names of `documents` (name → document), which have every feature that any of them has."""
    known = {name: features(document) for name, document in documents.items()}
    missing = set().union(*known.values())
    chosen = []
    while missing:
        best = max(sorted(known), key=lambda name: len(known[name] & missing))
        chosen.append(best)
        missing -= known.pop(best)
    return chosen


def _identifiers(types):
    yield "primary", types.primary_identifier
    for each in types.additional_identifiers:
        yield "additional", each
    for path in types.primary_identifier:
        if len(path) > 1:
            yield "nested", path


def _mentions(of, name):
    match of:
        case ModelType(found):
            return found == name
        case ListType(inner) | SetType(inner) | MapType(inner):
            return _mentions(inner, name)
        case UnionType(parts):
            return any(_mentions(each, name) for each in parts)
        case _:
            return False


def _shape(of):  # noqa: PLR0911 - one a type
    match of:
        case ScalarType(scalar, form):
            return f"{scalar}:{form}" if form else str(scalar)
        case ModelType():
            return "model"
        case ListType(inner):
            return f"list of {_shape(inner)}"
        case SetType(inner):
            return f"set of {_shape(inner)}"
        case MapType(inner):
            return f"map of {_shape(inner)}"
        case UnionType(parts):
            return f"one of {', '.join(sorted({_shape(each).split(':')[0] for each in parts}))}"
        case AnyType():
            return "any"


def _of_name(name):
    if name.lower() in _KEYWORDS:
        yield "name that is a keyword"
    if name[:1].islower():
        yield "name with a small first letter"
    if not name[:1].isalpha():
        yield "name that begins with a digit"
    if not name.isalnum():
        yield "name with other characters"


def _of_text(text):
    if "*/" in text or "\\" in text:
        yield "description that ends a comment"
    if not text.isascii():
        yield "description that is not ASCII"
    if re.search(r"[<&@]", text):
        yield "description with markup"
