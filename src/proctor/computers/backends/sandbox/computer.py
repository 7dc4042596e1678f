"""The default computer: a Linux desktop in namespaces, on an image of its own, reached from outside."""

from __future__ import annotations

from dataclasses import replace
from typing import Self

from proctor.computers.backends.sandbox.options import SandboxOptions
from proctor.computers.capabilities import Parts
from proctor.computers.options import take_options
from proctor.computers.sandbox_machine import state
from proctor.computers.sandbox_machine.computer import SandboxedComputer
from proctor.computers.sandbox_machine.looks import find as find_look
from proctor.computers.sandbox_machine.options import make_plan
from proctor.computers.sandbox_machine.sandbox import Sandbox
from proctor.computers.values import Snapshot
from proctor.errors import SpecError


class SandboxComputer(SandboxedComputer):
    """A desktop in a sandbox; `docs/decisions/sandbox-processes.md` says how it is kept closed."""

    backend = "sandbox"

    Options = SandboxOptions

    def __init__(self, options: SandboxOptions | None = None, /, **given: object) -> None:
        told = take_options(SandboxOptions, options, given)
        plan = make_plan(told, look=find_look(told.look), size=told.size, theme=told.theme)
        super().__init__(plan, pace=told.pace, clip_sec=told.clip_sec)

    def _parts(self, sandbox: Sandbox) -> Parts:
        return replace(super()._parts(sandbox), snapshot=_Snapshots(self))

    def twin(self) -> Self:
        """Return another sandbox of the same kind, not started."""
        made = type(self).__new__(type(self))
        SandboxedComputer.__init__(made, self._sandbox.plan_again(), pace=self.pace, clip_sec=self._sandbox.clip_sec)
        made.settling = self.settling
        return made


class _Snapshots:
    def __init__(self, computer: SandboxComputer) -> None:
        self._computer = computer

    def snapshot(self) -> state.SandboxSnapshot:
        sandbox = self._computer._sandbox
        machine = sandbox.desktop.machine
        apps = tuple(argv for pid, argv in sandbox.apps.items() if machine.ended(pid) is None)
        layer = state.pack(machine)
        digest = sandbox.plan.image.digest
        backend = self._computer.backend
        return state.SandboxSnapshot(backend=backend, path=layer.path, apps=apps, layer=layer, image_digest=digest)

    def restore(self, snapshot: Snapshot) -> None:
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
        snapshot = self.snapshot()
        twin = self._computer.twin()
        twin.restore(snapshot)
        return twin
