"""Making a data set from recorded runs: no repeats, balanced, split by task so nothing leaks."""

from __future__ import annotations

import hashlib
import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from proctor.errors import SpecError
from proctor.offline.make.recordings import recorded_episodes
from proctor.offline.make.samples import MadeSample, Maker
from proctor.offline.sample import TASKS
from proctor.store.collection import EVERYTHING, EpisodeFilter
from proctor.store.files import packed_json, plain_json

TEST_SHARE = 0.2
SEED = 17


@dataclass(frozen=True, kw_only=True)
class MadeSet:
    """What was made."""

    counts: dict[str, dict[str, int]]
    pictures: int
    skipped: dict[str, int]
    unchecked: int
    """Grounding samples whose record has no tree, so that nothing shows that only one element fits."""


@dataclass
class _Kept:
    folder: Path
    rows: dict[str, list[dict[str, Any]]] = field(default_factory=lambda: {task: [] for task in TASKS})
    ids: set[str] = field(default_factory=set)
    splits: dict[str, str] = field(default_factory=dict)
    skipped: Counter[str] = field(default_factory=Counter)


def make(
    runs: Sequence[Path],
    folder: Path,
    *,
    tasks: Iterable[str] = TASKS,
    checked: bool = False,
    as_is: bool = False,
    choice: EpisodeFilter = EVERYTHING,
) -> MadeSet:
    """Make a data set from runs or recordings, none of them trusted or started, in an empty folder.

    `checked` keeps only grounding samples whose uniqueness the tree shows, `as_is` attempts as they were held: none cut
    off, none left out for balance; `choice` says which episodes of runs are taken. Raises RecordError for a damaged
    run, SpecError where nothing came of them.
    """
    maker, kept, wanted = Maker(), _Kept(folder), set(tasks)
    (folder / "images").mkdir(parents=True, exist_ok=True)
    episodes = [episode for run in runs for episode in recorded_episodes(run, choice)]
    # The same set whatever order episodes ended in.
    for episode in sorted(episodes, key=lambda each: (each.result.key.task, each.result.folder)):
        for made in maker.samples(episode):
            unwanted = (checked and made.row.get("checked") is False) or (as_is and made.row.get("made") == "cut off")
            if made.task in wanted and not unwanted:
                _keep(kept, made, whole=as_is)
    # What was left out of sets that nobody asked for says nothing about this one.
    kept.skipped.update({why: count for why, count in maker.skipped.items() if why.partition(":")[0] in wanted})
    if not as_is and "critic" in wanted:
        kept.rows["critic"] = _balance(kept.rows["critic"], kept.skipped)
    if not any(kept.rows.values()):
        raise SpecError(
            f"no sample could be made from these runs: {'; '.join(kept.skipped) or 'they hold no episode'}",
            remedy="name runs with actions in them, such as those of `--agent oracle`",
        )
    return _write_sets(kept, wanted)


def split_of(task: str) -> str:
    """Return the split of a task: by a hash of its name, so that it is the same in every set."""
    drawn = int(hashlib.sha256(task.encode()).hexdigest()[:8], 16) / 0xFFFFFFFF
    return "test" if drawn < TEST_SHARE else "train"


def _keep(kept: _Kept, made: MadeSample, *, whole: bool) -> None:
    split = split_of(str(made.row["task"]))
    id = str(made.row.get("id") or made.row["annotation_id"])
    if id in kept.ids:
        kept.skipped[f"{made.task}: a repeat"] += 1
        return
    if not whole and any(kept.splits.get(seen.name, split) != split for seen in made.pictures):
        kept.skipped[f"{made.task}: a picture belongs to the other split"] += 1
        return
    kept.ids.add(id)
    for seen in made.pictures:
        kept.splits[seen.name] = split
        path = kept.folder / f"images/{seen.name}.png"
        if not path.exists():
            path.write_bytes(seen.data)
    if made.elements is not None:
        path = kept.folder / made.elements[0]
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(packed_json(made.elements[1]))
    kept.rows[made.task].append({**made.row, "split": split})


def _balance(rows: list[dict[str, object]], skipped: Counter[str]) -> list[dict[str, object]]:
    """Return as many successes as failures in each split, what really happened before what was cut."""
    found = []
    for split in ("train", "test"):
        sides = []
        for success in (True, False):
            side = [row for row in rows if row["split"] == split and row["is_success"] is success]
            random.Random(f"{SEED}/{split}").shuffle(side)
            sides.append(sorted(side, key=lambda row: row["made"] == "cut off"))
        fewest = min(map(len, sides))
        skipped["critic: left out for balance"] += sum(len(side) - fewest for side in sides)
        found += [row for side in sides for row in side[:fewest]]
    return sorted(found, key=lambda row: str(row["annotation_id"]))


def _write_sets(kept: _Kept, wanted: set[str]) -> MadeSet:
    counts: dict[str, dict[str, int]] = {}
    used: set[str] = set()
    for task in TASKS:
        rows = kept.rows[task]
        if task in wanted and rows:
            used |= {name for row in rows for name in _pictures(row)}
            lines = b"".join(plain_json(row) + b"\n" for row in rows)
            (kept.folder / f"{task}.jsonl").write_bytes(lines)
            counts[task] = dict(Counter(str(row["split"]) for row in rows))
    for path in (kept.folder / "images").iterdir():
        if f"images/{path.name}" not in used:
            path.unlink()
    made = MadeSet(
        counts=counts,
        pictures=len(used),
        skipped={name: count for name, count in sorted(kept.skipped.items()) if count},
        unchecked=sum(not row["checked"] for row in kept.rows["ground"]),
    )
    (kept.folder / "README.md").write_text(_card(made, kept), encoding="utf-8")
    return made


def _pictures(row: Mapping[str, Any]) -> list[str]:
    found = [row[name] for name in ("image", "obs_before", "obs_after") if name in row]
    return found + [action[name] for action in row.get("actions", ()) for name in ("obs_before", "obs_after")]


def _card(made: MadeSet, kept: _Kept) -> str:
    counted = "\n".join(
        f"| {task} | {splits.get('train', 0)} | {splits.get('test', 0)} |" for task, splits in made.counts.items()
    )
    tasks = sorted({str(row["task"]) for rows in kept.rows.values() for row in rows})
    attempts = Counter(str(row["made"]) for row in kept.rows["critic"])
    described = {
        "ground": "the element that an action hit, from the record; `bbox` is left, top, right and bottom in\n"
        "  pixels. `checked` says whether the accessibility tree was there to show that one element alone fits;\n"
        f"  it was not for {made.unchecked} samples.",
        "idm": "transitions (`obs_before`, `obs_after`, `operation`) and sequences (`actions`) in which each\n"
        "  action changed the screen.",
        "critic": "attempts with the verdict of the task's checks, by how they were made:\n"
        f"  {', '.join(f'{count} {name}' for name, count in sorted(attempts.items()))}.\n"
        "  What is cut off is the first half of an attempt that passed, taken for a failure without being judged.",
    }
    left = "\n".join(f"- {name}: {count}" for name, count in made.skipped.items()) or "- nothing"
    parts = [
        "# A data set of computer use",
        f"Made by `proctor offline make` from recorded runs: {len(tasks)} tasks, {made.pictures} pictures.",
        f"| file | train | test |\n| --- | --- | --- |\n{counted}",
        "\n".join(f"- `{task}.jsonl`: {described[task]}" for task in made.counts),
        "Splits go by task; no picture is in two of them. Left out:",
        left,
        f"Tasks: {', '.join(tasks)}.",
    ]
    return "\n\n".join(parts) + "\n"
