"""A window of a real Chromium that a test uses as a person does: it opens, looks, fills in, clicks, waits."""

import base64
import json
import time
from pathlib import Path

AXE = Path(__file__).parents[1] / "data" / "axe" / "axe.min.js"
_WAIT_SECONDS = 30


class BrowserPage:
    """A window with cookies of its own, or of the window `beside`; what it reports as errors is in `problems`."""

    def __init__(self, browser, *, beside=None, width=1280, height=900, dark=False):
        self.browser = browser
        self.context = beside.context if beside else browser.call("Target.createBrowserContext")["browserContextId"]
        target = browser.call("Target.createTarget", url="about:blank", browserContextId=self.context)["targetId"]
        self.session = browser.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.call(f"{domain}.enable")
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.call("Emulation.setDeviceMetricsOverride", **size)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", features=[scheme])

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
        """Wait until a JavaScript expression is true."""
        end = time.monotonic() + _WAIT_SECONDS
        while not self.value(f"Boolean({expression})"):
            assert time.monotonic() < end, f"{expression} stays false:\n{self.text}"
            time.sleep(0.05)

    def open(self, url):
        """Open an address, and wait for the page."""
        self.value("window.left = true")
        self.call("Page.navigate", url=url)
        self._arrive()

    def _arrive(self):
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
        """Give a field a value, as typing does."""
        field = f"document.querySelector({json.dumps(selector)})"
        self.value(
            f"{field}.focus(); {field}.value = {json.dumps(text)};"
            f"{field}.dispatchEvent(new Event('input', {{ bubbles: true }}));"
            f"{field}.dispatchEvent(new Event('change', {{ bubbles: true }}))"
        )

    def click(self, label):
        """Click the link or the button with this text, and wait for the page that it leads to."""
        found = (
            "[...document.querySelectorAll('main a, main button, nav a')]"
            f".find((each) => each.innerText.trim() === {json.dumps(label)})"
        )
        self.wait_for(found)
        self.value(f"window.left = true; {found}.click()")
        self._arrive()

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

    def violations(self):
        """What axe-core finds on the page: (rule, element) each."""
        if not self.value("typeof axe === 'object'"):
            self.value(f"{AXE.read_text(encoding='utf-8')}; 1")
        found = self.value("axe.run(document, { iframes: false }).then((each) => each.violations)")
        return [(each["id"], node["html"][:160]) for each in found for node in each["nodes"]]

    def picture(self, path):
        """Write what the window shows as a PNG file."""
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))
