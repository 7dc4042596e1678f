"""What the programs of some users have done since they were last asked about, and when they mean to go on."""

import os
import platform
import struct
import time
from typing import Any

from processes import at_work, processes_of

SCHEDULER_CLOCK = 2
"""Kind of a process's own clock that counts the nanoseconds all of its threads ran."""
LEAST_WORK_NS = 300_000
"""A program that worked less than this since the mark has not reacted to anything."""
MOST_THREADS = 256
FAR_SEC = 1.0
"""Alarms that are further away are not told of."""

# Where the system calls in which main loops sleep have their time: the argument, and what it holds.
SLEEPS_OF = {
    "x86_64": {
        7: (3, "ms"), 232: (4, "ms"), 281: (4, "ms"), 271: (3, "timespec"), 441: (4, "timespec"), 230: (3, "timespec"),
    },
    "aarch64": {22: (4, "ms"), 73: (3, "timespec"), 441: (4, "timespec"), 115: (3, "timespec")},
}  # fmt: skip
SLEEPS = SLEEPS_OF.get(platform.machine(), {})
"""poll, epoll_wait, epoll_pwait, ppoll, epoll_pwait2 and clock_nanosleep by number."""

FUTEX = {"x86_64": 202, "aarch64": 98}.get(platform.machine(), -1)
WAIT_UNTIL, BY_THE_WALL_CLOCK = 9, 256
TIMER = "Timer"
"""Thread of Firefox and Thunderbird that keeps time for the others."""
FILE_WATCH = "gmain"
"""Thread of GLib that hears of changed files: it looks away for 100 ms after some, and shows late what happens then."""

CROWD = 24
"""Threads of a program that hands its work from one to another, as browsers do; office programs have half as many."""


class Pulse:
    """Remembers how long each process had run, so that the next look tells what it did since."""

    def __init__(self, *uids: int) -> None:
        self.uids = uids
        self.spent: dict[int, int] = {}
        self.since: dict[int, int] = {}
        """How long each had run at the mark."""
        self.marked = 0.0
        self.ran: dict[int, float] = {}
        """When each was last seen to have run."""

    def beat(self, *, mark: bool = False, alarms: bool = False) -> "dict[str, Any]":
        """Return the work done, and the processes started and ended, since the last beat.

        Those that start after a mark are young, until the next one; their work counts apart. `alarms` asks in how many
        milliseconds the programs that worked since the mark will wake by themselves.
        """
        spent: dict[int, int] = {}
        waiting: set[int] = set()
        for pid in processes_of(*self.uids):
            try:
                spent[pid] = time.clock_gettime_ns(~pid << 3 | SCHEDULER_CLOCK)
                if at_work(pid):
                    waiting.add(pid)
            except OSError:
                continue  # it ended meanwhile
        before, self.spent = self.spent, spent
        if mark:
            self.since, self.marked = spent, time.monotonic()
        young = spent.keys() - self.since.keys()
        work = {pid: max(ran - before.get(pid, 0), 0) for pid, ran in spent.items()}
        now = time.monotonic()
        self.ran = {pid: now if work[pid] else self.ran.get(pid, 0.0) for pid in spent}
        if alarms and not waiting:
            # Other threads than the first are looked at only when all seems done: browsers have hundreds.
            waiting = {pid for pid in spent if self.reacted(pid) and any(map(at_work, threads_of(pid)))}
        return {
            "work_us": sum(work.values()) // 1000,
            "young_us": sum(work[pid] for pid in young) // 1000,
            "started": len(spent.keys() - before.keys()),
            "ended": len(before.keys() - spent.keys()),
            "waiting": bool(waiting),
            "young_waiting": not waiting.isdisjoint(young),
            "crowded": alarms and any(self.reacted(pid) and len(threads_of(pid)) >= CROWD for pid in spent),
            "alarms": self.alarms(now) if alarms else [],
        }

    def reacted(self, pid: int) -> bool:
        """Tell whether a process has worked since the mark."""
        return self.spent[pid] - self.since.get(pid, 0) >= LEAST_WORK_NS

    def alarms(self, now: float) -> "list[tuple[str, int, int]]":
        """Return who worked since the mark and will wake by itself.

        Milliseconds from now, and from the mark.
        """
        found = []
        for pid in filter(self.reacted, self.spent):
            seconds = sleeps_for(str(pid))
            due = [] if seconds is None else [self.ran[pid] + seconds]
            due += [at for thread in threads_of(pid, TIMER) if (at := wakes_at(thread)) is not None]
            watches = [naps for thread in threads_of(pid, FILE_WATCH) if (naps := sleeps_for(thread)) is not None]
            name = name_of(str(pid))
            for who, when in ((name, due), (f"{name} {FILE_WATCH}", [self.ran[pid] + naps for naps in watches])):
                if when and (left := min(when) - now) < FAR_SEC:
                    found.append((who, round(left * 1000), round((now + left - self.marked) * 1000)))
        return found


def sleeps_for(thread: str) -> "float | None":
    """Return how long a thread said it would sleep; None where it did not, or nobody may know."""
    try:
        words = waits_in(thread)
        place, kind = SLEEPS[int(words[0])]
        argument = int(words[place], 16)
        if kind == "ms":
            milliseconds = struct.unpack("<i", struct.pack("<I", argument & 0xFFFFFFFF))[0]
            return milliseconds / 1000 if milliseconds >= 0 else None
        return time_at(thread, argument)
    except (KeyError, ValueError, IndexError, OSError, struct.error):
        return None


def wakes_at(thread: str) -> "float | None":
    """Return until when, on the monotonic clock, a thread waits for a word from another.

    None where it does not say.
    """
    try:
        words = waits_in(thread)
        operation = int(words[2], 16)
        if int(words[0]) != FUTEX or operation & 0x7F != WAIT_UNTIL or operation & BY_THE_WALL_CLOCK:
            return None
        return time_at(thread, int(words[4], 16))
    except (ValueError, IndexError, OSError, struct.error):
        return None


def waits_in(thread: str) -> "list[str]":
    """Return the number and the arguments of the system call that a thread is in."""
    with open(f"/proc/{thread}/syscall") as file:
        return file.read().split()


def time_at(thread: str, address: int) -> "float | None":
    """Return the time that lies in a thread's memory; None where there is none."""
    if not address:
        return None
    with open(f"/proc/{thread}/mem", "rb", buffering=0) as memory:
        seconds, nanoseconds = struct.unpack("<qq", os.pread(memory.fileno(), 16, address))
    return float(seconds + nanoseconds / 1e9)


def name_of(thread: str) -> str:
    """Return what a process or a thread is called; empty when it has ended."""
    try:
        with open(f"/proc/{thread}/comm", errors="replace") as file:
            return file.read().strip()
    except OSError:
        return ""


def threads_of(pid: int, name: str = "") -> "list[str]":
    """Return the threads of a process, or those of one name."""
    try:
        threads = [f"{pid}/task/{number}" for number in os.listdir(f"/proc/{pid}/task")[:MOST_THREADS]]
    except OSError:
        return []  # it ended meanwhile
    return [thread for thread in threads if name_of(thread) == name] if name else threads
