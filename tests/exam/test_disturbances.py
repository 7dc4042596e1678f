"""Disturbances of a run: which are asked for, when they come, and what they leave in the record."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from proctor.actions.action import Done, Press
from proctor.agents.agent import Turn
from proctor.computers.backends.fake.computer import FakeComputer
from proctor.errors import SpecError, UnknownName
from proctor.exam.disturbances.recovery import MESSAGES_APP, RecoveryWatch, find_in_use
from proctor.exam.disturbances.wish import KINDS, DisturbanceWish
from proctor.exam.exam import Exam
from proctor.exam.rules import Rules
from proctor.observations.box import Box
from proctor.records import Happening
from proctor.runner.loop import examine
from proctor.suites.core import SUITE
from proctor.tasks.events import event_problems
from proctor.tasks.shelves import SETUP, expect, hand, make, problems, see, tool
from proctor.tasks.task import Task
from proctor.vocabulary.desktop.setup.in_use import box_elsewhere
from tests.exam.table import Notes, Scripted
from tests.prove.machines import shopping


def test_kinds_are_asked_for_by_name_with_a_rate_and_a_seed() -> None:
    wish = DisturbanceWish.parse("dialog+window_moved,rate=0.2,seed=7")
    assert ([kind.name for kind in wish.kinds], wish.rate, wish.seed) == (["dialog", "window_moved"], 0.2, 7)
    assert [kind.name for kind in DisturbanceWish.parse("all").kinds] == list(KINDS)
    assert [kind.name for kind in DisturbanceWish.parse("dialog + all , seed = 2").kinds] == list(KINDS)
    assert [kind.name for kind in DisturbanceWish.parse("mail + dialog").kinds] == ["mail", "dialog"]


def test_a_latest_moment_is_kept_and_what_loses_work_comes_first() -> None:
    events = DisturbanceWish.parse("dialog+application_killed+window_moved,latest=3").events(shopping())
    kinds = [planned.kind for planned in events.values()]
    assert kinds[0] == "application_killed"
    assert all(planned.event.when.actions <= 3 for planned in events.values())
    often = DisturbanceWish.parse("dialog+application_killed,rate=1").events(shopping())
    assert {planned.kind for planned in often.values()} == {"dialog"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("dialogue", "did you mean 'dialog'"), ("dialog,rat=1", "did you mean 'rate'"), ("dialog,rate=2", "the rate"),
        ("dialog,latest=0", "the latest moment"), ("dialog,rate=nan", "the rate of disturbances is nan"),
        ("dialog,rate=.1,rate=.2", "has 'rate' twice"), ("dialog+", "unknown disturbance ''"),
        ("dialog,seed=x", "'seed=x' of the disturbance is no number"), ("", "unknown disturbance ''"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_refused_with_the_rules(text: str, said: str) -> None:
    with pytest.raises(SpecError) as refused:
        DisturbanceWish.parse(text)
    assert said in str(refused.value)
    if text:
        with pytest.raises(SpecError):
            Rules(disturb=text)


def test_a_computer_that_cannot_be_disturbed_so_is_told_what_it_can() -> None:
    with pytest.raises(SpecError) as refused:
        DisturbanceWish.parse("dialog+clipboard_replaced").refuse_without({"shell"}, "vnc")
    assert "dialog needs windows" in str(refused.value)
    assert "choose from: clipboard_replaced" in str(refused.value)


def test_the_same_seed_places_the_same_disturbances_and_each_task_has_its_own() -> None:
    wish = DisturbanceWish.parse("all,seed=4")
    assert wish.events(shopping()) == wish.events(shopping())
    assert wish.events(shopping()) != wish.events(shopping(id="test/other-v1"))
    assert wish.events(shopping()) != DisturbanceWish.parse("all,seed=5").events(shopping())
    kinds = {planned.kind for planned in wish.events(shopping()).values()}
    assert set(KINDS) - kinds == {"mail", "chat", "services_away"}, "there is no service to disturb"


def test_with_a_rate_they_come_after_a_share_of_the_actions() -> None:
    events = DisturbanceWish.parse("dialog+window_moved,rate=0.3").events(shopping())
    assert 5 <= len(events) <= 30
    assert {planned.kind for planned in events.values()} == {"dialog", "window_moved"}
    assert all(event.when.check is not None and not event.needed for event, _, _ in events.values())


def test_every_kind_is_made_of_steps_for_a_computer_in_use() -> None:
    assert len(KINDS) >= 15
    for task in (shopping(), served()):
        planned = DisturbanceWish.parse("all").events(task).values()
        assert (
            list(event_problems([each.event for each in planned if each.event.when.actions], task.limits.steps)) == []
        )
        for event, _, staged in planned:
            undo = event.undo.do if event.undo else ()
            assert all(step.name in SETUP.names() and not tool(step).before_use for step in (*event.do, *undo))
            assert not list(problems(staged.answer, (), "move"))


def served(**changes: Any) -> Task:
    """Return a task with a mail and a chat service, of whose inbox no check asks."""
    people = [{"name": "#club", "people": ["ada", "bo"]}]
    accounts = [{"address": "ada@club.example", "password": "x"}]
    steps = (make.mail_service(accounts), make.chat_server(people), make.launch(["mousepad"]))
    return shopping(**{"setup": steps, **changes})


def test_what_others_send_comes_only_where_they_can_and_where_it_changes_no_answer() -> None:
    kinds = {planned.kind for planned in DisturbanceWish.parse("all").events(served()).values()}
    assert {"mail", "chat", "services_away"} <= kinds
    assert "file_locked" not in kinds, "the file is not there at the beginning"
    inbox = served(check=expect.mailbox_holds(see.mailbox("ada@club.example"), []))
    assert "mail" not in {planned.kind for planned in DisturbanceWish.parse("all").events(inbox).values()}


def test_a_kind_that_fits_no_task_is_refused_by_its_name_and_left_out_of_all() -> None:
    with pytest.raises(SpecError, match="'chat' disturbs none of these tasks: it wants a chat server"):
        DisturbanceWish.parse("dialog+chat").refuse_for([shopping()])
    DisturbanceWish.parse("dialog+chat").refuse_for([shopping(), served()])
    DisturbanceWish.parse("all").refuse_for([shopping()])


def test_a_file_that_is_read_only_already_is_not_locked() -> None:
    kind = KINDS["file_locked"]
    assert kind.stage(Random(0), SUITE.task("sign-the-letter")) is not None
    assert kind.stage(Random(0), SUITE.task("new-price-in-the-locked-list")) is None


def test_a_lock_is_given_back() -> None:
    (planned,) = DisturbanceWish.parse("file_locked").events(shopping()).values()
    assert planned.event.undo is not None
    assert [step.name for step in planned.event.undo.do] == ["command", "notification"]


def test_what_a_computer_does_not_take_is_noted_with_its_kind_and_spoils_no_verdict() -> None:
    notes = Notes()
    # The fake computer has no clipboard program, so that the step fails.
    rules = Rules(disturb="clipboard_replaced,rate=1")
    with Exam(shopping(), FakeComputer().start(), rules, recorder=notes) as exam:
        examine(
            exam,
            Scripted([Turn(actions=(Press(keys="a"),)), Turn(actions=(Press(keys="b"),)), Turn(actions=(Done(),))]),
        )
        result = exam.end()
    assert (result.stop, result.void) == ("done", False)
    assert result.events["failed"] >= 1
    assert {each.disturbance for each in notes.notes["events"]} == {"clipboard_replaced"}


def test_an_unknown_kind_has_its_name_in_the_error() -> None:
    with pytest.raises(UnknownName, match="earthquake"):
        Rules(disturb="earthquake")


def test_recovery_counts_the_actions_until_the_application_in_use_has_the_focus() -> None:
    watch, computer = RecoveryWatch(), FakeComputer().start()
    assert find_in_use(computer).app == ""
    watch.begin(0, "")
    computer.launch(["mousepad"])
    used = find_in_use(computer).app
    assert used
    watch.begin(1, used)
    watch.begin(2, "Another")
    assert list(watch.find_ended(computer, 3)) == [], "nobody has seen it yet"
    watch.note_sight(1, 3)
    watch.note_sight(2, 3)
    assert list(watch.find_ended(computer, 5)) == [(1, 2)]
    assert list(watch.find_ended(computer, 6)) == []


def test_a_result_tells_kinds_that_were_seen_and_the_way_back() -> None:
    """The kind that was planned and never came is told with a nought: its episode is no undisturbed one."""

    def seen(kind: str, **told: Any) -> Happening:
        return Happening(name=kind, disturbance=kind, at=1.0, seen=2, **told)

    with Exam(shopping(), FakeComputer().start()) as exam:
        exam.begin()
        task = Happening(name="offer", at=1.0, seen=1)
        missed = Happening(name="x", disturbance="chat", missed="the episode ended before its moment came")
        exam.state.happenings = (seen("dialog", recovery=1), seen("dialog", recovery=2), seen("mail"), missed, task)
        result = exam.end(Done())
    assert result.disturbed == {"dialog": 2, "mail": 1, "chat": 0}
    assert (result.recovered, result.recovery) == ({"dialog": 2}, {"dialog": 3})


def test_they_come_one_by_one_and_only_while_the_agent_is_at_work() -> None:
    """All that is due at once is spread over the actions; none comes while no window is in use."""
    computer, notes = FakeComputer().start(), Notes()
    rules = Rules(disturb="clipboard_replaced,rate=1")
    with Exam(shopping(), computer, rules, recorder=notes) as exam:
        exam.begin()
        for key in ("a", "b", "c", "ctrl+s", "ctrl+q", "d", "e", "f"):
            exam.step(Press(keys=key))
        exam.end(Done())
    steps = [each.step for each in exam.state.happenings if not each.missed]
    assert steps == [1, 3], "after the fifth action the editor is closed"


def test_the_application_of_dialogs_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """A dialog that came by itself is no work of the agent's."""
    computer = FakeComputer().start()
    rules = Rules(disturb="clipboard_replaced,rate=1")
    with Exam(shopping(), computer, rules) as exam:
        exam.begin()
        dialog = replace(computer.windows()[-1], app=MESSAGES_APP)
        monkeypatch.setattr(computer, "active_window", lambda: dialog)
        for _ in range(4):
            exam.step(Press(keys="a"))
        exam.end(Done())
    assert all(each.missed for each in exam.state.happenings)


def test_another_language_comes_only_where_the_key_opens_nothing_from_the_panel() -> None:
    opening = hand.click(name="Mousepad", role="push button", app="xfce4-panel")
    assert KINDS["desktop_language"].stage(Random(0), shopping()) is not None
    assert KINDS["desktop_language"].stage(Random(0), shopping(solution=(opening,))) is None


@pytest.mark.parametrize("box", [(0, 0, 800, 600), (500, 300, 500, 400), (0, 30, 1000, 700), (0, 30, 1000, 770)])
def test_a_window_that_is_moved_stays_on_the_desktop(box: tuple[int, int, int, int]) -> None:
    x, y, width, height = box_elsewhere(Box(*box), (1000, 800))
    assert (x, y, width, height) != box
    assert x >= 0 and y >= 0 and x + width <= 1000 and y + height <= 800
