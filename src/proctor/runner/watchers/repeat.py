"""Repeating: each action of another episode waits for the screen it was made on, and where it went apart is noted."""

from __future__ import annotations

import io
from dataclasses import replace

from PIL import Image

from proctor.actions.action import Action
from proctor.computers.computer import Computer
from proctor.computers.drift import always_moving, differences
from proctor.computers.settle import Settling
from proctor.errors import RecordError
from proctor.exam.recorder import Recorder
from proctor.exam.state import ExamState
from proctor.exam.watcher import Reply, Watcher
from proctor.observations.box import Box
from proctor.records import Apart, Origin, Step
from proctor.runner.origin import RecordedActions

PATIENCE_SEC = 2.0
"""How long the recorded screen is waited for, beside the time that the recorded agent took to think."""
MOST_PATIENCE_SEC = 20.0
LOOK_AGAIN_SEC = 0.1


class RepeatWatcher(Watcher):
    """Compares the screen with the record before each repeated action, and notes what came of it for the record."""

    looks = True

    def __init__(self, recorded: RecordedActions, recorder: Recorder) -> None:
        self._recorded, self._recorder = recorded, recorder
        self._apart: list[Apart] = []
        self._repeated = 0
        self._handed_over = False
        self._settling: Settling = "quick"

    def begin(self, exam: ExamState) -> None:
        """Name the origin."""
        self._settling = exam.computer.settling
        self._note()

    def before(self, exam: ExamState, action: Action) -> Reply:
        """Wait until the screen is the one on which the action was made."""
        if exam.turn.repeated:
            self._compare(exam.computer, self._repeated)
            self._repeated += 1
            self._hurry(exam.computer)
        elif not self._handed_over:
            self._handed_over = True
            self._note()
        return None

    def after(self, exam: ExamState, step: Step) -> Step:
        """Mark what the agent did not do itself."""
        return replace(step, repeated=True) if exam.turn.repeated else step

    def end(self, exam: ExamState) -> None:
        """Note what was repeated, also where it ended on the way."""
        exam.computer.settling = self._settling
        self._note()

    def _hurry(self, computer: Computer) -> None:
        """Wait no longer than needed where the next recorded screen is waited for anyway.

        After the last, wait as usual.
        """
        more = self._repeated < len(self._recorded.steps) and picture_before(self._recorded, self._repeated) is not None
        computer.settling = "drawn" if more else self._settling

    def _compare(self, computer: Computer, number: int) -> None:
        if number >= len(self._recorded.steps):
            return
        recorded = picture_before(self._recorded, number)
        if recorded is None:
            return
        step = self._recorded.steps[number]
        thought = step.seconds.agent if step.seconds and step.seconds.agent else 0.0
        deadline = computer.clock() + min(MOST_PATIENCE_SEC, PATIENCE_SEC + thought)
        share = difference(recorded, computer)
        # Another picture is only opened where it is needed.
        ahead = self._next_picture(number) if share else None
        while share and (share := difference(recorded, computer, ahead)):
            if computer.clock() >= deadline:
                self._apart.append(Apart(action=number + 1, share=round(share, 6)))
                return
            computer.wait_activity(LOOK_AGAIN_SEC)

    def _next_picture(self, number: int) -> Image.Image | None:
        later = number + 1
        return picture_before(self._recorded, later) if later < len(self._recorded.steps) else None

    def _note(self) -> None:
        header = self._recorded.episode.header
        self._recorder.note(
            origin=Origin(
                episode=str(self._recorded.folder),
                agent=header.agent.label if header.agent else "",
                actions=self._recorded.count,
                repeated=self._repeated,
                apart=tuple(self._apart),
            )
        )


def difference(recorded: Image.Image, computer: Computer, ahead: Image.Image | None = None) -> float:
    """Return the share of the screen that is not as it was recorded.

    Clocks, carets and the pointer do not count.

    Nor does what looks as it does on the next recorded picture, `ahead`: a bar that tells what was selected may be
    drawn a little after the record looked, and a little before this.
    """
    now = computer.screenshot().convert("RGB")
    if now.size != recorded.size:
        return 1.0
    places = differences(recorded, now, ignore=always_moving(computer))
    if ahead is not None and ahead.size == now.size:
        places = [place for place in places if differences(_part(ahead, place.box), _part(now, place.box))]
    return sum(place.pixels for place in places) / (now.width * now.height)


def _part(image: Image.Image, box: Box) -> Image.Image:
    return image.crop((box.x, box.y, box.x + box.width, box.y + box.height))


def picture_before(recorded: RecordedActions, number: int) -> Image.Image | None:
    """Return what the record shows before one of its actions; None where it has no picture."""
    saw = recorded.steps[number].saw
    if saw is None or not saw.screenshot:
        return None
    data = recorded.episode.picture(saw.screenshot)
    try:
        return Image.open(io.BytesIO(data)).convert("RGB")
    except (OSError, ValueError, Image.DecompressionBombError) as error:
        raise RecordError(
            f"{recorded.folder / saw.screenshot} is not a picture", remedy="see `proctor runs verify`"
        ) from error
