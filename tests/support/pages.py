"""Commands in the documentation: those of ```sh blocks, which are shown without what they print."""

import re
import shlex

from support.sessions import read_session

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)


def blocks(text, language):
    """The texts of the page's blocks in that language."""
    return [body for name, body in BLOCK.findall(text) if name == language]


def commands(text):
    """Every command of the page's ```sh blocks, without the prompt and the comment, continued lines joined."""
    lines = "".join(blocks(text, "sh")).replace("\\\n", " ").splitlines()
    bare = (re.sub(r"\s{2,}#.*", "", line.removeprefix("$ ")).strip() for line in lines)
    whole = []
    for line in bare:
        if whole and whole[-1].count("'") % 2:  # a quoted text of several lines
            whole[-1] += f" {line}"
        else:
            whole.append(line)
    return [re.sub(r"\s*&$", "", line) for line in whole if line and not line.startswith("#")]


def cfn_lines(text):
    """The words of every call of `cfn` on the page, in ```sh and ```console blocks."""
    for line in [*commands(text), *(each.line for each in read_session(text))]:
        words = shlex.split(line, comments=True)
        while "cfn" in words:
            words = words[words.index("cfn") + 1 :]
            end = next((at for at, word in enumerate(words) if word in {"&&", "|", ";", ">", "&"}), len(words))
            yield words[:end]
