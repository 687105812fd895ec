"""The catalogue of diagnostic codes; tests/conftest.py refuses every diagnostic whose code it lacks."""

import re
from pathlib import Path

import pytest

import formwork
from formwork.diagnostics.catalogue import DOCUMENTATION, describe_code, load_codes
from formwork.diagnostics.diagnostic import Diagnostic, Severity
from formwork.schema.rules import all_rules
from support.diagnostic_codes import is_known

SOURCE = Path(formwork.__file__).parent
REPOSITORY = Path(__file__).parents[3]
CODES = load_codes()["codes"]


@pytest.mark.parametrize("code", [*sorted(CODES), *all_rules()])
def test_each_code_has_a_meaning_and_a_page(code):
    entry = describe_code(code)
    assert entry is not None
    assert entry.title
    path, _, anchor = entry.address.removeprefix(DOCUMENTATION).partition("#")
    assert (REPOSITORY / "docs" / path).is_file()
    assert anchor in ("", re.sub(r"[^a-z0-9-]", "", code))


def test_the_source_gives_each_code():
    source = "\n".join(path.read_text(encoding="utf-8") for path in SOURCE.rglob("*.py"))
    words = set(re.findall(r"[a-z][a-z0-9.-]+", source))
    # Slugs that functions put together: a keyword of the schema, or a key of the config, after the first words.
    made = re.compile(r"change\.(became|no-longer)-|project\.config-outdated-")
    missing = [code for code in CODES if not made.match(code) and not {code, code.partition(".")[2]} & words]
    assert missing == []


def test_each_area_has_a_name():
    areas = {code.partition(".")[0] for code in CODES if "." in code}
    assert areas == load_codes()["areas"].keys()


def test_a_diagnostic_without_an_entry_fails_the_tests():
    make = compile("make('template.no-such-code', severity, 'message')", str(SOURCE / "template" / "read.py"), "exec")
    with pytest.raises(AssertionError, match="lacks the code"):
        exec(make, {"make": Diagnostic, "severity": Severity.ERROR})
    assert is_known("smithy.Model.Orphan")
    Diagnostic("template.no-such-code", Severity.ERROR, "a test's own")
