"""The threat model and the tests of this folder name each other."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs/explanation/threat-model.md"


def test_each_section_of_the_threat_model_has_a_test_file_of_its_name() -> None:
    sections = re.findall(r"^## (.+)$", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    expected = {f"test_{re.sub(r'[^a-z0-9]+', '_', section.lower())}.py" for section in sections}

    found = {path.name for path in Path(__file__).parent.glob("test_*.py")} - {Path(__file__).name}

    assert found == expected
