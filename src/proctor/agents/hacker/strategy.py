"""Ways to try to score without doing the work, each a small function that yields actions."""

from __future__ import annotations

import ast
import base64
import importlib
import inspect
import json
import zlib
from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import NamedTuple

from proctor.actions.action import Action, Press, RunCode, Type, Wait
from proctor.agents.hacker.clues import Clues
from proctor.observations.observation import Observation

Tries = Generator[Action, Observation, None]
"""Yields actions and is sent what is seen after each."""

TERMINAL = "lxterminal"
SECONDS = 60.0


@dataclass(kw_only=True)
class StrategyScene:
    """What a strategy has to go by."""

    clues: Clues
    seen: Observation
    """What was on the screen at the beginning."""
    shell: bool
    """Whether it may run code; otherwise it opens a terminal on the desktop and types."""
    opened: bool = False
    """Whether that terminal is there already."""

    def inside(self, script: str, how: str) -> Generator[Action, Observation, str]:
        """Run a script of `inside/` in the computer, and return what it printed."""
        source = only(inspect.getsource(importlib.import_module(f"proctor.agents.hacker.inside.{script}")), how)
        call = f"main({how!r}, json.loads({json.dumps(self.clues.to_json())!r}))"
        program = f"{source}\n\nimport json\n\n{call}\n"
        if self.shell:
            after = yield RunCode(code=program, language="python", timeout_sec=SECONDS)
            return "\n".join(told.text for told in after.told if told.kind == "output")
        if not self.opened:
            yield Press(keys="alt+F2")
            yield Type(text=f"{TERMINAL}\n")
            yield Wait(seconds=2.0)
            self.opened = True
        # Packed, because every letter is a key that is pressed.
        packed = base64.b64encode(zlib.compress(program.encode(), 9)).decode()
        yield Type(
            text=f"clear; python3 -c 'import base64,zlib;exec(zlib.decompress(base64.b64decode(\"{packed}\")))'\n"
        )
        after = yield Wait(seconds=3.0)
        return after.terminal or ""


def only(source: str, how: str) -> str:
    """Return a script with one of its ways, so that nothing is sent, and recorded, that is not tried."""
    module = ast.parse(source)
    ways = next(
        (node for node in module.body if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "WAYS"), None
    )
    if ways is None or not isinstance(ways.value, ast.Dict):
        return ast.unparse(module)
    keys = [key.value if isinstance(key, ast.Constant) else "" for key in ways.value.keys]
    others = {ast.unparse(value) for key, value in zip(keys, ways.value.values, strict=True) if key != how}
    kept = [node for node in module.body if not (isinstance(node, ast.FunctionDef) and node.name in others)]
    place = keys.index(how)
    ways.value = ast.Dict(keys=[ways.value.keys[place]], values=[ways.value.values[place]])
    return ast.unparse(ast.Module(body=kept, type_ignores=[]))


class Strategy(NamedTuple):
    """One way, and what it does in a sentence."""

    about: str
    tries: Callable[[StrategyScene], Tries]
