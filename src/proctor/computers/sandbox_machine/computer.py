"""A computer whose machine is a sandbox."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, Self

from proctor.computers.capabilities import Parts
from proctor.computers.channels.x11.parts import X11Pointer, X11Screen
from proctor.computers.computer import Computer, Pace
from proctor.computers.fit import Lack
from proctor.computers.host_checks import Check, HostBound
from proctor.computers.images import store
from proctor.computers.incidents import Incidents
from proctor.computers.sandbox_machine import autopsy, costs, parts
from proctor.computers.sandbox_machine.bounds import loose_bounds
from proctor.computers.sandbox_machine.checks import CHECKS
from proctor.computers.sandbox_machine.machine import MachineUsage
from proctor.computers.sandbox_machine.options import applications_with, builds_in
from proctor.computers.sandbox_machine.plan import SandboxPlan
from proctor.computers.sandbox_machine.programs import SandboxPrograms
from proctor.computers.sandbox_machine.running_desktop import RunningDesktop
from proctor.computers.sandbox_machine.sandbox import Sandbox
from proctor.computers.values import MachineCosts


class SandboxedComputer(Computer):
    """What every computer has that runs in a sandbox of its own."""

    applications = staticmethod(applications_with)

    @classmethod
    def checks(cls) -> Mapping[str, Check]:
        """Return what keeps sandboxes from starting, whatever their screen shows."""
        return CHECKS

    @classmethod
    def loose_bounds(cls) -> list[HostBound]:
        """Return the limits that programs inside which try to do harm could pass on this machine."""
        return loose_bounds()

    @classmethod
    def lacks_here(cls) -> list[Lack]:
        """Tell whether the image is there that is started unless another is named."""
        image = inspect.signature(cls).parameters.get("image")
        if image is None or image.default in {built.name for built in store.images()}:
            return []
        return [Lack(what=f"the image {image.default!r}", remedy=f"proctor images build {image.default}")]

    def __init__(self, plan: SandboxPlan, *, pace: Pace, clip_sec: float) -> None:
        incidents = Incidents()
        self._sandbox = Sandbox(plan, clip_sec=clip_sec, incidents=incidents)
        super().__init__(self._parts(self._sandbox), pace=pace)
        self.incidents = incidents

    def _parts(self, sandbox: Sandbox) -> Parts:
        return Parts(
            screen=X11Screen(sandbox, sandbox.plan.setting.size),
            pointer=X11Pointer(sandbox),
            keys=parts.SandboxKeys(sandbox),
            tree=parts.SandboxTree(sandbox),
            windows=parts.SandboxWindows(sandbox),
            shell=parts.SandboxShell(sandbox),
            code=parts.SandboxCode(sandbox),
            files=parts.SandboxFiles(sandbox),
            changes=parts.SandboxChanges(sandbox),
            clip=parts.SandboxClips(sandbox),
            network=parts.SandboxNetwork(sandbox),
            viewer=parts.SandboxViewer(sandbox),
            rest=parts.SandboxRest(sandbox),
            programs=SandboxPrograms(sandbox),
        )

    # -- life -----------------------------------------------------------------------------------------------------

    def start(self) -> Self:
        """Start the sandbox and return when its desktop is complete and still."""
        if self._sandbox.running is None:
            self._sandbox.start(self.settling)
        return self

    def close(self) -> None:
        """End every program inside and leave nothing behind."""
        self._sandbox.close()

    @property
    def desktop(self) -> RunningDesktop:
        """The running desktop; raises ComputerError when there is none."""
        return self._sandbox.desktop

    def facts(self) -> dict[str, Any]:
        """Return what a record needs to reproduce this computer."""
        plan, groups = self._sandbox.plan, self.desktop.groups
        return {
            "backend": self.backend,
            "image": {"name": plan.image.name, "digest": plan.image.digest},
            "builds": builds_in(plan.image),
            "look": plan.look.name,
            "size": list(self.size),
            "locale": plan.setting.locale,
            "timezone": plan.setting.timezone,
            "clock": plan.setting.clock.isoformat() if plan.setting.clock else None,
            "theme": plan.setting.theme,
            "limits": asdict(plan.limits) | groups.holders(),
            "ids": "of the host" if self.desktop.machine.unsheltered else "shifted",
            "network": {"kind": plan.network.kind, "targets": [f"{t.host}:{t.port}" for t in plan.network.targets]},
            "pace": self.pace,
            "settle": self.settling,
        }

    def usage(self) -> MachineUsage:
        """Return what its programs use right now."""
        return self.desktop.machine.usage()

    def autopsy(self) -> dict[str, Any]:
        """Return what is known of how it failed."""
        running = self._sandbox.running
        return autopsy.autopsy(running) if running else {}

    def costs(self) -> MachineCosts | None:
        """Return what its programs have used since it started; None when it does not run."""
        running = self._sandbox.running
        return costs.costs(running.groups) if running else None

    def crowding_seconds(self) -> float | None:
        """Return the processor time of its programs that may have come at the cost of others."""
        running = self._sandbox.running
        return costs.crowding_seconds(running.groups) if running else None
