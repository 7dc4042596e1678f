"""Changing the files of an end state one at a time, judging, and putting them back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from proctor.errors import ProctorError
from proctor.prove.finish_code import has_finish_code, repeat_finish_code
from proctor.prove.kept_file import CannotChange, KeptFile
from proctor.prove.mutant_log import MOST_WHY, Judged, Trying
from proctor.prove.mutation import Found
from proctor.prove.targets import Target, targets
from proctor.prove.transforms import transforms_for
from proctor.prove.transforms.shelf import ChangeKind, Transform
from proctor.tasks.collateral import collateral
from proctor.tasks.judge import judge

MOST_CHANGES = 64
"""Changes to files in all; of more, as many are drawn."""
DELETED, AS_BEFORE, SAVED_AGAIN = "deleted", "as it was before", "saved once more"
OPENED = "open to everybody"
"""Changes that no transform makes, because they need more than the content of the file."""
OPEN_TO_ALL = 0o777
BYSTANDER = ("emptied", "filled with noise")
"""Transforms of a file that the solution did not touch."""

Planned = tuple[str, ChangeKind, Transform | None]


@dataclass(frozen=True)
class Altered:
    """A file as it is changed for a moment."""

    label: str
    kind: ChangeKind
    data: bytes | None
    mode: int


def try_files(trying: Trying, kinds: Sequence[ChangeKind] = ("mutant", "variant"), only: Sequence[str] = ()) -> None:
    """Try changes to files, or to some only; raises NotPutBack where one of them cannot be put back."""
    chosen = [target for target in _targets(trying) if not only or target.path in only]
    every = [(target, change) for target in chosen for change in _changes(target) if change[1] in kinds]
    if len(every) > MOST_CHANGES:
        drawn = sorted(trying.draw.sample(range(len(every)), MOST_CHANGES))
        every = [every[at] for at in drawn]
    planned: dict[Target, list[Planned]] = {}
    for target, change in every:
        planned.setdefault(target, []).append(change)
    for place, (target, changes) in enumerate(planned.items()):
        try:
            _try_file(trying, target, changes)
        except ProctorError:
            left = ", ".join(each.shown for each in list(planned)[place:])
            trying.untried.append(f"the changes left to {left}: the computer is no longer as it was")
            raise
    if has_finish_code(trying.task):
        repeat_finish_code(trying.task, trying.computer)


def _targets(trying: Trying) -> list[Target]:
    lacking = {"files", "changes"} - trying.computer.capabilities
    if lacking:
        trying.untried.append(f"files: this computer has no {' and no '.join(sorted(lacking))}")
        return []
    return targets(trying.task, trying.computer, trying.draw)


def _changes(target: Target) -> Iterator[Planned]:
    """Yield what is done to a file; one that the solution did not touch is only spoilt."""
    yield DELETED, "mutant", None
    if not _is_hidden(target):
        yield OPENED, "mutant", None
    if not target.worked_on:
        yield from (
            (one.label, "mutant", one) for one in transforms_for(target.path, "mutant") if one.label in BYSTANDER
        )
        return
    yield AS_BEFORE, "mutant", None
    yield from ((one.label, "mutant", one) for one in transforms_for(target.path, "mutant"))
    yield SAVED_AGAIN, "variant", None
    if not target.versioned:
        yield from ((one.label, "variant", one) for one in transforms_for(target.path, "variant"))


def _is_hidden(target: Target) -> bool:
    """Tell whether only programs look after a file, and its rights."""
    return any(part.startswith(".") for part in target.shown.split("/"))


def _try_file(trying: Trying, target: Target, changes: list[Planned]) -> None:
    try:
        kept = KeptFile.take(trying.computer, target.path)
    except CannotChange as error:
        trying.untried.append(f"{target.shown}: {error}")
        return
    seen: set[bytes | None] = set()
    for label, kind, transform in changes:
        for data in _content(trying, target, kept, label, transform):
            if data in seen and label != OPENED:
                continue  # two changes came to the same, as in a file of one line
            seen.add(data)
            mode = OPEN_TO_ALL if label == OPENED else kept.mode
            try:
                _judge_changed(trying, target, kept, Altered(f"{target.shown}: {label}", kind, data, mode))
            except CannotChange as error:
                trying.untried.append(f"{target.shown}: {label}: {error}")
    if not kept.put_back_time(trying.computer):
        trying.untried.append(f"{target.shown}: the time of its last change could not be put back")


def _content(
    trying: Trying, target: Target, kept: KeptFile, label: str, transform: Transform | None
) -> Iterator[bytes | None]:
    """Yield the content that a change leaves, None for no file; nothing where it does not apply."""
    if label == DELETED:
        yield None
    elif label == SAVED_AGAIN or (label == OPENED and kept.mode != OPEN_TO_ALL):
        yield kept.data
    elif label == OPENED:
        return
    elif transform is None:
        earlier = trying.computer.before(target.path)
        if earlier is not None and earlier != kept.data:
            yield earlier
    elif transform.kept and not _was_there(trying, target):
        return
    elif transform.kind == "variant" and trying.computer.before(target.path) == kept.data:
        return  # only its mode is another: what it holds was to stay as it is, to the letter
    else:
        draw = Random(f"{trying.task.id} {trying.task.seed} {target.shown} {label}")
        try:
            changed = transform.apply(kept.data, draw)
        except Exception as error:
            # Whatever it met in the file is no reason to leave the others untried, nor to blame the check.
            said = f"the transform crashed: {type(error).__name__}: {error}"
            trying.found.append(Found("defect", f"{target.shown}: {label}", said[:MOST_WHY]))
            return
        if changed is not None:
            yield changed


def _was_there(trying: Trying, target: Target) -> bool:
    """Tell whether a file, or the one that it is a copy of, was there before the solution."""
    return trying.computer.before(target.path) is not None or target.shown in trying.task.copies


def _judge_changed(trying: Trying, target: Target, kept: KeptFile, altered: Altered) -> None:
    task, computer = trying.task, trying.computer

    def judge_end() -> Judged:
        # A bystander that is missed settles it, and is sooner looked for than everything is judged.
        if not target.worked_on and collateral(task, computer):
            return None, True
        verdict = judge(task, computer, trying.ending)
        return verdict, trying.notices(verdict)

    try:
        kept.change(computer, altered.data, altered.mode)
        if has_finish_code(task):
            repeat_finish_code(task, computer)
            if kept.stands(computer) and altered.mode == kept.mode:
                return  # the file is made anew each time before judging, so nobody can spoil it
        trying.note(altered.label, altered.kind, judge_end)
    finally:
        kept.put_back(computer)
