"""A real Chromium inside a sandbox, driven through its debugging pipe by a script that needs nothing but Python."""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass, field
from typing import Any, Self

from proctor.computers.backends.sandbox.computer import SandboxComputer

# On loading, noVNC decodes a picture to learn whether the browser knows H.264, and drops it for the collector to find.
NOVNC_TRIES_H264 = "A VideoFrame was garbage collected without being closed."

# Runs inside: starts Chromium, carries out calls of its debugging protocol one after another, prints the answers.
DRIVER = r"""
import json, os, socket, subprocess, sys, tempfile
plan = json.load(sys.stdin)
to_child, ours = os.pipe()
theirs, from_child = os.pipe()
def pipes():
    keep, talk = os.dup(to_child), os.dup(from_child)
    os.dup2(keep, 3); os.dup2(talk, 4)
profile = tempfile.mkdtemp()
flags = ["--headless=new", "--remote-debugging-pipe", "--no-first-run", "--user-data-dir=" + profile, "--disable-gpu",
         "--disable-component-update", "--disable-background-networking", "--force-device-scale-factor=1"]
browser = subprocess.Popen(["chromium", *flags, "about:blank"], preexec_fn=pipes, close_fds=False,
                           stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
os.close(to_child); os.close(from_child)
events, left = [], b""
def read():
    global left
    while b"\0" not in left:
        data = os.read(theirs, 1 << 20)
        if not data:
            sys.exit("chromium went away")
        left += data
    message, left = left.split(b"\0", 1)
    return json.loads(message)
count = 0
def call(method, params, session=None):
    global count
    count += 1
    message = {"id": count, "method": method, "params": params}
    if session:
        message["sessionId"] = session
    os.write(ours, json.dumps(message).encode() + b"\0")
    while True:
        answer = read()
        if answer.get("id") == count:
            return answer.get("result", {"error": answer.get("error")})
        events.append(answer)
target = call("Target.createTarget", {"url": "about:blank"})
session = call("Target.attachToTarget", {"targetId": target["targetId"], "flatten": True})["sessionId"]
for domain in ("Page", "Runtime", "Log", "Network"):
    call(domain + ".enable", {}, session)
shape = {"width": plan["size"][0], "height": plan["size"][1], "deviceScaleFactor": 1, "mobile": False}
call("Emulation.setDeviceMetricsOverride", shape, session)
def ring(port):
    socket.create_connection(("localhost", port)).close()
    return {}
answers = []
for method, params in plan["calls"]:
    answers.append(ring(**params) if method == "ring" else call(method, params, session))
    # What comes after a step that failed would only wait in vain.
    if "exceptionDetails" in answers[-1]:
        break
call("Browser.close", {})
browser.wait()
print(json.dumps({"answers": answers, "events": [e for e in events if e["method"] in plan["events"]]}))
"""

WAIT = """new Promise((resolve, reject) => {
  const late = setTimeout(() => reject(new Error("waited in vain: " + %s)), 120000);
  (function look() {
    let value = null;
    try { value = (%s); } catch (error) { value = null; }
    if (value) { clearTimeout(late); resolve(value); } else setTimeout(look, 20);
  })();
})"""
KEYS = {"ArrowRight": 39, "ArrowLeft": 37, "Home": 36, "End": 35, " ": 32}


@dataclass
class Visit:
    """What to do in the browser, in order; `run` does it and returns what was looked at, by name."""

    computer: SandboxComputer
    size: tuple[int, int] = (1440, 900)
    dark: bool = False
    pictures: list[bytes] = field(default_factory=list)
    events: list[dict[str, Any]] = field(default_factory=list)
    _calls: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    _looks: dict[str, int] = field(default_factory=dict)

    def open(self, url: str) -> Self:
        scheme = [{"name": "prefers-color-scheme", "value": "dark" if self.dark else "light"}]
        return self._call("Emulation.setEmulatedMedia", features=scheme)._call("Page.navigate", url=url)

    def wait(self, expression: str) -> Self:
        """Wait until an expression is true in the page."""
        return self._evaluate(WAIT % (json.dumps(expression), expression))

    def look(self, name: str, expression: str) -> Self:
        """Keep the value of an expression under a name."""
        self._looks[name] = len(self._calls)
        return self._evaluate(expression)

    def press(self, key: str) -> Self:
        text = {} if len(key) > 1 else {"text": key}
        common = {"key": key, "windowsVirtualKeyCode": KEYS.get(key, ord(key.upper()[0])), **text}
        for kind in ("keyDown", "keyUp"):
            self._call("Input.dispatchKeyEvent", type=kind, **common)
        return self

    def click(self, x: float, y: float) -> Self:
        for kind in ("mousePressed", "mouseReleased"):
            self._call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)
        return self

    def picture(self) -> Self:
        return self._call("Page.captureScreenshot")

    def ring(self, port: int) -> Self:
        """Connect to a port of the host, so that a test knows how far the browser is."""
        return self._call("ring", port=port)

    def run(self) -> dict[str, Any]:
        wanted = ["Log.entryAdded", "Runtime.exceptionThrown", "Network.requestWillBeSent"]
        plan = {"size": self.size, "calls": self._calls, "events": wanted}
        done = self.computer.run(["python3", "-c", DRIVER], input=json.dumps(plan).encode(), timeout_sec=500)
        assert done.code == 0, done.stderr
        told = json.loads(done.stdout)
        answers, self.events = told["answers"], told["events"]
        self.pictures = [base64.b64decode(answer["data"]) for answer in answers if "data" in answer]
        assert "exceptionDetails" not in answers[-1], answers[-1]
        return {name: answers[number]["result"].get("value") for name, number in self._looks.items()}

    def complaints(self) -> list[dict[str, Any]]:
        """Return the errors that the browser noted, but for the one that noVNC causes by itself."""
        thrown = [event for event in self.events if event["method"] == "Runtime.exceptionThrown"]
        logged = [event for event in self.events if event["params"].get("entry", {}).get("level") == "error"]
        return thrown + [event for event in logged if not event["params"]["entry"]["text"].startswith(NOVNC_TRIES_H264)]

    def asked(self) -> list[str]:
        """Return the addresses that were asked for."""
        return [event["params"]["request"]["url"] for event in self.events if "request" in event["params"]]

    def _evaluate(self, expression: str) -> Self:
        return self._call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)

    def _call(self, method: str, **params: Any) -> Self:
        self._calls.append((method, params))
        return self
