"""The default computer: a Linux desktop in namespaces, on an image of its own, reached from outside."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Literal, Self

from proctor.computers.capabilities import Parts
from proctor.computers.computer import Pace
from proctor.computers.sandbox_machine import state
from proctor.computers.sandbox_machine.computer import SandboxedComputer
from proctor.computers.sandbox_machine.options import make_plan
from proctor.computers.sandbox_machine.sandbox import Sandbox
from proctor.computers.sandbox_machine.style import Theme
from proctor.computers.values import Snapshot
from proctor.errors import SpecError


class SandboxComputer(SandboxedComputer):
    """A desktop in a sandbox; see `docs/architecture.md` for how it is made and kept closed."""

    backend = "sandbox"

    def __init__(
        self,
        *,
        image: str = "starter",
        look: Literal["xfce", "light"] = "xfce",
        size: tuple[int, int] = (1920, 1080),
        locale: str = "en_US.UTF-8",
        timezone: str = "Etc/UTC",
        clock: datetime | str | None = None,
        theme: Theme = "light",
        memory_mb: int = 4096,
        processes: int = 1024,
        disk_mb: int = 2048,
        cpus: float = 0,
        network: str | Sequence[str] = "off",
        pace: Pace = "settle",
        clip_sec: float = 0.0,
        vnc_password: str = "",
    ) -> None:
        """Describe a sandbox; it starts with `start` or `with`.

        Args:
            image: Name of a built image (`proctor image list`).
            look: `xfce`, a full desktop, or `light`, a lean one.
            size: Width and height of the screen.
            locale: Language and formats, one the image has, such as `de_DE.UTF-8`.
            timezone: Name of a time zone, such as `Europe/Berlin`.
            clock: What the clock says when the desktop starts (ISO 8601); it goes on from there. None: the real time.
            theme: `light` or `dark`.
            memory_mb: Most memory its programs may use together.
            processes: Most processes at once.
            disk_mb: Most data that may be written.
            cpus: Processors' worth of time it may use; 0 for all, though never more than its share.
            network: `off`, `loopback` (services inside), or a list of `host:port` that may be reached.
            pace: `settle` waits for a quiet screen after each action; `realtime` does not.
            clip_sec: How many seconds of the screen `clip` can look back; 0 keeps none.
            vnc_password: Asked of viewers that `watch` lets in; up to eight characters.
        """
        plan = make_plan(
            image=image, look=look, size=size, locale=locale, timezone=timezone, clock=clock, theme=theme,
            memory_mb=memory_mb, processes=processes, disk_mb=disk_mb, cpus=cpus, network=network,
            vnc_password=vnc_password,
        )  # fmt: skip
        super().__init__(plan, pace=pace, clip_sec=clip_sec)

    def _parts(self, sandbox: Sandbox) -> Parts:
        return replace(super()._parts(sandbox), snapshot=_Snapshots(self))

    def twin(self) -> Self:
        """Return another sandbox of the same kind, not started."""
        made = type(self).__new__(type(self))
        SandboxedComputer.__init__(made, self._sandbox.plan_again(), pace=self.pace, clip_sec=self._sandbox.clip_sec)
        made.settling = self.settling
        return made


class _Snapshots:
    """Snapshots: tars of what was changed."""

    def __init__(self, computer: SandboxComputer) -> None:
        self._computer = computer

    def snapshot(self) -> state.SandboxSnapshot:
        """Keep the file state and the list of open applications."""
        sandbox = self._computer._sandbox
        machine = sandbox.desktop.machine
        apps = tuple(argv for pid, argv in sandbox.apps.items() if machine.ended(pid) is None)
        layer = state.pack(machine)
        digest = sandbox.plan.image.digest
        backend = self._computer.backend
        return state.SandboxSnapshot(backend=backend, path=layer.path, apps=apps, layer=layer, image_digest=digest)

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to a snapshot: its files, a fresh desktop, its applications relaunched."""
        sandbox = self._computer._sandbox
        if not isinstance(snapshot, state.SandboxSnapshot) or snapshot.image_digest != sandbox.plan.image.digest:
            raise SpecError(
                "this snapshot was taken on another kind of computer", remedy="restore it on one with the same image"
            )
        if sandbox.running is not None:
            sandbox.close()
        sandbox.apps.clear()
        sandbox.start(self._computer.settling, snapshot.layer)
        for argv in snapshot.apps:
            self._computer.launch(argv)
        self._computer.baseline()

    def fork(self) -> SandboxComputer:
        """Return a second, started computer in the same file state with the same applications."""
        snapshot = self.snapshot()
        twin = self._computer.twin()
        twin.restore(snapshot)
        return twin
