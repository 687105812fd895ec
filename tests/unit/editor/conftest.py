"""A project, and a client of a server in this process."""

import json

import pytest

from support.lsp import served
from support.typing_client import CONFIG, INPUTS, SCHEMA


@pytest.fixture
def project(tmp_path):
    def write(name, text):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text if isinstance(text, str) else json.dumps(text, indent=4) + "\n")

    write(".rpdk-config", CONFIG)
    write("acme-store-thing.json", SCHEMA)
    write("inputs/inputs_1_create.json", INPUTS)
    write("overrides.json", {"CREATE": {"/Name": "x", "/Tags/0/Key": "y"}})
    write(
        "src/acme_store_thing/models.py",
        "class ResourceModel(BaseModel):\n    def f(self):\n        self.Name = Name\n",
    )
    write(
        "src/acme_store_thing/handlers.py",
        "resource = Resource()\ntest_entrypoint = resource.test_entrypoint\n\n\n@resource.handler(Action.CREATE)\ndef create_handler():\n    pass\n",
    )
    return tmp_path


@pytest.fixture
def client():
    client = served()
    yield client
    client._outgoing.close()
