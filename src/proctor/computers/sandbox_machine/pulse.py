"""What the agent's programs do, as process 1 tells it."""

from __future__ import annotations

from dataclasses import dataclass

from proctor.computers.sandbox_machine.alarms import Alarm
from proctor.computers.sandbox_machine.machine import SandboxMachine


@dataclass(frozen=True, kw_only=True, slots=True)
class PulseReader:
    """What the agent's programs have done since the last look at them."""

    work_us: int
    """Microseconds of processor time, of all threads together."""
    young_us: int
    """Of them, those of programs that started since the last mark."""
    started: int
    ended: int
    waiting: int
    """Whether a program is running or waiting for a disk right now."""
    young_waiting: int
    crowded: int
    """Where alarms are asked for: whether a program that worked since the mark has dozens of threads, as browsers."""
    alarms: tuple[Alarm, ...] = ()
    """Where asked for: programs that worked since the mark and will wake by themselves."""


def feel(machine: SandboxMachine, *, mark: bool = False, alarms: bool = False) -> PulseReader:
    """Tell what the programs have done since this was last asked; who starts after a mark is young."""
    reply, _ = machine.request("pulse", mark=mark, alarms=alarms)
    due = tuple(Alarm(str(name), int(left), int(after)) for name, left, after in reply["alarms"])
    return PulseReader(**{name: int(reply[name]) for name in PulseReader.__slots__ if name != "alarms"}, alarms=due)
