"""What can be done to the steps of a version: pure functions from one version to the next."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from proctor.errors import SpecError
from proctor.records import Hit, Step, read
from proctor.studio.refine.split import join, read_action, split
from proctor.studio.refine.steps import MOST_STEPS, RefinedStep, State, places

MOST_TEXT = 10_000
LONGEST_ID = 60

Recorded = Callable[[RefinedStep], Step]
"""Returns a step with what was recorded of it, and what was made different."""
Edit = Mapping[str, object]


def apply(state: State, edit: Edit, recorded: Recorded) -> State:
    """Return the version that an edit makes of another; raises SpecError for one that cannot be made.

    `edit` is plain data: `do` says what, the rest to what. Nothing but the version that is returned is changed.
    """
    does = _DOES.get(str(edit.get("do")))
    if does is None:
        raise SpecError(f"{str(edit.get('do'))[:40]!r} is not an edit", remedy=f"do one of: {', '.join(_DOES)}")
    made = does(state, edit, recorded)
    if len(made) > MOST_STEPS:
        raise SpecError(f"a version has at most {MOST_STEPS:,} steps", remedy="cut or delete some first")
    return made


def words(edit: Edit) -> str:
    """Say in a few words what an edit does."""
    steps = edit.get("steps")
    count = len(steps) if isinstance(steps, list) else 1
    several = "a step" if count == 1 else f"{count} steps"
    said = {
        "cut": f"cut to {several}",
        "delete": f"deleted {several}",
        "move": f"moved {several}",
        "split": "split a step",
        "join": f"joined {several}",
        "action": "relabelled an action",
        "element": "corrected an element",
        "say": "wrote about a step",
        "splice": "spliced in what was done again",
        "restore": f"went back to version {edit.get('version')}",
    }
    return said.get(str(edit.get("do")), "")


def _cut(state: State, edit: Edit, recorded: Recorded) -> State:
    chosen = _choose(state, edit)
    return state[chosen[0] : chosen[-1] + 1]


def _delete(state: State, edit: Edit, recorded: Recorded) -> State:
    gone = set(_choose(state, edit))
    return tuple(step for place, step in enumerate(state) if place not in gone)


def _move(state: State, edit: Edit, recorded: Recorded) -> State:
    chosen = set(_choose(state, edit))
    moved = tuple(step for place, step in enumerate(state) if place in chosen)
    rest = tuple(step for place, step in enumerate(state) if place not in chosen)
    before = edit.get("before")
    if before is None or before == "":
        return rest + moved
    place = next((place for place, step in enumerate(rest) if step.id == before), None)
    if place is None:
        raise SpecError("there is no such step to put them before", remedy="name one that is not moved itself")
    return rest[:place] + moved + rest[place:]


def _split(state: State, edit: Edit, recorded: Recorded) -> State:
    place, step = _one(state, edit)
    at = edit.get("at")
    if not isinstance(at, int | float) or isinstance(at, bool):
        raise SpecError("the place to split is missing", remedy="give `at`: after how many characters, clicks, ...")
    first, second = split(_action(step, recorded), float(at))
    taken = {each.id for each in state}
    name = _free(f"{step.id}.2", taken)
    # A thought and what a step is for belong to where it begins.
    parts = (replace(step, action=first), replace(step, id=name, action=second, thought="", instruction=""))
    return (*state[:place], *parts, *state[place + 1 :])


def _join(state: State, edit: Edit, recorded: Recorded) -> State:
    chosen = _choose(state, edit)
    if len(chosen) < 2 or chosen[-1] - chosen[0] != len(chosen) - 1:
        raise SpecError("only steps that follow one another can be joined", remedy="choose two or more in a row")
    steps = [state[place] for place in chosen]
    action = join([_action(step, recorded) for step in steps])
    thoughts = [thought for step in steps if (thought := recorded(step).thought)]
    sayings = [step.instruction for step in steps if step.instruction]
    name = _free("+".join(step.id for step in steps), {step.id for step in state})
    made = replace(
        steps[0],
        id=name,
        action=action,
        thought="\n".join(thoughts) if thoughts else steps[0].thought,
        instruction=" ".join(sayings),
    )
    return (*state[: chosen[0]], made, *state[chosen[-1] + 1 :])


def _relabel(state: State, edit: Edit, recorded: Recorded) -> State:
    place, step = _one(state, edit)
    return _with(state, place, replace(step, action=read_action(edit.get("action"))))


def _correct(state: State, edit: Edit, recorded: Recorded) -> State:
    """Say which element a step hit; where asked to, what it does is then done in the middle of that."""
    place, step = _one(state, edit)
    given = edit.get("element")
    if not isinstance(given, Mapping):
        raise SpecError("no element is given", remedy="choose one, or write its role and name")
    element = read(Hit, dict(given))
    if not (element.role or element.name or element.text):
        raise SpecError("the element has neither role nor name", remedy="choose one, or write its role and name")
    if any(len(value) > MOST_TEXT for value in (element.role, element.name, element.text, element.app, element.window)):
        raise SpecError(f"an element's words are longer than {MOST_TEXT} characters", remedy="shorten them")
    made = replace(step, element=element)
    action = recorded(step).action
    if edit.get("aim") is True and element.box is not None and action and action.get("x") is not None:
        x, y, width, height = element.box
        made = replace(made, action=read_action({**action, "x": round(x + width / 2), "y": round(y + height / 2)}))
    return _with(state, place, made)


def _say(state: State, edit: Edit, recorded: Recorded) -> State:
    place, step = _one(state, edit)
    changed: dict[str, str] = {}
    for name in ("instruction", "thought"):
        text = edit.get(name)
        if text is None:
            continue
        if not isinstance(text, str) or len(text) > MOST_TEXT:
            raise SpecError(f"{name} is not text of at most {MOST_TEXT} characters", remedy="shorten it")
        changed[name] = text
    if not changed:
        raise SpecError("nothing is written", remedy="give an instruction or a thought")
    return _with(state, place, replace(step, **changed))  # type: ignore[arg-type]


_DOES: dict[str, Callable[[State, Edit, Recorded], State]] = {
    "cut": _cut, "delete": _delete, "move": _move, "split": _split, "join": _join, "action": _relabel,
    "element": _correct, "say": _say,
}  # fmt: skip


def splice_lines(state: State, keep: int, of: str, lines: Sequence[int]) -> State:
    """Return a version that goes on, after its first steps, with lines of another recording."""
    taken = {step.id for step in state[:keep]}
    tag = hashlib.sha256(of.encode()).hexdigest()[:6]
    added: list[RefinedStep] = []
    for line in lines:
        name = _free(f"{tag}:{line}", taken)
        taken.add(name)
        added.append(RefinedStep(id=name, line=line, of=of))
    return (*state[:keep], *added)


def _choose(state: State, edit: Edit) -> list[int]:
    ids = edit.get("steps")
    if not isinstance(ids, list) or not ids or not all(isinstance(each, str) for each in ids):
        raise SpecError("no steps are chosen", remedy="choose one or more")
    found = places(state, ids)
    if len(found) != len(set(ids)):
        raise SpecError("this version does not have all of these steps", remedy="load it again")
    return found


def _one(state: State, edit: Edit) -> tuple[int, RefinedStep]:
    place = next((place for place, step in enumerate(state) if step.id == edit.get("step")), None)
    if place is None:
        raise SpecError("this version does not have this step", remedy="load it again")
    return place, state[place]


def _action(step: RefinedStep, recorded: Recorded) -> dict[str, object]:
    action = recorded(step).action
    if not action:
        raise SpecError("this step does nothing", remedy="choose one that has an action")
    return action


def _with(state: State, place: int, step: RefinedStep) -> State:
    return (*state[:place], step, *state[place + 1 :])


def _free(name: str, taken: set[str]) -> str:
    if len(name) > LONGEST_ID:
        name = f"{name[: LONGEST_ID // 2]}~{hashlib.sha256(name.encode()).hexdigest()[:12]}"
    number, found = 2, name
    while found in taken:
        number, found = number + 1, f"{name}'{number}"
    return found
