"""An agent as a Python class: it clicks the button that the instruction names."""

from proctor.actions.action import Action, Click, Done
from proctor.observations.observation import Observation, Want
from proctor.records import Brief


class ClickNamed:
    """Clicks a button whose name is in the instruction; options arrive as keyword arguments."""

    want = Want(screenshot=False, tree=True)

    def __init__(self, most: int = 1) -> None:
        """Click at most so many times."""
        self.most = most

    def start(self, brief: Brief) -> None:
        """Begin an episode."""
        self.instruction = brief.instruction.lower()
        self.clicks = 0

    def act(self, observation: Observation) -> Action:
        """Answer with one action; a Turn or a list of actions would do as well."""
        nodes = observation.tree.nodes if observation.tree else ()
        named = [node for node in nodes if "button" in node.role and node.name.lower() in self.instruction and node.box]
        if not named or not named[0].box or self.clicks >= self.most:
            return Done()
        self.clicks += 1
        x, y = named[0].box.center
        return Click(x=x, y=y)
