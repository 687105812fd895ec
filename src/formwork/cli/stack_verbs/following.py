"""Following a stack's events until it is in a terminal state."""

import time
from collections.abc import Callable, Mapping
from typing import Any

from formwork.aws.errors import aws_errors
from formwork.cli.stack_verbs.finding import new_events
from formwork.cli.stack_verbs.showing import event_line
from formwork.command_context.output import CommandOutput
from formwork.command_context.registry_target import RegistryTarget
from formwork.command_context.status_line import StatusLine

POLL_SECONDS = 0.5


class Follower:
    """Prints the events of a stack; on a terminal a line at the bottom shows the progress.

    `told` are all events that were shown. `write` takes each line, by default of stderr.
    """

    def __init__(
        self, target: RegistryTarget, output: CommandOutput, *, write: Callable[[Mapping[str, Any]], None] | None = None
    ) -> None:
        self.told: list[dict[str, Any]] = []
        self._target = target
        self._client = target.client("cloudformation")
        self._output = output
        self._write = write or (lambda event: output.say(event_line(event, colour=output.colour)))
        self._line = StatusLine(output.err, colour=output.colour) if output.terminal else None
        self._seen: set[str] = set()
        self._busy: dict[str, str] = {}
        self._began = time.monotonic()

    def skip(self, stack: str) -> None:
        """Mark all existing events of the stack as shown."""
        self._seen |= {each["EventId"] for each in new_events(self._client, stack)}

    def follow(self, stack: str) -> dict[str, Any]:
        """Print the events until the stack is in a terminal state; return its description.

        Ctrl-C ends the printing, and says that the operation continues.
        """
        try:
            while True:
                found = self._look(stack)
                if not _moves(found):
                    return found
                time.sleep(POLL_SECONDS)
        except KeyboardInterrupt:
            self._clear()
            name = stack.split("/")[1] if stack.startswith("arn:") else stack
            words = self._target.words
            if self._target.temporary:
                self._output.say("the operation is interrupted until a server runs again: cfn serve")
            else:
                self._output.say("the operation continues without this command")
            self._output.say(f"follow it: cfn stack events {name} --follow{words}")
            raise

    def _look(self, stack: str) -> dict[str, Any]:
        with aws_errors("describing the stack"):
            found: dict[str, Any] = self._client.describe_stacks(StackName=stack)["Stacks"][0]
        events = new_events(self._client, stack, self._seen)
        if events:
            self._clear()
        for event in events:
            self._seen.add(event["EventId"])
            self.told.append(event)
            self._write(event)
            self._note(event, found)
        if self._line is not None and _moves(found):
            self._line.show(self._progress(found))
        else:
            self._clear()
        return found

    def _note(self, event: Mapping[str, Any], stack: Mapping[str, Any]) -> None:
        """Remember which resources are at work."""
        if event.get("PhysicalResourceId") == stack["StackId"]:
            return
        name = event["LogicalResourceId"]
        if event["ResourceStatus"].endswith("_IN_PROGRESS"):
            self._busy[name] = event["ResourceStatus"]
        else:
            self._busy.pop(name, None)

    def _progress(self, stack: Mapping[str, Any]) -> str:
        seconds = int(time.monotonic() - self._began)
        names = ", ".join(self._busy)
        busy = f", {len(self._busy)} at work: {names}" if names else ""
        return f"{stack['StackStatus']}  {seconds // 60}:{seconds % 60:02}{busy}"

    def _clear(self) -> None:
        if self._line is not None:
            self._line.clear()


def _moves(stack: Mapping[str, Any]) -> bool:
    status = str(stack["StackStatus"])
    return status.endswith("_IN_PROGRESS") and status != "REVIEW_IN_PROGRESS"
