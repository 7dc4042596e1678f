"""A browser context for each episode, with its own storage and zoom, in front of the first one."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from proctor.computers.backends.browser import chromium
from proctor.computers.channels.cdp.client import CdpRefused, NoAnswer

if TYPE_CHECKING:
    from proctor.computers.backends.browser.browser import Browser

SHAPE = "[innerWidth, innerHeight, outerWidth, outerHeight, devicePixelRatio, visualViewport.scale].join()"
SHOWN_SEC = 5.0
"""How long the new window may take to fill the screen."""


class OwnContext:
    """The context in front; the browser's first window lies beneath it and is shown to nobody."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._id = ""
        self._shape = ""
        """What a first window says of its size and zoom."""

    def begin(self) -> bool:
        """Show an empty page in a new context, and give up the one before with all that it held.

        Tell whether the page is as that of a browser which was only just started.
        """
        browser, before = self._browser, self._id
        try:
            if not self._shape:
                self._shape = str(browser.evaluate(SHAPE))
            self._id = str(browser.ask("Target.createBrowserContext", disposeOnDetach=True)["browserContextId"])
            browser.ask("Browser.setDownloadBehavior", browserContextId=self._id, **chromium.TO_DOWNLOADS)
            browser.tabs.keep_to(self._id)
            browser.new_tab("about:blank", newWindow=True, windowState="fullscreen")
            if before:
                browser.ask("Target.disposeBrowserContext", browserContextId=before)
            return len(browser.tabs.all) == 1 and self._looks_new()
        except (CdpRefused, NoAnswer, KeyError):
            return False

    def give_up(self) -> None:
        """Show the first window again, as if there had never been another."""
        self._browser.tabs.keep_to("")
        if self._id:
            self._browser.ask("Target.disposeBrowserContext", browserContextId=self._id)
        # Said once more, every page that there is becomes known again.
        for discover in (False, True):
            self._browser.ask("Target.setDiscoverTargets", discover=discover)
        self._browser.await_page()

    def _looks_new(self) -> bool:
        ends = time.monotonic() + SHOWN_SEC
        while (shape := str(self._browser.evaluate(SHAPE))) != self._shape and time.monotonic() < ends:
            self._browser.listen(0.05)
        return shape == self._shape
