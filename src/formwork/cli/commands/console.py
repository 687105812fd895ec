"""Open the console of the server that runs on this machine, in a browser with a session.

`cfn serve` has a console on a port of its own: stacks and what happens to them, resources, types. A session begins with
a link that can be opened once. The link goes to standard output; without a terminal, or with --print, no browser is
opened.
"""

import argparse
import webbrowser

from formwork.command_context.output import CommandOutput
from formwork.command_context.places import state_folder
from formwork.diagnostics.errors import EnvironmentProblemError, UsageError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `cfn console`."""
    parser.add_argument("--print", action="store_true", help="print the link, and open no browser")
    parser.add_argument("--endpoint-url", metavar="URL", help="the address of the server, where several run")


def run(arguments: argparse.Namespace, output: CommandOutput) -> int:
    """Print a link, and open it."""
    from formwork.console.links import OPENED_SECONDS, OneTimeLinks

    url, key = _find_console(arguments.endpoint_url)
    link = OneTimeLinks.of_text(url, key).make(OPENED_SECONDS)
    output.result(link)
    output.out.flush()
    if output.interactive and not arguments.print and not webbrowser.open(link):
        output.say("no browser could be opened: open the link within two minutes")
    return 0


def _find_console(wanted: str | None) -> tuple[str, str]:
    """Return the address of the console, and the key of its links.

    Raises:
        EnvironmentProblemError: no server runs, or it has no console.
        UsageError: several servers run, and none is named.
    """
    from formwork.durable.servers import running_servers

    home = state_folder()
    servers = [each for each in running_servers(home) if wanted in {None, each.url}]
    own = [each for each in servers if each.state == home]
    if not servers:
        where = "" if wanted is None else f" at {wanted}"
        raise EnvironmentProblemError(f"no server of this user is running{where}", hint="start one: cfn serve")
    if len(servers) > 1 and not own:
        choices = ", ".join(f"--endpoint-url {each.url}" for each in servers[:5])
        raise UsageError(f"{len(servers)} servers are running", hint=f"choose one: {choices}")
    console = (own or servers)[0].console
    if console is None:
        raise EnvironmentProblemError(
            f"the server at {(own or servers)[0].url} has no console", hint="start it without --no-console"
        )
    return console
