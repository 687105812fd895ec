"""Print the script that completes commands, options and their values in a shell.

bash: eval "$(cfn completion bash)"            in ~/.bashrc
zsh:  eval "$(cfn completion zsh)"             in ~/.zshrc, after compinit
fish: cfn completion fish > ~/.config/fish/completions/cfn.fish

The reasons are in docs/decisions/0611.
"""

import argparse

from formwork.command_context.output import CommandOutput

SHELLS = ("bash", "zsh", "fish")
_SCRIPTS = ["cfn", "cfn-cli"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `cfn completion`."""
    parser.add_argument("shell", metavar="SHELL", choices=SHELLS, help="bash, zsh or fish")


def run(arguments: argparse.Namespace, output: CommandOutput) -> int:
    """Print the script."""
    from argcomplete.shell_integration import shellcode

    output.result(shellcode(_SCRIPTS, shell=arguments.shell))
    return 0
