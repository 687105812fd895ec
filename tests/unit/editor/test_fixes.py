"""Every fix that `cfn validate --fix` makes of a seeded fault is a code action at the finding."""

import json

from formwork.documents import parse_document
from formwork.editor.features.fixing import answer_code_action
from formwork.editor.protocol.abilities import ClientAbilities
from formwork.editor.protocol.positions import PositionEncoding
from formwork.editor.protocol.texts import OpenText
from formwork.editor.session import EditorDependencies, EditorSession
from formwork.extensions import ExtensionKind
from formwork.schema import detect_kind, validate_schema
from formwork.schema.fixes import _FIXES, fix_schema, list_edits
from support.faults import FAULTS
from support.lsp import MODERN
from support.typing_client import applied

WHOLE = {"start": {"line": 0, "character": 0}, "end": {"line": 99_999, "character": 0}}


def actions_of(text):
    session = EditorSession(EditorDependencies(), lambda _params: None)
    session.client = ClientAbilities(MODERN)
    session.open(OpenText("file:///nowhere/schema.json", "json", 1, text, PositionEncoding.UTF16))
    params = {"textDocument": {"uri": "file:///nowhere/schema.json"}, "range": WHOLE, "context": {"diagnostics": []}}
    return answer_code_action(session, params, lambda: None)


def test_every_fix_is_an_action():
    seen, done = set(), set()
    for fault in FAULTS:
        if fault.code not in _FIXES:
            continue
        text = json.dumps(fault.schema, indent=4)
        document = parse_document(text, name="schema.json")
        if detect_kind(document) is not ExtensionKind.from_noun(fault.base):
            continue
        found = validate_schema(document)
        fixable = {(each.code, each.location.pointer) for each in found if list_edits(document, each)}
        actions = actions_of(text)
        offered = {(one["code"], one["data"]["pointer"]) for each in actions for one in each.get("diagnostics", ())}
        assert offered == fixable, fault
        seen |= {code for code, _ in fixable}
        fixed = fix_schema(document) if fixable - done else None
        done |= fixable
        if fixed is not None and fixed.fixed:
            assert applied(text, actions[-1]["edit"]["documentChanges"][0]["edits"]) == fixed.text
    assert seen | {"schema.unknown-keyword"} == set(_FIXES)  # the seeded one has more than one fix


def test_a_keyword_in_another_case_has_an_action():
    value = {"typeName": "A1::B1::C1", "properties": {"A": {"type": "string", "minlength": 1}}}
    actions = actions_of(json.dumps(value, indent=4))
    action = next(each for each in actions if each.get("diagnostics", [{}])[0].get("code") == "schema.unknown-keyword")
    edits = action["edit"]["documentChanges"][0]["edits"]
    assert json.loads(applied(json.dumps(value, indent=4), edits))["properties"]["A"] == {
        "type": "string",
        "minLength": 1,
    }
