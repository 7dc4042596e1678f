"""Chromium inside a sandbox: how it is started, what it may not do, and a desktop that holds nothing else."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from proctor.computers.channels.cdp.pipe import Pipe
from proctor.computers.sandbox_machine.looks import DesktopLook
from proctor.computers.sandbox_machine.session import RUNTIME, DesktopSession
from proctor.computers.sandbox_machine.style import DesktopStyle
from proctor.errors import ImageError
from proctor.home import HOME

PROGRAM = "/usr/lib/chromium/chromium"
"""The program itself; the script before it reads flags that are meant for desktops."""
PROFILE = f"{RUNTIME}/chromium"
"""In memory, of bounded size, and no file of the user's: what pages store does not count as a change."""
DOWNLOADS = f"{HOME}/Downloads"
TO_DOWNLOADS = {"behavior": "allow", "downloadPath": DOWNLOADS, "eventsEnabled": True}
LEAST_WIDTH = 500
"""Points that a window with tabs is wide at least; a narrower screen gets a window without them."""
PHONE_AGENT = (
    "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Mobile Safari/537.36"
)

_FLAGS = (
    "--remote-debugging-pipe", "--no-first-run", "--no-default-browser-check", "--noerrdialogs",
    "--disable-background-networking", "--disable-breakpad", "--disable-client-side-phishing-detection",
    "--disable-component-update", "--disable-default-apps", "--disable-domain-reliability", "--disable-sync",
    "--disable-field-trial-config", "--disable-hang-monitor", "--disable-infobars", "--disable-prompt-on-repost",
    "--disable-session-crashed-bubble", "--hide-crash-restore-bubble", "--disable-smooth-scrolling",
    "--animation-duration-scale=0", "--metrics-recording-only", "--password-store=basic", "--ozone-platform=x11",
    "--disable-gpu", "--disk-cache-size=8388608", "--media-cache-size=1048576", "--disable-dev-shm-usage",
    # Says where the buttons of its own dialogs are.
    "--force-renderer-accessibility=basic",
    "--disable-search-engine-choice-screen", "--test-type",
    # One world per page then sees every frame of it, in one look.
    "--disable-site-isolation-trials", "--allow-file-access-from-files", "--force-color-profile=srgb",
    # A page that is covered by a dialog of its own is still looked at.
    "--disable-backgrounding-occluded-windows", "--disable-renderer-backgrounding",
    "--disable-features=Translate,MediaRouter,OptimizationHints,IsolateOrigins,site-per-process,"
    "CalculateNativeWinOcclusion,AcceptCHFrame,DialMediaRouteProvider,GlobalMediaControls",
)  # fmt: skip

_POLICIES = {
    "AutofillAddressEnabled": False,
    "AutofillCreditCardEnabled": False,
    "BackgroundModeEnabled": False,
    "BrowserSignin": 0,
    "DefaultNotificationsSetting": 2,
    "DefaultGeolocationSetting": 2,
    "MetricsReportingEnabled": False,
    "PasswordManagerEnabled": False,
    "PrintingEnabled": False,
    "PromotionsEnabled": False,
    "SafeBrowsingProtectionLevel": 0,
    "SyncDisabled": True,
    "TranslateEnabled": False,
    # What looks at pages from inside is not for whoever sits before the screen. The policy that forbids developer tools
    # would shut us out as well.
    "URLBlocklist": ["devtools://*", "javascript://*", "chrome://*", "view-source:*"],
    "URLAllowlist": ["chrome://newtab"],
}

_OPENBOX = b"""<?xml version="1.0" encoding="UTF-8"?>
<openbox_config xmlns="http://openbox.org/3.4/rc">
 <focus><focusNew>yes</focusNew><raiseOnFocus>yes</raiseOnFocus></focus>
 <placement><policy>Smart</policy><center>yes</center></placement>
 <desktops><number>1</number><popupTime>0</popupTime></desktops>
 <keyboard/>
 <mouse><context name="Client">
  <mousebind button="Left" action="Press"><action name="Focus"/><action name="Raise"/></mousebind></context></mouse>
 <applications><application class="Chromium" type="normal"><decor>no</decor></application></applications>
</openbox_config>
"""


@dataclass(frozen=True, kw_only=True, slots=True)
class BrowserWindow:
    """How the browser shows itself."""

    size: tuple[int, int]
    scale: float = 1.0
    """Pixels of the screen for one of a page."""
    toolbar: bool = False
    """Whether tabs and an address are shown above the page."""
    phone: bool = False

    @property
    def flags(self) -> list[str]:
        """What the program is told of it."""
        width, height = self.size
        points = (round(width / self.scale), round(height / self.scale))
        flags = [f"--window-size={points[0]},{points[1]}", "--window-position=0,0"]
        flags += [f"--force-device-scale-factor={self.scale:g}"]
        flags += ["--touch-events=enabled"] if self.phone else []
        if self.toolbar:
            return [*flags, "--start-maximized", "about:blank"]
        narrow = points[0] < LEAST_WIDTH
        return [*flags, "--kiosk", "--app=about:blank" if narrow else "about:blank"]


def _files(rootfs: Path, style: DesktopStyle) -> dict[str, bytes]:
    return {
        f"{HOME}/.config/openbox/rc.xml": _OPENBOX,
        "/etc/chromium/policies/managed/proctor.json": json.dumps(_POLICIES).encode(),
    }


KIOSK = DesktopLook(name="kiosk", desktop="LXDE", programs=(("openbox",),), docks=0, icons=False, files=_files)
"""Nothing but a window manager, whose keys and menus are left out."""


def start(session: DesktopSession, window: BrowserWindow, *, more: Sequence[str] = ()) -> tuple[int, Pipe]:
    """Start the browser; return its process and the pipe on which it is spoken to."""
    their_read, our_write = os.pipe2(os.O_CLOEXEC)
    our_read, their_write = os.pipe2(os.O_CLOEXEC)
    try:
        argv = [PROGRAM, *_FLAGS, f"--user-data-dir={PROFILE}", *more, *window.flags]
        pid = session.spawn(argv, fds={3: their_read, 4: their_write})
    except BaseException as error:
        os.close(our_write)
        os.close(our_read)
        if isinstance(error, OSError):
            raise ImageError(
                f"the image has no {PROGRAM}", remedy="choose one with the package chromium, such as image=full"
            ) from error
        raise
    finally:
        os.close(their_read)
        os.close(their_write)
    return pid, Pipe(our_read, our_write)
