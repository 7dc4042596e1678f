"""OS-MAP's `check_step_actions`: the course of actions that a task of the first level prescribes."""

from __future__ import annotations

from collections.abc import Iterator

from proctor.suites.foreign.faults import Data, Reason
from proctor.suites.foreign.osworld_form import ForeignComparison, OSWorldForm
from proctor.suites.foreign.osworld_looks import Sides
from proctor.suites.foreign.translation import NotJudgedYet, check, probe
from proctor.tasks.call import Call

_DOCK = 70
"""How broad the dock of Ubuntu's desktop is, in pixels; its lowest button shows all applications."""
_SCREEN = (1920, 1080)


def check_step_actions(each: ForeignComparison, looks: Sides) -> Call:
    """A course of actions was taken; where clicks went counts for the original's verdict only."""
    if each.result.get("type") != "step_actions":
        raise NotJudgedYet(f"'check_step_actions' of {each.result.get('type')!r}")
    steps = [step for one in looks.rules(each.expected)["expected"] for step in _steps(one, looks.into.faithful)]
    if not steps:
        raise NotJudgedYet("'check_step_actions' without an action that can be seen")
    # There, whether all of them were taken is never asked.
    more = {"begun": True} if looks.into.faithful else {}
    return check("course_taken", of=probe("history"), steps=steps, **more)


def needs_of_course(form: OSWorldForm) -> Iterator[Reason]:
    """Yield what a course of actions needs: the dock of Ubuntu's desktop, where it begins there."""
    for comparison in form.comparisons:
        rules = comparison.expected.get("rules")
        listed = (
            rules.get("expected") if comparison.metric == "check_step_actions" and isinstance(rules, dict) else None
        )
        if any(_on_dock(one) for one in listed or () if isinstance(one, dict)):
            yield Reason("needs application", "the dock of Ubuntu's desktop, which its steps click on")


def _on_dock(one: Data) -> bool:
    box = (one.get("parameters") or {}).get("bbox")
    if not isinstance(box, list) or len(box) != 4:
        return False
    return bool(box[0] == 0 and box[2] <= _DOCK and box[3] >= _SCREEN[1])


def _steps(one: Data, boxes: bool) -> Iterator[dict[str, object]]:
    kind, told = one["action_type"], {**one, **(one.get("parameters") or {})}
    box = [int(each) for each in told.get("bbox") or ()]
    place = {"box": box} if boxes and box else {}
    match kind:
        case "CLICK":
            button = {"button": told["button"]} if told.get("button") else {}
            yield {"do": "click", **button, "count": int(told.get("num_clicks") or 1), **place}
        case "DOUBLE_CLICK":
            yield {"do": "click", "count": 2, **place}
        case "RIGHT_CLICK":
            yield {"do": "click", "button": "right", **place}
        case "TYPING":
            yield {"do": "type", "text": str(told["text"])}
        case "PRESS":
            yield {"do": "press", "keys": str(told["key"]).lower()}
        case "HOTKEY":
            yield {"do": "press", "keys": "+".join(map(str, told["keys"])).lower()}
        case "DRAG_TO":
            yield {"do": "drag"}
        case "SCROLL":
            yield {"do": "scroll"}
        case "MOVE_TO" | "WAIT" | "DONE":
            pass  # neither leaves a trace: what a pointer passes on its way is nobody's business
        case _:
            raise NotJudgedYet(f"the action {kind!r} of 'check_step_actions'")
