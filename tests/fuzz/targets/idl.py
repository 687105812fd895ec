"""Smithy models: read, assembled, validated, formatted, printed, converted.

An input is a file of IDL, or of a JSON AST if it begins with "{"; or {"files": {name: text}}, or {"selector": text}.
"""

import contextlib
from functools import cache
from pathlib import Path

from formwork.convert.converter import convert
from formwork.convert.files import only_service
from formwork.convert.options import read_cfn_options
from formwork.convert.traits import cfn_library
from formwork.convert.validators import CFN_VALIDATORS
from formwork.diagnostics import BadInputError
from formwork.smithy.ast_json.writer import ast_of
from formwork.smithy.events import EventSeverity
from formwork.smithy.idl.formatter import format_idl
from formwork.smithy.idl.printing import print_idl
from formwork.smithy.load import load_texts
from formwork.smithy.selectors import SelectorSyntaxError, parse_selector
from formwork.smithy.validate import validate
from fuzz.envelopes import bytes_of, read_envelope, text_of
from property.smithy.test_formatting import FREE, OPERATIONS
from support.smithy import assert_same_ast

ROOT = Path(__file__).parents[3]
LIBRARY = cache(lambda: frozenset(shape.namespace for shape in cfn_library().shapes.values()))


@contextlib.contextmanager
def opened():
    cfn_library()
    yield check


def check(data):
    if (envelope := read_envelope(data, "selector")) is not None:
        with contextlib.suppress(SelectorSyntaxError):
            parse_selector(text_of(envelope["selector"]))
        return
    envelope = read_envelope(data, "files")
    if envelope is not None and isinstance(envelope["files"], dict):
        texts = {name: text_of(value) for name, value in envelope["files"].items()}
    else:
        text = data.decode("utf-8", "replace")  # other bytes are refused before
        texts = {"model.json" if text.lstrip().startswith("{") else "model.smithy": text}
    check_model(texts)


def check_model(texts):
    loaded = load_texts(texts.items(), base=cfn_library())
    formatted = {name: text if name.endswith(".json") else format_idl(text) for name, text in texts.items()}
    for name, text in formatted.items():
        assert name.endswith(".json") or format_idl(text) == text, "formatting twice changes something"
    if any(event.severity is EventSeverity.ERROR for event in loaded.events):
        return
    if formatted != texts:
        assert_same_ast(ast_of(load_texts(formatted.items(), base=cfn_library()).model), ast_of(loaded.model))
    events = validate(loaded.model, after=loaded.events, extra=tuple(CFN_VALIDATORS))
    printed = print_idl(loaded.model, exclude=LIBRARY())
    again = load_texts(printed.items(), base=cfn_library())
    if not any(event.severity is EventSeverity.ERROR for event in events):
        assert_same_ast(ast_of(again.model), ast_of(loaded.model))
        with contextlib.suppress(BadInputError):
            service = only_service(loaded.model)
            convert(loaded.model, read_cfn_options({"service": service, "organizationName": "Ex"}))


def seeds():
    yield OPERATIONS.encode()
    yield FREE.encode()
    yield bytes_of({"files": {"ops.smithy": OPERATIONS, "a.smithy": FREE}})
    yield (ROOT / "docs" / "tutorial" / "smithy-model" / "foo.smithy").read_bytes()
    foo = ROOT / "tests" / "golden" / "smithy" / "foo"
    yield (foo / "printed.smithy").read_bytes()
    if (foo / "ast.json").stat().st_size < 65_536:
        yield (foo / "ast.json").read_bytes()
    for selector in SELECTORS:
        yield bytes_of({"selector": selector})


SELECTORS = (
    "*",
    "structure > member [trait|required]",
    ":is(service, resource) ~> operation -[input, output]-> structure",
    "[id|namespace = 'a.b' i] :not([trait|tags|(values) ?= true])",
    "$x(:test(string)) ${x} [@: @{trait|range|min} < 1 && @{id} != 'a', 'b']",
)
