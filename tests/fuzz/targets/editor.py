"""What a client of the language server sends: the stream, edits, and requests about a document.

An input is the bytes of a stream, or {"text": text, "edits": [[start, end, text], …], "at": [number, …]}.
"""

import contextlib
import io

from formwork.editor.features import FEATURES
from formwork.editor.protocol.abilities import ClientAbilities
from formwork.editor.protocol.positions import PositionEncoding
from formwork.editor.protocol.texts import OpenText
from formwork.editor.protocol.wire import BrokenStreamError, ProtocolError, read_message
from formwork.editor.session import EditorDependencies, EditorSession
from fuzz.envelopes import bytes_of, read_envelope, whole_text
from support.lsp import MODERN

MOST = 8
NAMES = ("schema.json", "stack.yaml", "model.smithy", "typeConfiguration.json", ".rpdk-config")
METHODS = ("completion", "hover", "definition", "references", "prepareRename", "rename", "codeAction", "codeLens")


@contextlib.contextmanager
def opened():
    yield check


def check(data):
    envelope = read_envelope(data, "text")
    if envelope is None:
        stream = io.BytesIO(data)
        with contextlib.suppress(BrokenStreamError):
            while read_message(stream) is not None:
                pass
        return
    places = [each for each in numbers(envelope.get("at")) if each < 1_000_000][:MOST]
    for name in NAMES:
        session = EditorSession(EditorDependencies(), lambda _params: None)
        session.client = ClientAbilities(MODERN)
        uri = f"file:///nowhere/{name}"
        text = OpenText(uri, "", 1, whole_text(envelope["text"]), PositionEncoding.UTF16)
        session.open(edited(text, envelope.get("edits")))
        for place in places:
            ask(session, uri, place)


def edited(text, edits):
    for each in edits[:MOST] if isinstance(edits, list) else ():
        if isinstance(each, list) and len(each) == 3:
            start, end = ({"line": 0, "character": number} for number in each[:2])
            with contextlib.suppress(ProtocolError):
                text = text.changed(2, [{"range": {"start": start, "end": end}, "text": each[2]}])
    return text


def ask(session, uri, place):
    position = session.expect(uri).index.position(place)
    params = {
        "textDocument": {"uri": uri},
        "position": position,
        "range": {"start": position, "end": position},
        "context": {"diagnostics": []},
        "newName": "Other",
    }
    for method in METHODS:
        with contextlib.suppress(ProtocolError):
            FEATURES[f"textDocument/{method}"](session, params, lambda: None)


def numbers(value):
    return [each for each in value if isinstance(each, int) and each >= 0] if isinstance(value, list) else []


def seeds():
    yield b'Content-Length: 40\r\n\r\n{"jsonrpc":"2.0","id":1,"method":"hover"}'
    yield bytes_of(
        {"text": '{"typeName": "A::B::C", "properties": {"A": {"type": ""}}}', "edits": [[3, 9, "ü"]], "at": [5, 40]}
    )
    yield bytes_of({"text": "Resources:\n  A:\n    Type: A::B::C\n    Properties:\n      - b: !Ref ", "at": [66, 20]})
