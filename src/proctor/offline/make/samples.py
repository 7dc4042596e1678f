"""Samples from one episode: elements that were hit, transitions, sequences, attempts."""

from __future__ import annotations

import hashlib
import io
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from PIL import Image

from proctor.actions.in_words import KINDS, action_words, kind_of
from proctor.errors import RecordError
from proctor.observations.tree import Node, Tree
from proctor.offline.make.reviews import Reviewed
from proctor.offline.make.words import instruction
from proctor.store.walk import RecordedStep, WalkedEpisode

MOST_SHARE = 0.25
"""An element that fills more of the screen is no target."""
LONGEST = 5
"""Actions of a sequence."""
FEWEST_TO_CUT = 4
"""An attempt with fewer actions is not cut off: half of it may be all of it."""
POINTING = ("click", "double click", "triple click", "right click", "middle click", "move")


@dataclass(frozen=True, slots=True)
class Seen:
    """A picture of a record."""

    name: str
    data: bytes = field(repr=False)
    size: tuple[int, int]


@dataclass(frozen=True, slots=True)
class MadeSample:
    """A record of a data set that is being made, with the pictures it names."""

    task: str
    """Which file it belongs to: ground, idm or critic."""
    row: dict[str, object]
    pictures: tuple[Seen, ...]
    elements: tuple[str, list[dict[str, object]]] | None = None


@dataclass(frozen=True, slots=True)
class ShownEpisode:
    """An episode with the steps that have pictures, and which of these were performed."""

    episode: WalkedEpisode
    steps: Sequence[RecordedStep]
    shots: Sequence[Seen]
    moves: Sequence[int]

    @property
    def task(self) -> str:
        """Which task it is of."""
        return self.episode.result.key.task


@dataclass
class Maker:
    """Turns episodes into samples, and counts what it leaves out and why."""

    skipped: Counter[str] = field(default_factory=Counter)
    reviewed: Reviewed = field(default_factory=Reviewed)

    def samples(self, episode: WalkedEpisode) -> Iterator[MadeSample]:
        """Yield all samples of an episode; a picture that cannot be read ends it."""
        try:
            steps = [step for step in episode.steps() if step.saw and step.saw.screenshot]
            shots = [self._see(step) for step in steps]
        except RecordError:
            self.skipped["episode: a picture cannot be read"] += 1
            return
        moves = [place for place, step in enumerate(steps[:-1]) if _was_performed(step)]
        shown = ShownEpisode(episode, steps, shots, moves)
        yield from self._ground(shown)
        yield from self._transitions(shown)
        yield from self._attempts(shown)

    def _see(self, step: RecordedStep) -> Seen:
        assert step.saw is not None
        data = step.episode.picture(step.saw.screenshot)
        try:
            with Image.open(io.BytesIO(data)) as image:
                return Seen(hashlib.sha256(data).hexdigest()[:20], data, image.size)
        except (OSError, ValueError, Image.DecompressionBombError) as error:
            raise RecordError(f"{step.saw.screenshot} is not a picture") from error

    def _ground(self, shown: ShownEpisode) -> Iterator[MadeSample]:
        for step, seen in zip(shown.steps, shown.shots, strict=True):
            kind = kind_of(step.action or {})
            if kind in POINTING and step.action and "x" in step.action:
                yield from self._target(shown.task, kind, step, seen)

    def _target(self, task: str, kind: str, step: RecordedStep, seen: Seen) -> Iterator[MadeSample]:
        hit, action = step.element, step.action or {}
        if reason := _unfit(step, seen):
            self.skipped[f"ground: {reason}"] += 1
            return
        assert hit is not None and hit.box is not None
        tree = step.tree
        alike = alike_in(tree, hit.role, hit.name or hit.text) if tree else []
        words = instruction(kind, hit, alike)
        if not words:
            self.skipped["ground: words cannot tell the element from others"] += 1
            return
        box = _corners(hit.box)
        name = f"elements/{seen.name}.json.gz"
        listed = (name, list_elements(tree)) if tree else None
        yield MadeSample(
            "ground",
            {
                "id": sample_id(seen.name, box, words),
                "image": f"images/{seen.name}.png",
                "instruction": words,
                "bbox": box,
                "resolution": list(seen.size),
                "platform": "desktop",
                "source": "proctor",
                "application": hit.app,
                "role": hit.role,
                "task": task,
                "point": [action["x"], action["y"]],
                "checked": tree is not None,
                **({"elements": name} if listed else {}),
            },
            (seen,),
            listed,
        )

    def _transitions(self, shown: ShownEpisode) -> Iterator[MadeSample]:
        common = {"platform": "desktop", "source": "proctor", "task": shown.task, "action_space": list(KINDS)}
        shots, words, changing = shown.shots, shown.episode.instruction, []
        for place in shown.moves:
            if shots[place].name == shots[place + 1].name:
                self.skipped["idm: nothing changed on the screen"] += 1
                continue
            changing.append(place)
            row = _action(shown, place)
            row = {"id": sample_id("single", row), "instruction": words, **row, **common}
            yield MadeSample("idm", row, (shots[place], shots[place + 1]))
        for run in _runs(changing):
            actions = [_action(shown, place) for place in run]
            row = {"annotation_id": sample_id("several", actions), "instruction": words, "actions": actions}
            row |= {**common, "metadata": {}, "is_success": shown.episode.result.passed}
            yield MadeSample("idm", row, tuple(shots[place] for place in (*run, run[-1] + 1)))

    def _attempts(self, shown: ShownEpisode) -> Iterator[MadeSample]:
        result, moves = shown.episode.result, shown.moves
        if result.score is None or not moves:
            self.skipped["critic: void, or nothing was done"] += 1
        elif not result.passed:
            yield self._attempt(shown, moves, "near miss" if _is_near_miss(shown.episode) else "failed")
        else:
            yield self._attempt(shown, moves, "passed")
            if len(moves) >= FEWEST_TO_CUT:
                yield self._attempt(shown, moves[: len(moves) // 2], "cut off")

    def _attempt(self, shown: ShownEpisode, moves: Sequence[int], made: str) -> MadeSample:
        key, actions = shown.episode.result.key, [_action(shown, place) for place in moves]
        row = {
            "annotation_id": sample_id(shown.task, key.agent, actions, made),
            "instruction": shown.episode.instruction,
            "actions": actions,
            "platform": "desktop",
            "source": "proctor",
            "task": shown.task,
            "action_space": list(KINDS),
            "metadata": {"agent": key.agent, "seed": key.seed},
            "is_success": made == "passed",
            "made": made,
        }
        # What people said of an attempt is said of all of it.
        if made != "cut off":
            said = self.reviewed.of(shown.episode, [shown.steps[place].step for place in moves])
            row |= {"reviews": said} if said else {}
        used = dict.fromkeys(place for move in moves for place in (move, move + 1))
        return MadeSample("critic", row, tuple(shown.shots[place] for place in used))


def _action(shown: ShownEpisode, place: int) -> dict[str, object]:
    step, before, after = shown.steps[place], shown.shots[place], shown.shots[place + 1]
    kind = kind_of(step.action or {})
    return {
        "action_id": sample_id(before.name, after.name, kind),
        "obs_before": f"images/{before.name}.png",
        "obs_after": f"images/{after.name}.png",
        "operation": kind,
        "bbox": _corners(step.element.box) if step.element and step.element.box else None,
        "metadata": {"repr": action_words(step.action or {}, step.element, before.size)},
    }


def _corners(box: tuple[float, float, float, float]) -> list[float]:
    """Return a box as all our sets have it: left, top, right and bottom."""
    x, y, width, height = box
    return [round(float(value), 1) for value in (x, y, x + width, y + height)]


def _is_near_miss(episode: WalkedEpisode) -> bool:
    agent = episode.header.agent
    return agent is not None and agent.options.get("miss", "0") != "0"


def _was_performed(step: RecordedStep) -> bool:
    return bool(step.action and kind_of(step.action)) and not (step.refused or step.trouble or step.broke)


def _unfit(step: RecordedStep, seen: Seen) -> str:
    hit, place = step.element, step.place
    if hit is None or hit.box is None:
        return "no element was found where it pointed"
    if step.refused or step.trouble:
        return "the action was not carried out"
    if step.stale:
        return "the screen had changed since the picture"
    x, y, width, height = hit.box
    if width <= 0 or height <= 0 or x < 0 or y < 0 or x + width > seen.size[0] or y + height > seen.size[1]:
        return "the element sticks out of the screen"
    if width * height > MOST_SHARE * seen.size[0] * seen.size[1]:
        return "the element fills too much of the screen"
    if place is None or not (x <= place[0] <= x + width and y <= place[1] <= y + height):
        return "the element does not lie where it was hit"
    return ""


def alike_in(tree: Tree, role: str, name: str) -> list[Node]:
    """Return the elements of a role and a name that are showing."""
    return [node for node in tree.nodes if node.showing and node.role == role and (node.name or node.text) == name]


def list_elements(tree: Tree) -> list[dict[str, object]]:
    """Return what is showing and has a name, as plain data."""
    return [
        {
            **{name: getattr(node, name) for name in ("role", "name", "app", "window")},
            "text": node.text[:200],
            "box": list(node.box),
        }
        for node in tree.nodes
        if node.showing and node.box and node.box.area and (node.name or node.text)
    ]


def _runs(places: Sequence[int]) -> Iterator[list[int]]:
    """Yield runs of two to five steps that follow each other; none overlaps another."""
    run: list[int] = []
    for place in places:
        if run and (place != run[-1] + 1 or len(run) == LONGEST):
            if len(run) > 1:
                yield run
            run = []
        run.append(place)
    if len(run) > 1:
        yield run


def sample_id(*parts: object) -> str:
    """Return an id that is the same for the same content."""
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:16]
