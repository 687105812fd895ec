"""An application of the examples' types: its stages, its update and what the hook refuses."""

from pathlib import Path

import pytest

pytest.importorskip("starlette", reason="needs formwork-cfn[serve]")
EXAMPLES = Path(__file__).parents[2]


@pytest.fixture
def hook(cloudformation, tmp_path):
    for name in ("sqlite-database", "sqlite-table"):
        cloudformation.register(EXAMPLES / name, configuration={"DataFolder": str(tmp_path / "data")})
    cloudformation.register(EXAMPLES / "log-table")
    return cloudformation.register(EXAMPLES / "keyed-tables")


def test_the_library(cloudformation, hook):
    library = cloudformation.deploy(EXAMPLES / "library.yml")
    assert library.outputs["Database"].endswith("library")
    assert library.resources["News"].properties["DisplayName"] == "books of library"
    library.expect_in_place("Library")
    library.update(parameters={"Journal": "DELETE"})
    library.expect_refused(by=hook)
    library.update(parameters={"Scratch": "yes"})
    assert "Notes" not in library.resources
