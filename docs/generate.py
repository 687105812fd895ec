"""Writes the pages of the reference that come from the code: `python docs/generate.py` (`make docs`).

A test regenerates them and fails where a page differs from the one in the repository.
"""

import sys
from collections.abc import Callable
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from reference_pages import (  # noqa: E402 - found beside this file
    api_coverage_page,
    architecture_page,
    catalogue_page,
    cli_page,
    contract_page,
    decisions_page,
    diagnostics_page,
    fidelity_page,
    fuzzing_page,
    licences_page,
    mutation_page,
    mutation_scores_page,
    rules_page,
)

# Path below docs/ → what makes its text.
PAGES: dict[str, Callable[[], str]] = {
    "reference/api-coverage.md": api_coverage_page.render,
    "reference/cli.md": cli_page.render,
    "reference/contract.md": contract_page.render,
    "reference/diagnostics.md": diagnostics_page.render,
    "reference/fuzzing.md": fuzzing_page.render,
    "reference/mutation-scores.md": mutation_scores_page.render,
    "reference/licences.md": licences_page.render,
    "reference/mutation.md": mutation_page.render,
    "reference/aws-fidelity.md": fidelity_page.render,
    "decisions/README.md": decisions_page.render,
    "../ARCHITECTURE.md": architecture_page.render,
    "../src/formwork/diagnostics/schema_rules.json": catalogue_page.render,
    **rules_page.pages(),
}


def main() -> None:
    """Write every generated page."""
    for name, render in PAGES.items():
        path = (HERE / name).resolve()
        text = render()
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
            print(f"wrote {path.relative_to(HERE.parent)}")


if __name__ == "__main__":
    main()
