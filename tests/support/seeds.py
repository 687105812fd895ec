"""The user guide that the product is built from, read in place: its walkthroughs are tests.

`FORMWORK_SEEDS` names the folder, by default `../shared/seeds` beside the repository. Nothing of it is copied here.
"""

import os
import re
from pathlib import Path

import pytest

from support.corpus import REPOSITORY

SEEDS = Path(os.environ.get("FORMWORK_SEEDS") or REPOSITORY.parent / "shared" / "seeds")
_FENCE = re.compile(r"^```[a-z]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)

needs_guide = pytest.mark.skipif(
    not any(SEEDS.glob("002_*")) and not os.environ.get("CI"),
    reason=f"no user guide at {SEEDS}; set FORMWORK_SEEDS to the folder that holds it",
)


def guide():
    """The guide's text."""
    (path,) = SEEDS.glob("002_*")
    return path.read_text(encoding="utf-8")


def chapter(first, last):
    """The guide's text from the line `first` to the next line `last`, after the table of contents."""
    text = guide()
    start = text.rindex(f"\n{first}\n")
    return text[start : text.index(f"\n{last}\n", start)]


def code_blocks(text):
    """The fenced blocks in order, without their fences."""
    return [each.group(1) for each in _FENCE.finditer(text)]


def join_wrapped(code):
    """Python as it was before the page's width broke its lines: inside strings, after `=`, and in a comment.

    That is all that is changed: each broken line is joined to the next with the blank that the break stands for.
    """
    lines = []
    for line in code.splitlines():
        if lines and _is_broken(lines[-1]):
            lines[-1] = f"{lines[-1].rstrip()} {line.strip()}"
        else:
            lines.append(line)
    return "\n".join(lines) + "\n"


def _is_broken(line):
    bare = line.split(" # ")[0]
    return bare.count('"') % 2 == 1 or bare.rstrip().endswith(" =") or line.rstrip().endswith(" for an")


def indent(code, columns):
    """`code` with its first lines moved to `columns`: where a page break took the indentation of a block away."""
    lines = code.splitlines()
    moved = [" " * column + line.strip() for column, line in zip(columns, lines, strict=False)]
    return "\n".join([*moved, *lines[len(columns) :]]) + "\n"


def publishing_templates():
    """The two templates of the chapter on publishing with StackSets, put together again where pages end, lines where the page's width broke them."""
    text = chapter(
        "Using StackSets to publish in multiple Regions for the first time",
        "Using StackSets to update already published extensions",
    )
    head, rest, module, end = code_blocks(text)
    moved, kept = rest[: rest.index("Resources:")], rest[rest.index("Resources:") :]
    resource = head + re.sub(r"^", "  ", moved, flags=re.MULTILINE).rstrip(" ") + kept
    return [re.sub(r"\n(?=(?:publisher|targeted)\b)", " ", each) for each in (resource, f"{module.rstrip()}\n  {end}")]
