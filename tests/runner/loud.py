"""An agent that prints and crashes, and work that speaks, for the tests of what is heard."""

from __future__ import annotations

import subprocess
import sys

from proctor.actions.action import Action
from proctor.observations.observation import Observation
from proctor.records import Brief
from proctor.runner.worker_pool import tell

sys.stdout.write("printed when it was imported\n")


class Loud:
    def start(self, brief: Brief) -> None:
        sys.stdout.write("printed by the agent\n")
        sys.stdout.flush()
        subprocess.run(["sh", "-c", "echo written by a child >&2"], check=True)

    def act(self, observation: Observation) -> Action:
        raise KeyError("nothing of that name")


def work(job: str) -> str:
    tell(f"working on {job}")
    return f"done {job}"
