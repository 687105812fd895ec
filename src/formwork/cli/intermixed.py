"""Options anywhere on the line, also between the words of a command that takes several."""

import argparse
from collections.abc import Sequence
from typing import Any


def allow_options_anywhere(parser: argparse.ArgumentParser) -> None:
    """Make `parser` accept options between its positional arguments; argparse's subcommands do so only on request."""
    plain = parser.parse_known_args

    def parse(args: Sequence[str] | None = None, namespace: Any = None) -> Any:
        setattr(parser, "parse_known_args", plain)  # noqa: B010 - the intermixed parse calls it in turn
        return parser.parse_known_intermixed_args(args, namespace)

    setattr(parser, "parse_known_args", parse)  # noqa: B010 - an instance's own way of parsing
