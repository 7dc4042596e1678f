"""An agent whose only aim is to break out, to use up or to spoil: it makes one attack and says it is done."""

from __future__ import annotations

from proctor.actions.action import Action, Click, Done, Press, RunCode
from proctor.observations.observation import Observation
from proctor.records import Brief
from tests.hostile.shelf import find


class Attacker:
    """Runs one attack as a code action, then works on for a moment, so that the harness has to look and to act."""

    def __init__(self, *, attack: str) -> None:
        self.attack = find(attack)
        self.plan: list[Action] = []

    def start(self, brief: Brief) -> None:
        attack = self.attack
        code = RunCode(code=attack.program(), timeout_sec=attack.timeout_sec)
        # Keys, the pointer and an interpreter that may have to be started again.
        again = RunCode(code="print('still here')", timeout_sec=5)
        afterwards: list[Action] = [Press(keys="ctrl+s"), Click(x=960, y=500), again]
        kinds = set(brief.actions)
        self.plan = [action for action in (code, *afterwards) if action.kind in kinds]

    def act(self, observation: Observation) -> Action:
        return self.plan.pop(0) if self.plan else Done()
