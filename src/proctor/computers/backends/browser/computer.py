"""The browser as a computer: Chromium alone on the screen of a sandbox of its own, its pages seen from inside."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, Self

from proctor.computers.backends.browser import chromium
from proctor.computers.backends.browser import reuse as parking
from proctor.computers.backends.browser.browser import Browser, checked
from proctor.computers.backends.browser.options import allowed_hosts, make_window
from proctor.computers.backends.browser.parts import (
    BrowserPages,
    BrowserRest,
    BrowserTouch,
    BrowserTree,
    BrowserWindows,
    Kiosk,
)
from proctor.computers.capabilities import Parts
from proctor.computers.computer import Pace
from proctor.computers.sandbox_machine.computer import SandboxedComputer
from proctor.computers.sandbox_machine.options import make_plan
from proctor.computers.sandbox_machine.sandbox import Sandbox


class BrowserComputer(SandboxedComputer):
    """A browser in a sandbox; see `docs/browser.md`."""

    backend = "browser"

    def __init__(
        self,
        *,
        url: str = "about:blank",
        image: str = "full",
        size: tuple[int, int] | None = None,
        scale: float = 1.0,
        phone: bool = False,
        toolbar: bool = False,
        allow: str | Sequence[str] = "",
        network: str | Sequence[str] = "off",
        locale: str = "en_US.UTF-8",
        timezone: str = "Etc/UTC",
        clock: datetime | str | None = None,
        memory_mb: int = 4096,
        processes: int = 1024,
        disk_mb: int = 2048,
        cpus: float = 0,
        pace: Pace = "settle",
        clip_sec: float = 0.0,
        vnc_password: str = "",
        reuse: bool = False,
    ) -> None:
        """Describe a browser; it starts with `start` or `with`.

        Args:
            url: The page that it starts with.
            image: Name of a built image that has Chromium (`proctor image list`).
            size: Width and height of the screen; None for 1280x720, or 412x915 for a phone.
            scale: Pixels of the screen for one of a page, from 0.5 to 4.
            phone: Whether pages believe to be on a phone with a touch screen; there is no pointer then.
            toolbar: Whether tabs and an address are shown above the page; otherwise there is nothing but the page.
            allow: Hosts that may be reached, `host` or `host:port`, separated by `+`; empty for none.
            network: What else may be reached, as for a sandbox: `off`, `loopback`, or a list of `host:port`.
            locale: Language and formats, one the image has.
            timezone: Name of a time zone.
            clock: What the clock says when it starts (ISO 8601). None: the real time.
            memory_mb: Most memory its programs may use together.
            processes: Most processes at once.
            disk_mb: Most data that may be written.
            cpus: Processors' worth of time it may use; 0 for all.
            pace: `settle` waits for a quiet screen after each action; `realtime` does not.
            clip_sec: How many seconds of the screen `clip` can look back; 0 keeps none.
            vnc_password: Asked of viewers that `watch` lets in.
            reuse: Whether a browser that was left clean is handed on, emptied, to the next such computer of this
                process, in place of a fresh one.
        """
        self._url = checked(url)
        self._window = make_window(size=size, scale=scale, phone=phone, toolbar=toolbar)
        hosts = allowed_hosts(allow)
        plan = make_plan(
            image=image, look="light", size=self._window.size, locale=locale, timezone=timezone, clock=clock,
            theme="light", memory_mb=memory_mb, processes=processes, disk_mb=disk_mb, cpus=cpus,
            network=hosts or network, vnc_password=vnc_password,
        )  # fmt: skip
        self._reuse = reuse
        super().__init__(replace(plan, look=chromium.KIOSK), pace=pace, clip_sec=clip_sec)

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
            self._kiosk.running = kept.browser
        else:
            super().start()
        try:
            if self._kiosk.running is None:
                self._kiosk.running = Browser.start(self._sandbox.desktop.session, self._window)
                self._sandbox.desktop.before_close(self._kiosk.running.close)
            if self._url != "about:blank":
                self._kiosk.running.open(self._url)
            self.settle()
            if kept is None or self._url != "about:blank":
                self.baseline()
        except BaseException:
            self._sandbox.close()
            raise
        return self

    def close(self) -> None:
        """End the browser and everything else, unless it may be handed on."""
        running, sandbox = self._kiosk.running, self._sandbox
        if running is None or sandbox.running is None:
            super().close()
            return
        self._kiosk.running = None
        kept = parking.Kept(sandbox, running, self.incidents)
        if not (self._reuse and parking.is_clean(kept, self.history) and parking.keep(self._parking_key(), kept)):
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
        """Return what a record needs to reproduce this computer."""
        window = self._window
        told = {"url": self._url, "scale": window.scale, "phone": window.phone, "toolbar": window.toolbar}
        return {**super().facts(), **told, "reuse": self._reuse}
