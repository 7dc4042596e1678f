"""Annotation sets made from a folder of pictures, a recorded run or a public grounding set."""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from PIL import Image

from proctor.actions.in_words import KINDS as ACTIONS
from proctor.actions.in_words import action_words, kind_of
from proctor.errors import RecordError, SpecError
from proctor.observations.encode import png
from proctor.observations.tree import Tree
from proctor.offline.loaders.load import load
from proctor.offline.make.samples import list_elements
from proctor.offline.sample import GroundSample
from proctor.store.files import packed_json, plain_json, read_packed_json, write_whole
from proctor.store.walk import RecordedStep, WalkedEpisode, open_run
from proctor.studio.annotate.items import MOST_PICTURES, AnnotationItem
from proctor.studio.annotate.labels import Kind, Unusable, checked_label
from proctor.studio.annotate.pictures import Taken, take
from proctor.studio.annotate.sets import About, AnnotationSet, new_set

IMPORTED = "imported"
"""The annotator whose labels came with the data."""
_ENDINGS = (".png", ".jpg", ".jpeg", ".webp", ".bmp", ".gif")


@dataclass
class FilledSet:
    """What came into a set, and what did not."""

    items: int = 0
    labels: int = 0
    left_out: Counter[str] = field(default_factory=Counter)


def from_pictures(folder: Path, source: Path, *, annotators: int = 1) -> FilledSet:
    """Make a set of the pictures in a folder and below; links are not followed."""
    about = About(kind="ground", annotators=annotators, source=f"pictures in {source.resolve().name}")
    filled = FilledSet()
    with new_set(folder, about) as part, _Items(part) as items:
        for path in _pictures(source):
            try:
                taken = take(path.read_bytes(), part / "pictures")
            except (OSError, SpecError):
                filled.left_out["not a picture that can be read"] += 1
                continue
            filled.items += items.add([taken], name=str(path.relative_to(source)))
        _some(filled, source)
    return filled


def from_run(folder: Path, run: Path, *, kind: Kind = "ground", annotators: int = 1) -> FilledSet:
    """Make a set from a recorded run; nothing in it is trusted or started.

    Of `ground` each different screen is an item, with its elements where the tree was recorded; of `idm` each step
    that changed the screen, to be told which action it was; of `critic` each attempt, to be told whether it succeeded.
    """
    opened = open_run(run)
    options = ACTIONS if kind == "idm" else ()
    about = About(kind=kind, annotators=annotators, options=options, source=f"run {run.resolve().name}")
    filled = FilledSet()
    with new_set(folder, about) as part, _Items(part) as items:
        for episode in opened.episodes():
            try:
                seen = [(step, step.saw.screenshot) for step in episode.steps() if step.saw and step.saw.screenshot]
                taken = [take(episode.picture(name), part / "pictures") for _, name in seen]
            except (RecordError, SpecError):
                filled.left_out["an episode with a picture that cannot be read"] += 1
                continue
            filled.items += sum(_WAYS[kind](items, episode, [step for step, _ in seen], taken, filled))
        _some(filled, run)
    return filled


def from_data(
    folder: Path, data: Path, *, form: str = "", boxes: str = "", images: Path | None = None, annotators: int = 1
) -> FilledSet:
    """Make a set from grounding data as `proctor offline` reads it; its boxes are `imported` labels."""
    found = load("ground", data, form=form, boxes=boxes, images=images)
    about = About(kind="ground", annotators=annotators, source=f"{found.form} data in {data.resolve().name}")
    filled = FilledSet(left_out=Counter(defect.reason for defect in found.defects))
    with new_set(folder, about) as part:
        boxed: dict[str, list[dict[str, object]]] = {}
        known: dict[str, str] = {}
        with _Items(part) as items:
            for sample in found.samples:
                if isinstance(sample, GroundSample):
                    _add_sample(items, sample, known, boxed, filled)
        _save_imported(AnnotationSet(part), boxed, filled)
        _some(filled, data)
    return filled


def _save_imported(opened: AnnotationSet, boxed: dict[str, list[dict[str, object]]], filled: FilledSet) -> None:
    log = opened.log(IMPORTED)
    for id, drawn in boxed.items():
        item = opened.item(id)
        assert item is not None
        try:
            label = checked_label("ground", item, (), {"boxes": drawn, "done": True})
        except Unusable as error:
            filled.left_out[str(error)] += len(drawn)
            continue
        log.save(id, 0, label, by=IMPORTED)
        filled.labels += len(drawn)


def _add_sample(
    items: _Items,
    sample: GroundSample,
    known: dict[str, str],
    boxed: dict[str, list[dict[str, object]]],
    filled: FilledSet,
) -> None:
    if sample.target.kind != "box":
        filled.left_out[f"a {sample.target.kind}, which no box says"] += 1
        return
    if sample.shot.name not in known:
        try:
            taken = take(sample.shot.source.read(), items.folder / "pictures")
        except (OSError, RecordError, SpecError):
            filled.left_out["a picture that cannot be read"] += 1
            return
        elements = _elements(sample)
        name = Path(sample.shot.name).name
        filled.items += items.add([taken], name=name, elements=elements, group=str(sample.groups.get("task", "")))
        known[sample.shot.name] = items.last
    drawn = boxed.setdefault(known[sample.shot.name], [])
    drawn.append(
        {
            "id": f"b{len(drawn)}",
            "box": list(sample.target.box),
            "instruction": sample.instruction,
            "role": sample.groups.get("role", ""),
            "ambiguous": False,
        }
    )


def _elements(sample: GroundSample) -> list[dict[str, object]]:
    if sample.elements is None:
        return []
    try:
        listed = read_packed_json(sample.elements)
    except RecordError:
        return []
    return [each for each in listed if isinstance(each, dict)] if isinstance(listed, list) else []


class _Items:
    """Writes the items of a set, each content once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.last = ""
        """The id of the item that was added, or was there, last."""
        self._known = {item.id for item in AnnotationSet(folder).items()}

    def __enter__(self) -> _Items:
        self._file = (self.folder / "items.jsonl").open("ab")
        return self

    def __exit__(self, *_: object) -> None:
        self._file.flush()
        os.fsync(self._file.fileno())
        self._file.close()

    def add(
        self,
        taken: Sequence[Taken],
        *,
        elements: Sequence[dict[str, object]] = (),
        actions: tuple[str, ...] = (),
        **texts: str,
    ) -> bool:
        pictures = tuple(picture.name for picture in taken)
        said = (pictures, texts.get("instruction", ""), actions)
        self.last = id = hashlib.sha256(repr(said).encode("utf-8", "surrogatepass")).hexdigest()[:16]
        if id in self._known:
            return False
        self._known.add(id)
        name = ""
        if elements:
            packed = packed_json(list(elements))
            name = f"{taken[0].digest}.json.gz"
            write_whole(self.folder / "elements", name, packed)
        item = AnnotationItem(id=id, pictures=pictures, size=taken[0].size, elements=name, actions=actions, **texts)
        self._file.write(plain_json(item.plain()) + b"\n")
        return True


def add_picture(opened: AnnotationSet, data: bytes, name: str) -> bool:
    """Add one picture to a set for boxes; tells whether it is new. Raises SpecError for what is none."""
    if opened.about.kind != "ground":
        raise SpecError("pictures can be added to sets for boxes only", remedy="make a separate set for them")
    taken = take(data, opened.folder / "pictures")
    with _Items(opened.folder) as items:
        return items.add([taken], name=Path(name).name[:200])


def add_screen(opened: AnnotationSet, image: Image.Image, tree: Tree | None, *, name: str, group: str) -> str:
    """Add the screen of a live computer to a set for boxes, with its elements; return the item's id."""
    if opened.about.kind != "ground":
        raise SpecError("screens can be added to sets for boxes only", remedy="make a separate set for them")
    taken = take(png(image), opened.folder / "pictures")
    elements = list_elements(tree) if tree else ()
    with _Items(opened.folder) as items:
        items.add([taken], name=name, group=group, elements=elements)
        return items.last


Steps = Sequence[RecordedStep]


def _screens(
    items: _Items, episode: WalkedEpisode, steps: Steps, taken: Sequence[Taken], _: FilledSet
) -> Iterator[bool]:
    for step, picture in zip(steps, taken, strict=True):
        try:
            tree = step.tree
        except RecordError:
            tree = None
        name = f"{episode.result.key.task}, step {_number(step)}"
        yield items.add(
            [picture], name=name, elements=list_elements(tree) if tree else (), group=episode.result.key.task
        )


def _transitions(
    items: _Items, episode: WalkedEpisode, steps: Steps, taken: Sequence[Taken], filled: FilledSet
) -> Iterator[bool]:
    for place, step in enumerate(steps[:-1]):
        before, after = taken[place], taken[place + 1]
        kind = kind_of(step.action or {})
        if not kind or step.refused or step.trouble:
            continue
        if before.name == after.name:
            filled.left_out["a step that changed nothing on the screen"] += 1
            continue
        yield items.add(
            [before, after],
            name=f"{episode.result.key.task}, step {_number(step)}",
            instruction=episode.instruction,
            group=episode.result.key.task,
            recorded=kind,
        )


def _number(step: RecordedStep) -> int:
    """Return the number of a step as people count; a record may have lost its own."""
    return (step.step or 0) + 1


def _attempts(
    items: _Items, episode: WalkedEpisode, steps: Steps, taken: Sequence[Taken], filled: FilledSet
) -> Iterator[bool]:
    if episode.result.score is None or len(taken) < 2:
        filled.left_out["an attempt that is void, or in which nothing was done"] += 1
        return
    if len(taken) > MOST_PICTURES:
        filled.left_out[f"an attempt with more than {MOST_PICTURES} pictures"] += 1
        return
    words = (action_words(step.action, step.element) if step.action else "no action" for step in steps[:-1])
    yield items.add(
        taken,
        name=f"{episode.result.key.task} by {episode.result.key.agent}",
        instruction=episode.instruction,
        actions=tuple(words),
        group=episode.result.key.task,
        recorded="success" if episode.result.passed else "failure",
    )


_WAYS = {"ground": _screens, "idm": _transitions, "critic": _attempts}


def _pictures(source: Path) -> Iterator[Path]:
    if not source.is_dir():
        raise SpecError(f"{source} is not a folder", remedy="name a folder of pictures")
    for folder, folders, names in os.walk(source):
        folders.sort()
        for name in sorted(names):
            path = Path(folder, name)
            if name.lower().endswith(_ENDINGS) and path.is_file() and not path.is_symlink():
                yield path


def _some(filled: FilledSet, source: Path) -> None:
    if not filled.items:
        reasons = "; ".join(f"{reason} ({count})" for reason, count in filled.left_out.items())
        raise SpecError(
            f"there is nothing to annotate in {source}: {reasons or 'it holds no picture'}",
            remedy="name another source",
        )
