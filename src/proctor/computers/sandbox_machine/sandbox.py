"""One sandbox from start to close."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from proctor.computers.channels.x11.client import X11
from proctor.computers.channels.x11.keyboard import Keyboard
from proctor.computers.frames import XSource
from proctor.computers.incidents import Incidents
from proctor.computers.sandbox_machine import running_desktop, state
from proctor.computers.sandbox_machine.display import LOOK_SEC, Seen
from proctor.computers.sandbox_machine.plan import SandboxPlan
from proctor.computers.sandbox_machine.running_desktop import RunningDesktop
from proctor.computers.sandbox_machine.settle import SLOWEST
from proctor.computers.screen_recorder import ScreenRecorder
from proctor.computers.settle import Settling
from proctor.errors import ComputerError
from proctor.observations.clip import ScreenHistory
from proctor.pause import pause

START_SETTLE_SEC = 10.0


class Sandbox:
    """What the parts of a computer share."""

    def __init__(self, plan: SandboxPlan, *, clip_sec: float, incidents: Incidents) -> None:
        self.plan = plan
        self.clip_sec = clip_sec
        self.apps: dict[int, tuple[str, ...]] = {}
        """Applications that were launched, by process."""
        self.followed: dict[str, str] = {}
        """Files and folders whose reading is followed: what each is called inside, and by whoever asked."""
        self.baseline: state.Baseline | None = None
        self.frozen = ""
        """While the agent's programs are held still, the stamp of its files; else empty."""
        self.film: ScreenRecorder | None = None
        self._incidents = incidents
        self._desktop: RunningDesktop | None = None
        self._closed = False

    # -- life -----------------------------------------------------------------------------------------------------

    def start(self, settling: Settling, layer: state.PackedLayer | None = None) -> None:
        """Start the desktop and return when it is complete and still."""
        self._closed = False
        self._desktop = running_desktop.start(self.plan, layer, incidents=self._incidents)
        try:
            self.settle(settling, timeout_sec=START_SETTLE_SEC, alarms=False)
            self.baseline = state.Baseline.take(self.desktop.machine)
            if self.clip_sec > 0:
                history = ScreenHistory(self.plan.setting.size, seconds=self.clip_sec)
                self.film = self.recorder(None, history, fps=10)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """End every program inside and leave nothing behind."""
        self._closed = True
        desktop, self._desktop = self._desktop, None
        self.film = None
        self.baseline = None
        self.frozen = ""
        if desktop is not None:
            desktop.close()

    @property
    def running(self) -> RunningDesktop | None:
        """The running desktop; None when there is none."""
        return self._desktop

    @property
    def desktop(self) -> RunningDesktop:
        """The running desktop; raises ComputerError when there is none."""
        if self._desktop is None:
            word = "closed" if self._closed else "not started"
            raise ComputerError(
                f"this computer is {word}", remedy="use it inside `with open_computer(...) as computer:`"
            )
        return self._desktop

    # -- what parts use -------------------------------------------------------------------------------------------

    @property
    def keyboard(self) -> Keyboard:
        """The keyboard of the running desktop."""
        return self.desktop.keyboard

    def look(self, operation: Callable[[X11], Seen], *, timeout_sec: float = LOOK_SEC) -> Seen:
        """Do something with the display within a time, again when its connection was cut meanwhile."""
        return self.desktop.look(operation, timeout_sec=timeout_sec)

    def settle(self, policy: Settling, *, timeout_sec: float, alarms: bool = True) -> bool:
        """Wait until programs have read their input, stopped drawing and have nothing left to do."""
        settler = self.desktop.settler
        if not isinstance(policy, str):
            pause(policy)
        most = SLOWEST * timeout_sec + LOOK_SEC
        return self.look(lambda _: settler.settle(policy, timeout_sec=timeout_sec, alarms=alarms), timeout_sec=most)

    def recorder(self, path: Path | None, history: ScreenHistory | None, *, fps: float) -> ScreenRecorder:
        """Follow the screen on a connection of its own until the desktop is closed."""
        recorder = ScreenRecorder(XSource(self.desktop.connect_display()), path, history=history, fps=fps).start()
        self.desktop.before_close(recorder.stop)
        return recorder

    def plan_again(self) -> SandboxPlan:
        """Return the plan for a second sandbox of the same kind."""
        return replace(self.plan)
