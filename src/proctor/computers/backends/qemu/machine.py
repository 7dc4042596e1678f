"""One running QEMU: started with the lines that lead to it, asked through its monitor, and ended without a trace."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from proctor.computers.backends.qemu import host, keeper
from proctor.computers.backends.qemu.command import LINE_PORTS, Wiring, command
from proctor.computers.backends.qemu.options import QemuSpec
from proctor.computers.backends.qemu.shelf import DiskShelf
from proctor.computers.channels.guest_agent.client import GuestAgent
from proctor.computers.channels.qmp.client import Qmp, QmpRefused
from proctor.errors import ComputerError, ComputerLost, HostError, ImageError, ProctorError
from proctor.pause import pause

START_SEC = 120.0
END_SEC = 10.0
MOVE_SEC = 600.0
LOOK_SEC = 0.005
AT_ANY_SPEED = 1 << 40
MOST_LAYERS = 200
"""Layers that a disk may be made of: each is looked through when something is read."""
CONSOLE_CHARS = 300

_FROM_OUTSIDE = {-signal.SIGKILL, -signal.SIGTERM, -signal.SIGINT, -signal.SIGHUP, -signal.SIGQUIT, -signal.SIGSTOP}
_FORWARD = re.compile(r"HOST_FORWARD\]?\s+\S+\s+127\.0\.0\.1\s+(\d+)\s")


@dataclass(frozen=True)
class MachineEnding:
    """How a QEMU ended."""

    code: int
    said: str

    @property
    def words(self) -> str:
        """What happened, as part of a sentence."""
        how = f"by signal {-self.code}" if self.code < 0 else f"with status {self.code}"
        said = " ".join(self.said.split())[-CONSOLE_CHARS:]
        return f"QEMU ended {how}" + (f": {said}" if said else "")

    @property
    def from_outside(self) -> bool:
        """Whether only somebody on this host can have done it."""
        return self.code in _FROM_OUTSIDE


class QemuMachine:
    """A QEMU that runs; it belongs to one thread."""

    def __init__(self, made: QemuSpec, shelf: DiskShelf, *, disk: str, memory: Path | None = None) -> None:
        """Start it on a disk's layer (empty for none), from a kept `memory` if given.

        Its files lie on the shelf, which is not let go of here. Raises HostError, ImageError or ComputerError with
        QEMU's own words.
        """
        self.made, self.disk = made, disk
        self._shelf = shelf
        self._layers = 0
        self._node = "disk0"
        self._ending: MachineEnding | None = None
        self.rfb = shelf.name("rfb")
        self.lines = {port: shelf.name("line") for port in LINE_PORTS} if made.tree else {}
        """Sockets that lead to ports inside, by their names there."""
        accel, self.why = host.choose(made.accel, made.arch)
        try:
            self._start(accel, incoming=memory is not None)
        except HostError:
            if made.accel != "auto" or accel != "kvm":
                raise
            # What looked well may still fail, as in a virtual machine whose host promises too much.
            accel, self.why = "tcg", "QEMU could not use /dev/kvm"
            self._start(accel, incoming=memory is not None)
        self.accel: Literal["kvm", "tcg"] = accel
        if memory is not None:
            try:
                self._load(memory)
            except BaseException:
                self.end()
                raise

    def _start(self, accel: Literal["kvm", "tcg"], *, incoming: bool) -> None:
        kind = host.arch(self.made.arch)
        program = host.program(kind.program, kind.package)
        ours, theirs = socket.socketpair()
        agent, agent_theirs = socket.socketpair() if self.made.agent else (None, None)
        lines = [line for line in (theirs, agent_theirs) if line]
        self._ending = None
        try:
            wiring = Wiring(
                rfb=self.rfb,
                qmp=theirs.fileno(),
                agent=agent_theirs.fileno() if agent_theirs else None,
                lines=tuple(self.lines.values()),
                disk=self.disk,
                incoming=incoming,
            )
            argv = command(self.made, kind, program, accel, wiring)
            self._keeper = self._keep(argv, [line.fileno() for line in lines])
        except BaseException:
            ours.close()
            if agent:
                agent.close()
            raise
        finally:
            for line in lines:
                line.close()
        self.agent = GuestAgent(agent) if agent else None
        try:
            self.qmp = Qmp(ours, timeout_sec=START_SEC)
        except ComputerError as error:
            ours.close()
            ended = self._await_end(END_SEC)
            self.end()
            raise (_reason(ended, self.made) if ended else error) from error

    def _keep(self, argv: list[str], fds: list[int]) -> subprocess.Popen[bytes]:
        config = {"argv": argv, "fds": fds, "folder": str(self._shelf.folder), "harness": os.getpid()}
        try:
            return subprocess.Popen(
                [sys.executable, "-I", "-S", keeper.__file__, json.dumps(config)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                pass_fds=[*fds, self._shelf.fd],
                start_new_session=True,
            )
        except OSError as error:
            raise HostError(f"no process can be started for QEMU: {error.strerror}") from error

    # -- its end ------------------------------------------------------------------------------------------------------

    def ending(self) -> MachineEnding | None:
        """Return how it ended; None while it runs."""
        return self._await_end(0.0)

    def _await_end(self, timeout_sec: float) -> MachineEnding | None:
        if self._ending is None:
            try:
                self._keeper.wait(timeout_sec)
            except subprocess.TimeoutExpired:
                return None
            assert self._keeper.stdout
            with self._keeper.stdout as told:
                said = told.read()
            try:
                report = json.loads(said)
                self._ending = MachineEnding(int(report["code"]), str(report["said"]))
            except (ValueError, KeyError, TypeError):
                self._ending = MachineEnding(-signal.SIGKILL, "its keeper was ended too")
        return self._ending

    def end(self) -> None:
        """End it at once; ending twice has no effect."""
        if hasattr(self, "qmp"):
            self.qmp.close()
        if self.agent:
            self.agent.close()
        assert self._keeper.stdin
        if not self._keeper.stdin.closed:
            with contextlib.suppress(BrokenPipeError):
                self._keeper.stdin.write(b".")
                self._keeper.stdin.flush()
            with contextlib.suppress(BrokenPipeError):
                self._keeper.stdin.close()
        if self._await_end(END_SEC) is None:
            self._keeper.kill()  # which ends QEMU too
            self._await_end(END_SEC)

    # -- its state ----------------------------------------------------------------------------------------------------

    def status(self) -> str:
        """Return QEMU's word for it, such as `running` or `shutdown`."""
        return str(self.qmp.ask("query-status")["status"])

    def console(self) -> str:
        """Return the last of what the guest said on its serial line and nobody has read."""
        said = self.qmp.ask("ringbuf-read", device="console", size=1 << 16, format="utf8")
        return " ".join(str(said).split())[-CONSOLE_CHARS:]

    def forwarded(self) -> int:
        """Return the port of loopback that leads into the guest."""
        found = _FORWARD.search(self.qmp.tell("info usernet"))
        if found is None:
            raise ComputerError("QEMU does not say which port leads to the guest")
        return int(found[1])

    def save(self, memory: Path) -> str:
        """Keep memory and disk as they are now, and go on.

        Return the layer of the disk that stays as it was. It stands still meanwhile, so nothing inside notices but by
        clocks outside.
        """
        before, was = self.disk, self.status()
        if was not in ("running", "paused"):
            raise ComputerError(
                f"the machine cannot be saved: it is {_stateword(was)}", remedy="restore another snapshot"
            )
        self.qmp.ask("stop")
        try:
            if self.disk:
                self._new_layer()
            self._write(memory)
        except BaseException:
            memory.unlink(missing_ok=True)
            raise
        finally:
            # The disk was handed over with the memory; going on takes it back.
            with contextlib.suppress(ComputerLost):
                self._go_on()
        return before

    def _go_on(self) -> None:
        """Let the machine run; QEMU says that memory is written a moment before it is ready to."""
        ends = time.monotonic() + END_SEC
        while True:
            try:
                self.qmp.ask("cont")
                return
            except QmpRefused:
                if time.monotonic() > ends:
                    raise
                pause(LOOK_SEC)

    def _new_layer(self) -> None:
        if self._layers >= MOST_LAYERS:
            raise ComputerError(
                f"the disk has {self._layers} layers, one for each snapshot", remedy="restore one of them, then go on"
            )
        self._layers += 1
        path, node = str(self._shelf.folder / self._shelf.name("disk")), f"disk{self._layers}"
        self.qmp.ask(
            "blockdev-snapshot-sync",
            node_name=self._node,
            snapshot_file=path,
            snapshot_node_name=node,
            format="qcow2",
            timeout_sec=START_SEC,
        )
        self.disk, self._node = path, node

    def _write(self, memory: Path) -> None:
        self.qmp.ask("migrate-set-parameters", max_bandwidth=AT_ANY_SPEED)
        with memory.open("wb") as file:
            self.qmp.ask("getfd", fdname="memory", fd=file.fileno())
            self.qmp.ask("migrate", uri="fd:memory")
            ends = time.monotonic() + MOVE_SEC
            while (told := self.qmp.ask("query-migrate")).get("status") != "completed":
                if told.get("status") in ("failed", "cancelled"):
                    raise ComputerError(
                        f"the memory could not be saved: {told.get('error-desc') or told['status']}",
                        remedy="check that there is room in the data folder",
                    )
                self._wait(ends, "was not written")

    def _load(self, memory: Path) -> None:
        ends = time.monotonic() + MOVE_SEC
        with memory.open("rb") as file:
            self.qmp.ask("getfd", fdname="memory", fd=file.fileno())
        try:
            self.qmp.ask("migrate-incoming", uri="fd:memory")
            while self.status() == "inmigrate":
                self._wait(ends, "was not read")
            self._go_on()
        except ComputerLost as error:
            ended = self._await_end(END_SEC)
            raise ComputerError(f"the saved memory does not fit: {ended.words}" if ended else error.message) from error

    def _wait(self, ends: float, what: str) -> None:
        if time.monotonic() > ends:
            raise ComputerError(f"the memory {what} within {MOVE_SEC:g} s", remedy="give the machine less memory_mb")
        pause(LOOK_SEC)

    def _is_stopped(self) -> bool:
        """Tell whether somebody on this host has halted QEMU or its keeper."""
        keeper = self._keeper.pid
        try:
            children = Path(f"/proc/{keeper}/task/{keeper}/children").read_text().split()
            stats = [Path(f"/proc/{pid}/stat").read_text() for pid in (str(keeper), *children)]
        except OSError:
            return False  # one of them has ended meanwhile
        return any(stat.rpartition(")")[2].split()[0] in "Tt" for stat in stats)

    def autopsy(self) -> dict[str, Any]:
        """Tell how it ended or stands still, and what of that can only come from outside."""
        ended = self.ending()
        if ended:
            # A signal that QEMU obeys is told in words; it then ends as if nothing had happened.
            outside = ended.from_outside or self.qmp.reason_of_end() == "host-signal"
            return {("outside" if outside else "ended"): ended.words, "code": ended.code}
        if self._is_stopped():
            return {"outside": "the process of QEMU is stopped by a signal"}
        try:
            was = self.status()
        except (ComputerLost, QmpRefused) as error:
            return {"ended": error.message}
        if was == "io-error":
            return {"outside": "the host could not write what the guest wrote to its disk", "status": was}
        return {"status": was, **({} if was == "running" else {"ended": f"the machine is {_stateword(was)}"})}


def _stateword(status: str) -> str:
    words = {"shutdown": "switched off", "guest-panicked": "stopped by a panic of its kernel", "io-error": "stopped by "
             "an error of its disk", "paused": "standing still"}  # fmt: skip
    return words.get(status, status)


def _reason(ended: MachineEnding, made: QemuSpec) -> ProctorError:
    said = ended.said
    if re.search(r"kvm", said, re.IGNORECASE):
        return HostError(f"KVM does not work here: {ended.words}", remedy="use accel=tcg")
    if re.search(r"allocate memory|set up guest memory", said, re.IGNORECASE):
        return HostError(
            f"the host has not {made.memory_mb} MB for the machine: {ended.words}", remedy="give it less memory_mb"
        )
    if "lock" in said:
        return ImageError(
            f"the disk {made.disk} is written to by another program: {ended.words}",
            remedy="close that program, or give a copy of the disk",
        )
    if re.search(r"blockdev|qcow2|corrupt|[Cc]ould not open", said):
        return ImageError(
            f"the disk {made.disk} cannot be used: {ended.words}", remedy=f"see what `qemu-img check {made.disk}` says"
        )
    if re.search(r"kernel|initrd|linux", said, re.IGNORECASE) and made.kernel:
        return ImageError(f"the kernel {made.kernel} cannot be started: {ended.words}", remedy="name a Linux kernel")
    return ComputerError(f"the virtual machine could not be started: {ended.words}", remedy="correct its options")
