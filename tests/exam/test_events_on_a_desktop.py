"""Events and disturbances on real desktops: the example tasks, and what comes in front of somebody."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from proctor.computers import open_for
from proctor.computers.backends.sandbox.computer import SandboxComputer
from proctor.exam.disturbances.disturbance import Disturbance
from proctor.exam.disturbances.wish import KINDS
from proctor.prove.key_exam import KeyExam
from proctor.runner.answer_key import follow
from proctor.runner.reactions import Reaction, Reactions
from proctor.runner.return_to_work import give_answer
from proctor.tasks.load import load_task
from proctor.tasks.move_context import MoveContext
from proctor.tasks.perform import make_moves
from proctor.tasks.setup_context import SetupContext
from proctor.tasks.shelves import hand, make, run
from proctor.vocabulary.desktop.setup.in_use import window_in_use
from tests.prove.machines import PATH, shopping

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
        run(make.text_file(PATH, "milk\n"), SetupContext(computer))
        yield computer


ON_A_DESK = [kind for kind in KINDS.values() if kind.stage(Random(1), shopping()) is not None]


@pytest.mark.sandbox
@pytest.mark.parametrize("kind", ON_A_DESK, ids=lambda kind: kind.name)
def test_a_kind_of_disturbance_shows_on_a_desktop_and_is_answered(kind: Disturbance, desk: SandboxComputer) -> None:
    context, staged = SetupContext(desk), kind.stage(Random(1), shopping())
    assert staged is not None
    window = desk.active_window()
    if window is None or "mousepad" not in window.app.casefold():
        run(make.launch(["mousepad"], "Untitled"), context)
    title = window_in_use(desk).title
    before = (desk.screenshot(cursor=False).tobytes(), desk.windows())
    with desk.spare_changes():
        for step in staged.do:
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
    if kind.name in ("dialog", "disk_nearly_full", "window_covered", "focus_stolen", "screen_locked"):
        (extra,) = {each.id for each in desk.windows()} - {each.id for each in before[1]}
        assert desk.active_window() is not None and desk.active_window().id == extra  # type: ignore[union-attr]
    if kind.name == "file_locked":
        assert staged.undo is not None
        assert desk.run(["test", "-w", PATH]).code
        for step in staged.undo.do:
            run(step, context)
        assert not desk.run(["test", "-w", PATH]).code
    if staged.undo is not None and kind.name == "keyboard_layout":
        make_moves([hand.type("zy")], MoveContext(desk, json.dumps))
        desk.locate(text="zy").wait()
        run(staged.undo.do[0], context)
    if staged.answer is not None and staged.undo is None:
        give_answer(Reaction(staged.answer, title, staged.loses_work), MoveContext(desk, json.dumps))
    desk.settle()
    in_use = desk.active_window()
    assert in_use is not None and "Mousepad" in in_use.title and not in_use.minimised


@pytest.mark.sandbox
@pytest.mark.slow
def test_somebody_in_a_chat_asks_back_and_tells() -> None:
    task = load_task(EXAMPLES / "room-of-the-workshop.json")
    with KeyExam(task, lambda: open_for("sandbox", task.needs)) as exam:
        make_moves(task.solution, exam.hand())
        verdict = exam.end_with_verdict()
        happened = [each.name for each in exam.state.happenings if each.happened]
    assert verdict.score == 1.0, verdict.feedback
    assert happened == ["Nora asks back about room", "Nora tells room"]


@pytest.mark.sandbox
@pytest.mark.slow
def test_what_disturbances_set_and_open_is_no_side_effect() -> None:
    """Settings are written some seconds after they are set, when an event is long over."""
    task = load_task(EXAMPLES / "renamed-invitation.json")
    disturb = "dark_theme+larger_text+desktop_language+dialog+clipboard_replaced,latest=2"
    reactions = Reactions.of(task, disturb, lambda: exam.state.happenings)
    with KeyExam(task, lambda: open_for("sandbox", task.needs), disturb=disturb) as exam:
        follow(task.solution, exam.hand(reactions), reactions)
        verdict = exam.end_with_verdict()
        assert sum(bool(each.disturbance) and each.happened for each in exam.state.happenings) >= 4
    assert verdict.score == 1.0, verdict.feedback
    assert exam.account.side_effects.effects == ()
