"""Ten thousand random edits of each of eight real projects, four of them with their schemas in YAML."""

import json
import random
import shutil

import pytest
import yaml

from formwork.editor.session import EditorDependencies
from formwork.schema.at_hand import shipped_schemas
from support.corpus import corpus_projects, needs_fixtures
from support.lsp import served
from support.random_edits import RandomTypist, defects, documents

pytestmark = [pytest.mark.slow, needs_fixtures]
EDITS = 10_000
LARGEST = 15_000  # characters of a schema: edits of larger documents take minutes


def copied_project(seed, folder):
    """Copy a project that the seed chooses; of odd seeds the schema is written in YAML."""
    small = [each for each in corpus_projects() if each.schema_path.is_file()]
    small = [each for each in small if each.schema_path.stat().st_size < LARGEST]
    chosen = random.Random(seed).choice(small)
    root = shutil.copytree(chosen.root, folder / "project")
    if seed % 2:
        schema = root / chosen.schema_path.name
        value = json.loads(schema.read_text(encoding="utf-8"))
        schema.with_suffix(".yaml").write_text(yaml.safe_dump(value, sort_keys=False), encoding="utf-8")
        schema.unlink()
    return root


@pytest.mark.parametrize("seed", range(1, 9))
def test_edits(tmp_path, seed):
    root = copied_project(seed, tmp_path)
    texts = documents(root) | {each: each.read_text(encoding="utf-8") for each in root.glob("*.yaml")}
    client = served(EditorDependencies(schemas=shipped_schemas()))
    client.initialize(root)
    typist = RandomTypist(client, {file: text for file, text in texts.items() if len(text) < 20_000}, seed)
    for number in range(EDITS):
        typist.edit()
        if number % 3 == 0:
            typist.ask()
    typist.settle()
    assert defects(client) == []
    assert client.close() == 0
