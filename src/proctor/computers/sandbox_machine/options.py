"""Check a sandbox's options, all of them before anything starts, and turn them into a plan."""

from __future__ import annotations

import difflib
import io
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from proctor import taxonomy
from proctor.computers.images import store
from proctor.computers.images.image import Image
from proctor.computers.images.inside import read_inside
from proctor.computers.options import ClipOptions
from proctor.computers.sandbox_machine.limits import SandboxLimits
from proctor.computers.sandbox_machine.looks import DesktopLook
from proctor.computers.sandbox_machine.network import parse as parse_network
from proctor.computers.sandbox_machine.plan import SandboxPlan
from proctor.computers.sandbox_machine.session import DesktopSetting
from proctor.computers.sandbox_machine.style import Theme
from proctor.errors import SpecError, UnknownName

SIZES = (320, 7680)
ZONES = "usr/share/zoneinfo"
"""Where an image has its time zones."""
YEARS = (1980, 2100)
"""What a clock may say: programs take earlier times for intervals, and some cannot write later ones."""


@dataclass(frozen=True, kw_only=True)
class MachineOptions(ClipOptions):
    """Options of every computer that runs in a sandbox of its own."""

    image: str = "starter"
    """Name of a built image (`proctor images list`)."""
    locale: str = "en_US.UTF-8"
    """Language and formats, one that the image has, such as `de_DE.UTF-8`."""
    timezone: str = "Etc/UTC"
    """Name of a time zone, such as `Europe/Berlin`."""
    clock: datetime | str | None = None
    """The time on the clock at the start (ISO 8601), from where it runs on; by default, the real time."""
    memory_mb: int = 4096
    """Memory limit for all of its programs together."""
    processes: int = 1024
    """Maximum number of processes."""
    disk_mb: int = 2048
    """Maximum amount of data that may be written."""
    cpus: float = 0
    """Number of processors it may use; 0 for all, but never more than its fair share."""
    network: str | Sequence[str] = "off"
    """`off`, `loopback` (services inside), or from Python a list of `host:port` that may be reached."""
    vnc_password: str = ""
    """Password for viewers of `watch`: 6 to 8 characters."""


def make_plan(
    options: MachineOptions, *, look: DesktopLook, size: tuple[int, int], theme: Theme = "light"
) -> SandboxPlan:
    """Return the plan of a sandbox.

    Raises SpecError naming the option that is wrong, ImageError for the image.
    """
    for name in ("image", "locale", "timezone", "vnc_password"):
        value = getattr(options, name)
        if not isinstance(value, str):
            raise SpecError(f"option {name} is a {type(value).__name__}, not a text", remedy="give it as a string")
    found = store.find(options.image)
    zone = _zone(found.rootfs, options.timezone)
    setting = DesktopSetting(
        size=_size(size),
        locale=_locale(found.rootfs, options.locale),
        timezone=options.timezone,
        clock=_clock(options.clock, zone),
        theme=theme,
        vnc_password=_password(options.vnc_password),
    )
    limits = SandboxLimits(
        memory_mb=_at_least("memory_mb", options.memory_mb, 256),
        processes=_at_least("processes", options.processes, 64),
        disk_mb=_at_least("disk_mb", options.disk_mb, 64),
        cpus=_cpus(options.cpus),
    )
    return SandboxPlan(image=found, look=look, setting=setting, limits=limits, network=parse_network(options.network))


def _password(password: str) -> str:
    if password and not re.fullmatch(r"[!-~]{6,8}", password):
        raise SpecError(
            "option vnc_password is not one that VNC can use", remedy="give 6 to 8 characters of plain ASCII"
        )
    return password


def _at_least(name: str, value: int, least: int) -> int:
    if type(value) is not int or value < least:
        raise SpecError(f"option {name}={value!r} is too little for a desktop", remedy=f"give a number from {least} on")
    return value


def _cpus(cpus: float) -> float:
    if not isinstance(cpus, int | float) or isinstance(cpus, bool) or not (cpus == 0 or 0.1 <= cpus <= 1024):
        raise SpecError(f"option cpus={cpus!r} is not a number of processors", remedy="give 0.1 or more, or 0 for all")
    return float(cpus)


def _size(size: tuple[int, int]) -> tuple[int, int]:
    least, most = SIZES
    try:
        width, height = size
        good = all(type(side) is int and least <= side <= most for side in (width, height))
    except (TypeError, ValueError):
        good = False
    if not good:
        raise SpecError(f"option size={size!r} is not a screen", remedy=f"give (width, height), each {least} to {most}")
    return (width, height)


def _zone(rootfs: Path, timezone: str) -> ZoneInfo:
    """Return a time zone as the image knows it; the host may have none."""
    if not re.fullmatch(r"[A-Z][A-Za-z0-9_+-]*(/[A-Za-z0-9_+-]+){0,2}", timezone):
        raise _unknown_zone(rootfs, timezone)
    try:
        return ZoneInfo.from_file(io.BytesIO(read_inside(rootfs, f"{ZONES}/{timezone}")), key=timezone)
    except (OSError, ValueError) as error:
        raise _unknown_zone(rootfs, timezone) from error


def _unknown_zone(rootfs: Path, timezone: str) -> UnknownName:
    lines = [line.split("\t") for line in _lines(rootfs, f"{ZONES}/zone.tab")]
    names = [fields[2] for fields in lines if len(fields) > 2]
    # There are hundreds of them: too many for a message.
    near = difflib.get_close_matches(timezone, names, n=1) or ("UTC", "Europe/Berlin", "America/New_York", "Asia/Tokyo")
    return UnknownName("time zone", timezone, near)


def _locale(rootfs: Path, locale: str) -> str:
    if locale in ("C.UTF-8", "C", "POSIX"):
        return locale
    names = [line.split()[0] for line in _lines(rootfs, "etc/locale.gen") if line.strip()]
    if locale not in names:
        raise UnknownName("locale", locale, [*names, "C.UTF-8"])
    return locale


def _lines(rootfs: Path, path: str) -> list[str]:
    """Return the lines of a text of the image that are no comments; none where it has none."""
    try:
        text = read_inside(rootfs, path).decode(errors="replace")
    except OSError:
        return []
    return [line for line in text.splitlines() if not line.startswith("#")]


def _clock(clock: datetime | str | None, zone: ZoneInfo) -> datetime | None:
    if clock is None:
        return None
    first, last = YEARS
    remedy = f"write it as 2026-03-02T09:00:00, in a year from {first} to {last}"
    try:
        moment = datetime.fromisoformat(clock) if isinstance(clock, str) else clock
        if not isinstance(moment, datetime) or not first <= moment.year <= last:
            raise ValueError
    except ValueError as error:
        raise SpecError(f"option clock={clock!r} is not a time", remedy=remedy) from error
    return moment.replace(tzinfo=zone) if moment.tzinfo is None else moment


def applications_with(options: Mapping[str, object]) -> Collection[str] | None:
    """Return the applications of a sandbox; None for an image of one's own: what it has is not known."""
    return taxonomy.applications_of(str(options.get("image", "")))


def builds_in(image: Image) -> dict[str, str]:
    """Return which build of each application an image has: what programs write depends on it."""
    return {each.name: each.version for each in image.packages if each.name in taxonomy.APPLICATIONS}
