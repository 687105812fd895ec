"""Random edits of documents and random requests, from a seed: what must never crash a language server."""

import random

from formwork.editor.protocol.positions import PositionEncoding, PositionIndex
from support.lsp import LspError

PIECES = (
    *(
        '"',
        "{",
        "}",
        "[",
        "]",
        ":",
        ",",
        "\n",
        " ",
        "  ",
        "- ",
        "# ",
        "\\",
        "'",
        "&a",
        "*a",
        "!Ref ",
        "|",
        "\t",
        "\r\n",
    ),
    *(
        "true",
        "1e999",
        '"type": "string"',
        '"/properties/Name"',
        '{"a": [1, {"b": null}]}',
        "properties:\n  A:\n",
        "ü",
        "🧱",
    ),
    *(
        "\ud800",
        "\0",
        "Name",
        "typeName",
        "Resources:\n",
        '"$ref": "#/definitions/Tag"',
        "structure A {}\n",
        "@trait\n",
    ),
)
POSITIONED = ("completion", "hover", "definition", "references", "prepareRename", "rename")
WHOLE = ("codeLens", "formatting", "codeAction")


class RandomTypist:
    """Types into several open documents and asks about them; `texts` is what a client believes their texts are."""

    def __init__(self, client, documents, seed):
        self.client = client
        self.random = random.Random(seed)
        self.texts = {client.open(path, text): text for path, text in documents.items()}
        self.originals = dict(self.texts)
        self.versions = dict.fromkeys(self.texts, 1)
        self.asked = 0
        self.refusals = set()

    def edit(self):
        """Make one edit, sometimes of several changes, and now and then go back to the text as it was."""
        uri = self.random.choice([*self.texts])
        self.versions[uri] += 1
        if self.random.random() < 0.03:
            self.texts[uri] = self.originals[uri]
            self.client.replace(uri, self.versions[uri], self.texts[uri])
            return
        changes = [self._change(uri) for _ in range(self.random.choice((1, 1, 1, 2, 3)))]
        self.client.change(uri, self.versions[uri], *changes)

    def ask(self):
        """Ask something about a document at a random place."""
        uri = self.random.choice([*self.texts])
        method = self.random.choice((*POSITIONED, *WHOLE))
        index = PositionIndex(self.texts[uri], PositionEncoding.UTF16)
        position = index.position(self.random.randint(0, len(self.texts[uri])))
        params = {"textDocument": {"uri": uri}}
        if method in POSITIONED:
            params["position"] = position
        params |= {
            "references": {"context": {"includeDeclaration": True}},
            "rename": {"newName": "Other"},
            "formatting": {"options": {"tabSize": 4, "insertSpaces": True}},
            "codeAction": {"range": {"start": position, "end": position}, "context": {"diagnostics": []}},
        }.get(method, {})
        self.asked += 1
        try:
            self.client.ask(f"textDocument/{method}", params)
        except LspError as error:
            self.refusals.add(str(error))

    def settle(self):
        """Put every document back; its diagnostics must be what they were at first."""
        for uri, text in self.originals.items():
            self.versions[uri] += 1
            self.client.replace(uri, self.versions[uri], text)
            self.texts[uri] = text
        for uri in self.originals:
            self.client.diagnostics(uri, self.versions[uri])

    def _change(self, uri):
        text = self.texts[uri]
        start = self.random.randint(0, len(text))
        end = min(len(text), start + self.random.choice((0, 0, 0, 1, 2, 20)))
        piece = self.random.choice(PIECES) if self.random.random() < 0.8 else ""
        index = PositionIndex(text, PositionEncoding.UTF16)
        span = index.range(start, end)
        start, end = (index.offset(each["line"], each["character"]) for each in (span["start"], span["end"]))
        self.texts[uri] = text[:start] + piece + text[end:]
        if len(self.texts[uri]) > 20_000:
            self.texts[uri] = ""
            return {"text": ""}
        return {"range": span, "text": piece}


TEMPLATE = """\
Parameters:
  Word: {Type: String}
Resources:
  One:
    Type: Acme::Store::Thing
    Properties:
      Name: !Ref Word
      Tags: [{Key: a, Value: !Sub "${One}"}]
"""
SMITHY = '$version: "2"\n\nnamespace a.b\n\n@documentation("x")\nstructure C {\n    d: String\n}\n'


def documents(project):
    """The documents of a project to type in: those that it has, and a template, a model and rules beside them."""
    texts = {each: each.read_text() for each in sorted(project.rglob("*")) if each.suffix == ".json" and each.is_file()}
    return {
        project / ".rpdk-config": (project / ".rpdk-config").read_text(),
        **texts,
        project / "template.yml": TEMPLATE,
        project / "egress.yml": "aws: moto\nhosts:\n  a.example: allow\n",
        project.parent / "stack.yaml": TEMPLATE,
        project.parent / "c.smithy": SMITHY,
    }


def defects(client):
    """What the server logged: it logs nothing but defects and malformed notifications."""
    found = []
    while not client.notifications.empty():
        found.append(client.notifications.get()["params"]["message"])
    return found
