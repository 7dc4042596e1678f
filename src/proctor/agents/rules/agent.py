"""The agent that goes by rules: reads the task as a sentence, finds what that names on the page."""

from __future__ import annotations

from proctor.actions.action import Click, Done, Fail, Wait
from proctor.agents.agent import Turn
from proctor.agents.rules.carry_out import WishWork
from proctor.agents.rules.goals import Wish, read
from proctor.agents.rules.page import BUTTONS, RulesPage
from proctor.observations.observation import Observation, Want
from proctor.records import Brief

LEAVE = ("ok", "cancel", "close", "x")
"""How one gets rid of a dialog that nobody asked for."""
FORMS = frozenset({"enter", "complete", "choose", "slide"})
"""Wishes after which a form is sent, also where nobody says so."""


class RulesAgent:
    """A baseline that clicks, types and chooses what the instruction names; it sees only the tree."""

    want = Want(screenshot=False, tree=True)

    def start(self, brief: Brief) -> None:
        """Read what is asked."""
        self._brief = brief
        self._work = [WishWork(wish) for wish in read(brief.instruction)]
        self._last: Wish | None = None
        self._patience = 3
        self._understood = bool(self._work) or "nothing" in brief.instruction.lower()

    def act(self, observation: Observation) -> Turn:
        """Return the next actions for the first thing that is still to be done."""
        if not self._understood:
            return Turn(actions=(Fail(reason="I do not understand what is asked"),))
        assert observation.tree is not None, "it was wanted"
        page = RulesPage(observation.tree, self._brief.instruction)
        if not page.nodes and self._patience > 0:
            self._patience -= 1
            return Turn(actions=(Wait(seconds=1.0),), thought="nothing is shown yet")
        if away := self._dismiss(page):
            return Turn(actions=(away,), thought="a dialog lies over what is to be done")
        while self._work:
            work = self._work[0]
            if actions := work.next(page):
                return Turn(actions=actions, thought=f"{work.wish.do} {work.wish.name or work.wish.text}".strip())
            self._last = self._work.pop(0).wish
        if self._last is not None and self._last.do in FORMS and page.by_name("submit", BUTTONS):
            self._last, send = None, Wish(do="click", name="submit", kind="button")
            return Turn(actions=WishWork(send).next(page) or (), thought="a form is sent when it is filled in")
        return Turn(actions=(Done(),))

    def _dismiss(self, page: RulesPage) -> Click | None:
        dialogs = [node for node in page.nodes if node.role in ("dialog", "alert")]
        about = self._brief.instruction.lower()
        if not dialogs or "dialog" in about or not self._work:
            return None
        inside = [node for node in page.tree.descendants(dialogs[0]) if node.role == "push button" and node.box]
        for word in LEAVE:
            for node in inside:
                if node.name.casefold() == word and node.box:
                    x, y = node.box.center
                    return Click(x=x, y=y)
        return None
