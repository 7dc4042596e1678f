"""An agent with OSWorld's interface: reset() and predict(instruction, obs), answering with pyautogui code."""

import re
import xml.etree.ElementTree as ElementTree

COMPONENT = "{https://accessibility.ubuntu.example.org/ns/component}"
STATE = "{https://accessibility.ubuntu.example.org/ns/state}"


class SignLetter:
    """Signs the letter that is open with the name that the instruction gives."""

    def __init__(self, action_space="pyautogui", observation_type="a11y_tree"):
        """Take OSWorld's settings."""
        self.signed = False

    def reset(self):
        """Begin an episode."""
        self.signed = False

    def predict(self, instruction, obs):
        """Return a response and the actions that it comes to."""
        found = re.search(r"my name, (.+?),|with '(.+?)'", instruction)
        for element in ElementTree.fromstring(obs["accessibility_tree"]).iter("text"):
            place, showing = element.get(f"{COMPONENT}screencoord"), element.get(f"{STATE}showing") == "true"
            if found and place and showing and not self.signed:
                self.signed = True
                name = found[1] or found[2]
                x, y = map(int, re.findall(r"-?\d+", place))
                width, height = map(int, re.findall(r"\d+", element.get(f"{COMPONENT}size")))
                click = f"pyautogui.click({x + width // 2}, {y + height // 2})"
                typed = f"pyautogui.write({name!r})"
                return f"I sign as {name}.", [
                    click,
                    "pyautogui.hotkey('ctrl', 'end')",
                    typed,
                    "pyautogui.hotkey('ctrl', 's')",
                ]
        return "Nothing is left to do.", ["DONE"]
