"""An agent as a program of its own: it reads and writes lines of JSON and needs nothing but Python."""

import json
import re
import sys


def decide(instruction, observation, signed):
    """Return the answer to an observation: sign the letter on the screen with the name that the instruction gives."""
    found = re.search(r"my name, (.+?),|with '(.+?)'", instruction)
    for node in observation.get("tree", []):
        if found and node["role"] == "text" and "showing" in node["states"] and node["box"] and not signed:
            x, y, width, height = node["box"]
            name = found[1] or found[2]
            actions = [
                {"type": "click", "x": x + width / 2, "y": y + height / 2},
                {"type": "press", "keys": "ctrl+End"},
                {"type": "type", "text": name},
                {"type": "press", "keys": "ctrl+s"},
            ]
            return {"actions": actions, "text": f"I sign as {name}."}
    return {"actions": [{"type": "done"}]}


def main():
    """Answer each observation with one line, and flush it."""
    instruction, signed = "", False
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "start":
            instruction, signed = message["brief"]["instruction"], False
        elif message["type"] == "observe":
            print(json.dumps(decide(instruction, message, signed)), flush=True)
            signed = True


if __name__ == "__main__":
    main()
