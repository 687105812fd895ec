"""The command line's parser: argparse, with errors that say how to fix them."""

import argparse
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NoReturn


class Parser(argparse.ArgumentParser):
    """Refuses words with UsageError instead of ending the process; `show` prints the help (None: as argparse does)."""

    show: Callable[[str], None] | None = None

    def print_help(self, file: Any = None) -> None:
        """Argparse's own keeps quiet about a full disk."""
        if self.show is None:
            super().print_help(file)
        else:
            self.show(self.format_help())

    def parse_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Return the parsed line.

        Raises:
            UsageError: the words make no sense.
        """
        parsed, unknown = self.parse_known_args(args, namespace)
        if unknown:
            _refuse_unknown(self, _command(self, parsed), unknown)
        return parsed

    def error(self, message: str) -> NoReturn:
        """Raise argparse's error about the command line as ours."""
        missing = message.removeprefix("the following arguments are required: ")
        if missing != message:
            verbs = _verbs(self)
            _refuse(f"{self.prog}: {missing} is missing", _one_of(verbs.choices) if verbs else _help_of(self))
        _refuse(f"{self.prog}: {message.removeprefix('argument ')}", _help_of(self))

    def _get_value(self, action: argparse.Action, value: str) -> Any:
        if action.type is not int and action.type is not float:
            return super()._get_value(action, value)
        try:
            return action.type(value)
        except ValueError:
            expected = "a whole number" if action.type is int else "a number"
            _refuse(f'{self.prog}: {_name(action)} is "{value}"', expected)

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is None or value in action.choices:
            return
        names = [str(each) for each in action.choices]
        _refuse(f'{self.prog}: {_name(action)} is "{value}"', _meant(str(value), names) or _one_of(names))


def _command(parser: argparse.ArgumentParser, parsed: argparse.Namespace) -> argparse.ArgumentParser:
    """Return the parser of the command or verb that the line names."""
    verbs = _verbs(parser)
    chosen = verbs and verbs.choices.get(getattr(parsed, verbs.dest, None) or "")
    return _command(chosen, parsed) if chosen else parser


def _verbs(parser: argparse.ArgumentParser) -> "argparse._SubParsersAction[argparse.ArgumentParser] | None":
    actions = parser._actions  # noqa: SLF001 - argparse tells them in no other way
    return next((each for each in actions if isinstance(each, argparse._SubParsersAction)), None)  # noqa: SLF001


def _refuse_unknown(root: argparse.ArgumentParser, command: argparse.ArgumentParser, unknown: Sequence[str]) -> None:
    option = next((each for each in unknown if each.startswith("-") and each != "-"), None)
    if option is None:
        _refuse(f'{command.prog}: "{unknown[0]}" is one word too many', _help_of(command))
    name = option.partition("=")[0]
    known = [each for parser in (command, root) for each in _options(parser)]
    _refuse(f'{command.prog} has no option "{name}"', _meant(name, known) or _help_of(command))


def _options(parser: argparse.ArgumentParser) -> Iterator[str]:
    for action in parser._actions:  # noqa: SLF001 - argparse tells them in no other way
        if action.help is not argparse.SUPPRESS:
            yield from action.option_strings


def _name(action: argparse.Action) -> str:
    return "/".join(action.option_strings) or str(action.metavar or action.dest)


def _one_of(names: Iterable[str]) -> str:
    return f"one of {', '.join(names)}"


def _meant(word: str, known: Sequence[str]) -> str | None:
    import difflib

    near = difflib.get_close_matches(word, known, n=1, cutoff=0.75)
    return f"did you mean {near[0]}?" if near else None


def _help_of(parser: argparse.ArgumentParser) -> str:
    usage = " ".join(parser.format_usage().removeprefix("usage: ").split())
    return usage if len(usage) < 100 and parser.prog != "cfn" else f"`{parser.prog} --help` shows the usage"


def _refuse(message: str, hint: str) -> NoReturn:
    from formwork.diagnostics.errors import UsageError

    raise UsageError(message, hint=hint)
