"""Documents in pieces: no edit and no request makes the server fail, and texts stay the same on both sides."""

import pytest

from formwork.editor.session import EditorDependencies
from formwork.schema.at_hand import shipped_schemas
from support.lsp import served
from support.random_edits import RandomTypist, defects, documents


@pytest.mark.parametrize(("edits", "every"), [(100, 3), pytest.param(10_000, 3, marks=pytest.mark.slow)])
def test_edits(project, edits, every):
    client = served(EditorDependencies(schemas=shipped_schemas()))
    client.initialize(project)
    typist = RandomTypist(client, documents(project), seed=edits)
    first = {uri: client.diagnostics(uri, 1) for uri in typist.texts}
    for number in range(edits):
        typist.edit()
        if number % every == 0:
            typist.ask()
    assert typist.asked == (edits + every - 1) // every
    assert not [each for each in typist.refusals if "bug" in each]
    typist.settle()
    assert {uri: client.diagnostics(uri) for uri in first} == first
    assert defects(client) == []
    assert client.close() == 0
