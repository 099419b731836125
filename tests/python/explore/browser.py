"""A page in headless Chromium, by its debugging protocol over a pipe: https://chromedevtools.github.io/devtools-protocol."""
import base64
import json
import os
import select
import shutil
import subprocess
import time

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
DRAWN = "new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn)))"


class Browser:
    """Chromium with one empty page. `console` has what pages have said or thrown: "error: …"."""

    def __init__(self, profile, width=1680, height=1000):
        to_browser, self._in = os.pipe()
        self._out, from_browser = os.pipe()

        def descriptors():    # Chromium reads from 3 and writes to 4; either may be one of ours yet
            read, write = os.dup(to_browser), os.dup(from_browser)
            for target, source in ((3, os.dup(read)), (4, os.dup(write))):
                os.dup2(source, target)
        self._process = subprocess.Popen(
            [CHROMIUM, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--hide-scrollbars", "--disable-extensions",
             "--disable-background-networking", "--remote-debugging-pipe", f"--user-data-dir={profile}", f"--window-size={width},{height}"],
            close_fds=False, preexec_fn=descriptors, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, pass_fds=())
        os.close(to_browser)
        os.close(from_browser)
        self._buffer, self._number, self._session, self._events, self.console = b"", 0, None, [], []
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.send(f"{domain}.enable")
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def send(self, method, **parameters):
        """The result of a command."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._in, json.dumps(message).encode() + b"\0")
        while True:
            reply = self._read()
            if reply.get("id") == self._number:
                if "error" in reply:
                    raise RuntimeError(f"{method}: {reply['error']}")
                return reply["result"]

    def _read(self, seconds=30):
        while b"\0" not in self._buffer:
            if not select.select([self._out], [], [], seconds)[0]:
                raise TimeoutError("Chromium does not answer")
            read = os.read(self._out, 1 << 20)
            if not read:
                raise RuntimeError(f"Chromium has ended: exit code {self._process.wait()}")
            self._buffer += read
        text, self._buffer = self._buffer.split(b"\0", 1)
        message = json.loads(text)
        self._note(message)
        return message

    def _note(self, message):
        method, parameters = message.get("method"), message.get("params", {})
        if method == "Runtime.exceptionThrown":
            details = parameters["exceptionDetails"]
            self.console.append("error: " + details.get("exception", {}).get("description", details["text"]))
        elif method == "Runtime.consoleAPICalled":
            self.console.append(f"{parameters['type']}: " + " ".join(str(each.get("value")) for each in parameters["args"]))
        elif method == "Log.entryAdded":
            self.console.append(f"{parameters['entry']['level']}: {parameters['entry']['text']}")
        elif method:
            self._events.append((method, parameters))

    def open(self, url):
        """Opens a page; the seconds until it was loaded and drawn, and the addresses that it asked for."""
        self._events.clear()
        begun = time.monotonic()
        self.send("Page.navigate", url=url)
        while not any(method == "Page.loadEventFired" for method, _ in self._events):
            self._read()
        self.evaluate(DRAWN)
        seconds = time.monotonic() - begun
        return seconds, [parameters["request"]["url"] for method, parameters in self._events if method == "Network.requestWillBeSent"]

    def evaluate(self, script):
        """The value of an expression of JavaScript in the page."""
        reply = self.send("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in reply:
            raise RuntimeError(reply["exceptionDetails"].get("exception", {}).get("description", script))
        return reply["result"].get("value")

    def press(self, *keys):
        for key in keys:
            text = {"text": key} if len(key) == 1 else {}
            self.send("Input.dispatchKeyEvent", type="keyDown", key=key, **text)
            self.send("Input.dispatchKeyEvent", type="keyUp", key=key)

    def point(self, script, click=False):
        """Moves the pointer to the middle of the element that an expression gives, scrolled into sight; and clicks."""
        x, y = self.evaluate(f"(() => {{ const element = {script}; element.scrollIntoView({{block: 'nearest'}}); const at = element.getBoundingClientRect(); return [at.x + at.width / 2, at.y + at.height / 2]; }})()")
        self.send("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
        if click:
            for kind in ("mousePressed", "mouseReleased"):
                self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def prefer(self, scheme):
        """As if the system's colours were "light" or "dark"."""
        self.send("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.evaluate(DRAWN)

    def screenshot(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.send("Page.captureScreenshot", format="png")["data"]))

    def close(self):
        for descriptor in (self._in, self._out):
            os.close(descriptor)
        self._process.kill()
        self._process.wait()
