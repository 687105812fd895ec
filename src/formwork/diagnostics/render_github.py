"""Diagnostics as the workflow commands that GitHub Actions shows beside the changed lines."""

from collections.abc import Iterable

from formwork.diagnostics.diagnostic import Diagnostic, Severity

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}


def render_github(diagnostics: Iterable[Diagnostic]) -> str:
    """Return a line for each diagnostic: `::error file=…,line=…,col=…,title=code::message`."""
    return "".join(_line(each) + "\n" for each in diagnostics)


def _line(diagnostic: Diagnostic) -> str:
    location = diagnostic.location
    facts = []
    if location.file is not None:
        facts.append(f"file={_escape_fact(location.file)}")
        if location.start is not None:
            facts += [f"line={location.start.line}", f"col={location.start.column}"]
            if location.end is not None and location.end.line == location.start.line:
                facts.append(f"endColumn={location.end.column}")
    facts.append(f"title={_escape_fact(diagnostic.code)}")
    sentences = [diagnostic.message]
    if diagnostic.expected is not None:
        sentences.append(f"expected: {diagnostic.expected}")
    if diagnostic.hint is not None:
        sentences.append(f"help: {diagnostic.hint}")
    return f"::{_COMMANDS[diagnostic.severity]} {','.join(facts)}::{_escape(chr(10).join(sentences))}"


def _escape(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _escape_fact(text: str) -> str:
    return _escape(text).replace(":", "%3A").replace(",", "%2C")
