"""An agent as a program of its own: it reads and writes lines of JSON and needs nothing but Python."""

import json
import sys


def decide(instruction, observation, clicked):
    """Return the actions for an observation."""
    for node in observation.get("tree", []):
        named = node["name"] and node["name"].lower() in instruction.lower()
        if "button" in node["role"] and named and node["box"] and not clicked:
            x, y, width, height = node["box"]
            click = {"type": "click", "x": x + width / 2, "y": y + height / 2}
            return {"actions": [click], "text": f"I click {node['name']}."}
    return {"actions": [{"type": "done"}]}


def main():
    """Answer each observation with one line, and flush it."""
    instruction, clicked = "", False
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "start":
            instruction, clicked = message["brief"]["instruction"], False
        elif message["type"] == "observe":
            print(json.dumps(decide(instruction, message, clicked)), flush=True)
            clicked = True


if __name__ == "__main__":
    main()
