"""What the tests of the database start from."""

import importlib
from pathlib import Path

import pytest
from alembic.script import base

VERSIONS = "formwork.durable.migrations.versions"


@pytest.fixture(autouse=True)
def _scripts_are_modules(monkeypatch):
    """alembic runs the migrations as modules of the package: mutants of a function are chosen by its module's name."""
    load = base.util.load_python_file

    def load_module(folder, name):
        path = Path(folder)
        return importlib.import_module(f"{VERSIONS}.{Path(name).stem}") if path.name == "versions" else load(path, name)

    monkeypatch.setattr(base.util, "load_python_file", load_module)
