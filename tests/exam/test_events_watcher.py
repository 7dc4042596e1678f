"""Events while an agent is at work, on the fake computer: brought about, recorded, and nobody's side effect."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from itertools import count
from typing import Any

import pytest

from proctor.actions.action import Action, Done, Press, Wait, WaitForChange
from proctor.agents.agent import Turn
from proctor.computers.backends.fake.computer import FakeComputer
from proctor.computers.computer import Computer
from proctor.errors import EpisodeVoid, SpecError
from proctor.exam.exam import Exam
from proctor.exam.rules import Rules
from proctor.exam.state import ExamState
from proctor.exam.watcher import Watcher
from proctor.interop.rollout import Rollout
from proctor.prove.key_exam import KeyExam
from proctor.records import Happening, Result, Step
from proctor.runner.loop import examine
from proctor.tasks.call import Call
from proctor.tasks.events import Event, Undo, When
from proctor.tasks.perform import make_moves
from proctor.tasks.shelves import expect, hand, make, see
from proctor.tasks.task import Task
from tests.exam.table import Notes, Scripted
from tests.prove.machines import PATH, shopping

SAVED = expect.text_has(see.text(PATH), ["eggs"])
KEY: tuple[Action, ...] = (Press(keys="ctrl+End"), *(Press(keys=key) for key in "eggs"), Press(keys="ctrl+s"))
LETTER = make.text_file("letter.txt", "hello\n")


def event(when: When, *do: Call, name: str = "letter", **rest: Any) -> Event:
    return Event(name=name, do=do or (LETTER,), when=when, **rest)


class Desk:
    """An exam with events that is played to its end and judged."""

    def __init__(
        self, *events: Event, watchers: Sequence[Watcher] = (), rules: Rules | None = None, **task: Any
    ) -> None:
        self.computer, self.notes = FakeComputer().start(), Notes()
        self.task = shopping(events=events, **task)
        self.exam = Exam(self.task, self.computer, rules, recorder=self.notes, watchers=watchers)
        self.turn = count()

    def play(self, *answers: object) -> Result:
        examine(self.exam, Scripted(answers))
        return self.exam.end()

    @property
    def log(self) -> list[tuple[str, int | None]]:
        return [(each.name, each.step) for each in self.happenings if each.happened]

    def log_so_far(self) -> list[tuple[str, int | None]]:
        return [(each.name, each.step) for each in self.notes.notes["events"] if each.happened]

    @property
    def happenings(self) -> tuple[Happening, ...]:
        return self.exam.state.happenings


def turns(*actions: Action) -> list[Turn]:
    return [Turn(actions=(action,)) for action in actions]


def test_it_happens_after_the_step_that_makes_it_due_and_is_seen_with_the_next() -> None:
    desk = Desk(event(When(check=SAVED), make.launch(["mousepad", "letter.txt"]), name="letter"))
    agent = Scripted(turns(*KEY, Press(keys="a"), Done()))
    examine(desk.exam, agent)
    assert desk.exam.end().events == {"happened": 1}
    (letter,) = desk.happenings
    assert (letter.step, letter.seen, letter.answered) == (6, 6, 6)
    assert letter.due is not None and letter.at is not None and letter.due <= letter.at
    before, after = agent.seen[5].screenshot, agent.seen[6].screenshot
    assert before is not None and after is not None and before.tobytes() != after.tobytes()


def test_it_is_planned_in_the_record_from_the_beginning_and_told_at_the_end() -> None:
    desk = Desk(event(When(check=SAVED), needed=True))
    desk.exam.begin()
    assert desk.notes.notes["events"] == (Happening(name="letter", needed=True),)
    desk.exam.step(Done())
    result = desk.exam.end()
    assert result.missed == ("letter",)
    assert (result.events, result.stop, result.score) == ({"missed": 1}, "done", 0.0)
    assert desk.notes.notes["events"][0].missed


def test_what_an_event_does_is_no_side_effect_and_what_the_agent_spoils_of_it_is() -> None:
    quiet = Desk(event(When(actions=1)))
    assert quiet.play(*turns(*KEY, Done())).clean
    assert quiet.computer.read_file("letter.txt") == b"hello\n"

    class Spoiling(Watcher):
        """Does to the letter what an agent might, once it is there."""

        def after(self, exam: ExamState, step: Any) -> Any:
            if step.step == 3:
                exam.computer.remove_file("letter.txt")
            return step

    spoilt = Desk(event(When(actions=1)), watchers=[Spoiling()])
    result = spoilt.play(*turns(*KEY, Done()))
    assert (result.score, result.besides, result.collateral) == (1.0, ("/home/user/letter.txt deleted",), {"high": 1})


def test_what_is_renamed_by_its_owner_is_compared_under_its_new_name() -> None:
    steps = make.text_file("old notes.txt", "a\n"), make.remove_file("notes.txt")
    moved = event(When(actions=1), *steps, name="renamed")
    setup = (make.text_file(PATH, "milk\n"), make.text_file("notes.txt", "a\n"), make.launch(["mousepad", PATH]))
    assert Desk(moved, setup=setup).play(*turns(*KEY, Done())).clean

    class Writing(Watcher):
        def after(self, exam: ExamState, step: Any) -> Any:
            if step.step == 3:
                exam.computer.write_file("old notes.txt", b"b\n")
            return step

    result = Desk(moved, setup=setup, watchers=[Writing()]).play(*turns(*KEY, Done()))
    assert result.besides == ("/home/user/old notes.txt changed",)


def test_the_same_actions_give_the_same_log() -> None:
    events = (
        event(When(check=SAVED, actions=1), make.text_file("b", ""), name="b"),
        event(When(actions=2), make.text_file("a", ""), name="a", times=3),
        event(When(after=("a",), seconds=2), make.text_file("c", ""), name="c"),
    )
    logs = []
    for _ in range(3):
        desk = Desk(*events)
        desk.play(*turns(*KEY, Press(keys="ctrl+s"), Done()))
        logs.append(desk.log)
    assert logs[0] == logs[1] == logs[2] == [("a", 2), ("a", 4), ("c", 4), ("a", 6), ("b", 7)]


def test_two_at_once_come_in_the_order_of_the_file() -> None:
    first, second = (event(When(actions=1), make.text_file("x", text), name=text) for text in ("one", "two"))
    desk = Desk(first, second)
    desk.play(*turns(*KEY, Done()))
    assert desk.log == [("one", 1), ("two", 1)]
    assert desk.computer.read_file("x") == b"two"


@pytest.mark.parametrize("needed", [True, False])
def test_one_that_fails_makes_it_void_where_the_verdict_needs_it_and_is_noted_otherwise(needed: bool) -> None:
    desk = Desk(event(When(actions=2), make.move_file("nothing", "x"), needed=needed))
    result = desk.play(*turns(*KEY, Done()))
    if needed:
        assert (result.stop, result.cause, result.score) == ("void", "setup", None)
        assert "'letter' could not be brought about" in result.error
    else:
        assert (result.stop, result.score, result.events) == ("done", 1.0, {"failed": 1})
        assert "did not take" in desk.happenings[0].failed


class Doing(Watcher):
    """Does on the computer what an agent might, after a step."""

    def __init__(self, step: int, do: Callable[[Computer], object]) -> None:
        self.step, self.do = step, do

    def after(self, exam: ExamState, step: Step) -> Step:
        if step.step == self.step:
            self.do(exam.computer)
        return step


RENAMED = make.move_file("notes.txt", "notes of May.txt")
WITH_NOTES = (make.text_file(PATH, "milk\n"), make.text_file("notes.txt", "a\n"), make.launch(["mousepad", PATH]))


def test_an_agent_that_removes_what_a_needed_event_acts_on_is_judged() -> None:
    moved = event(When(actions=3), RENAMED, needed=True)
    gone = Doing(2, lambda computer: computer.remove_file("notes.txt"))
    desk = Desk(moved, setup=WITH_NOTES, watchers=[gone])
    result = desk.play(*turns(*KEY, Done()))
    assert (result.stop, result.score, result.events) == ("done", 1.0, {"failed": 1})
    assert "by what the agent did (/home/user/notes.txt was deleted)" in desk.happenings[0].failed


def test_one_that_fails_by_itself_is_void_whatever_else_the_agent_removed() -> None:
    moved = event(When(actions=3), make.move_file("receipts.txt", "old.txt"), needed=True)
    gone = Doing(2, lambda computer: computer.remove_file("notes.txt"))
    desk = Desk(moved, setup=WITH_NOTES, watchers=[gone])
    result = desk.play(*turns(*KEY, Done()))
    assert (result.stop, result.cause) == ("void", "setup")
    assert desk.happenings[0].failed and "by what the agent did" not in desk.happenings[0].failed


def test_what_an_earlier_event_removed_is_not_the_agents_doing() -> None:
    first = event(When(actions=1), make.remove_file("notes.txt"), name="thrown away")
    second = event(When(actions=3), RENAMED, name="renamed", needed=True)
    result = Desk(first, second, setup=WITH_NOTES).play(*turns(*KEY, Done()))
    assert (result.stop, result.cause) == ("void", "setup")


def test_what_fails_before_the_agent_acts_is_void() -> None:
    moved = event(When(check=expect.file_exists(see.file(PATH))), RENAMED, needed=True)
    desk = Desk(moved)
    with pytest.raises(EpisodeVoid):
        desk.exam.begin()
    assert desk.exam.end().cause == "setup"


def test_an_agent_that_closes_the_window_of_a_needed_event_is_judged() -> None:
    named = event(When(actions=7), make.focus_window("list.txt"), needed=True)
    desk = Desk(named)
    result = desk.play(*turns(*KEY, Press(keys="ctrl+q"), Done()))
    assert (result.stop, result.score) == ("done", 1.0)
    assert "by what the agent did (the window '~/list.txt - Mousepad' was closed)" in desk.happenings[0].failed


def test_nothing_happens_after_the_end() -> None:
    desk = Desk(event(When(actions=2)))
    desk.play(*turns(Press(keys="a"), Done()))
    assert (desk.log, desk.happenings[0].missed) == ([], "the episode ended before its moment came")


def test_a_last_word_in_the_same_turn_leaves_it_unseen() -> None:
    desk = Desk(event(When(check=SAVED), needed=True))
    result = desk.play(Turn(actions=(*KEY, Done())))
    assert (result.events, result.score) == ({"happened": 1, "unseen": 1}, 1.0)
    assert (desk.happenings[0].seen, desk.happenings[0].answered) == (6, None)


def test_it_happens_in_the_middle_of_a_wait() -> None:
    times: list[float] = []

    class Watching(Watcher):
        def meanwhile(self, exam: ExamState) -> None:
            if not times and "letter.txt" in {each.path.rsplit("/")[-1] for each in exam.computer.list_files()}:
                times.append(exam.computer.clock())

    desk = Desk(event(When(actions=1, seconds=5)), watchers=[Watching()])
    desk.exam.begin()
    desk.exam.step(Press(keys="a"))
    began = desk.computer.clock()
    desk.exam.step(Wait(seconds=30))
    assert 4 <= times[0] - began < 5  # the key counts as the first
    assert desk.computer.clock() - began >= 30
    desk.exam.step(Done())
    desk.exam.end()
    assert desk.log == [("letter", 1)]
    assert desk.happenings[0].seen == 2


@pytest.mark.parametrize(("time", "step"), [("1", 5), ("3", 2), ("real", 1)])
def test_a_run_says_what_a_second_is(time: str, step: int) -> None:
    """The agent thinks for nine seconds before its second action; the event is due after five."""
    desk = Desk(event(When(actions=1, seconds=5)), rules=Rules(time=time))
    desk.exam.begin()
    desk.exam.step(KEY[0])
    desk.computer.pass_time(9)
    for action in (*KEY[1:], Press(keys="ctrl+s")):
        desk.exam.step(action)
    desk.exam.end(Done())
    assert desk.log == [("letter", step)]


def test_a_deadline_is_missed_by_thinking_only_where_real_seconds_count() -> None:
    late = event(When(actions=2), name="offer", until=When(actions=1, seconds=4))
    for time, happened in (("1", True), ("real", False)):
        desk = Desk(late, rules=Rules(time=time))
        desk.exam.begin()
        desk.exam.step(KEY[0])
        desk.computer.pass_time(30)
        desk.exam.step(KEY[1])
        desk.exam.end(Done())
        assert bool(desk.log) == happened
        assert happened or desk.happenings[0].missed == "its time was over before its moment came"


@pytest.mark.parametrize("time", ["", "soon", "0", "-1", "nan", "1e9"])
def test_a_time_that_makes_no_sense_is_refused_with_the_rules(time: str) -> None:
    with pytest.raises(SpecError, match="the time is"):
        Rules(time=time)


def test_waiting_for_a_change_ends_with_what_an_event_brings() -> None:
    window = make.launch(["mousepad", "letter.txt"])
    desk = Desk(event(When(actions=1, seconds=5), window))
    desk.exam.begin()
    desk.exam.step(Press(keys="a"))
    began = desk.computer.clock()
    desk.exam.step(WaitForChange(seconds=60))
    assert 4 <= desk.computer.clock() - began < 6
    began = desk.computer.clock()
    desk.exam.step(WaitForChange(seconds=10))
    assert desk.computer.clock() - began >= 10


def test_it_is_taken_back_and_that_is_no_side_effect_either() -> None:
    undo = Undo(do=(make.remove_file("letter.txt"),), when=When(actions=2))
    desk = Desk(event(When(actions=1), undo=undo))
    assert desk.play(*turns(*KEY, Done())).clean
    (letter,) = desk.happenings
    assert (letter.step, letter.undone_step) == (1, 3)
    assert letter.undone is not None and letter.at is not None and letter.undone >= letter.at
    assert "letter.txt" not in {each.path.rsplit("/")[-1] for each in desk.computer.list_files()}


def test_it_happens_while_an_agent_thinks() -> None:
    """The file appears during a turn; the lookout sees it before the agent has answered."""
    came = threading.Event()

    class Told(Watcher):
        def meanwhile(self, exam: ExamState) -> None:
            if "letter.txt" in {each.path.rsplit("/")[-1] for each in exam.computer.list_files()}:
                came.set()

    desk = Desk(event(When(check=expect.file_exists(see.file("sign")))), watchers=[Told()])

    def think() -> Turn:
        desk.computer.write_file("sign", b"")
        assert came.wait(30)
        return Turn(actions=(Press(keys="a"),))

    desk.play(*turns(Press(keys="a")), think, *turns(Press(keys="b"), Done()))
    (letter,) = desk.happenings
    assert (letter.step, letter.seen, letter.answered) == (1, 2, 2)


def test_what_fails_while_an_agent_thinks_makes_the_next_call_void() -> None:
    failing = event(When(check=expect.file_exists(see.file("sign"))), make.move_file("nothing", "x"), needed=True)
    desk = Desk(failing)
    desk.exam.begin()
    desk.computer.write_file("sign", b"")
    desk.exam.lookout.look()
    desk.exam.lookout.look()
    assert desk.exam.end(Done()).cause == "setup"


class Stopwatch:
    """Our own time as a test counts it, for a module that asks for it."""

    def __init__(self) -> None:
        self.now = 1000.0

    def monotonic(self) -> float:
        return self.now

    def time(self) -> float:
        return self.now


@pytest.fixture
def stopwatch(monkeypatch: pytest.MonkeyPatch) -> Stopwatch:
    found = Stopwatch()
    monkeypatch.setattr("proctor.exam.watchers.events.time", found)
    return found


def signed(number: int) -> Event:
    when = When(check=expect.file_exists(see.file(f"sign{number}")))
    return event(when, make.text_file(f"effect{number}", ""), name=f"effect {number}")


def test_how_long_an_event_takes_does_not_delay_the_next_look(
    stopwatch: Stopwatch, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = Desk(signed(0), signed(1))
    desk.exam.begin()
    slow, write = 40.0, desk.computer.write_file

    def write_slowly(*arguments: Any, **options: Any) -> None:
        stopwatch.now += slow
        write(*arguments, **options)

    write("sign0", b"")
    monkeypatch.setattr(desk.computer, "write_file", write_slowly)
    desk.exam.lookout.look()
    assert [name for name, _ in desk.log_so_far()] == ["effect 0"]
    write("sign1", b"")
    stopwatch.now += 0.1
    desk.exam.lookout.look()
    assert len(desk.log_so_far()) == 1, "it looks five times a second at most"
    stopwatch.now += 0.11
    desk.exam.lookout.look()
    assert [name for name, _ in desk.log_so_far()] == ["effect 0", "effect 1"]
    desk.exam.close()


@pytest.mark.parametrize(("took", "pause"), [(0.001, 0.2), (0.01, 0.4), (0.1, 0.5)])
def test_a_look_that_took_long_is_made_more_rarely_yet_often_enough(
    stopwatch: Stopwatch, monkeypatch: pytest.MonkeyPatch, took: float, pause: float
) -> None:
    desk = Desk(signed(0))
    desk.exam.begin()
    looks: list[float] = []
    info = desk.computer.file_info

    def ask_slowly(*arguments: Any, **options: Any) -> Any:
        looks.append(stopwatch.now)
        stopwatch.now += took
        return info(*arguments, **options)

    monkeypatch.setattr(desk.computer, "file_info", ask_slowly)
    began = stopwatch.now
    while stopwatch.now < began + 100:
        desk.exam.lookout.look()
        stopwatch.now += 0.005
    assert len(looks) == pytest.approx(100 / (took + pause), rel=0.05)
    desk.exam.close()


@pytest.mark.slow
def test_the_same_seed_gives_the_same_log_fifty_times() -> None:
    """Disturbances as a run draws them, answered by an agent whose thinking takes longer or shorter."""
    events = (
        event(When(check=SAVED, actions=1), make.text_file("b", ""), name="b"),
        event(When(actions=2), make.text_file("a", ""), name="a", times=3),
        event(When(after=("a",), seconds=2), make.text_file("c", ""), name="c"),
    )
    rules = Rules(disturb="window_moved+clipboard_replaced+dialog,rate=0.3,seed=11")
    logs = set()
    for _ in range(50):
        desk = Desk(*events, rules=rules)
        looks = iter(range(50))

        def think(desk: Desk = desk, looks: Any = looks) -> Turn:
            for _ in range(next(looks) % 3):
                desk.exam.lookout.look()
            return turns(*KEY, Press(keys="ctrl+s"), Wait(seconds=7), Done())[next(desk.turn)]

        desk.play(*[think] * 20)
        logs.add(tuple((each.name, each.step, each.seen, each.failed) for each in desk.happenings))
    (log,) = logs
    assert len(log) > 5


def test_moves_of_a_key_that_wait_let_things_happen() -> None:
    task: Task = shopping(events=(event(When(actions=1), make.text_file("letter.txt", "x")),))
    with KeyExam(task, FakeComputer().start()) as exam:
        move = exam.hand()
        make_moves(
            (hand.press("ctrl+End"), hand.await_file("letter.txt"), hand.type("eggs"), hand.press("ctrl+s")), move
        )
        assert exam.end_with_verdict().passed
        assert not exam.account.side_effects.effects


def test_whoever_steps_the_exam_has_the_same_events() -> None:
    events = (event(When(check=SAVED, actions=1), name="b"), event(When(actions=2), name="a", times=2))
    logs = []
    by_the_loop = Desk(*events)
    by_the_loop.play(*turns(*KEY, Press(keys="ctrl+s"), Done()))
    logs.append(by_the_loop.log)
    trained = Desk(*events)
    rollout = Rollout(trained.exam)
    rollout.begin()
    for action in (*KEY, Press(keys="ctrl+s"), Done()):
        stepped = rollout.take(action)
    assert stepped.score == 1.0
    logs.append(trained.log)
    noted = Desk(*events)
    noted.exam.begin()
    for action in (*KEY, Press(keys="ctrl+s")):
        noted.exam.note(noted.computer.perform(action))
    assert noted.exam.end(Done()).score == 1.0
    logs.append([(each.name, each.step) for each in noted.happenings if each.happened])
    assert logs[0] == logs[1] == logs[2] == [("a", 2), ("a", 4), ("b", 7)]
