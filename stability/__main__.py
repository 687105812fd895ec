"""`python -m stability` compares the exported names with `api.json`; `write` writes it."""

import argparse
import json
import sys

from stability.comparison import announced_names, find_breaks, is_announced
from stability.names import NOTED, ROOT, read_names, render


def main(arguments: list[str] | None = None) -> int:
    """Run the command; the exit code: 0 fine, 1 unannounced incompatible changes, or an outdated file."""
    parser = argparse.ArgumentParser(prog="stability", description=__doc__)
    parser.add_argument("command", choices=["check", "write"], nargs="?", default="check")
    command = parser.parse_args(arguments).command
    text = NOTED.read_text(encoding="utf-8") if NOTED.is_file() else "{}"
    names = read_names()
    announced = announced_names((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"))
    breaks = [each for each in find_breaks(json.loads(text), names) if not is_announced(each[0], announced)]
    for path, how in breaks:
        print(f"{path}: {how}", file=sys.stderr)
    if breaks:
        print('incompatible: name each below "### Breaking" of CHANGELOG.md, or keep it as it was', file=sys.stderr)
        return 1
    if text != render(names):
        if command == "check":
            print(f"{NOTED.relative_to(ROOT)} is out of date: run `make docs` and read the difference", file=sys.stderr)
            return 1
        NOTED.write_text(render(names), encoding="utf-8")
        print(f"wrote {NOTED.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
