"""OpenAPI documents that cannot be stubbed are refused, with the place of what is wrong."""

import json

import pytest

from formwork.diagnostics import BadInputError
from formwork.egress.stubs.service import open_stub

GOOD = {"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "paths": {}}


def refused(tmp_path, text):
    path = tmp_path / "api.yaml"
    path.write_text(text if isinstance(text, str) else json.dumps(text), encoding="utf-8")
    with pytest.raises(BadInputError) as caught:
        open_stub(path)
    return caught.value.diagnostics


@pytest.mark.parametrize(
    ("change", "code", "pointer", "message"),
    [
        ({"openapi": None}, "stub.version", "", 'no version "openapi"'),
        ({"openapi": "2.0"}, "stub.version", "/openapi", '"2.0"'),
        ({"openapi": 3.1}, "stub.version", "/openapi", '"3.1"'),
        ({"paths": None}, "stub.paths", "", 'no "paths"'),
        ({"paths": {"/a": {"$ref": "#/nowhere"}}}, "stub.reference", "/paths/~1a", '"#/nowhere" leads nowhere'),
        ({"paths": {"/a": {"$ref": "#/paths/~1a"}}}, "stub.reference", "/paths/~1a", "refers to itself"),
        ({"paths": {"/a": {"$ref": "../b.yaml"}}}, "stub.reference", "/paths/~1a", "leads out of the folder"),
        ({"paths": {"/a": {"$ref": "https://x.example/b"}}}, "stub.reference", "/paths/~1a", "leads out of the folder"),
    ],
)
def test_what_is_wrong_is_named(tmp_path, change, code, pointer, message):
    (found,) = refused(tmp_path, {**GOOD, **change})
    assert (found.code, found.location.pointer) == (code, pointer)
    assert message in found.message
    assert found.expected


def test_a_file_beside_it_that_is_missing_is_named(tmp_path):
    (found,) = refused(tmp_path, {**GOOD, "paths": {"/a": {"$ref": "b.yaml#/x"}}})
    assert (found.code, "b.yaml" in found.message) == ("document.unreadable", True)


def test_a_link_out_of_the_folder_is_refused(tmp_path):
    (tmp_path / "outside.yaml").write_text("a: 1")
    folder = tmp_path / "inside"
    folder.mkdir()
    (folder / "b.yaml").symlink_to(tmp_path / "outside.yaml")
    (found,) = refused(folder, {**GOOD, "paths": {"/a": {"$ref": "b.yaml"}}})
    assert found.code == "stub.reference"


def test_what_is_not_an_object_is_refused(tmp_path):
    assert refused(tmp_path, "[]")[0].code == "stub.version"


def test_a_name_that_is_a_reference_in_an_example_is_left_alone(tmp_path):
    path = tmp_path / "api.json"
    content = {"application/json": {"example": {"$ref": "nowhere"}, "schema": {"type": "object"}}}
    paths = {"/a": {"get": {"responses": {"200": {"description": "", "content": content}}}}}
    path.write_text(json.dumps({**GOOD, "paths": paths}))
    open_stub(path)
