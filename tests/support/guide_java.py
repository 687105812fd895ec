"""Java classes of the user guide, put together again where pages broke them, and the guide's own unit tests."""

import os
import re
import subprocess
import sys
from pathlib import Path

from support.seeds import code_blocks

_COMMENT = re.compile(r"/\*.*?\*/|//.*?(?:stabilizes\.|AWS::\w+::\w+;?)|//[^\n]*", re.DOTALL)


def java_classes(text, torn):
    """Class name → its code on one line, for all classes in the guide's chapter `text`.

    `torn` has the places where the guide's text lost or doubled something, by class: pairs of what stands there and
    what must. White space and comments aside, nothing else is changed. A comment ends with its line, which is where the
    page's width broke it too: the guide's own last words of such comments say where they end.
    """
    codes = []
    for block in code_blocks(text):
        if block.startswith("package "):
            codes.append(block)
        elif codes:
            codes[-1] += block  # goes on after a page's end
    named = {re.search(r"public (?:abstract )?class (\w+)", each)[1]: each for each in codes}
    return {name: _mended(name, code, torn.get(name, ())) for name, code in named.items()}


def run_unit_tests(project, seconds):
    """`mvn test` in the project's folder, with this installation's `cfn`: the ended process, whatever it found."""
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    words = ["mvn", "-B", "test"]
    return subprocess.run(
        words, cwd=project, env=environment, capture_output=True, text=True, timeout=seconds, check=False
    )


def _mended(name, code, torn):
    code = " ".join(_COMMENT.sub(" ", code).split())
    for wrong, right in torn:
        assert code.count(wrong) >= 1, f"{name}: {wrong}"
        code = code.replace(wrong, right)
    return code + "\n"
