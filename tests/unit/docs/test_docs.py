"""The documentation is complete, current, and says nothing of the place it was written at."""

import argparse
import importlib
import re
import runpy
import subprocess

import pytest

from formwork.cli.main import COMMANDS
from formwork.schema.rules import all_rules
from support.corpus import REPOSITORY

DOCS = REPOSITORY / "docs"
GENERATOR = runpy.run_path(str(DOCS / "generate.py"))
LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")
CODE_BLOCK = re.compile(r"^( *)(```|~~~).*?^\1\2", re.MULTILINE | re.DOTALL)


def committed(*patterns):
    """The files that git knows or would take, by pattern."""
    words = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "--", *patterns]
    listed = subprocess.run(words, cwd=REPOSITORY, capture_output=True, text=True, check=True).stdout
    return sorted(path for line in listed.splitlines() if (path := REPOSITORY / line).is_file())


MARKDOWN = [path for path in committed("*.md") if "golden" not in path.parts]


@pytest.mark.parametrize("name", sorted(GENERATOR["PAGES"]))
def test_a_generated_page_is_what_the_code_says_today(name):
    assert (DOCS / name).read_text(encoding="utf-8") == GENERATOR["PAGES"][name](), "run `make docs`"


@pytest.mark.parametrize("path", MARKDOWN, ids=lambda path: str(path.relative_to(REPOSITORY)))
def test_no_link_is_dead(path):
    text = CODE_BLOCK.sub("", path.read_text(encoding="utf-8"))
    for target in LINK.findall(text):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, fragment = target.partition("#")
        there = (path.parent / name).resolve() if name else path
        assert there.exists(), f"{path.relative_to(REPOSITORY)} links to {target}, which is not there"
        if fragment and there.suffix == ".md":
            assert fragment in anchors(there), f"{path.relative_to(REPOSITORY)} links to {target}: no such heading"


def anchors(path):
    """The fragments that a page's headings and explicit anchors can be linked by."""
    text = CODE_BLOCK.sub("", path.read_text(encoding="utf-8"))
    headings = re.findall(r"^#+ +(.*?) *$", text, re.MULTILINE)
    slugs = {re.sub(r"[^\w\- ]", "", heading.replace("`", "").lower()).replace(" ", "-") for heading in headings}
    return slugs | set(re.findall(r'<a (?:id|name)="([^"]+)"', text))


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_every_command_and_option_says_what_it_is_for(command):
    module = importlib.import_module(f"formwork.cli.commands.{command.replace('-', '_')}")
    assert module.__doc__
    parser = argparse.ArgumentParser()
    module.add_arguments(parser)
    for action in every_action(parser):
        assert action.help, f"cfn {command}: {action.option_strings or action.dest} has no help"


def every_action(parser):
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for sub in action.choices.values():
                yield from every_action(sub)
        else:
            yield action


def test_every_how_to_and_page_is_reached_from_the_index():
    reached, waiting = set(), [DOCS / "README.md"]
    while waiting:
        page = waiting.pop()
        if page in reached:
            continue
        reached.add(page)
        for target in LINK.findall(page.read_text(encoding="utf-8")):
            there = (page.parent / target.partition("#")[0]).resolve()
            if there.suffix == ".md" and DOCS in there.parents and there.is_file():
                waiting.append(there)
    pages = {path for path in committed("docs/*.md") if "golden" not in path.parts}
    assert pages - reached == set()


def test_every_folder_of_the_source_stands_in_the_architecture():
    text = (REPOSITORY / "ARCHITECTURE.md").read_text(encoding="utf-8")
    for folder in (REPOSITORY / "src" / "formwork").iterdir():
        if (folder / "__init__.py").is_file():
            assert f"`src/formwork/{folder.name}/`" in text


def test_no_file_names_the_machine_it_was_written_on_or_a_package_registry():
    # Put together here, so that this file does not name them either.
    forbidden = re.compile(
        "|".join(
            [
                "/" + "work/",
                "/" + "home/",
                "/" + "Users/",
                "py" + "pi.org",
                "python" + r"hosted\.org",
            ]
        )
    )
    for path in committed():
        text = path.read_bytes().decode("utf-8", "replace")
        found = forbidden.search(text)
        assert not found, f"{path.relative_to(REPOSITORY)} names {found.group()}"


def test_every_make_target_explains_itself():
    makefile = (REPOSITORY / "Makefile").read_text(encoding="utf-8")
    phony = re.search(r"^\.PHONY: (.*)$", makefile, re.MULTILINE).group(1).split()
    for target in phony:
        assert re.search(rf"^{target}:.*## \S", makefile, re.MULTILINE), f"make {target} has no ## line"


def test_every_rule_has_a_page_and_every_page_a_rule():
    pages = {path.stem for path in (DOCS / "reference" / "rules").glob("*.md")} - {"README"}
    assert pages == {code.removeprefix("schema.") for code in all_rules()}
