"""Events and disturbances on real desktops: the example tasks, and what comes in front of somebody."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from proctor.computers import open_for
from proctor.computers.backends.sandbox.computer import SandboxComputer
from proctor.exam.disturbances.wish import KINDS
from proctor.prove.key_exam import KeyExam
from proctor.tasks.load import load_task
from proctor.tasks.perform import make_moves
from proctor.tasks.setup_context import SetupContext
from proctor.tasks.shelves import make, run
from proctor.vocabulary.desktop.setup.in_use import window_in_use

EXAMPLES = Path(__file__).parents[2] / "examples" / "events"


@pytest.mark.sandbox
@pytest.mark.slow
@pytest.mark.parametrize("name", ["renamed-invitation", "corrected-price"])
def test_an_example_is_done_by_its_key_and_not_by_its_first_near_miss(name: str) -> None:
    task = load_task(EXAMPLES / f"{name}.json")
    scores = []
    for moves in (task.solution, task.near_misses[0].moves):
        with KeyExam(task, lambda: open_for("sandbox", task.needs)) as exam:
            make_moves(moves, exam.hand())
            verdict = exam.end_with_verdict()
            (happening,) = exam.state.happenings
            assert happening.happened and happening.seen is not None and happening.answered is not None
            scores.append(verdict.score)
            if verdict.passed:
                assert not exam.account.side_effects.effects
    assert scores == [1.0, 0.0]


@pytest.fixture(scope="module")
def desk() -> Iterator[SandboxComputer]:
    with SandboxComputer(size=(1024, 768)) as computer:
        yield computer


@pytest.mark.sandbox
@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_a_kind_of_disturbance_shows_on_a_desktop(kind, desk: SandboxComputer) -> None:  # type: ignore[no-untyped-def]
    context = SetupContext(desk)
    window = desk.active_window()
    if window is None or "mousepad" not in window.app.casefold():
        run(make.launch(["mousepad"], "Untitled"), context)
    before = (desk.screenshot(cursor=False).tobytes(), desk.windows())
    with desk.spare_changes():
        for step in kind.steps(Random(1)):
            run(step, context)
    desk.settle()
    if kind.name == "application_slow":
        held = (
            f"for n in $(seq 2000); do grep -q '^State:.T' /proc/{window_in_use(desk).pid}/status && exit; done; exit 1"
        )
        assert desk.run(["sh", "-c", held]).code == 0
        return
    if kind.name == "clipboard_replaced":
        assert desk.run(["xclip", "-selection", "clipboard", "-out"]).stdout
    else:
        assert desk.screenshot(cursor=False).tobytes() != before[0]
    if kind.name.startswith("window_m") or kind.name == "window_resized":
        assert {each.id for each in desk.windows()} == {each.id for each in before[1]}
        run(make.focus_window("Untitled"), context)
    if kind.name in ("dialog", "window_covered", "focus_stolen"):
        (extra,) = {each.id for each in desk.windows()} - {each.id for each in before[1]}
        assert desk.active_window() is not None and desk.active_window().id == extra  # type: ignore[union-attr]
        title = next(each.title for each in desk.windows() if each.id == extra)
        run(make.close_window(title), context)
