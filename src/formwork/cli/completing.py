"""Completion of a command line: what the script of `cfn completion` asks for at each TAB (docs/decisions/0611)."""

import argparse
import os
import shlex
from collections.abc import Callable, Mapping


def complete(parser_of: Callable[[str | None], argparse.ArgumentParser], commands: Mapping[str, str]) -> None:
    """Write the completions of the line in COMP_LINE to the shell, and end the process.

    `parser_of` makes the parser of the line whose command is named, or of a line without one.
    """
    import argcomplete

    argcomplete.autocomplete(parser_of(_named_command(commands)), always_complete_options="long")


def _named_command(commands: Mapping[str, str]) -> str | None:
    line = os.environ.get("COMP_LINE", "")
    point = os.environ.get("COMP_POINT", "")
    if point.isdecimal():
        line = line[: int(point)]
    try:
        words = shlex.split(line)
    except ValueError:  # a quote that is still open
        words = line.split()
    if not line.endswith(" "):
        words = words[:-1]  # the word that is being typed
    return next((word for word in words[1:] if word in commands), None)
