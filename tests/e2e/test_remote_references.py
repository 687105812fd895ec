"""References to documents on another machine, as a user's commands follow them."""

import json

import pytest

from support.commands import Desk, refuses
from support.documents_server import serve_documents
from support.faults import RESOURCE, seed_fault

COMMON = {"definitions": {"Colour": {"type": "string", "enum": ["red", "green"]}}}


@pytest.fixture
def desk(tmp_path):
    (tmp_path / "home").mkdir()
    (tmp_path / "here").mkdir()
    return Desk(tmp_path / "home")


def write(folder, ref):
    value = seed_fault(RESOURCE, {"/properties/New": {"description": "d", "$ref": ref}})
    (folder / "thing.json").write_text(json.dumps(value, indent=1))


def test_a_document_is_fetched_once_and_then_there(desk, tmp_path):
    here = tmp_path / "here"
    (here / "model.json").write_text('{"Name": "a", "New": "blue"}')
    with serve_documents({"/common.json": json.dumps(COMMON).encode()}) as (origin, asked):
        write(here, f"{origin}/common.json#/definitions/Colour")
        refuses(desk.cfn("validate", "thing.json", cwd=here), 1, "schema.external-ref", "--allow-host", "allowed host")
        refuses(desk.cfn("validate", "thing.json", "--offline", cwd=here), 1, "allowed host")
        assert asked == []
        for _ in range(2):
            assert desk.cfn("validate", "thing.json", "--allow-host", origin, cwd=here).code == 0
        assert asked == ["/common.json"]
    assert desk.cfn("validate", "thing.json", "--offline", cwd=here).code == 0
    judged = desk.cfn("validate", "thing.json", "--offline", "--model", "model.json", cwd=here)
    refuses(judged, 1, '"blue" is not allowed', "model.json:1")


def test_a_server_that_fails(desk, tmp_path):
    here = tmp_path / "here"
    with serve_documents({"/list.json": b"<html>"}) as (origin, _):
        write(here, f"{origin}/common.json#/definitions/Colour")
        refuses(
            desk.cfn("validate", "thing.json", "--allow-host", origin, cwd=here), 1, "it answers 404", "thing.json:"
        )
        write(here, f"{origin}/list.json#/definitions/Colour")
        refuses(desk.cfn("validate", "thing.json", "--allow-host", origin, cwd=here), 1, "is not a document")
    write(here, f"{origin}/common.json#/definitions/Colour")
    refuses(desk.cfn("validate", "thing.json", "--allow-host", origin, cwd=here), 1, "cannot be fetched", "network")


@pytest.mark.parametrize("host", ["", "*", "a/b", "ftp://a", "http://example.com:80", "a.example:81"])
def test_hosts_that_are_none(desk, tmp_path, host):
    refuses(desk.cfn("validate", "--allow-host", host, cwd=tmp_path / "here"), 2, "--allow-host")


def test_generate_fetches_and_other_commands_use_what_is_kept(desk, tmp_path):
    here = tmp_path / "here"
    assert (
        desk.cfn("init", "-a", "RESOURCE", "-t", "Acme::Store::Thing", "python311", "--no-docker", cwd=here).code == 0
    )
    for each in (here / "inputs").iterdir():
        each.unlink()
    with serve_documents({"/common.json": json.dumps(COMMON).encode()}) as (origin, asked):
        path = here / "acme-store-thing.json"
        value = json.loads(path.read_text())
        value["properties"]["Colour"] = {"description": "d", "$ref": f"{origin}/common.json#/definitions/Colour"}
        path.write_text(json.dumps(value, indent=2))
        refuses(desk.cfn("package", cwd=here), 1, "schema.external-ref")
        assert asked == []
        made = desk.cfn("generate", "--allow-host", origin, cwd=here)
        assert made.code == 0, made
        assert asked == ["/common.json"]
    assert "Colour" in (here / "src" / "acme_store_thing" / "models.py").read_text()
    packaged = desk.cfn("package", cwd=here)
    assert packaged.code == 0, packaged
