"""A computer loan to others: its exam is held and judged here, what the agent runs on it are steps, the rest is not."""

from __future__ import annotations

import shlex
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from proctor.actions.action import Action, Answer, Done, Fail, Press, RunCode
from proctor.computers.backends.fake.computer import FakeComputer
from proctor.errors import AgentError, ComputerLost, EpisodeVoid, SpecError
from proctor.exam.rules import Rules
from proctor.interop import guest_commands
from proctor.interop.account import ALL_RIGHT, account_of, explanation_of
from proctor.interop.agent_commands import TASK
from proctor.interop.house import LEAST_STEPS, house_rules, house_run
from proctor.interop.loan import Loan
from proctor.interop.venue import Venue
from proctor.records import Result
from proctor.store.read import open_episode
from proctor.store.run import RunRecord
from proctor.store.verify import verify
from proctor.tasks.shelves import expect, hand, make, see
from proctor.tasks.task import Limits, Tags, Task
from tests.interop.rooms import SOLUTION
from tests.prove.machines import shopping

VENUE = Venue(computer=FakeComputer, rules=house_rules(shopping()), uses=("run_code",))


@pytest.fixture
def loan() -> Iterator[Loan]:
    yield from lend()


def lend(task: Task | None = None, venue: Venue = VENUE) -> Iterator[Loan]:
    made = Loan(venue, task or shopping())
    made.submit(made.open).result()
    yield made
    made.leave().result()


def begin(loan: Loan) -> None:
    loan.submit(loan.begin).result()


def perform(loan: Loan, action: Action) -> None:
    loan.submit(lambda: loan.perform(action)).result()


def solve(loan: Loan) -> None:
    for action in SOLUTION:
        perform(loan, action)


def run(loan: Loan, *words: str, code: str = "") -> guest_commands.Ran:
    return loan.submit(lambda: loan.run(words, code=code)).result()


def end(loan: Loan, *signal: Any) -> Result:
    return loan.submit(lambda: loan.end(*signal)).result()


def test_work_that_is_done_passes(loan: Loan) -> None:
    begin(loan)
    begin(loan)
    solve(loan)
    found = end(loan)
    assert (found.score, found.clean, found.stop) == (1.0, True, "agent_error")
    assert explanation_of(loan.exam, found) == ALL_RIGHT
    assert end(loan, Done()) == found


def test_work_that_is_not_done_scores_nothing_and_says_why(loan: Loan) -> None:
    begin(loan)
    found = end(loan, Done())
    told = account_of(loan.exam, found)
    assert found.score == 0 and told["feedback"] and told["clean"] is False and told["stop"] == "done"
    assert str(explanation_of(loan.exam, found)).startswith(str(told["feedback"][0]))  # type: ignore[index]


def test_side_effects_are_told(loan: Loan) -> None:
    begin(loan)
    solve(loan)
    run(loan, "touch", "other.txt", code="touch other.txt")
    found = end(loan, Done())
    told, said = account_of(loan.exam, found), explanation_of(loan.exam, found)
    assert (told["passed"], told["clean"], told["side_effects"]) == (True, False, 1)
    assert "other.txt" in said and ALL_RIGHT not in said


def test_what_the_runner_writes_is_no_side_effect(loan: Loan) -> None:
    begin(loan)
    solve(loan)
    loan.others.add("/home/user/logs")
    loan.submit(lambda: loan.computer.write_file("/home/user/logs/a.txt", b"x")).result()
    loan.submit(lambda: loan.computer.write_file("/home/user/logs-2/a.txt", b"x")).result()
    assert sum(end(loan).collateral.values()) == 2


def write(loan: Loan, path: str, data: bytes) -> None:
    loan.submit(lambda: loan.write_file(path, data, by_agent=True)).result()


def test_a_file_that_a_tool_of_the_agent_writes_is_a_step_and_a_change(loan: Loan) -> None:
    begin(loan)
    write(loan, "it's.txt", b"milk")
    write(loan, "/home/user/a/b.bin", b"\xff\x00")
    loan.submit(lambda: loan.write_file("own.txt", b"x")).result()
    codes = [done.action.code for done in loan.exam.state.history if isinstance(done.action, RunCode)]
    assert codes == [
        "printf %s milk > " + shlex.quote("it's.txt"),
        "mkdir -p /home/user/a && echo /wA= | base64 -d > /home/user/a/b.bin",
    ]
    found = end(loan, Done())
    assert (found.steps, sum(found.collateral.values())) == (2, 4)


def test_after_the_last_step_no_tool_writes() -> None:
    for loan in lend(venue=replace(VENUE, rules=Rules(steps=1, seconds=1000.0))):
        begin(loan)
        write(loan, "a.txt", b"\0")
        with pytest.raises(PermissionError, match="step limit"):
            write(loan, "b.txt", b"x")
        assert run(loan, "cat", "b.txt").code != 0


def test_where_nobody_can_tell_that_is_said() -> None:
    venue = replace(VENUE, computer=lambda: FakeComputer(without=["changes"]))
    for loan in lend(venue=venue):
        begin(loan)
        solve(loan)
        found = end(loan, Done())
        assert (found.score, found.clean) == (1.0, None)
        said = explanation_of(loan.exam, found)
        assert "It is unknown" in said and ALL_RIGHT not in said


def test_a_command_of_the_agent_is_a_step_and_counts_as_having_looked() -> None:
    tags = Tags(apps=("mousepad",), level=2, domain="Life", scenario="Shopping", demand="Searching", feasible=False)
    sought = expect.was_shown(see.shown(), see.questions(), at=[["milk"]])
    for code, score in (("cat list.txt", 1.0), ("", 0.0)):
        for loan in lend(
            shopping(
                setup=(make.text_file("list.txt", "milk\n"),),
                check=sought,
                solution=(hand.fail("There is none."),),
                near_misses=(),
                tags=tags,
                twin="test/other-v1",
            )
        ):
            begin(loan)
            assert run(loan, "cat", "list.txt", code=code).stdout == "milk\n"
            state = loan.exam.state
            assert (state.steps, state.acted) == ((1, True) if code else (0, False))
            assert [done.action for done in state.history] == ([RunCode(code=code, language="shell")] if code else [])
            assert end(loan, Fail()).score == score


def test_whoever_hands_on_the_task_has_not_looked(loan: Loan) -> None:
    begin(loan)
    words = loan.exam.task.instruction
    run(loan, "cat", "list.txt", code=f"claude -p {shlex.quote(words)} --to list.txt")
    (done,) = loan.exam.state.history
    assert done.action == RunCode(code=f"claude -p '{TASK}' --to list.txt", language="shell")


def test_after_the_last_step_commands_say_that_it_is_over() -> None:
    for loan in lend(venue=replace(VENUE, rules=Rules(steps=2, seconds=1000.0))):
        begin(loan)
        run(loan, "cat", "list.txt", code="cat list.txt")
        assert run(loan, "cat", "no.txt", code="cat no.txt").code != 0
        over = "The task has ended (step limit)."
        assert run(loan, "cat", "list.txt", code="cat list.txt") == guest_commands.Ran(1, "", f"{over}\n")
        with pytest.raises(AgentError, match="step limit"):
            perform(loan, Press(keys="a"))
        assert run(loan, "cat", "list.txt").stdout == "milk\n"
        assert end(loan, Answer(text="late")).stop == "step_limit"


def test_a_shell_has_more_steps_than_a_desktop() -> None:
    task = shopping()
    assert house_rules(task).steps == LEAST_STEPS and house_rules(task, 7).steps == 7
    assert house_rules(shopping(limits=Limits(steps=900))).steps == 900


def test_a_refused_action_is_told_and_nothing_is_done(loan: Loan) -> None:
    begin(loan)
    with pytest.raises(AgentError, match="no-such-key"):
        perform(loan, Press(keys="no-such-key"))
    assert loan.exam.state.history == ()


def test_a_command_that_takes_too_long_was_done_all_the_same(loan: Loan) -> None:
    begin(loan)

    def wait() -> None:
        loan.run(["sleep", "5"], code="sleep 5", timeout_sec=0.0)

    with pytest.raises(TimeoutError):
        loan.submit(wait).result()
    (done,) = loan.exam.state.history
    assert done.result is not None and done.result.timed_out


def test_everything_happens_in_one_thread(loan: Loan) -> None:
    names = {loan.submit(threading.get_ident).result() for _ in range(5)}
    assert len(names) == 1 and threading.get_ident() not in names


def test_what_was_never_prepared_is_void(loan: Loan) -> None:
    with pytest.raises(EpisodeVoid, match="never prepared"):
        end(loan)


def test_a_computer_that_fails_untouched_is_void(loan: Loan, monkeypatch: pytest.MonkeyPatch) -> None:
    begin(loan)

    def lose(*_: object, **__: object) -> None:
        raise ComputerLost("the host took it away")

    monkeypatch.setattr("proctor.exam.judgement.judge", lose)
    with pytest.raises(EpisodeVoid, match="the host took it away"):
        end(loan)


def test_a_defect_of_ours_is_void_whatever_was_done(loan: Loan, monkeypatch: pytest.MonkeyPatch) -> None:
    begin(loan)
    solve(loan)
    monkeypatch.setattr("proctor.exam.judgement.judge", lambda *_: 1 / 0)
    with pytest.raises(EpisodeVoid, match="ZeroDivisionError"):
        end(loan)


def test_a_first_command_that_breaks_the_computer_is_the_agents_doing(loan: Loan) -> None:
    begin(loan)
    loan.submit(lambda: loan.computer.lose("run", "screenshot")).result()  # type: ignore[attr-defined]
    with pytest.raises(ComputerLost):
        run(loan, "cat", "list.txt", code="cat list.txt")
    found = end(loan)
    assert (found.score, found.stop, found.acted) == (0.0, "broke_the_computer", True)
    assert found.error in explanation_of(loan.exam, found)


def test_the_key_is_performed_step_by_step(loan: Loan) -> None:
    begin(loan)
    signal = loan.submit(loan.perform_key).result()
    assert loan.exam.state.steps == 3
    assert (end(loan, signal).score, loan.exam.state.stop) == (1.0, "done")


def test_all_exams_of_a_process_are_one_record(tmp_path: Path) -> None:
    assert house_run("", "test") is None
    record = house_run(str(tmp_path / "run"), "test")
    assert record is not None and record is house_run(str(tmp_path / "other" / ".." / "run"), "test")
    for venue in 2 * [replace(VENUE, run=record)]:
        for loan in lend(venue=venue):
            loan.submit(lambda loan=loan: loan.begin("mock/model")).result()  # type: ignore[misc]
            run(loan, "cat", "list.txt", code="cat list.txt")
            solve(loan)
            assert account_of(loan.exam, end(loan, Done()))["record"]
    record.close()
    first, second = RunRecord.open(tmp_path / "run").results()
    assert (first.key.agent, first.score, first.steps, second.key.sample) == ("mock/model", 1.0, 4, 1)
    steps = list(open_episode(tmp_path / "run" / first.folder).steps())
    assert steps[0].action == {"type": "run_code", "code": "cat list.txt", "language": "shell"}
    assert steps[0].output is not None and steps[0].output.text == "milk\n"
    assert RunRecord.open(tmp_path / "run").sealed and not verify(tmp_path / "run")


def test_without_a_task_it_is_a_plain_computer() -> None:
    loan = Loan(Venue(computer="fake"))
    with pytest.raises(SpecError, match="not open"):
        _ = loan.computer
    loan.submit(loan.open).result()
    with pytest.raises(SpecError, match="no task"):
        begin(loan)
    loan.submit(lambda: loan.computer.write_file("a.txt", b"x")).result()
    assert run(loan, "cat", "a.txt", code="cat a.txt").stdout == "x"
    perform(loan, Press(keys="a"))
    loan.leave().result()
    loan.close()


def test_files_are_read_with_the_rights_of_the_agent() -> None:
    with FakeComputer() as computer:
        computer.write_file("a.txt", b"hello")
        assert guest_commands.read(computer, "a.txt", most=100) == b"hello"
        with pytest.raises(OSError):
            guest_commands.read(computer, "a.txt", most=2)
        with pytest.raises(FileNotFoundError):
            guest_commands.read(computer, "b.txt", most=100)
