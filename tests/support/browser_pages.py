"""A window of a real Chromium that a test uses as a person does: it opens, looks, fills in, clicks, waits.

The browser is driven over its own protocol (docs/decisions/1345).
"""

import base64
import json
import os
import time
from pathlib import Path

from support.browsers import PageLeftError

AXE = Path(__file__).parents[1] / "data" / "axe" / "axe.min.js"
PICTURES = Path(__file__).parents[2] / "docs" / "how-to" / "pictures"
_WAIT_SECONDS = 60


def take(page, name):
    """Write a picture of docs/how-to/use-the-console.md, where FORMWORK_PICTURES is set."""
    if os.environ.get("FORMWORK_PICTURES"):
        page.wait_for(
            "!document.getElementById('stream') || document.getElementById('stream').dataset.state === 'live'"
        )
        page.picture(PICTURES / f"{name}.png")


class BrowserPage:
    """A window with cookies of its own, or of the window `beside`; what it reports as errors is in `problems`."""

    def __init__(self, browser, *, beside=None, width=1280, height=900, dark=False):
        self.browser = browser
        self.context = beside.context if beside else browser.call("Target.createBrowserContext")["browserContextId"]
        target = browser.call("Target.createTarget", url="about:blank", browserContextId=self.context)["targetId"]
        self.session = browser.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.call(f"{domain}.enable")
        self.resize(width, height)
        self.prefer("dark" if dark else "light")

    def resize(self, width, height=900):
        """Give the window another size."""
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.call("Emulation.setDeviceMetricsOverride", **size)

    def prefer(self, scheme):
        """Prefer a dark or a light page."""
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def call(self, method, **parameters):
        return self.browser.call(method, self.session, **parameters)

    @property
    def dialogs(self):
        """The dialogs that scripts opened in this window."""
        ours = [each for each in self.browser.events if each.get("sessionId") == self.session]
        return [each["params"] for each in ours if each.get("method") == "Page.javascriptDialogOpening"]

    @property
    def problems(self):
        """Errors of scripts, entries of the log, and dialogs that a script opened in this window."""
        self.value("1")  # reads what has come
        kinds = {"Runtime.exceptionThrown", "Log.entryAdded", "Page.javascriptDialogOpening"}
        ours = [each for each in self.browser.events if each.get("sessionId") == self.session]
        return [each["params"] for each in ours if each.get("method") in kinds]

    def value(self, expression):
        """The value of a JavaScript expression; a promise is awaited."""
        asked = {"expression": expression, "returnByValue": True, "awaitPromise": True}
        done = self.call("Runtime.evaluate", **asked)
        assert "exceptionDetails" not in done, done["exceptionDetails"]
        return done["result"].get("value")

    def wait_for(self, expression):
        """Wait until a JavaScript expression is true, on this page or the one that follows it."""
        end = time.monotonic() + _WAIT_SECONDS
        while not self._is_true(expression):
            assert time.monotonic() < end, f"{expression} stays false:\n{self.text}"
            time.sleep(0.05)

    def _is_true(self, expression):
        try:
            return self.value(f"Boolean({expression})")
        except PageLeftError:
            return False

    def open(self, url):
        """Open an address, and wait for the page."""
        self.value("window.left = true")
        self.call("Page.navigate", url=url)
        self.arrive()

    def arrive(self):
        """Wait for the page that follows one whose window has `left` set."""
        end = time.monotonic() + _WAIT_SECONDS
        while True:
            try:
                if self.value("document.readyState === 'complete' && window.left !== true"):
                    return
            except AssertionError:  # the page is being exchanged
                pass
            assert time.monotonic() < end, "the page does not come"
            time.sleep(0.05)

    @property
    def path(self):
        return self.value("location.pathname")

    @property
    def text(self):
        """The text that a person can see."""
        return self.value("document.body.innerText")

    def wait_for_text(self, text):
        self.wait_for(f"document.body.innerText.includes({json.dumps(text)})")

    def fill(self, selector, text):
        """Type a text into a field in place of what is there, or choose an option."""
        field = f"document.querySelector({json.dumps(selector)})"
        self.wait_for(field)
        if self.value(f"{field}.tagName === 'SELECT'"):
            self.value(
                f"{field}.value = {json.dumps(text)}; {field}.dispatchEvent(new Event('change', {{bubbles: true}}))"
            )
            return
        self.value(f"{field}.focus(); {field}.select()")
        self.call("Input.insertText", text=text)
        self.value(f"{field}.dispatchEvent(new Event('change', {{ bubbles: true }}))")

    def click(self, label, *, within="main, nav"):
        """Click the link or the button with this text, and wait for the page that it leads to."""
        found = self._labelled(label, within)
        self.wait_for(found)
        self.value("window.left = true")
        self._press_mouse_on(found)
        self.arrive()

    def press_button(self, label, *, within="main, nav"):
        """Click a button, or unfold what is below a summary, where no other page follows."""
        found = self._labelled(label, within)
        self.wait_for(found)
        self._press_mouse_on(found)

    @staticmethod
    def _labelled(label, within):
        places = ", ".join(f":is({within}) {kind}" for kind in ("a", "button", "summary"))
        words = f"(each) => each.innerText.trim() === {json.dumps(label)} || each.ariaLabel === {json.dumps(label)}"
        return f"[...document.querySelectorAll({json.dumps(places)})].find({words})"

    def _press_mouse_on(self, found):
        """Press the mouse where a person would, once the place is not covered; again if it moved meanwhile."""
        place = (
            f"((each) => {{ const box = each?.getClientRects()[0]; if (!box) return null;"
            f" const at = {{ x: box.left + box.width / 2, y: box.top + box.height / 2 }};"
            f" const seen = document.elementFromPoint(at.x, at.y);"
            f" return each.contains(seen) || seen?.contains(each) ? at : null }})({found})"
        )
        for _ in range(5):
            self.value(
                f"window.missed = true; {found}?.scrollIntoView({{ block: 'center', behavior: 'instant' }});"
                f"document.addEventListener('click', (event) => {{ window.missed = !{found}?.contains(event.target) }},"
                f" {{ capture: true, once: true }})"
            )
            self.wait_for(place)
            at = {**(self.value(place) or {"x": 0, "y": 0}), "button": "left", "clickCount": 1}
            for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
                self.call("Input.dispatchMouseEvent", type=kind, **at)
            if not self._missed():
                return
        raise AssertionError(f"{found} moves away each time")

    def _missed(self):
        try:
            return self.value("window.missed === true")
        except AssertionError:  # the page is being exchanged
            return False

    def press(self, name):
        """Press a key that has a name, in the element with the focus."""
        code = {"Tab": 9, "Enter": 13, "ArrowDown": 40, "ArrowUp": 38}[name]
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=name, code=name, windowsVirtualKeyCode=code)

    def frames_value(self, expression):
        """The value of an expression in each frame of the page, which may have other origins."""
        tree = self.call("Page.getFrameTree")["frameTree"]
        values = []
        for each in tree.get("childFrames", ()):
            world = self.call("Page.createIsolatedWorld", frameId=each["frame"]["id"])["executionContextId"]
            asked = {"expression": expression, "contextId": world, "returnByValue": True}
            values.append(self.call("Runtime.evaluate", **asked)["result"]["value"])
        return values

    def violations(self, *rules):
        """What axe-core finds on the page, by these rules or by all: (rule, element) each."""
        if not self.value("typeof axe === 'object'"):
            self.value(f"{AXE.read_text(encoding='utf-8')}; 1")
        options = json.dumps({"iframes": False, **({"runOnly": rules} if rules else {})})
        found = self.value(f"axe.run(document, {options}).then((each) => each.violations)")
        return [(each["id"], node["html"][:160]) for each in found for node in each["nodes"]]

    def picture(self, path):
        """Write what the window shows as a PNG file."""
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(
            base64.b64decode(self.call("Page.captureScreenshot", format="png", optimizeForSpeed=False)["data"])
        )
