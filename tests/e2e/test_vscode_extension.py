"""The VS Code extension: its own logic in Node, and itself in VS Code, as code-server has it, in a real browser.

The reasons are in docs/decisions/1354 and 1355. With FORMWORK_PICTURES set the pictures of docs/how-to/use-vs-code.md are written anew.
"""

import os
import sys
import zipfile
from pathlib import Path

import pytest

from support.browser_pages import PICTURES
from support.chromium import browser_of_tests
from support.code_server import Workbench, serving_code
from support.serving import serving
from support.toolchains import needs_node
from support.vscode_extension import built_extension

pytestmark = [pytest.mark.acceptance, needs_node, pytest.mark.xdist_group("vscode")]
CFN = Path(sys.executable).with_name("cfn")


def test_types_and_logic():
    extension = built_extension()
    extension.run("node_modules/typescript/bin/tsc", "--noEmit")
    tests = sorted(each.name for each in (extension.folder / "dist-test").iterdir())
    said = extension.run("--test", *(f"dist-test/{each}" for each in tests))
    assert "# fail 0" in said
    assert "# pass 0" not in said


def test_what_is_packed():
    with zipfile.ZipFile(built_extension().package) as packed:
        names = {each.removeprefix("extension/") for each in packed.namelist()}
    assert {"package.json", "readme.md", "changelog.md", "LICENSE.txt", "icon.png", "dist/extension.js"} <= names
    assert not [each for each in names if each.startswith(("src/", "test/", "node_modules/")) or "lock" in each]


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    with browser_of_tests(tmp_path_factory.mktemp("profile")) as running:
        yield running


def line_of(path, text):
    return next(number for number, line in enumerate(path.read_text().splitlines(), 1) if text in line)


@pytest.fixture
def broken(project):
    """A project whose update handler raises; the line that does."""
    (handlers,) = project.glob("src/*/handlers.py")
    before, update, after = handlers.read_text().partition("def update_handler(")
    name = "    name = _expect_name(desired)\n"
    handlers.write_text(before + update + after.replace(name, f'{name}    LOG.info({{}}["zone"])\n', 1))
    return line_of(handlers, "zone")


def test_a_project_in_vs_code(browser, project, broken, tmp_path):
    places = {"FORMWORK_STATE": str(tmp_path / "service" / "state"), "FORMWORK_CACHE": str(tmp_path / "cache")}
    (tmp_path / "service").mkdir()
    with (
        serving(tmp_path / "service", forked=True) as server,
        serving_code(
            tmp_path / "code",
            built_extension().package,
            "--disable-workspace-trust",
            settings={"formwork.path": str(CFN)},
            **places,
        ) as address,
    ):
        bench = Workbench(browser, address, project)
        check_documents(bench, project)
        check_tests(bench, broken)
        check_console(bench, server)


def check_documents(bench, project):
    schema = project / "acme-store-thing.json"
    line = line_of(schema, '"primaryIdentifier"')
    bench.open(schema.name, line=line + 1, column=9)
    bench.type('"/properties/Nope", ')
    bench.page.wait_for("document.querySelector('.squiggly-error')")
    bench.run("Problems: Focus on Problems View")
    bench.wait_for_text(".markers-panel .monaco-list-row", "schema.pointer-not-found")
    bench.run("View: Toggle Panel Visibility")
    bench.open(schema.name)
    bench.run("File: Revert File")
    bench.page.wait_for("!document.querySelector('.squiggly-error')")
    bench.open(schema.name, line=line_of(schema, '"handlers"'))
    bench.wait_for_text(".codelens-decoration", "Test update")


def check_tests(bench, line):
    bench.run("Testing: Focus on Test Explorer View")
    bench.expand("Acme::Store::Thing", "update")
    bench.click(".test-explorer .monaco-list-row", "update.missing")
    bench.page.value(
        "document.querySelector('.test-explorer .monaco-list-row.focused .codicon-testing-run-icon').click()"
    )
    bench.wait_for_state("update.missing", "failed")
    bench.wait_for_state("update.applied", "unset")  # another clause's tests did not run
    bench.open("handlers.py", line=line)
    bench.wait_for_text(
        ".test-error-content-widget", "UPDATE of a resource that was never created is FAILED with InternalFailure"
    )
    take(bench, "vscode-violation")
    bench.open("acme-store-thing.json")
    bench.wait_for_text(".codelens-decoration", "last run: ")
    bench.click(".codelens-decoration a", "Test list")
    bench.run("Testing: Focus on Test Explorer View")
    bench.expand("list")
    bench.wait_for_state("list.array", "passed")


def check_console(bench, server):
    bench.run("Formwork: Open the Console")
    bench.wait_in_frames("document.body.innerText.includes('There are no stacks yet')")
    template = '{"Resources": {"Handle": {"Type": "AWS::CloudFormation::WaitConditionHandle"}}}'
    server.client("cloudformation").create_stack(StackName="made-elsewhere", TemplateBody=template)
    bench.wait_in_frames("document.body.innerText.includes('made-elsewhere')")
    bench.in_frames("document.querySelector('a[href^=\"/stacks/\"]')?.click()")
    bench.wait_in_frames("document.querySelector('h1')?.innerText.includes('made-elsewhere')")
    take(bench, "vscode-console")


def take(bench, name):
    if os.environ.get("FORMWORK_PICTURES"):
        bench.page.picture(PICTURES / f"{name}.png")
