"""What the steps of a version refer to: the demonstration, and recordings spliced in."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from proctor.errors import RecordError
from proctor.records import Hit, Saw, Step
from proctor.store.paths import RunPaths, place_in_run, run_of
from proctor.store.read import RecordedEpisode, open_episode
from proctor.studio.refine.steps import RefinedStep, State

RUN_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._=,-]{0,120}", re.ASCII)
MOST_ELEMENTS = 3_000


@dataclass(frozen=True)
class DemonstrationRecord:
    """One recorded episode, read once."""

    episode: RecordedEpisode

    @cached_property
    def _all(self) -> tuple[Step, ...]:
        return tuple(self.episode.steps())

    @cached_property
    def lines(self) -> tuple[Step, ...]:
        """Its steps, without what was seen at the end."""
        return tuple(step for step in self._all if not step.end)

    @property
    def end(self) -> Step | None:
        """What was seen at the end."""
        return self._all[-1] if self._all and self._all[-1].end else None

    def before(self, line: int) -> Saw:
        """Return what was there before a line; a picture that did not change may stand further up."""
        saw = (self.lines[line].saw if line < len(self.lines) else self.end and self.end.saw) or Saw()
        if saw.screenshot:
            return saw
        for step in reversed(self.lines[:line]):
            if step.saw and step.saw.screenshot:
                return replace(saw, screenshot=step.saw.screenshot)
        return saw


class Material:
    """The recordings that a demonstration's versions are made of."""

    def __init__(self, folder: Path) -> None:
        """Open a demonstration; raises RecordError where there is none."""
        self.folder = folder.absolute()
        self._known: dict[str, DemonstrationRecord] = {"": DemonstrationRecord(open_episode(self.folder))}

    @property
    def demonstration(self) -> DemonstrationRecord:
        """The recording itself."""
        return self._known[""]

    @property
    def home(self) -> Path:
        """Where its run lies, and beside it whatever was spliced in."""
        return run_of(self.folder).parent

    def place(self, folder: Path) -> str:
        """Return how a recording beside this one is named; raises RecordError for one elsewhere."""
        if run_of(folder).resolve().parent != self.home.resolve():
            raise RecordError(f"{folder} does not lie beside {run_of(self.folder)}", remedy="copy its run there")
        return f"{run_of(folder).name}/{place_in_run(folder)}"

    def at(self, of: str) -> DemonstrationRecord:
        """Return a recording by its place; raises RecordError where there is none beside this one."""
        if of not in self._known:
            run, _, episode = of.partition("/")
            root = self.home / run
            if not RUN_NAME.fullmatch(run) or root.is_symlink():
                raise RecordError(f"{of[:200]!r} is no recording beside {self.home}", remedy="see versions.jsonl")
            self._known[of] = DemonstrationRecord(open_episode(RunPaths(root).at(episode)))
        return self._known[of]

    def step(self, refined: RefinedStep) -> Step:
        """Return a step as recorded, with what was made different; raises RecordError without one."""
        lines = self.at(refined.of).lines
        if refined.line >= len(lines):
            raise RecordError(f"{refined.of or self.folder} has no step {refined.line}", remedy="see versions.jsonl")
        found = lines[refined.line]
        return replace(
            found,
            saw=self.at(refined.of).before(refined.line),
            action=found.action if refined.action is None else refined.action,
            element=found.element if refined.element is None else refined.element,
            thought=found.thought if refined.thought is None else refined.thought,
            instruction=refined.instruction or found.instruction,
        )

    def steps(self, state: State) -> list[Step]:
        """Return all steps of a version."""
        return [self.step(refined) for refined in state]

    def after(self, state: State) -> tuple[str, Saw]:
        """Return what was there after the last step of a version, and in which recording."""
        if not state:
            return "", self.demonstration.before(0)
        last = state[-1]
        return last.of, self.at(last.of).before(last.line + 1)

    def elements(self, refined: RefinedStep) -> list[dict[str, object]]:
        """Return the elements known to have been on the screen before a step, the likeliest first.

        They are those of its tree and those that any step hit, first those that were hit on the same picture.
        """
        recording = self.at(refined.of)
        saw = recording.before(refined.line)
        found: dict[tuple[object, ...], tuple[Hit, dict[str, object]]] = {}
        if saw.tree:
            for hit in _of_tree(recording.episode.read_packed(saw.tree)):
                found.setdefault(_key(hit), (hit, _plain(hit, "tree")))
        for line, step in sorted(enumerate(recording.lines), key=lambda pair: abs(pair[0] - refined.line)):
            if step.element is not None and step.element.box is not None:
                same = recording.before(line).screenshot == saw.screenshot
                known = _plain(step.element, "this picture" if same else "another step")
                found.setdefault(_key(step.element), (step.element, known))
        place = self.step(refined).place
        return [each for _, each in sorted(found.values(), key=lambda pair: _unlikelihood(pair[0], place))][
            :MOST_ELEMENTS
        ]


def _of_tree(data: object) -> Iterable[Hit]:
    """Yield the elements of a recorded tree that have a place on the screen."""
    nodes = data.get("nodes") if isinstance(data, dict) else None
    for node in nodes if isinstance(nodes, list) else ():
        if not isinstance(node, dict) or not _is_box(node.get("box")):
            continue
        texts = {
            name: node[name] for name in ("role", "name", "text", "app", "window") if isinstance(node.get(name), str)
        }
        states = node.get("states")
        if isinstance(states, list) and "showing" in states:
            yield Hit(**{**texts, "text": texts.get("text", "")[:2000]}, box=tuple(node["box"]))


def _is_box(box: object) -> bool:
    return isinstance(box, list) and len(box) == 4 and all(type(each) in (int, float) for each in box)


def _key(hit: Hit) -> tuple[object, ...]:
    return hit.role, hit.name, hit.box


def _plain(hit: Hit, known_from: str) -> dict[str, object]:
    names = ("role", "name", "text", "app", "window")
    return {**{name: getattr(hit, name) for name in names}, "box": list(hit.box or ()), "from": known_from}


def _unlikelihood(hit: Hit, place: tuple[float, float] | None) -> tuple[bool, float]:
    """Return an order: what holds the place of the action first, and of these the smallest."""
    left, top, width, height = hit.box or (0, 0, 0, 0)
    inside = place is not None and left <= place[0] < left + width and top <= place[1] < top + height
    return not inside, abs(width * height)
