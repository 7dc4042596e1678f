"""AgentNet's code: PyAutoGUI with places from 0 to 1, and `computer.*` for what that cannot say."""

from __future__ import annotations

from collections.abc import Callable

from proctor.actions import action as act
from proctor.actions.action import Action
from proctor.actions.dialects.dialect import Frame
from proctor.actions.dialects.pyautogui_actions import ActionCollector
from proctor.actions.dialects.reply import special
from proctor.actions.dialects.space import Space, open_space
from proctor.actions.dialects.translation import chord, chord_names, no_word, number, text, texts
from proctor.actions.dialects.values import Function, Module
from proctor.errors import AgentError

NAME = "agentnet"
SUCCESS, FAILURE = "success", "failure"
_FAILURES = (FAILURE, "fail", "failed", "infeasible")
_CLICKS = {("left", 1): "click", ("left", 2): "doubleClick", ("right", 1): "rightClick", ("middle", 1): "middleClick"}


def read_code(code: str, frame: Frame) -> tuple[Action, ...]:
    """Return the actions of one step's code, which is interpreted and never run; raises AgentError."""
    if (word := special(code)) is not None:
        return (word,)
    collector = _Collector(frame, open_space("unit", frame))
    collector.run(code)
    return tuple(collector.actions)


def write_code(action: Action, frame: Frame) -> str:
    """Return an action as AgentNet writes it; raises AgentError for one that it has no word for."""
    line = _line(action, open_space("unit", frame))
    held = getattr(action, "modifiers", ())
    down = [_call("pyautogui.keyDown", key) for key in held]
    up = [_call("pyautogui.keyUp", key) for key in reversed(held)]
    return "\n".join([*down, line, *up])


class _Collector(ActionCollector):
    def _modules(self) -> dict[str, Module]:
        table: dict[str, Callable[..., object]] = {
            "tripleClick": self._clicker(3), "triple_click": self._clicker(3), "wait": self._sleep,
            "terminate": self._terminate,
        }  # fmt: skip
        return {"computer": Module("computer", {name: Function(name, call) for name, call in table.items()})}

    def _hotkey(self, *names: object, keys: object = (), **_: object) -> None:
        given = [name for part in (*names, keys) if part for name in texts(part, "hotkey")]
        self._emit(act.Press, keys=chord(given))

    def _terminate(self, status: object = SUCCESS, answer: object = None, **_: object) -> None:
        said = text(status, "status").lower()
        if said in _FAILURES:
            self._emit(act.Fail)
        elif said != SUCCESS:
            raise AgentError(f"unknown status {said[:40]!r}", remedy=f"write {SUCCESS!r} or {FAILURE!r}")
        elif answer is None:
            self._emit(act.Done)
        else:
            self._emit(act.Answer, text=text(answer, "answer"))


def _line(action: Action, space: Space) -> str:
    match action:
        case act.Move(x=x, y=y):
            return _call("pyautogui.moveTo", **space.raw_fields(x, y))
        case act.Click(x=x, y=y, button="left", count=3):
            return _call("computer.tripleClick", **space.raw_fields(x, y))
        case act.Click(x=x, y=y, button=button, count=count):
            if name := _CLICKS.get((button, count)):
                return _call(f"pyautogui.{name}", **space.raw_fields(x, y))
            several = {"clicks": count} if count > 1 else {}
            return _call("pyautogui.click", **space.raw_fields(x, y), **several, button=button)
        case act.MouseDown(button=button) | act.MouseUp(button=button):
            name = "mouseDown" if isinstance(action, act.MouseDown) else "mouseUp"
            return _call(f"pyautogui.{name}", button=button)
        case act.Drag(path=path, button=button):
            return _drag(space, path, button)
        case act.Scroll(x=x, y=y, dx=dx, dy=dy) if not (dx and dy):
            at = space.raw_fields(x, y)
            return _call("pyautogui.hscroll", dx, **at) if dx else _call("pyautogui.scroll", -dy, **at)
    return _without_place(action)


def _without_place(action: Action) -> str:
    match action:
        case act.Type(text=typed):
            return _call("pyautogui.write", message=typed)
        case act.Press(keys=keys):
            chords = [chord_names(each) for each in keys.split(" ")] if keys.strip(" ") else [[keys]]
            return "\n".join(
                _call("pyautogui.hotkey", names) if len(names) > 1 else _call("pyautogui.press", names[0])
                for names in chords
            )
        case act.KeyDown(key=key) | act.KeyUp(key=key):
            return _call(f"pyautogui.{'keyDown' if isinstance(action, act.KeyDown) else 'keyUp'}", key)
        case act.Wait(seconds=seconds):
            return _call("computer.wait", number(seconds, "seconds"))
        case act.WaitForChange(seconds=seconds):
            return _call("wait_for_change", number(seconds, "seconds"))
        case act.Done():
            return _call("computer.terminate", status=SUCCESS)
        case act.Answer(text=said):
            return _call("computer.terminate", status=SUCCESS, answer=said)
        case act.Fail():
            return _call("computer.terminate", status=FAILURE)
    raise no_word(NAME, action)


def _drag(space: Space, path: tuple[tuple[float, float], ...], button: str) -> str:
    """Return a drag between two places in AgentNet's two lines, and a longer path as a held button."""
    start, *further = [_call("pyautogui.moveTo", **space.raw_fields(x, y)) for x, y in path]
    if not further:
        return _call("pyautogui.dragTo", **space.raw_fields(*path[0]), button=button)
    if len(further) == 1:
        return f"{start}\n{_call('pyautogui.dragTo', **space.raw_fields(*path[-1]), button=button)}"
    return "\n".join(
        [start, _call("pyautogui.mouseDown", button=button), *further, _call("pyautogui.mouseUp", button=button)]
    )


def _call(name: str, *arguments: object, **options: object) -> str:
    written = [repr(argument) for argument in arguments]
    written += [f"{option}={value!r}" for option, value in options.items()]
    return f"{name}({', '.join(written)})"
