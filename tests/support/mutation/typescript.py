"""Mutants of TypeScript sources, as the JavaScript that `typescript` makes of each without a look at the types."""

import json
from pathlib import Path

from support.mutation.mutant import named_mutants
from support.typescript import build, node

_PROGRAM = Path(__file__).with_name("typescript.cjs")


def package(folder):
    """The `typescript` that new projects ask for, installed in the cache; `folder` is an empty one to work in."""
    (folder / "empty.ts").write_text("export {};\n", encoding="utf-8")
    return build(folder) / "node_modules" / "typescript"


def compile_with_mutants(compiler, mutated, others):
    """[(the JavaScript of the file, its mutants)] of TypeScript files; `others` are only compiled, and have no mutants.

    `compiler` is the folder of the package.
    """
    lines = node(_PROGRAM, compiler, *mutated, "--", *others, cwd=_PROGRAM.parent).splitlines()
    found = []
    for line in lines:
        read = json.loads(line)
        texts = [(each["scope"], each["change"], each["compiled"]) for each in read["mutants"]]
        found.append((read["compiled"], named_mutants(texts)))
    return found
