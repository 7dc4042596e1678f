"""Everything a desktop is made from, and how it is told to the machine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from proctor.computers import userns
from proctor.computers.images.store import Image
from proctor.computers.sandbox_machine import ids
from proctor.computers.sandbox_machine.limits import Groups, SandboxLimits
from proctor.computers.sandbox_machine.looks import DesktopLook
from proctor.computers.sandbox_machine.machine import AGENT_UID, DISPLAY_UID, READER_UID
from proctor.computers.sandbox_machine.network import HOSTNAME, NetworkPlan
from proctor.computers.sandbox_machine.scratch import scratch_folder
from proctor.computers.sandbox_machine.session import FILLABLE, DesktopSetting, machine_folders

DISK_FILES = 100_000
"""Most files in the layer above the image, hard links counted: as many as are told apart at the end."""
RUNTIME_FILES = 20_000
"""Most files in each of the folders in memory beside it."""


@dataclass(frozen=True, kw_only=True, slots=True)
class SandboxPlan:
    """Everything a desktop is made from."""

    image: Image
    look: DesktopLook
    setting: DesktopSetting
    limits: SandboxLimits
    network: NetworkPlan

    def machine_config(self, groups: Groups, *, shifted: bool) -> dict[str, Any]:
        """Return what the supervisor and process 1 need to know.

        Root may ask for ids `shifted` away from its own.
        """
        rootless = not userns.is_root()
        allowed = self.limits
        rlimits = {"data_bytes": allowed.memory_bytes}
        if groups.processes == "rlimit":
            rlimits["processes"] = allowed.processes
        return {
            "image": str(self.image.rootfs),
            "scratch": scratch_folder(rootless=rootless),
            "disk_bytes": allowed.disk_mb << 20,
            "disk_files": DISK_FILES,
            "shm_bytes": min(allowed.disk_mb, 512) << 20,
            "rootless": rootless,
            "hostname": HOSTNAME,
            "loopback": self.network.kind != "off",
            "cgroups": list(groups.folders),
            "rlimits": rlimits,
            "first_id": ids.first_id() if shifted and not rootless else 0,
            "watch_memory_bytes": allowed.memory_bytes if groups.memory == "watched" else 0,
            "agent_uid": AGENT_UID,
            "display_uid": DISPLAY_UID,
            "inhabitants": [AGENT_UID, DISPLAY_UID, READER_UID],
            "folders": machine_folders(),
            "mounts": FILLABLE,
            "runtime_files": RUNTIME_FILES,
        }
