"""Reading a data set: its form recognized by its columns, its defects named, its samples checked."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from pathlib import Path

from proctor.errors import RecordError, SpecError, UnknownName
from proctor.offline.loaders.form import (
    BOX,
    PublicForm,
    ReadingContext,
    UnfitRecord,
    defect,
    has_other_names,
    in_words,
    missing_columns,
    text,
)
from proctor.offline.loaders.ground import GROUNDING
from proctor.offline.loaders.sequences import CRITIC, IDM
from proctor.offline.pictures import PictureFinder
from proctor.offline.record import truth
from proctor.offline.rows import Row, read_rows
from proctor.offline.sample import TASKS, Data, Defect, Keep, OfflineSample, Task
from proctor.offline.target import CONVENTIONS, FAULTS

FORMS: dict[str, PublicForm] = {form.name: form for form in (*GROUNDING, *IDM, *CRITIC)}
_CHOICE = f"; --boxes takes {', '.join(CONVENTIONS)}"
_REPEATED = "it repeats a record before it"
_OTHER_WORDING = "its id was there before, in another file"
DOUBTFUL = 0.2
"""With more boxes out of their pictures than this, the convention is more likely wrong than the boxes."""


def load(
    task: Task,
    data: Path,
    *,
    form: str = "",
    boxes: str = "",
    images: Path | None = None,
    last: int = 5,
    split: str = "",
    keep: Keep = "answerable",
) -> Data:
    """Read a data set: a file or a folder; one of `proctor offline make` has a file for each task.

    `form` and `boxes` are names in FORMS and CONVENTIONS, told by the columns and by the form when empty; of a sequence
    at most `last` actions are kept. To `keep` all is to cut boxes off at the edges of their pictures, and to count
    repeats. Raises SpecError for no records, none of the form, and wrong options.
    """
    if boxes and boxes not in CONVENTIONS:
        raise UnknownName("way to write boxes", boxes, CONVENTIONS)
    if form and form not in FORMS:
        raise UnknownName("form of records", form, FORMS)
    if (data / "run.json").is_file():
        raise SpecError(f"{data} is a run, not a data set", remedy=f"proctor offline make --run {data} --out DATA")

    gather = partial(_gather, task, data, form=form, images=images, last=last, split=split, keep=keep)
    gathered, chosen = gather(boxes=boxes)
    written, hint = boxes or chosen.boxes, ""
    if written and not boxes and gathered.doubtful:
        counts = {name: gather(boxes=name)[0].count for name in CONVENTIONS if name != written}
        best = max(counts, key=lambda name: counts[name])
        if counts[best] > gathered.count:
            hint = f"; as {CONVENTIONS[best].words} {counts[best]} would fit: --boxes {best}"
    return gathered.data(chosen, written, hint)


def tasks_of(data: Path, form: str = "") -> tuple[Task, ...]:
    """Return what a set is for, by its files, by a form, or by the columns of its first record."""
    if form:
        return (FORMS[form].task,) if form in FORMS else ("ground",)
    if own := tuple(task for task in TASKS if (data / f"{task}.jsonl").is_file()):
        return own
    for row in read_rows(data, lambda _: True):
        for each in FORMS.values():
            if not missing_columns(each, row.data) and not _for_another(each.task, row):
                return (each.task,)
        break
    return ("ground",)


def _gather(
    task: Task, data: Path, *, form: str, boxes: str, images: Path | None, last: int, split: str, keep: Keep
) -> tuple[_Gathered, PublicForm]:
    known = [FORMS[form]] if form else [each for each in FORMS.values() if each.task == task]

    def fits(row: Row) -> bool:
        return any(not missing_columns(each, row.data) for each in known) and not _for_another(task, row)

    rows = read_rows(_own_file(task, data), fits)
    gathered = _Gathered(split, keep)
    chosen: PublicForm | None = FORMS[form] if form else None
    reading: ReadingContext | None = None
    for row in rows:
        if chosen is None or reading is None:
            chosen = chosen or detect(task, row)
            if chosen.task != task:
                raise SpecError(f"{chosen.name} is for {chosen.task}", remedy=f"proctor offline run {chosen.task} ...")
            reading = ReadingContext(PictureFinder(images), boxes or chosen.boxes, last, keep)
        gathered.add(chosen, row, reading)
    if chosen is None:
        raise SpecError(f"{data} contains no records", remedy="fetch the file again; it is empty")
    return gathered, chosen


def detect(task: Task, row: Row) -> PublicForm:
    """Return the form of a record by its columns; raises SpecError that names the nearest form."""
    forms = [form for form in FORMS.values() if form.task == task]
    for form in forms:
        if not missing_columns(form, row.data):
            return form
    near = min(forms, key=lambda form: _strangeness(form, row))
    # A record of another task may be one of this whose columns have other names.
    for other in () if has_other_names(near, row.data) else FORMS.values():
        if other.task != task and not missing_columns(other, row.data) and other.name != "agentnetbench":
            raise SpecError(
                f"{row.where} is a record of {other.name}, which is for {other.task}",
                remedy=f"`proctor offline run {other.task}`, or name other data",
            )
    lacks = ", ".join(in_words(missing_columns(near, row.data)))
    has = ", ".join(map(str, list(row.data)[:20]))
    raise SpecError(
        f"{row.where} has none of the known formats for {task}; nearest is {near.name}, which also has: {lacks}",
        remedy=f"rename columns (it has: {has}), or say --format; `proctor offline forms` lists all of them",
    )


def _strangeness(form: PublicForm, row: Row) -> tuple[float, float, str]:
    """Return how far a record is from a form: first columns without a counterpart, then misnamed."""
    missing = missing_columns(form, row.data)
    alone = sum(not near for near in missing.values())
    return alone / len(form.columns), len(missing) / len(form.columns), form.name


_NAMED_FOR: dict[Task, tuple[str, ...]] = {"idm": ("idm",), "critic": ("critic", "success")}
"""What files are called where sets for both lie in one folder: sequences and trajectories have the same columns."""


def _for_another(task: Task, row: Row) -> bool:
    named = {each for each, words in _NAMED_FOR.items() if any(word in row.where.lower() for word in words)}
    return task in _NAMED_FOR and bool(named) and task not in named


def _own_file(task: Task, data: Path) -> Path:
    own = data / f"{task}.jsonl"
    return own if own.is_file() else data


class _Gathered:
    def __init__(self, split: str, keep: Keep) -> None:
        self._split, self._keep_what = split, keep
        self._samples: dict[str, OfflineSample] = {}
        self._files: dict[str, str] = {}
        """Which file each stands in."""
        self._renamed: dict[str, list[str]] = {}
        """The ids of those that had one that was there before."""
        self._defects: list[Defect] = []
        self.other_splits = 0

    def add(self, form: PublicForm, row: Row, reading: ReadingContext) -> None:
        named = text(row, "id", "action_id", "annotation_id", "task_id") or row.where
        # Transitions and sequences may lie in one file.
        alike = [form, *(other for other in FORMS.values() if other.task == form.task == "idm")]
        form = next((each for each in alike if not missing_columns(each, row.data)), form)
        if lacks := missing_columns(form, row.data):
            self._defects.append(Defect(named, f"a column is missing: {in_words(lacks)[0]}"))
            return
        try:
            for found in form.read(row, reading):
                if isinstance(found, Defect):
                    self._defects.append(found)
                else:
                    self._keep(found, row.file)
        except (UnfitRecord, RecordError, OSError) as error:
            self._defects.append(defect(named, error))

    def _keep(self, sample: OfflineSample, file: str) -> None:
        if self._split and sample.groups.get("split") != self._split:
            self.other_splits += 1
            return
        if sample.id in self._samples:
            if reason := self._reason_against(sample, file):
                self._defects.append(Defect(sample.id, reason))
                return
            # Sets number some records twice; the first keeps the id that it has there.
            renamed = self._renamed.setdefault(sample.id, [])
            count = len(renamed) + 2
            while (named := f"{sample.id}#{count}") in self._samples:
                count += 1
            renamed.append(named)
            sample = replace(sample, id=named)
        self._samples[sample.id] = sample
        self._files[sample.id] = sys.intern(file)

    def _reason_against(self, sample: OfflineSample, file: str) -> str:
        """Return why a sample is left out whose id was there before; nothing where it is one of its own."""
        names, own = [sample.id, *self._renamed.get(sample.id, ())], _content(sample)
        alike = [name for name in names if _content(self._samples[name]) == own]
        if any(self._samples[name].instruction == sample.instruction for name in alike):
            return "" if self._keep_what == "all" else _REPEATED
        return _OTHER_WORDING if any(self._files[name] != file for name in alike) else ""

    @property
    def count(self) -> int:
        return len(self._samples)

    @property
    def misfits(self) -> int:
        return sum(each.reason in FAULTS for each in self._defects) + sum(
            BOX in each.groups for each in self._samples.values()
        )

    @property
    def doubtful(self) -> bool:
        return self.misfits > DOUBTFUL * (self.count + len(self._defects))

    def data(self, form: PublicForm, boxes: str, hint: str) -> Data:
        remarks = []
        if boxes and self.doubtful:
            remarks.append(
                f"{self.misfits} of {self.count + len(self._defects)} boxes do not fit their pictures when read as "
                f"{CONVENTIONS[boxes].words}{hint or _CHOICE}"
            )
        repeats = sum(each.reason == _OTHER_WORDING for each in self._defects)
        if repeats > DOUBTFUL * self.count:
            remarks.append(
                f"{repeats} records have ids of others before them: where a folder holds a set in two wordings, as "
                "OSWorld-G does, the first file counts; name the other file to take that"
            )
        if not self._samples:
            raise SpecError(f"no sample can be used: {_reasons(self._defects)}", remedy=_remedy(self, remarks))
        return Data(
            task=form.task,
            form=form.name,
            boxes=boxes,
            samples=tuple(self._samples.values()),
            defects=tuple(self._defects),
            remarks=tuple(remarks),
        )


def _content(sample: OfflineSample) -> list[object]:
    """Return what a sample is about beside its words: its pictures, and what is right."""
    pictures = [hashlib.sha256(shot.source.read()).hexdigest() for shot in sample.pictures]
    return [{**truth(sample), "instruction": ""}, *pictures]


def _reasons(defects: Iterable[Defect]) -> str:
    counts: dict[str, int] = {}
    for each in defects:
        counts[each.reason] = counts.get(each.reason, 0) + 1
    return "; ".join(f"{reason} ({count})" for reason, count in counts.items()) or "there is none"


def _remedy(gathered: _Gathered, remarks: list[str]) -> str:
    if remarks:
        return remarks[0]
    if gathered.other_splits:
        return f"all {gathered.other_splits} belong to other splits: leave --split out"
    return "name the folder of the pictures with --pictures, or fetch the set again"
