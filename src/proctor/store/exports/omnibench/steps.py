"""The steps of an episode as OmniBench's observations and actions."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from proctor.actions.action import SIGNALS, from_json
from proctor.actions.dialects.dialect import Frame
from proctor.actions.dialects.omnibench import OmniBench
from proctor.errors import AgentError
from proctor.graphs.omnibench.records import OmniBenchAction
from proctor.records import Hit, Step
from proctor.store.collection import Recorded
from proctor.store.export_parts import PictureCopies, about_step


@dataclass
class Steps:
    """What was seen before each action and after the last, and what was done."""

    observations: list[str] = field(default_factory=list)
    actions: list[OmniBenchAction] = field(default_factory=list)

    @classmethod
    def of(cls, item: Recorded, out: Path, folder: str) -> Steps:
        """Gather the steps of an episode and copy its pictures."""
        brief = item.episode.header.brief
        width, height = brief.size if brief else (1, 1)
        frame = Frame(desktop=(width, height), image=(width, height))
        steps, pictures, shown = cls(), PictureCopies(item.episode, out, folder), ""
        for step in item.episode.steps():
            # Several actions of one turn were decided on one picture.
            if step.saw and (picture := step.saw.screenshot):
                shown = pictures.place(picture)
            if step.end:
                steps.observations.append(shown)
            # What is said and not done has a status in OmniBench, and no action.
            elif step.action and step.kind not in SIGNALS and not step.refused:
                steps.observations.append(shown)
                steps.actions.append(_action(step, step.action, frame))
        return steps


def _action(step: Step, done: dict[str, object], frame: Frame) -> OmniBenchAction:
    element = step.element or Hit()
    box = element.box
    rect = (box[0], box[1], box[0] + box[2], box[1] + box[3]) if box else None
    function, arguments = _call_of(done, frame)
    about = {name: value for name, value in about_step(step).items() if name != "instruction"}
    return OmniBenchAction(
        function=function,
        args=arguments,
        rect=rect,
        description=step.instruction or None,
        thought=step.thought or None,
        control_text=element.name or None,
        proctor=about or None,
    )


def _call_of(done: dict[str, object], frame: Frame) -> tuple[str, dict[str, object]]:
    """Return an action as a function of OmniBench's, or as ours for dragging, waiting and code."""
    try:
        entry = OmniBench().data(from_json(done), frame)
    except AgentError:
        return str(done.get("type", "")), {name: value for name, value in done.items() if name not in ("type", "given")}
    return entry["Function"], entry["Args"]
