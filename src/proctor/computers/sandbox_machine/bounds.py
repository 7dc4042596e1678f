"""Which bounds a sandbox has on this machine, and whether each holds against hostile programs."""

from __future__ import annotations

from proctor.computers import userns
from proctor.computers.host_checks import HostBound
from proctor.computers.sandbox_machine import delegation, limits, machine, scratch

BOUNDS = ("memory", "processes", "disk", "namespaces", "processors", "disk traffic")
AS_ROOT = f"run as root, or as `{delegation.REMEDY}` where systemd manages users"


def bounds() -> list[HostBound]:
    """Return every bound, as a sandbox that is started now would have them."""
    groups = limits.make(limits.SandboxLimits())
    limits.discard(groups)
    rootless = not userns.is_root()
    folder = scratch.scratch_folder(rootless=rootless)
    scratch.discard(folder)
    return [
        HostBound(
            name="memory",
            held_by=groups.memory,
            holds=groups.memory == "cgroup",
            means="it is looked at several times a second and the largest programs are ended; what is taken between "
            "two looks, and some of what the kernel keeps for programs, comes on top",
            remedy=AS_ROOT,
        ),
        HostBound(name="processes", held_by=groups.processes, holds=True),
        HostBound(
            name="disk",
            held_by="nothing" if folder else "tmpfs",
            holds=not folder,
            means="what is written is on this machine's disk, without a limit of its own",
            remedy="use Linux 6.6 or newer, or run as root",
        ),
        _namespaces(),
        _share("processors", groups.cpus),
        _share("disk traffic", groups.io),
    ]


def loose_bounds() -> list[HostBound]:
    """Return the bounds that programs which try to do harm could pass."""
    return [bound for bound in bounds() if bound.hostile and not bound.holds]


def _share(name: str, held_by: str) -> HostBound:
    """Return the bound of what is divided among all who want it at the same time."""
    return HostBound(
        name=name,
        held_by=held_by,
        holds=held_by == "cgroup",
        means="programs compete for it with those of this machine as equals",
        remedy=AS_ROOT,
        hostile=False,
    )


def _namespaces() -> HostBound:
    shifted = not userns.is_root() or machine.shifts_ids()
    return HostBound(
        name="namespaces",
        held_by="user namespace" if shifted else "nothing",
        holds=shifted,
        means="programs may make namespaces without end, whose memory is charged to nobody, and share what the kernel "
        "counts for each user",
        remedy="use Linux 5.19 or newer, outside containers that forbid mounts with other owners",
    )
