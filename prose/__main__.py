"""`python -m prose [PATH ...]` prints the wordings and class names to replace, in all files or below these paths."""

import subprocess
import sys
from pathlib import Path

from prose.check import Review, check
from prose.reviewed import ACCEPTED, SHARED_NAMES, SKIPPED, UNCONVERTED, UNCONVERTED_NAMES

ROOT = Path(__file__).resolve().parent.parent

# Programs, their tools and pages; tests repeat what these say.
_FOLDERS = ("src/", "runtime/", "examples/", "bench/", "supply/", "prose/", "docs/")
_FILES = ("Makefile", "README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "tests/README.md")
_SUFFIXES = {".py", ".md", ".go", ".ts", ".java", ".cjs", ".txt", ".toml", ""}


def main(paths: list[str]) -> int:
    """Check all files, or those below `paths` whether they are listed as unconverted or not; return the exit code."""
    unconverted = () if paths else UNCONVERTED
    names = _tracked()
    findings = check(ROOT, names, Review(unconverted, UNCONVERTED_NAMES, ACCEPTED, SHARED_NAMES))
    findings = [finding for finding in findings if not paths or finding.path.startswith(tuple(paths))]
    for finding in findings:
        print(finding)
    print(f"prose: {len(findings)} findings in {len(names)} files; {len(unconverted)} areas are not converted yet")
    return 1 if findings else 0


def _tracked() -> list[str]:
    """Return the files to check, as git lists them."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    listing = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.splitlines()
    return [
        name
        for name in sorted(set(listing))
        if (name.startswith(_FOLDERS) or name in _FILES)
        and not name.startswith(SKIPPED)
        and Path(name).suffix in _SUFFIXES
        and (ROOT / name).is_file()
    ]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
