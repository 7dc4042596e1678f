"""Holding an episode on another machine: what a node does with a job, and what it tells while it does."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from proctor.errors import SpecError
from proctor.records import Result
from proctor.runner.job import Job
from proctor.runner.run_episode import run_episode
from proctor.runner.workers.cluster import node_here
from proctor.runner.workers.parcels import Parcel, pack
from proctor.runner.workers.scratch import scratch_folder
from proctor.store.files import disk_trouble
from proctor.version import VERSION


@dataclass(frozen=True)
class Begun:
    """What a task says first."""

    node: str
    address: str
    """Of the node, for people."""


def hold_away(job: Job, version: str) -> Iterator[Begun | Parcel | Result]:
    """Hold an episode on a node of the cluster: yields that it has begun, the files of its record, and its result."""
    node, address = node_here()
    if version != VERSION:
        raise SpecError(
            f"the node {address} has Proctor {VERSION}, the run was started by {version}",
            remedy="install the same version on every node",
        )
    yield Begun(node, address)
    with disk_trouble(f"an episode on the node {address}"), scratch_folder() as folder:
        away = replace(job, run=folder)
        result = run_episode(away)
        yield from pack(away.folder)
    yield result
