"""The machine a task needs: what it insists on, what it would like, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from datetime import datetime
from typing import Literal

from proctor import taxonomy
from proctor.computers.computer import Capability
from proctor.computers.fit import MachineNeeds
from proctor.errors import UnknownName
from proctor.home import HOME
from proctor.tasks.model import PlainModel, Text
from proctor.tasks.shelf import Problem

_SETTINGS = ("image", "look", "size", "locale", "timezone", "clock", "network")


class Machine(PlainModel):
    """The computer that a task needs, whichever backend it is.

    Fields that differ from their default are required exactly so; the rest is passed to computers that can be set up.
    """

    image: str = ""
    """Name of the desktop image; empty for the smallest that has the task's applications."""
    look: str = "xfce"
    size: tuple[int, int] = (1920, 1080)
    locale: str = "en_US.UTF-8"
    timezone: str = "UTC"
    clock: str = "2026-03-12T09:30:00"
    """The computer's time when the task begins, so that "next Friday" is reproducible."""
    applications: tuple[Text, ...] = ()
    """Applications it must have; empty for those in the task's tags."""
    services: tuple[Text, ...] = ()
    """Local services that setup starts; empty for those in the task's tags."""
    network: Literal["", "off", "loopback"] = ""
    """Empty for `loopback` if there are services, `off` otherwise."""
    capabilities: tuple[Capability, ...] = ()
    """What else it must be able to do, such as `code`."""
    home: str = HOME
    """The home folder that the task's paths assume."""

    @property
    def insists(self) -> frozenset[str]:
        """The settings that a computer must have just so."""
        usual = Machine()
        given = {name: getattr(self, name) for name in _SETTINGS}
        return frozenset(name for name, value in given.items() if value and value != getattr(usual, name))

    def problems(self) -> Iterator[Problem]:
        """Yield what the types cannot tell."""
        for place, service in enumerate(self.services):
            yield from unknown(("services", place), "service", service, taxonomy.SERVICES)
        if not self.home.startswith("/") or self.home.rstrip("/") != self.home:
            yield Problem(("home",), f"{self.home!r} is not an absolute path such as {HOME}")
        if self.clock and not is_time(self.clock):
            yield Problem(("clock",), f"{self.clock!r} is not a time such as 2026-03-12T09:30:00")

    def needs(
        self, *, image: str, clock: str, apps: tuple[str, ...], services: tuple[str, ...], needs: tuple[str, ...]
    ) -> MachineNeeds:
        """Return what a task with this machine needs of any computer.

        Args:
            image: The desktop image it runs on, where that is a sandbox.
            clock: The time that the task itself draws, if it does.
            apps: The applications it is classified by, which count where none are named here.
            services: The services it is classified by, likewise.
            needs: What else its tags ask for.
        """
        services = self.services or services
        return MachineNeeds(
            settings={
                "image": image,
                "look": self.look,
                "size": self.size,
                "locale": self.locale,
                "timezone": self.timezone,
                "clock": clock or self.clock or None,
                "network": self.network or ("loopback" if services else "off"),
            },
            insists=self.insists | ({"clock"} if clock else set()) | ({"network"} if services else set()),
            applications=self.applications or apps,
            services=services,
            capabilities=frozenset((*self.capabilities, *needs)),
            home="" if self.home == HOME else self.home,
        )


def is_time(text: str) -> bool:
    """Tell whether a text is a time that a clock can be set to."""
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True


def unknown(path: tuple[str | int, ...], kind: str, name: str, known: Collection[str]) -> Iterator[Problem]:
    """Yield a name that is not known, with the nearest that is."""
    if name not in known:
        error = UnknownName(kind, name, known)
        yield Problem(path, f"{error.message}; {error.remedy}")
