"""Check a sandbox's options, all of them before anything starts, and turn them into a plan."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from proctor.computers.images import store
from proctor.computers.sandbox.limits import Limits
from proctor.computers.sandbox.looks import find as find_look
from proctor.computers.sandbox.network import parse as parse_network
from proctor.computers.sandbox.plan import Plan
from proctor.computers.sandbox.session import Setting
from proctor.computers.sandbox.style import STYLES
from proctor.errors import SpecError, UnknownName

SIZES = (320, 7680)


def make_plan(
    *,
    image: str,
    look: str,
    size: tuple[int, int],
    locale: str,
    timezone: str,
    clock: datetime | str | None,
    theme: str,
    memory_mb: int,
    processes: int,
    disk_mb: int,
    network: str | Sequence[str],
    vnc_password: str,
) -> Plan:
    """Return the plan of a sandbox; raises SpecError naming the option that is wrong, ImageError for the image."""
    if theme not in STYLES:
        raise UnknownName("theme", theme, STYLES)
    found = store.find(image)
    _check_zone(found.rootfs, timezone)
    setting = Setting(
        size=_size(size),
        locale=_locale(found.rootfs, locale),
        timezone=timezone,
        clock=_clock(clock, timezone),
        theme=theme,
        vnc_password=_password(vnc_password),
    )
    limits = Limits(
        memory_mb=_at_least("memory_mb", memory_mb, 256),
        processes=_at_least("processes", processes, 64),
        disk_mb=_at_least("disk_mb", disk_mb, 64),
    )
    return Plan(image=found, look=find_look(look), setting=setting, limits=limits, network=parse_network(network))


def _password(password: str) -> str:
    if password and not re.fullmatch(r"[!-~]{6,8}", password):
        raise SpecError("option vnc_password is not one VNC can carry", remedy="give 6 to 8 characters of plain ASCII")
    return password


def _at_least(name: str, value: int, least: int) -> int:
    if not isinstance(value, int) or value < least:
        raise SpecError(f"option {name}={value!r} is too small for a desktop", remedy=f"give at least {least}")
    return value


def _size(size: tuple[int, int]) -> tuple[int, int]:
    least, most = SIZES
    try:
        width, height = size
        good = all(isinstance(side, int) and least <= side <= most for side in (width, height))
    except (TypeError, ValueError):
        good = False
    if not good:
        raise SpecError(f"option size={size!r} is not a screen", remedy=f"give (width, height), each {least} to {most}")
    return (width, height)


def _check_zone(rootfs: Path, timezone: str) -> None:
    zones = rootfs / "usr/share/zoneinfo"
    good = re.fullmatch(r"[A-Za-z0-9_+-]+(/[A-Za-z0-9_+-]+){0,2}", timezone) and (zones / timezone).is_file()
    if not good:
        names = [str(path.relative_to(zones)) for path in zones.glob("[A-Z]*/*") if path.is_file()]
        raise UnknownName("time zone", timezone, [*names, "UTC"])


def _locale(rootfs: Path, locale: str) -> str:
    if locale in ("C.UTF-8", "C", "POSIX"):
        return locale
    listed = rootfs / "etc/locale.gen"
    lines = listed.read_text(errors="replace").splitlines() if listed.exists() else []
    names = [line.split()[0] for line in lines if line.strip() and not line.startswith("#")]
    if locale not in names:
        raise UnknownName("locale", locale, [*names, "C.UTF-8"])
    return locale


def _clock(clock: datetime | str | None, timezone: str) -> datetime | None:
    if clock is None:
        return None
    if isinstance(clock, str):
        try:
            clock = datetime.fromisoformat(clock)
        except ValueError as error:
            raise SpecError(
                f"option clock={clock!r} is not a time", remedy="write it as 2026-03-02T09:00:00"
            ) from error
    if clock.tzinfo is None:
        try:
            clock = clock.replace(tzinfo=ZoneInfo(timezone))
        except (KeyError, ValueError):
            clock = clock.replace(tzinfo=UTC)
    return clock
