"""Reports the files that were written and kept."""

from formwork.command_context.output import CommandOutput
from formwork.generate.write import WriteReport


def tell_written(report: WriteReport, output: CommandOutput, *, started: bool = False) -> None:
    """The author's files that were kept (when a project was `started`), and with -v every planned file."""
    if started:
        for name in report.kept:
            output.say(f"kept: {name} (it is there already; --force overwrites it)")
    for what in ("created", "updated", "removed", "unchanged"):
        for name in getattr(report, what):
            output.detail(f"{what}: {name}")
