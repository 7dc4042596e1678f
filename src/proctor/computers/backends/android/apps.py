"""Applications of an Android device."""

from __future__ import annotations

import difflib
import re
import shlex
import time
from collections.abc import Mapping, Sequence

from proctor.computers.backends.android.device import AndroidDevice
from proctor.computers.backends.android.screen import AndroidScreen
from proctor.computers.values import App, Window
from proctor.errors import AgentError, ComputerError, NotReady, SpecError
from proctor.observations.box import Box
from proctor.pause import pause

LIST = "cmd package query-activities --brief -a android.intent.action.MAIN -c android.intent.category.LAUNCHER"
START_SEC = 30.0
LOOK_SEC = 0.2
COMPONENT = re.compile(r"^\s*([A-Za-z][\w.]*)/([\w.$]+)\s*$", re.ASCII | re.MULTILINE)
FOCUS = re.compile(r"mCurrentFocus=Window\{([0-9a-f]{1,16}) \S+ ([^\s}]+)", re.ASCII)

KNOWN = {
    "browser": ("com.android.chrome", "org.chromium.chrome", "com.android.browser"),
    "chrome": ("com.android.chrome",),
    "clock": ("com.google.android.deskclock", "com.android.deskclock", "com.sec.android.app.clockpackage"),
    "contacts": ("com.google.android.contacts", "com.android.contacts"),
    "dialer": ("com.google.android.dialer", "com.android.dialer"),
    "phone": ("com.google.android.dialer", "com.android.dialer"),
    "files": ("com.google.android.documentsui", "com.android.documentsui"),
    "gmail": ("com.google.android.gm",),
    "maps": ("com.google.android.apps.maps",),
    "messages": ("com.google.android.apps.messaging", "com.android.messaging"),
    "photos": ("com.google.android.apps.photos",),
    "play store": ("com.android.vending",),
    "settings": ("com.android.settings",),
    "simple calendar pro": ("com.simplemobiletools.calendar.pro",),
    "simple gallery pro": ("com.simplemobiletools.gallery.pro",),
    "simple sms messenger": ("com.simplemobiletools.smsmessenger",),
    "simple draw pro": ("com.simplemobiletools.draw.pro",),
    "audio recorder": ("com.dimowner.audiorecorder",),
    "pro expense": ("com.arduia.expense",),
    "broccoli app": ("com.flauschcode.broccoli",),
    "osmand": ("net.osmand",),
    "tasks": ("org.tasks",),
    "opentracks": ("de.dennisguse.opentracks",),
    "vlc": ("org.videolan.vlc",),
    "joplin": ("net.cozic.joplin",),
    "retro music": ("code.name.monkey.retromusic",),
    "markor": ("net.gsantner.markor",),
}
"""What people call applications whose packages have another name; the first that is installed is meant."""


class AndroidApps:
    """Applications, by what people call them, by package or by activity."""

    def __init__(self, device: AndroidDevice) -> None:
        self._device = device

    def names(self) -> list[str]:
        """Return the packages of everything that the launcher would show."""
        return sorted(self.components())

    def components(self) -> dict[str, str]:
        """Return the activity with which each application begins, by package."""
        found: dict[str, str] = {}
        for package, activity in COMPONENT.findall(self._device.ask(LIST)):
            found.setdefault(package, f"{package}/{activity}")
        return found

    def find(self, name: str) -> str:
        """Return the activity that a name stands for; raises AgentError with those that are near."""
        if COMPONENT.fullmatch(name):
            return name.strip()
        there = self.components()
        meant = match(name, sorted(there))
        if len(meant) == 1:
            return there[meant[0]]
        near = meant or difflib.get_close_matches(name.lower(), there, n=5, cutoff=0.3)
        choice = ", ".join(near[:5] or sorted(there)[:12]) or "(none)"
        what = f"{name[:60]!r} could be several applications" if meant else f"there is no application {name[:60]!r}"
        raise AgentError(f"{what} on this device", remedy=f"name one of: {choice}")

    def open(self, name: str) -> None:
        """Open an application by its name and return when the device says that it is there."""
        start(self._device, self.find(name))


def match(name: str, packages: Sequence[str]) -> list[str]:
    """Return the packages a name stands for: itself, a known name, or the one whose words it names."""
    wanted = " ".join(name.lower().split())
    if exact := [package for package in packages if package.lower() == wanted]:
        return exact
    if known := [package for package in KNOWN.get(wanted, ()) if package in packages]:
        return known[:1]
    plain = re.sub(r"[^a-z0-9]", "", wanted)
    if not plain:
        return []
    last = [package for package in packages if package.rpartition(".")[2].lower() == plain]
    return last or [package for package in packages if plain in package.lower().replace(".", "")]


def start(device: AndroidDevice, component: str, data: str = "") -> None:
    """Start an activity; raises ComputerError with what the device said when it does not."""
    address = f" -a android.intent.action.VIEW -d {shlex.quote(data)}" if data else ""
    said = device.ask(f"am start -W -n {shlex.quote(component)}{address}", timeout_sec=START_SEC)
    if re.search(r"(?m)^(?:Error|Exception|java\.)", said) or "Status: ok" not in said:
        # Some activities are started by nobody but the launcher.
        package = component.partition("/")[0]
        monkey = device.ask(
            f"monkey -p {shlex.quote(package)} -c android.intent.category.LAUNCHER 1", timeout_sec=START_SEC
        )
        if data or "Events injected: 1" not in monkey:
            raise ComputerError(
                f"{component} cannot be started: {' '.join(said.split())[:300]}",
                remedy="see `computer.parts.apps.names()` for what can be",
            )


class AndroidWindows:
    """What is in front; Android shows one application at a time."""

    def __init__(self, device: AndroidDevice, screen: AndroidScreen, apps: AndroidApps) -> None:
        self._device, self._screen, self._apps = device, screen, apps

    def windows(self) -> list[Window]:
        """Return the window in front, or none while there is none."""
        found = FOCUS.search(self._device.ask("dumpsys window"))
        if not found:
            return []
        number, title = int(found[1], 16), found[2]
        package = title.partition("/")[0]
        box = Box(0, 0, *self._screen.size)
        return [Window(id=number, title=title[:300], app=package, pid=self._pid(package), box=box, active=True)]

    def _pid(self, package: str) -> int:
        said = self._device.ask(f"pidof {shlex.quote(package)}").split()
        return int(said[0]) if said and said[0].isdigit() else 0

    def launch(
        self, argv: Sequence[str], *, window: str | None, wait: bool, timeout_sec: float, env: Mapping[str, str] | None
    ) -> App:
        """Start an application by name, package or activity, perhaps with the address of what it is to show."""
        if not argv or len(argv) > 2 or env:
            raise SpecError(
                f"{list(argv)!r} cannot be launched on Android",
                remedy="give an application, and at most the address of what it is to show; no environment",
            )
        try:
            component = self._apps.find(argv[0])
        except AgentError as error:
            raise ComputerError(error.message, remedy=error.remedy) from error
        start(self._device, component, *argv[1:])
        package = component.partition("/")[0]
        if not wait:
            return App(argv=tuple(argv), pid=self._pid(package), window=None)
        front = self._await(package, window or "", timeout_sec)
        return App(argv=tuple(argv), pid=front.pid, window=front)

    def _await(self, package: str, title: str, timeout_sec: float) -> Window:
        ends = time.monotonic() + timeout_sec
        while True:
            for front in self.windows():
                if front.app == package and title in front.title:
                    return front
            if time.monotonic() >= ends:
                raise NotReady(f"{package} was not in front within {timeout_sec:g} s")
            pause(LOOK_SEC)
