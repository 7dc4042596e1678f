"""An agent with OSWorld's interface: reset() and predict(instruction, obs), answering with pyautogui code."""

import re
import xml.etree.ElementTree as ElementTree

COMPONENT = "{https://accessibility.ubuntu.example.org/ns/component}"


class ClickNamed:
    """Clicks the button that the instruction names."""

    def __init__(self, action_space="pyautogui", observation_type="a11y_tree"):
        """Take OSWorld's settings."""
        self.clicked = False

    def reset(self):
        """Begin an episode."""
        self.clicked = False

    def predict(self, instruction, obs):
        """Return a response and the actions that it comes to."""
        for element in ElementTree.fromstring(obs["accessibility_tree"]).iter():
            name, place = element.get("name", ""), element.get(f"{COMPONENT}screencoord")
            if "button" in element.tag and name and place and name.lower() in instruction.lower() and not self.clicked:
                self.clicked = True
                x, y = map(int, re.findall(r"-?\d+", place))
                width, height = map(int, re.findall(r"\d+", element.get(f"{COMPONENT}size")))
                return f"I click {name}.", [f"pyautogui.click({x + width // 2}, {y + height // 2})"]
        return "Nothing is left to click.", ["DONE"]
