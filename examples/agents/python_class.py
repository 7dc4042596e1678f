"""An agent as a Python class: it signs the letter that is open with the name that the instruction gives."""

import re

from proctor.actions.action import Action, Click, Done, Press, Type
from proctor.observations.observation import Observation, Want
from proctor.records import Brief


class SignLetter:
    """Types the user's name at the end of the text on the screen and saves; options arrive as keyword arguments."""

    want = Want(screenshot=False, tree=True)

    def __init__(self, save: str = "ctrl+s") -> None:
        """Take the keys that save."""
        self.save = save

    def start(self, brief: Brief) -> None:
        """Begin an episode."""
        found = re.search(r"my name, (.+?),|with '(.+?)'", brief.instruction)
        self.name = (found[1] or found[2]) if found else ""
        self.signed = False

    def act(self, observation: Observation) -> Action | list[Action]:
        """Answer with an action or several; a Turn would do as well, or dicts such as {"type": "done"}."""
        nodes = observation.tree.nodes if observation.tree else ()
        texts = [node for node in nodes if node.role == "text" and node.showing and node.box]
        if self.signed or not self.name or not texts or not texts[0].box:
            return Done()
        self.signed = True
        x, y = texts[0].box.center
        return [Click(x=x, y=y), Press(keys="ctrl+End"), Type(text=self.name), Press(keys=self.save)]
