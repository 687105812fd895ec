"""Tests that need the compiler of another language, and which languages a run covered.

`@needs_node`, `@needs_go` and `@needs_java` skip with a line that says what to install; with CI=true or
FORMWORK_ALL_TOOLCHAINS=1 a missing toolchain fails instead. FORMWORK_WITHOUT_TOOLCHAINS=1 hides them all.
"""

import functools
import os

import pytest

from formwork.diagnostics import EnvironmentProblemError
from formwork.toolchain.go import find_go
from formwork.toolchain.java import find_jdk, find_maven
from formwork.toolchain.node import find_node, find_npm


def _node():
    find_npm(os.environ)
    return f"TypeScript (Node {find_node(os.environ).version[0]})"


def _go():
    return f"Go {'.'.join(map(str, find_go(os.environ).version))}"


def _java():
    find_maven(os.environ)
    return f"Java {find_jdk(os.environ).version[0]}"


def _java_21():
    return f"Java {find_jdk(os.environ, least=21).version[0]}"


_LANGUAGES = {"node": "TypeScript", "go": "Go", "java": "Java", "java21": "Java 21"}
_TOOLCHAINS = {"node": _node, "go": _go, "java": _java, "java21": _java_21}

needs_node = pytest.mark.toolchain("node")
needs_go = pytest.mark.toolchain("go")
needs_java = pytest.mark.toolchain("java")
needs_java_21 = pytest.mark.toolchain("java21")


@functools.cache
def describe(name):
    """The language with its toolchain's version and "", or its name and why its tests can't run."""
    try:
        return _TOOLCHAINS[name](), ""
    except EnvironmentProblemError as error:
        (diagnostic,) = error.diagnostics
        return _LANGUAGES[name], f"{diagnostic.message}: {diagnostic.hint}"


def must_be_complete():
    """Whether a test fails where what it needs is missing, instead of being skipped."""
    return bool(os.environ.get("CI") or os.environ.get("FORMWORK_ALL_TOOLCHAINS"))


def prepare_item(item):
    """Before an item runs: skip it where its toolchain is missing, note it for the summary."""
    for marker in item.iter_markers("toolchain"):
        (name,) = marker.args
        shown, problem = describe(name)
        if problem and must_be_complete():
            item.add_marker(pytest.mark.usefixtures("missing_toolchain"))
        elif problem:
            item.add_marker(pytest.mark.skip(reason=problem))
        item.user_properties.append(("toolchain", shown))


def summary(stats):
    """The line that says which languages a run covered, of pytest's reports by outcome."""

    def languages(*outcomes):
        reports = [report for each in outcomes for report in stats.get(each, ())]
        return {
            value for report in reports for key, value in getattr(report, "user_properties", ()) if key == "toolchain"
        }

    ran = languages("passed", "failed", "error")
    skipped = sorted(languages("skipped") - ran)
    line = f"languages: {', '.join(['Python', *sorted(ran)])}"
    return f"{line}; skipped: {', '.join(skipped)}" if skipped else line
