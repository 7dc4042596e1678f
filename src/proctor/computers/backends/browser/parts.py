"""Parts of a browser's computer that speak with it; the others are those of its sandbox."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Mapping, Sequence
from typing import Any

from proctor.actions.action import Action, Click, Drag, Press, Scroll, Type
from proctor.computers.backends.browser import native
from proctor.computers.backends.browser.browser import LOAD_SEC, LOOK_SEC, Browser
from proctor.computers.backends.browser.parse_tree import APP, Looked, below
from proctor.computers.backends.browser.tabs import Tab
from proctor.computers.channels.cdp.client import CdpRefused, NoAnswer
from proctor.computers.channels.cdp.pipe import BrowserGone
from proctor.computers.sandbox_machine.parts import SandboxRest, SandboxWindows
from proctor.computers.sandbox_machine.sandbox import Sandbox
from proctor.computers.settle import Settling
from proctor.computers.values import App, Window
from proctor.errors import ComputerError, ComputerLost
from proctor.observations.box import Box
from proctor.observations.tree import Node, Tree

QUICK_SEC = 1.5
"""How long a page is asked before its programs are looked at from outside, which tells an animation from work."""
HEAR_SEC = 0.3
"""How long a page may take to hear of what was done; where a frame or the browser itself was meant, it never does."""
STILL = 2
"""Pictures that a page draws before it counts as still: the first is begun, and the second shows that it is there."""
AFTER_ACTION = 3
"""One more where something was done: what a page puts off for a moment comes then."""
PROGRAMS = ("chromium", "browser")
"""What a tab is launched with: the name of the browser and an address, or an address alone."""


class Kiosk:
    """What the parts share: the sandbox, and the browser in it."""

    def __init__(self, sandbox: Sandbox) -> None:
        self.sandbox = sandbox
        self.running: Browser | None = None

    @property
    def browser(self) -> Browser:
        """The browser; raises ComputerError when the computer is not started, or closed."""
        _ = self.sandbox.desktop
        assert self.running is not None, "it starts with the desktop"
        return self.running


class BrowserTree:
    """The elements of the page in front, and of what lies over it."""

    def __init__(self, kiosk: Kiosk) -> None:
        self._kiosk = kiosk

    def tree(self) -> Tree:
        """Return the elements of the page, of a dialog in its place, and of other windows."""
        browser, degraded = self._kiosk.browser, []
        nodes = [Node(index=0, parent=None, depth=0, role="application", name=APP, app=APP)]
        try:
            tab = browser.front()
        except BrowserGone:
            tab = None
        if tab is None:
            return native.with_others(self._kiosk.sandbox, Tree(tuple(nodes), ("no page is open",)))
        looked = Looked(title=tab.title, url=tab.url)
        try:
            looked = browser.look(tab)
            if not looked.whole:
                degraded.append("the page has more content than is read")
        except (NoAnswer, CdpRefused) as error:
            if tab.dialog is None:
                degraded.append(error.message)
        title = looked.title or tab.title
        window = Box(0, 0, *browser.window.size)
        states = frozenset({"showing", "visible", "active", "enabled", "sensitive"})
        nodes.append(
            Node(index=1, parent=0, depth=1, role="frame", name=title, states=states, box=window, app=APP, window=title)
        )
        if tab.dialog is not None:
            nodes += native.dialog_nodes(self._kiosk.sandbox, tab.dialog, nodes[-1], browser.window.scale)
        else:
            page = Node(
                index=2, parent=1, depth=2, role="document web", name=title, states=states - {"active"}, box=window,
                attributes={"url": looked.url}, app=APP, window=title,
            )  # fmt: skip
            nodes.append(page)
            nodes += below(nodes, looked)
        return native.with_others(self._kiosk.sandbox, Tree(tuple(nodes), tuple(degraded)))

    def element_at(self, x: float, y: float) -> Node | None:
        sandbox, browser = self._kiosk.sandbox, self._kiosk.browser
        if native.is_covered(sandbox, x, y):
            return sandbox.desktop.element_at(int(x), int(y))
        tab = self._front(browser)
        if tab is None:
            return None
        if tab.dialog is None:
            with contextlib.suppress(CdpRefused):  # the page is being replaced
                found = browser.element_at(tab, int(x), int(y)).nodes
                return found[0] if found else None
            return None
        inside = [node for node in self.tree().nodes if node.depth > 1 and node.box and node.box.contains(x, y)]
        return inside[-1] if inside else None

    def focused(self) -> Node | None:
        browser = self._kiosk.browser
        if native.in_front(self._kiosk.sandbox):
            return self._kiosk.sandbox.desktop.focus()
        tab = self._front(browser)
        if tab is None or tab.dialog is not None:
            return None
        with contextlib.suppress(CdpRefused):
            found = browser.focused(tab).nodes
            return found[0] if found else None
        return None

    def _front(self, browser: Browser) -> Tab | None:
        try:
            return browser.front()
        except BrowserGone:
            return None


class BrowserWindows(SandboxWindows):
    """Tabs, the one in front last, and the windows of other programs."""

    def __init__(self, kiosk: Kiosk) -> None:
        super().__init__(kiosk.sandbox)
        self._kiosk = kiosk

    def windows(self) -> list[Window]:
        """Return the tabs that are behind, then the one that is shown, then the windows of other programs."""
        others = [window for window in super().windows() if not native.is_browser(window.app)]
        try:
            browser = self._kiosk.browser
            front, tabs = browser.front(), browser.tabs.all
            if front is not None:
                browser.ask_title(front)
        except BrowserGone:
            return others
        covered = any(window.active for window in others)
        ordered = sorted(tabs, key=lambda tab: tab is front)
        return [*(self._window(tab, tab is front, active=tab is front and not covered) for tab in ordered), *others]

    def _window(self, tab: Tab, front: bool, *, active: bool) -> Window:
        box = Box(0, 0, *self._kiosk.browser.window.size)
        return Window(
            id=-tab.number,
            title=tab.title or tab.url,
            app="Chromium",
            pid=0,
            box=box,
            active=active,
            minimised=not front,
        )

    def launch(
        self, argv: Sequence[str], *, window: str | None, wait: bool, timeout_sec: float, env: Mapping[str, str] | None
    ) -> App:
        """Open an address in a tab, or start a program beside the browser."""
        words = list(argv[1:]) if argv and argv[0] in PROGRAMS else list(argv)
        if len(words) != 1 or "://" not in words[0]:
            return super().launch(argv, window=window, wait=wait, timeout_sec=timeout_sec, env=env)
        browser = self._kiosk.browser
        tab = browser.new_tab(words[0])
        if not wait:
            return App(argv=tuple(argv), pid=0, window=None)
        browser.open(words[0], timeout_sec=timeout_sec)
        return App(argv=tuple(argv), pid=0, window=self._window(tab, True, active=True))


class BrowserTouch:
    """Fingers on the page."""

    def __init__(self, kiosk: Kiosk) -> None:
        self._kiosk = kiosk
        self._fingers: dict[int, tuple[int, int]] = {}

    def down(self, finger: int, x: int, y: int) -> None:
        self._fingers[finger] = (x, y)
        self._send("touchStart")

    def move(self, finger: int, x: int, y: int) -> None:
        if finger in self._fingers:
            self._fingers[finger] = (x, y)
            self._send("touchMove")

    def up(self, finger: int) -> None:
        if self._fingers.pop(finger, None) is not None:
            self._send("touchEnd")

    def _send(self, kind: str) -> None:
        browser = self._kiosk.browser
        scale = browser.window.scale
        points = [{"id": finger, "x": x / scale, "y": y / scale} for finger, (x, y) in self._fingers.items()]
        try:
            browser.touch(kind, points)
        except BaseException:
            self._fingers.clear()  # nothing is known of them any more
            raise


class BrowserRest(SandboxRest):
    """What the sandbox knows of work that is going on, and whether the page in front is still being loaded."""

    def __init__(self, kiosk: Kiosk) -> None:
        super().__init__(kiosk.sandbox)
        self._kiosk = kiosk
        self._acted = False
        self._before: tuple[int, str, int] | None = None
        """The page and what it had heard before the action, where that was input."""

    def about_to(self, action: Action) -> None:
        super().about_to(action)
        self._acted = True
        self._before = self._input_count() if isinstance(action, Click | Press | Type | Scroll | Drag) else None

    def _input_count(self) -> tuple[int, str, int] | None:
        """Return which page is in front and how much input it has heard of; None where it cannot say."""
        with contextlib.suppress(NoAnswer, CdpRefused, BrowserGone):
            tab = self._kiosk.browser.front() if self._kiosk.browser.alive else None
            if tab is not None and tab.dialog is None and not tab.crashed:
                return tab.number, tab.loaded, self._kiosk.browser.heard(tab)
        return None

    def settle(self, policy: Settling, *, timeout_sec: float) -> bool:
        """Wait until the page is loaded and everything has stopped drawing."""
        ends = time.monotonic() + timeout_sec
        if policy == "quick" and (quiet := self._quick(ends)) is not None:
            return quiet
        while True:
            still = super().settle(policy, timeout_sec=max(ends - time.monotonic(), 0.1))
            if not self._await_load(ends):
                return still and not self._is_loading()

    def _quick(self, ends: float) -> bool | None:
        """Ask the page itself, picture by picture; None where it is busy, or not the page awaited."""
        pictures, self._acted = (AFTER_ACTION if self._acted else STILL), False
        before, self._before = self._before, None
        ends = min(ends, time.monotonic() + QUICK_SEC)
        try:
            browser = self._kiosk.browser
            if native.in_front(self._kiosk.sandbox):
                return None
            while time.monotonic() < ends:
                tab, drawn = browser.front(), self.drawings()
                if tab is None or tab.dialog is not None or tab.crashed:
                    return None
                if not self._await_drawing(browser, tab, before, pictures, ends) or self._await_load(ends):
                    before, pictures = None, AFTER_ACTION
                    continue
                if self.drawings() == drawn:
                    return True
                before, pictures = None, STILL
        except ComputerLost:
            raise
        except ComputerError:
            return None
        return None

    def _await_drawing(
        self, browser: Browser, tab: Tab, before: tuple[int, str, int] | None, pictures: int, ends: float
    ) -> bool:
        """Let the page in front hear what was done and draw; tell whether it is still the same page."""
        heard = before[2] if before is not None and before[:2] == (tab.number, tab.loaded) else None
        left = max(ends - time.monotonic(), 0.1)
        try:
            browser.rest(tab, heard=heard, patience_sec=HEAR_SEC, pictures=pictures, timeout_sec=left)
        except CdpRefused:
            tab.world = 0
            return False
        return True

    def _await_load(self, ends: float) -> bool:
        """Wait for what is being loaded; tell whether anything was, so that it is to be looked at again."""
        waited = False
        while self._is_loading() and (left := ends - time.monotonic()) > 0:
            waited = True
            with contextlib.suppress(ComputerError):
                self._kiosk.browser.listen(min(left, 0.25))
        return waited and time.monotonic() < ends

    def _is_loading(self) -> bool:
        try:
            return self._kiosk.browser.alive and self._kiosk.browser.loading()
        except BrowserGone:
            return False


class BrowserPages:
    """The page in front, for setup and judges."""

    def __init__(self, kiosk: Kiosk) -> None:
        self._kiosk = kiosk

    def open(self, url: str, *, timeout_sec: float = LOAD_SEC) -> None:
        self._kiosk.browser.open(url, timeout_sec=timeout_sec)

    def address(self) -> str:
        try:
            tab = self._kiosk.browser.front()
        except BrowserGone:
            return ""
        return tab.url if tab else ""

    def note(self, name: str) -> None:
        """Give the page in front a function that tells us one thing."""
        self._kiosk.browser.note(name)

    def first_note(self, name: str) -> str | None:
        """Return what it was first told."""
        with contextlib.suppress(BrowserGone):
            self._kiosk.browser.listen()
        return self._kiosk.browser.tabs.notes.get(name)

    def evaluate(self, script: str, *, timeout_sec: float = LOOK_SEC) -> Any:
        return self._kiosk.browser.evaluate(script, timeout_sec=timeout_sec)
