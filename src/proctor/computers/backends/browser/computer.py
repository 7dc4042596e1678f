"""The browser as a computer: Chromium alone on the screen of a sandbox of its own, its pages seen from inside."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Self

from proctor.computers.backends.browser import chromium
from proctor.computers.backends.browser import reuse as parking
from proctor.computers.backends.browser.browser import Browser, check_url
from proctor.computers.backends.browser.options import BrowserOptions, allowed_hosts, make_window
from proctor.computers.backends.browser.own_context import OwnContext
from proctor.computers.backends.browser.parts import (
    BrowserPages,
    BrowserRest,
    BrowserTouch,
    BrowserTree,
    BrowserWindows,
    Kiosk,
)
from proctor.computers.capabilities import Parts
from proctor.computers.options import take_options
from proctor.computers.sandbox_machine.computer import SandboxedComputer
from proctor.computers.sandbox_machine.options import make_plan
from proctor.computers.sandbox_machine.sandbox import Sandbox


class BrowserComputer(SandboxedComputer):
    """A browser in a sandbox; see `docs/browser.md`."""

    backend = "browser"

    Options = BrowserOptions

    def __init__(self, options: BrowserOptions | None = None, /, **given: object) -> None:
        told = take_options(BrowserOptions, options, given)
        self._url = check_url(told.url)
        self._window = make_window(told)
        self._reuse = told.reuse and not told.toolbar
        self._own: OwnContext | None = None
        reached = replace(told, network=allowed_hosts(told.allow) or told.network)
        plan = make_plan(reached, look=chromium.KIOSK, size=self._window.size)
        super().__init__(plan, pace=told.pace, clip_sec=told.clip_sec)

    def _parts(self, sandbox: Sandbox) -> Parts:
        self._kiosk = kiosk = Kiosk(sandbox)
        return replace(
            super()._parts(sandbox),
            pointer=None if self._window.phone else super()._parts(sandbox).pointer,
            touch=BrowserTouch(kiosk) if self._window.phone else None,
            tree=BrowserTree(kiosk),
            windows=BrowserWindows(kiosk),
            rest=BrowserRest(kiosk),
            pages=BrowserPages(kiosk),
            code=None,
        )

    def start(self) -> Self:
        """Start the browser and return when its first page is loaded and still."""
        if self._sandbox.running is not None:
            return self
        kept = parking.take(self._parking_key()) if self._reuse else None
        if kept is not None:
            self._sandbox, self.incidents = kept.sandbox, kept.incidents
            self.parts = self._parts(self._sandbox)
            self._kiosk.running, self._own = kept.browser, kept.context
        else:
            super().start()
        try:
            if self._kiosk.running is None:
                self._kiosk.running = Browser.start(self._sandbox.desktop.session, self._window)
                self._sandbox.desktop.before_close(self._kiosk.running.close)
                self._own = self._first_context(self._kiosk.running) if self._reuse else None
            if self._url != "about:blank":
                self._kiosk.running.open(self._url)
            self.settle()
            if kept is None or self._url != "about:blank":
                self.baseline()
        except BaseException:
            self._sandbox.close()
            raise
        return self

    def _first_context(self, browser: Browser) -> OwnContext | None:
        """Show a page in a context of its own.

        None where that looks different: then the browser serves one computer only.
        """
        own = OwnContext(browser)
        if own.begin():
            return own
        own.give_up()
        return None

    def close(self) -> None:
        """End the browser and everything else, unless it may be handed on."""
        running, sandbox = self._kiosk.running, self._sandbox
        if running is None or sandbox.running is None:
            super().close()
            return
        self._kiosk.running = None
        own, self._own = self._own, None
        kept = parking.KeptBrowser(sandbox, running, own, self.incidents) if own else None
        if not (kept and parking.is_clean(kept, self.history) and parking.keep(self._parking_key(), kept)):
            super().close()
            return
        # It lives on in other hands: whatever is asked of this one says that it is closed.
        self._sandbox = Sandbox(sandbox.plan, clip_sec=0.0, incidents=self.incidents)
        self._sandbox.close()
        self.parts = self._parts(self._sandbox)

    def _parking_key(self) -> object:
        plan = self._sandbox.plan
        return (plan.image.digest, plan.setting, plan.limits, plan.network, self._window, self._sandbox.clip_sec)

    def facts(self) -> dict[str, Any]:
        window = self._window
        told = {"url": self._url, "scale": window.scale, "phone": window.phone, "toolbar": window.toolbar}
        return {**super().facts(), **told, "reuse": self._reuse}
