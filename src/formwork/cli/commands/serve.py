"""Keep the local Lambda service of this project up, for `cfn test`, boto3 and any other Lambda client.

Handlers run as plain processes on the Python that template.yml names, without Docker. When the service answers, one
line `ready http://HOST:PORT` goes to standard output; everything else goes to standard error. Ctrl-C ends it.
"""

import argparse
import contextlib
import functools
import json
import signal
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from formwork.cli.handler_options import DEFAULT_REGION, add_aws_arguments
from formwork.cli.output import Output
from formwork.diagnostics.errors import FormworkError, UsageError

if TYPE_CHECKING:
    from formwork.invoke.project_host import ProjectHostSettings
    from formwork.lambda_host import LambdaHost
    from formwork.project import Project

_LOOPBACK = ("127.0.0.1", "::1", "localhost")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `cfn serve`."""
    parser.add_argument("--host", metavar="ADDRESS", default="127.0.0.1", help="where to listen (default: 127.0.0.1)")
    parser.add_argument("--port", metavar="N", type=int, default=3001, help="default: 3001; 0 picks a free one")
    parser.add_argument("--concurrency", metavar="N", type=int, default=10, help="processes a function (default: 10)")
    parser.add_argument("--region", metavar="NAME", default=DEFAULT_REGION, help=f"default: {DEFAULT_REGION}")
    add_aws_arguments(parser)


def run(arguments: argparse.Namespace, output: Output) -> int:
    """Serve until a signal comes."""
    from formwork.cli.reach import aws_for_handlers, host_settings
    from formwork.invoke.masking import Masker
    from formwork.invoke.project_host import open_project_host
    from formwork.invoke.project_masks import write_only_paths
    from formwork.project import load_project

    if arguments.concurrency < 1:
        raise UsageError(f"--concurrency is {arguments.concurrency}", hint="1 or more")
    if not 0 <= arguments.port < 65536:
        raise UsageError(f"--port is {arguments.port}", hint="a port from 1 to 65535, or 0 for a free one")
    project = load_project(Path())
    output.show(project.diagnostics)
    lock = threading.Lock()

    @functools.cache
    def masker() -> Masker:  # made for the first event: the targets of a hook can be hundreds
        return Masker(write_only_paths(project))

    def log(function: str, request_id: str, line: str) -> None:
        with lock:
            output.say(f"[{function} {request_id[:8] or '-'}] {masker().text(line)}")

    def hear(payload: bytes) -> None:
        event = json.loads(payload)
        if isinstance(event, dict):
            masker().learn(event)

    with _terminated() as stop, contextlib.ExitStack() as stack:
        aws = stack.enter_context(aws_for_handlers(arguments, output))
        settings = host_settings(arguments, output, aws=aws, concurrency=arguments.concurrency, log=log, hear=hear)
        host = stack.enter_context(open_project_host(project, settings))
        address = host.serve(host=arguments.host, port=arguments.port)
        if arguments.host not in _LOOPBACK:
            output.say(f"warning: whoever reaches {address} can run these handlers")
        output.result(f"ready {address}")
        output.out.flush()
        output.say(f"serving {', '.join(host.function_names)}; Ctrl-C ends it")
        template = _Template(project, settings)
        while not stop.wait(0.5):  # in pieces, since Windows lets no Ctrl-C through a wait without end
            template.reload(host, output)
    return 0


@contextlib.contextmanager
def _terminated() -> Iterator[threading.Event]:
    """An event that SIGTERM sets."""
    stop = threading.Event()
    before = signal.signal(signal.SIGTERM, lambda _number, _frame: stop.set())
    try:
        yield stop
    finally:
        signal.signal(signal.SIGTERM, before)


class _Template:
    """Reads the functions anew when template.yml changes; until it can be used again, the old ones stay."""

    def __init__(self, project: "Project", settings: "ProjectHostSettings") -> None:
        self._project = project
        self._settings = settings
        self._seen = self._stamp()

    def reload(self, host: "LambdaHost", output: Output) -> None:
        from formwork.invoke.project_host import project_functions

        if (now := self._stamp()) == self._seen:
            return
        self._seen = now
        try:
            host.replace(project_functions(self._project, self._settings))
        except FormworkError as error:
            output.show(error.diagnostics)
        else:
            output.say(f"template.yml changed: serving {', '.join(host.function_names)}")

    def _stamp(self) -> tuple[str, int, int] | None:
        from formwork.lambda_host.template import find_template

        path = find_template(self._project.root)
        try:
            status = path.stat() if path else None
        except OSError:
            status = None
        return (str(path), status.st_mtime_ns, status.st_size) if status else None
