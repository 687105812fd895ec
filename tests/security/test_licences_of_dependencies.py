"""Nothing is installed whose licence nobody has looked at."""

import importlib

import pytest
from supply import licences
from supply.pins import CONSTRAINTS, REPOSITORY, parse_pins

PAGE = REPOSITORY / "docs/reference/licences.md"


def test_every_licence_is_on_the_list_of_those_that_are_allowed():
    assert {each.name: each.licence for each in licences.licensed() if each.licence not in licences.ALLOWED} == {}


def test_the_page_has_every_locked_distribution():
    text = PAGE.read_text(encoding="utf-8")
    rows = [line.split(" | ")[:2] for line in text.splitlines() if line.startswith("| ")][2:]
    pins = parse_pins(CONSTRAINTS.read_text(encoding="utf-8"))
    assert [(name.removeprefix("| "), version) for name, version in rows] == [(pin.name, pin.version) for pin in pins]


def test_everything_is_needed_by_a_part():
    assert [each.name for each in licences.licensed() if not each.parts] == []


def test_copyleft_is_needed_by_postgresql_alone():
    """psycopg is used as the library that it is; nothing of it is in Formwork's own files."""
    lesser = {each.name: each.parts for each in licences.licensed() if each.licence.startswith("LGPL")}
    assert {name: set(parts) for name, parts in lesser.items()} == {
        "psycopg": {"postgresql"},
        "psycopg-binary": {"postgresql"},
    }


@pytest.mark.parametrize(
    "lines",
    [
        [],
        ["Classifier: License :: OSI Approved :: GNU Affero General Public License v3"],
        ["License: see LICENSE"],
        ["Classifier: License :: OSI Approved :: MIT License", "Classifier: License :: Other/Proprietary License"],
    ],
)
def test_a_licence_that_metadata_does_not_name_is_unknown(lines, tmp_path, monkeypatch):
    info = tmp_path / "other-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("\n".join(["Metadata-Version: 2.1", "Name: other", "Version: 1.0", *lines, "", ""]))
    monkeypatch.syspath_prepend(tmp_path)
    importlib.invalidate_caches()
    with pytest.raises(licences.UnknownLicenceError, match="other"):
        licences.licence_of("other")
