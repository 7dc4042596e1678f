"""A running browser, asked over the DevTools protocol."""

from __future__ import annotations

import contextlib
import time
from functools import cache
from pathlib import Path
from typing import Any

from proctor.computers.backends.browser import chromium
from proctor.computers.backends.browser.parse_tree import MOST_NODES, Looked, read_look
from proctor.computers.backends.browser.tabs import Tab, Tabs
from proctor.computers.channels.cdp.client import CdpRefused, Devtools, NoAnswer, Result
from proctor.computers.channels.cdp.pipe import BrowserGone, Pipe
from proctor.computers.sandbox_machine.session import DesktopSession
from proctor.errors import ComputerError, NotReady, SpecError

START_SEC = 60.0
LOOK_SEC = 5.0
"""How long a page may take to say what it shows; one whose script never ends says nothing."""
GLANCE_SEC = 1.0
BUSY_SEC = 3.0
"""How long a page that is to be left may be busy."""
LOAD_SEC = 30.0
MOST_ANSWERED = 20
"""Dialogs of one page that are answered while it is left or loaded by us."""
WORLD = "proctor"


class Browser:
    """One browser; it belongs to one thread."""

    def __init__(self, pipe: Pipe, window: chromium.BrowserWindow) -> None:
        self.window = window
        self.tabs = Tabs(self._tell, greeting=_greeting(window))
        self._devtools = Devtools(pipe, self.tabs.hear)
        self._front = ""

    @classmethod
    def start(cls, session: DesktopSession, window: chromium.BrowserWindow) -> Browser:
        """Start one inside and return when it has a page."""
        pid, pipe = chromium.start(session, window)
        browser = cls(pipe, window)
        try:
            browser._settle_in()
        except BrowserGone as error:
            raise ComputerError(
                f"the browser exited while starting: {session.log_tail(pid)[-1000:]}",
                remedy="it may need more memory: open the computer with a larger memory_mb",
            ) from error
        except BaseException:
            browser.close()
            raise
        return browser

    def _settle_in(self) -> None:
        ask = self._devtools.ask
        ask("Target.setDiscoverTargets", timeout_sec=START_SEC, discover=True)
        self.ask("Browser.setDownloadBehavior", **chromium.TO_DOWNLOADS)
        self.await_page()

    def await_page(self) -> None:
        """Return when there is a page that can be spoken to."""
        ends = time.monotonic() + START_SEC
        while not self.tabs.all:
            if time.monotonic() >= ends:
                raise NotReady(f"the browser showed no page within {START_SEC:g} s")
            self._devtools.listen(GLANCE_SEC)

    def _tell(self, method: str, session: str, **parameters: Any) -> None:
        self._devtools.tell(method, session, **parameters)

    def ask(self, method: str, **parameters: object) -> Result:
        """Ask the browser itself."""
        return self._devtools.ask_all([(method, "", parameters)])[0]

    @property
    def alive(self) -> bool:
        """Whether it has not been closed, as far as is known."""
        return self._devtools.alive

    def listen(self, timeout_sec: float = 0.0) -> bool:
        """Hear what has happened; tell whether anything has."""
        return self._devtools.listen(timeout_sec)

    def close(self) -> None:
        """Let go of the connection, at whose end the browser ends by itself."""
        self._devtools.close()

    # -- tabs -----------------------------------------------------------------------------------------------------

    def front(self) -> Tab | None:
        """Return the tab that is shown; None when there is none."""
        self.listen()
        tabs = self.tabs.all
        if len(tabs) <= 1:
            return tabs[0] if tabs else None
        # The one that was in front first, then the newest.
        for tab in sorted(tabs, key=lambda tab: (tab.target != self._front, -tab.number)):
            if tab.dialog is not None or self._visible(tab):
                self._front = tab.target
                return tab
        return tabs[-1]

    def _visible(self, tab: Tab) -> bool:
        try:
            said = self._ask(
                tab,
                "Runtime.evaluate",
                timeout_sec=GLANCE_SEC,
                expression="document.visibilityState",
                returnByValue=True,
            )
        except (NoAnswer, CdpRefused):
            return False
        return bool(said.get("result", {}).get("value") == "visible")

    def ask_title(self, tab: Tab) -> None:
        """Find out what a page is called now, where it says so: the browser tells of it a while later."""
        with contextlib.suppress(NoAnswer, CdpRefused):
            said = self._ask(
                tab, "Runtime.evaluate", timeout_sec=GLANCE_SEC, expression="document.title", returnByValue=True
            )
            title = said.get("result", {}).get("value")
            tab.title = title[:500] if isinstance(title, str) and title else tab.title

    def activate(self, tab: Tab) -> None:
        """Bring a tab to the front."""
        self._devtools.ask("Target.activateTarget", targetId=tab.target)
        self._front = tab.target

    def new_tab(self, url: str, **how: object) -> Tab:
        """Open a tab in front; raises ComputerError where there are too many."""
        where = {"browserContextId": self.tabs.context} if self.tabs.context else {}
        made = self.ask("Target.createTarget", url=check_url(url), **where, **how)
        ends = time.monotonic() + LOOK_SEC
        while (tab := self.tabs.by_target(str(made.get("targetId")))) is None or not tab.session:
            if time.monotonic() >= ends:
                raise ComputerError("no more tabs could be opened", remedy="close some first")
            self._devtools.listen(0.1)
        self._front = tab.target
        return tab

    def close_tab(self, tab: Tab) -> None:
        """Close a tab, whatever its page says to that: one that does not go by itself is ended first."""
        for stubborn in (False, True):
            if stubborn:
                self._devtools.tell("Page.crash", tab.session)
            with contextlib.suppress(CdpRefused, NoAnswer):  # it may be gone by now
                self._devtools.ask("Target.closeTarget", targetId=tab.target, timeout_sec=GLANCE_SEC)
            ends = time.monotonic() + GLANCE_SEC
            while self.tabs.by_target(tab.target) is tab and time.monotonic() < ends:
                self._devtools.listen(0.1)
            if self.tabs.by_target(tab.target) is not tab:
                return

    # -- look -----------------------------------------------------------------------------------------------------

    def look(self, tab: Tab) -> Looked:
        """Return what a page shows; raises NoAnswer where it does not say."""
        bar = self._bar
        return read_look(self._inquire(tab, f"proctor.look({MOST_NODES}, {bar})"), size=self.window.size)

    def element_at(self, tab: Tab, x: int, y: int) -> Looked:
        """Return the element that a click on a pixel of the screen would hit, as the only node, if there is one."""
        return read_look(self._inquire(tab, f"proctor.at({x}, {y}, {self._bar})"), size=self.window.size)

    def focused(self, tab: Tab) -> Looked:
        """Return the element that has the focus, as the only node, if there is one."""
        return read_look(self._inquire(tab, f"proctor.focus({self._bar})"), size=self.window.size)

    def heard(self, tab: Tab) -> int:
        """Return how often a page has heard of a button, a key, the wheel or a finger since our script is in it."""
        count = self._inquire(tab, "proctor.heard()", timeout_sec=GLANCE_SEC)
        return count if isinstance(count, int) else 0

    def rest(self, tab: Tab, *, heard: int | None, patience_sec: float, pictures: int, timeout_sec: float) -> None:
        """Return when a page has handled what it was told and has drawn.

        With `heard`, what it had heard of before the action, more than that is awaited for `patience_sec`. Raises
        NoAnswer where it does not answer, Refused where another page has come meanwhile.
        """
        before = "null" if heard is None else heard
        expression = f"proctor.rest({before}, {patience_sec * 1000:.0f}, {pictures})"
        if not tab.world:
            self._inquire(tab, "1", timeout_sec=timeout_sec)
        self._value(self._evaluate(tab, expression, timeout_sec=timeout_sec, contextId=tab.world, awaitPromise=True))

    @property
    def _bar(self) -> str:
        return "true" if self.window.toolbar else "false"

    def _inquire(self, tab: Tab, expression: str, *, timeout_sec: float = LOOK_SEC) -> object:
        """Ask our own script in a page, which is put there where it is not yet."""
        ends = time.monotonic() + timeout_sec
        while True:
            try:
                if not tab.world:
                    made = self._ask(
                        tab, "Page.createIsolatedWorld", frameId=tab.target, worldName=WORLD, grantUniveralAccess=True
                    )
                    world = int(made.get("executionContextId", 0))
                    self._value(self._evaluate(tab, _script(), contextId=world))
                    tab.world = world
                return self._value(self._evaluate(tab, expression, timeout_sec=timeout_sec, contextId=tab.world))
            except CdpRefused:
                tab.world = 0  # another page has come
                if time.monotonic() > ends or self.tabs.by_target(tab.target) is None:
                    raise

    def _evaluate(self, tab: Tab, expression: str, *, timeout_sec: float = LOOK_SEC, **more: Any) -> Result:
        return self._ask(
            tab, "Runtime.evaluate", timeout_sec=timeout_sec, expression=expression, returnByValue=True, **more
        )

    def _value(self, said: Result) -> object:
        if isinstance(details := said.get("exceptionDetails"), dict):
            thrown = details.get("exception")
            words = thrown.get("description") if isinstance(thrown, dict) else None
            raise ComputerError(f"a script in the page failed: {str(words or details.get('text'))[:500]}")
        result = said.get("result")
        return result.get("value") if isinstance(result, dict) else None

    def _ask(self, tab: Tab, method: str, *, timeout_sec: float = LOOK_SEC, **parameters: Any) -> Result:
        """Ask a page; one with a dialog up, or that crashed, is not waited for."""

        def hopeless() -> bool:
            return tab.dialog is not None or tab.crashed or self.tabs.by_target(tab.target) is None

        self.listen()
        if hopeless():
            why = "crashed" if tab.crashed else "shows a dialog" if tab.dialog else "was closed"
            raise NoAnswer(f"the page {tab.url[:200]!r} {why}")
        return self._devtools.ask(method, tab.session, timeout_sec=timeout_sec, unless=hopeless, **parameters)

    # -- go -------------------------------------------------------------------------------------------------------

    def open(self, url: str, *, timeout_sec: float = LOAD_SEC) -> None:
        """Load an address in the front tab, or in one of its own if the page there cannot be left."""
        url = check_url(url)
        ends = time.monotonic() + timeout_sec
        tab = self.front()
        if tab is None:
            self._await_loaded(self.new_tab(url), url, ends)
            return
        went, loader = self._navigate(tab, url, ends)
        if not went:
            stuck, tab = tab, self.new_tab(url)
            self.close_tab(stuck)
        self._await_loaded(tab, url, ends, loader)

    def _navigate(self, tab: Tab, url: str, ends: float) -> tuple[bool, str]:
        """Send a tab elsewhere; tell whether it went, and the name of what it loads, if anything."""
        # What its page is busy with keeps the next one from coming as well.
        if not self.answer_dialogs(tab) or tab.crashed or not self._answers(tab):
            return False, ""
        patience = max(min(ends - time.monotonic(), LOOK_SEC), 0.1)
        try:
            said = self._devtools.ask(
                "Page.navigate", tab.session, timeout_sec=patience, unless=lambda: tab.dialog is not None, url=url
            )
        except NoAnswer:
            if tab.dialog is None:
                return False, ""
            tab.loading.add(tab.target)
            return self.answer_dialogs(tab), ""  # it asks whether it may be left
        except CdpRefused:
            return False, ""
        if said.get("errorText"):
            raise ComputerError(
                f"{url[:200]!r} cannot be opened: {said['errorText']}",
                remedy="allow its host with allow=..., or correct the address",
            )
        return True, str(said.get("loaderId") or "")

    def _answers(self, tab: Tab) -> bool:
        try:
            self._evaluate(tab, "1", timeout_sec=BUSY_SEC)
        except NoAnswer:
            return tab.dialog is not None
        except CdpRefused:
            return False
        return True

    def _await_loaded(self, tab: Tab, url: str, ends: float, loader: str = "") -> None:
        def waits() -> bool:
            return tab.loaded != loader if loader else bool(tab.loading)

        while waits() and tab.dialog is None and not tab.crashed:
            left = ends - time.monotonic()
            if left <= 0:
                raise NotReady(f"{url[:200]!r} was not loaded in time", remedy="give it more time")
            self._devtools.listen(min(left, GLANCE_SEC))
            if self.tabs.by_target(tab.target) is None:
                raise ComputerError(f"the tab of {url[:200]!r} was closed while loading")

    def answer_dialogs(self, tab: Tab) -> bool:
        """Agree to the dialog of a page, and to those that follow it; tell whether they came to an end."""
        self.listen()
        for _ in range(MOST_ANSWERED):
            if tab.dialog is None:
                return True
            with contextlib.suppress(CdpRefused):  # it was answered meanwhile
                self._devtools.ask("Page.handleJavaScriptDialog", tab.session, timeout_sec=LOOK_SEC, accept=True)
            tab.dialog = None
            self.listen(0.05)
        return False

    def evaluate(self, script: str, *, timeout_sec: float = LOOK_SEC) -> Any:
        tab = self.front()
        if tab is None:
            raise ComputerError("no page is open")
        return self._value(self._evaluate(tab, script, timeout_sec=timeout_sec, awaitPromise=True))

    def touch(self, kind: str, points: list[dict[str, float]]) -> None:
        """Hand a touch event to the page in front, in its own pixels."""
        tab = self.front()
        if tab is None:
            raise ComputerError("no page is open")
        self._ask(tab, "Input.dispatchTouchEvent", type=kind, touchPoints=points)

    def note(self, name: str) -> None:
        """Give the page in front, and those that follow it, a function that tells us one thing."""
        tab = self.front()
        if tab is None:
            raise ComputerError("no page is open")
        self.tabs.notes[name] = None
        self._devtools.ask("Runtime.addBinding", tab.session, name=name)

    # -- rest -----------------------------------------------------------------------------------------------------

    def loading(self) -> bool:
        """Tell whether the page in front is being loaded."""
        tab = self.front()
        return tab is not None and bool(tab.loading) and tab.dialog is None and not tab.crashed


def check_url(url: str) -> str:
    """Return an address that a browser can be sent to; raises SpecError for one that it cannot."""
    scheme, colon, rest = url.partition(":")
    if not colon or not rest or scheme.lower() not in ("http", "https", "file", "data", "about", "blob"):
        raise SpecError(
            f"{url[:200]!r} is not the address of a page",
            remedy="write it in full, such as https://example.org/ or file:///...",
        )
    return url


def _greeting(window: chromium.BrowserWindow) -> list[tuple[str, dict[str, Any]]]:
    """Return what every new tab is told."""
    told: list[tuple[str, dict[str, Any]]] = [
        ("Page.enable", {}),
        ("Inspector.enable", {}),
        ("Page.setLifecycleEventsEnabled", {"enabled": True}),
    ]
    if window.phone:
        told += [
            ("Emulation.setDeviceMetricsOverride", {"width": 0, "height": 0, "deviceScaleFactor": 0, "mobile": True}),
            ("Emulation.setTouchEmulationEnabled", {"enabled": True, "maxTouchPoints": 5}),
            ("Emulation.setUserAgentOverride", {"userAgent": chromium.PHONE_AGENT, "platform": "Android"}),
        ]
    return told


@cache
def _script() -> str:
    return (Path(__file__).parent / "inside" / "look.js").read_text()
