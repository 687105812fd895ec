"""The console: pages in a browser that show stacks, resources and types while they change.

It listens on a port of its own, since the API refuses what browsers send (docs/decisions/1282), and on this machine
only. The reasons are in docs/decisions/1340.

app          routes, and what every request must pass
guard        the checks of Host, Origin and fetch metadata
sessions     sessions of browsers; links    one-time links that begin one
exchanges    calls of handlers that have ended; running_calls    those that run
feed         what has changed, as one stream per browser
pages        one module per page; views    what pages show, as values

The application is imported with the first request: the start of a server does not pay for it.
"""

from formwork.console.lazy import LazyConsole
from formwork.console.links import OneTimeLinks
from formwork.console.parts import CallRefusedError, ConsoleParts, ConsoleServices

__all__ = ["CallRefusedError", "ConsoleParts", "ConsoleServices", "LazyConsole", "OneTimeLinks"]
