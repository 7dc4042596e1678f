"""The agent's programs as process 1 sees them: which there are, and holding all of them still."""

import os
import select
import signal
import time
from typing import Any, NamedTuple

import image_program
import processes
import rootfs

PATIENCE_SEC = 4.0
"""How long programs may take to stand still; those that do not are ended, and all of them after twice as long."""
ROUND_SEC = 0.25
"""After which time all of them are signalled once more."""
MOST_TOLD = 4096
MOST_COMMAND = 4096
"""Programs, and bytes of a command line, that are told of."""
STILL, GONE = b"Tt", b"ZX"
"""Letters for the state of a task: stopped by a signal or a tracer; ended."""


Told = dict[str, Any]
"""What is told of one program."""


class Thread(NamedTuple):
    """One thread of a program."""

    state: bytes
    switches: int
    """How often it was given up by a processor: one that stands still is never given any."""


class AgentPrograms:
    """The programs of one user."""

    def __init__(self, uid: int, layers: rootfs.Layers) -> None:
        self.uid, self.layers = uid, layers
        self.frozen = False
        self._halted: set[tuple[int, int]] = set()
        """Those that somebody else had halted before; they stay so."""
        self._counts: dict[tuple[int, int], int] = {}
        self._early: dict[tuple[int, int], Told] = {}

    # -- which there are ------------------------------------------------------------------------------------------

    def list_all(self) -> "list[Told]":
        """Tell what is running, each with its executable, and what it was when the task began.

        Name and command line of one that was there then are those it had: a program can be made to change them.
        """
        found = []
        for pid in processes.processes_of(self.uid)[:MOST_TOLD]:
            program = self._describe(pid)
            if program is None:
                continue
            early = self._early.get((pid, program["start"]))
            if early is not None and early["program"] == program["program"]:
                program = {**program, "name": early["name"], "command": early["command"], "early": True}
            found.append(program)
        return found

    def describe(self, pid: int) -> "Told | None":
        """Tell of one program, whoever it belongs to."""
        return self._describe(pid)

    def remember(self) -> None:
        """Say that the task begins now: what runs was started by its setup or the desktop."""
        self._early = {(each["pid"], each["start"]): each for each in self.list_all()}

    def _describe(self, pid: int) -> "Told | None":
        try:
            uid = os.stat(f"/proc/{pid}").st_uid
            with open(f"/proc/{pid}/stat", "rb") as file:
                head, _, rest = file.read().rpartition(b") ")
            with open(f"/proc/{pid}/cmdline", "rb") as file:
                command = file.read(MOST_COMMAND)
            program = os.readlink(f"/proc/{pid}/exe")
        except (FileNotFoundError, ProcessLookupError, PermissionError):
            return None  # it ended meanwhile, or is about to
        fields = rest.split()
        if fields[0] in GONE:
            return None
        start = int(fields[19])
        halted = (pid, start) in self._halted if self.frozen else fields[0] in STILL
        return {
            "pid": pid,
            "start": start,
            "uid": uid,
            "name": head.partition(b"(")[2].decode(errors="replace"),
            "command": command.rstrip(b"\0").replace(b"\0", b" ").decode(errors="replace"),
            "program": program,
            "of_image": image_program.is_of_image(program, self.layers),
            "halted": halted,
            "nice": int(fields[16]),
            "early": False,
        }

    def end_politely(self, names: "list[str]", seconds: float) -> None:
        """Ask programs of the image by their names to end, and wait until they have, but not long."""
        deadline = time.monotonic() + seconds
        for pid in filter(lambda pid: self._runs(pid, names), processes.processes_of(self.uid)):
            try:
                handle = os.pidfd_open(pid)
            except ProcessLookupError:
                continue  # it has ended already
            try:
                signal.pidfd_send_signal(handle, signal.SIGTERM)
                select.select([handle], [], [], max(deadline - time.monotonic(), 0))
            except ProcessLookupError:
                continue
            finally:
                os.close(handle)

    def _runs(self, pid: int, names: "list[str]") -> bool:
        """Tell whether a process runs one of some programs of the image, and nobody has halted it.

        Its command line is not asked for: a process that forks all the time has its memory locked, and hundreds of them
        make whoever reads it wait for minutes.
        """
        try:
            program = os.readlink(f"/proc/{pid}/exe")
            with open(f"/proc/{pid}/stat", "rb") as file:
                state = file.read().rpartition(b") ")[2][:1]
        except (FileNotFoundError, ProcessLookupError, PermissionError):
            return False  # it ended meanwhile, or is about to
        wanted = program.rpartition("/")[2] in names and state not in STILL + GONE
        return wanted and image_program.is_of_image(program, self.layers)

    # -- holding them still ---------------------------------------------------------------------------------------

    def freeze(self) -> "list[Told]":
        """Stop every program until `thaw`; return those that were ended, as they did not stand still."""
        if not self.frozen:
            self._halted = {key for key, tasks in self._all().items() if all(task.state in STILL for task in tasks)}
            self.frozen = True
        ended: list[Told] = []
        began = time.monotonic()
        while True:
            self._send(signal.SIGSTOP)
            moving = self._wait_until_still(began + PATIENCE_SEC)
            taken = time.monotonic() - began
            if not moving:
                self._counts = self._counts_now()
                if not self._differences(self._counts_now()):
                    return ended
                # One is still on its way to a stop, or was woken by a timer of its own.
            elif taken > 2 * PATIENCE_SEC:
                ended += [each for each in map(self._describe, {pid for pid, _ in self._all()}) if each]
                self._send(signal.SIGKILL)
                self._counts = self._counts_now()
                return ended
            if taken > PATIENCE_SEC:
                ended += self._end(moving or self._differences(self._counts_now()))
            elif moving and self._wait_in_kernel(moving):
                # Mostly for a program that stands still itself: all of them go on for the time of one look.
                self._let_go()
                self._all()

    def end_moving(self) -> "list[Told]":
        """End what has come to life since `freeze`, such as by a timer that wakes it, and return it."""
        found = self._differences(self._counts_now())
        if not found:
            return []
        ended = self._end(found)
        return ended + self.freeze()

    def thaw(self) -> None:
        """Let everything go on that had not been halted before, parents last."""
        if self.frozen:
            self._let_go()
        self.frozen = False
        self._halted, self._counts = set(), {}

    def _let_go(self) -> None:
        # A shell that sees its child halted believes that its user did it.
        for pid, start in sorted(self._all(), key=lambda key: key[1], reverse=True):
            if (pid, start) not in self._halted:
                _kill(pid, signal.SIGCONT)

    def _send(self, number: int) -> None:
        """Send a signal to everything of the user's at once, so that nothing forks past it."""
        # The kernel does that for whoever has the user's id. Process 1 keeps its own as the saved one; it gets no
        # signal from inside that it has not asked for, and nobody may look into its memory.
        os.setresuid(self.uid, self.uid, 0)
        try:
            os.kill(-1, number)
        except ProcessLookupError:
            return  # nobody is there
        finally:
            os.setresuid(0, 0, 0)

    def _wait_until_still(self, deadline: float) -> "list[tuple[int, int]]":
        """Return the programs that move at the end of a short patience."""
        ends = min(time.monotonic() + ROUND_SEC, deadline)
        while True:
            moving = [key for key, tasks in self._all().items() if any(task.state not in STILL for task in tasks)]
            if not moving or time.monotonic() > ends:
                return moving

    def _wait_in_kernel(self, moving: "list[tuple[int, int]]") -> bool:
        tasks = self._all()
        return all(task.state in b"TtD" for key in moving for task in tasks.get(key, ()))

    def _end(self, keys: "list[tuple[int, int]]") -> "list[Told]":
        told = [each for each in (self._describe(pid) for pid, _ in keys) if each]
        for pid, _ in keys:
            _kill(pid, signal.SIGKILL)
        return told

    def _all(self) -> "dict[tuple[int, int], list[Thread]]":
        """Return the tasks of every program that has not ended, by its number and start."""
        found = {}
        for pid in processes.processes_of(self.uid):
            try:
                start, tasks = _start_of(pid), _tasks_of(pid)
            except (FileNotFoundError, ProcessLookupError):
                continue  # it ended meanwhile
            if tasks:
                found[pid, start] = tasks
        return found

    def _counts_now(self) -> "dict[tuple[int, int], int]":
        return {key: sum(task.switches for task in tasks) for key, tasks in self._all().items()}

    def _differences(self, now: "dict[tuple[int, int], int]") -> "list[tuple[int, int]]":
        return [key for key, count in now.items() if self._counts.get(key) != count]


def _start_of(pid: int) -> int:
    with open(f"/proc/{pid}/stat", "rb") as file:
        return int(file.read().rpartition(b") ")[2].split()[19])


def _tasks_of(pid: int) -> "list[Thread]":
    found = []
    for tid in os.listdir(f"/proc/{pid}/task"):
        try:
            with open(f"/proc/{pid}/task/{tid}/status", "rb") as file:
                lines = dict(line.split(b":", 1) for line in file.read().splitlines() if b":" in line)
        except (FileNotFoundError, ProcessLookupError):
            continue  # it ended meanwhile
        state = lines[b"State"].split()[0]
        if state not in GONE:
            switches = int(lines[b"voluntary_ctxt_switches"]) + int(lines[b"nonvoluntary_ctxt_switches"])
            found.append(Thread(state, switches))
    return found


def _kill(pid: int, number: int) -> None:
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        return  # it ended meanwhile
