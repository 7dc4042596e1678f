"""The judge prepares, looks without touching and decides; what fails in the evaluator is void, never 0."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from proctor.actions.action import Answer, Done, Fail, Type
from proctor.computers.backends.fake.computer import FakeComputer
from proctor.errors import CheckError, ComputerLost, SetupFailed, SpecError
from proctor.tasks.call import Call
from proctor.tasks.findings import Fault, Finding, right, unless, wrong
from proctor.tasks.inside.models import models_of
from proctor.tasks.judge import DID_NOT_OBJECT, GAVE_UP, judge, regrade
from proctor.tasks.perform import MoveFailed, perform
from proctor.tasks.person import Reply, User
from proctor.tasks.prepare import conclude
from proctor.tasks.probe_context import Ending
from proctor.tasks.shelf import Seen
from proctor.tasks.shelves import CHECKS, PROBES, SETUP, expect, hand, make, see
from proctor.tasks.task import Tags, Task
from tests.tasks.prepare import prepare

DONE = Ending(Done())


def task(check: Call, **changes: Any) -> Task:
    feasible = changes.pop("feasible", True)
    tags = Tags(
        apps=("mousepad",), level=2, domain="Office", scenario="Documentation", demand="Writing", feasible=feasible
    )
    fields: dict[str, Any] = {
        "id": "mine/some-task-v1",
        "instruction": "Do it.",
        "setup": (make.text_file("a.txt", "hello\n"),),
        "solution": (hand.done(),),
        "twin": "" if feasible else "mine/other-v1",
    }
    return Task(**{**fields, **changes}, tags=tags, check=check)


@pytest.fixture
def computer() -> Iterator[FakeComputer]:
    with FakeComputer() as opened:
        yield opened


@pytest.fixture
def faulty() -> Iterator[None]:
    """A setup step, a probe and checks that fail, on the shelves for one test."""

    def crashing_step(context: Any) -> None:
        """Crash."""
        raise KeyError("a bug")

    def crashing_probe(context: Any) -> dict[str, Any]:
        """Crash."""
        raise ZeroDivisionError("a bug")

    def odd_probe(context: Any) -> dict[str, Any]:
        """Return what is not plain data."""
        return {"path": "x", "number": {1, 2}}

    def crashing_check(of: Seen) -> Finding:
        """Crash."""
        return wrong(of["nothing of that name"])

    def boasting_check(of: Seen) -> Finding:
        """Give more than full marks."""
        return Finding(2.0)

    def meddling_check(of: Seen) -> Finding:
        """Change what was seen."""
        of["text"] = "something else"
        return right()

    added = (
        (SETUP, crashing_step),
        (PROBES, crashing_probe),
        (PROBES, odd_probe),
        *((CHECKS, each) for each in (crashing_check, boasting_check, meddling_check)),
    )
    for shelf, function in added:
        shelf.register(function)
    yield
    for shelf, function in added:
        del shelf._tools[function.__name__]


class TestJudging:
    def test_right_and_wrong(self, computer: FakeComputer) -> None:
        asked = task(expect.text_is(see.text("a.txt"), "goodbye"))
        prepare(asked, computer)
        first = judge(asked, computer, DONE)
        assert (first.score, first.passed) == (0.0, False)
        assert first.feedback == ("a.txt, line 1: it says 'hello', expected 'goodbye'.",)
        computer.write_file("a.txt", b"goodbye")
        assert judge(asked, computer, DONE).passed

    def test_twice_gives_the_same_and_touches_nothing(self, computer: FakeComputer) -> None:
        asked = task(expect.all_of([expect.text_is(see.text("a.txt"), "x"), expect.nothing_there(see.file("b"))]))
        prepare(asked, computer)
        one, other = judge(asked, computer, DONE), judge(asked, computer, DONE)
        assert one == other
        assert computer.changes() == []

    def test_from_the_record_without_a_computer(self, computer: FakeComputer) -> None:
        for path in ("a.txt", "missing.txt"):
            asked = task(expect.text_is(see.text(path), "x"))
            prepare(asked, computer)
            verdict = judge(asked, computer, DONE)
            stored = json.loads(json.dumps(verdict.to_json()))
            assert regrade(asked, stored["evidence"]).to_json() == verdict.to_json()
        with pytest.raises(CheckError, match="holds nothing of the probe"):
            regrade(task(expect.text_is(see.text("other"), "")), stored["evidence"])

    def test_each_probe_is_asked_once(self, computer: FakeComputer) -> None:
        probe = see.text("a.txt")
        asked = task(expect.all_of([expect.text_is(probe, "hello"), expect.text_has(probe, ["hell"])]))
        prepare(asked, computer)
        verdict = judge(asked, computer, DONE)
        beside = {model.key for model in models_of(asked)}
        assert verdict.passed and set(verdict.evidence) == {"ending", probe.key, *beside}

    def test_feedback_tells_all_parts(self, computer: FakeComputer) -> None:
        asked = task(expect.all_of([expect.text_is(see.text("a.txt"), "x"), expect.file_exists(see.file("b.txt"))]))
        prepare(asked, computer)
        verdict = judge(asked, computer, DONE)
        assert len(verdict.feedback) == 2 and verdict.feedback[1] == "There is nothing at b.txt."
        assert [part.check for part in verdict.finding.parts] == ["text_is", "file_exists"]


class TestFaults:
    """What cannot be seen is a plain verdict, and its opposite is not true either."""

    def verdict(self, computer: FakeComputer, check: Call) -> Any:
        asked = task(check)
        prepare(asked, computer)
        return judge(asked, computer, DONE)

    def test_absent_is_wrong(self, computer: FakeComputer) -> None:
        verdict = self.verdict(computer, expect.text_is(see.text("no.txt"), ""))
        assert verdict.score == 0.0 and verdict.feedback == ("There is no file no.txt.",)
        assert not verdict.finding.known

    def test_through_none_of(self, computer: FakeComputer) -> None:
        bad = expect.text_is(see.text("no.txt"), "x")
        for check in (expect.none_of([bad], "Bad."), expect.none_of([expect.all_of([bad])], "Bad."),
                      expect.none_of([expect.any_of([bad])], "Bad."),
                      expect.none_of([expect.none_of([bad], "Bad.")], "Worse.")):  # fmt: skip
            assert self.verdict(computer, check).score == 0.0

    def test_none_of_what_was_seen(self, computer: FakeComputer) -> None:
        assert self.verdict(computer, expect.none_of([expect.text_is(see.text("a.txt"), "x")], "Bad.")).passed
        found = self.verdict(computer, expect.none_of([expect.text_is(see.text("a.txt"), "hello")], "Bad."))
        assert found.feedback == ("Bad.",)

    def test_any_of_and_weighed(self, computer: FakeComputer) -> None:
        good, bad = expect.text_is(see.text("a.txt"), "hello"), expect.text_is(see.text("no.txt"), "x")
        assert self.verdict(computer, expect.any_of([bad, good])).passed
        assert self.verdict(computer, expect.weighed([bad, good], [1, 3])).score == 0.75
        assert self.verdict(computer, expect.weighed([good, good, good], [0.1, 0.2, 0.7])).score == 1.0
        with pytest.raises(SpecError, match="weight"):
            self.verdict(computer, expect.weighed([good], [1, 2]))

    def test_fault_reads_back(self) -> None:
        assert Fault.from_json(Fault("absent", "gone").to_json()) == Fault("absent", "gone")
        assert Fault.from_json({"fault": "absent"}) is None
        assert unless([]).passed and not unless(["No."]).passed


class TestVoid:
    """The evaluator's own failures are never a score."""

    @pytest.mark.parametrize(
        ("probe", "check", "words"),
        [
            (Call("probe", "text", {"path": "a.txt"}), "crashing_check", "'crashing_check' failed with KeyError"),
            (Call("probe", "text", {"path": "a.txt"}), "boasting_check", "not a finding with a score from 0 to 1"),
            (Call("probe", "crashing_probe"), "file_exists", "failed with ZeroDivisionError"),
            (Call("probe", "odd_probe"), "file_exists", "failed with TypeError: set is not plain data"),
        ],
    )
    def test_crashes(self, computer: FakeComputer, faulty: None, probe: Call, check: str, words: str) -> None:
        asked = task(Call("check", check, {"of": probe}))
        prepare(asked, computer)
        with pytest.raises(CheckError, match=words):
            judge(asked, computer, DONE)
        inside = task(expect.none_of([asked.check], "No."))
        with pytest.raises(CheckError, match=words):
            judge(inside, computer, DONE)

    def test_a_check_cannot_change_the_evidence(self, computer: FakeComputer, faulty: None) -> None:
        meddling = Call("check", "meddling_check", {"of": see.text("a.txt")})
        asked = task(expect.all_of([meddling, expect.text_is(see.text("a.txt"), "hello")]))
        prepare(asked, computer)
        assert judge(asked, computer, DONE).passed

    def test_lost_computer(self, computer: FakeComputer) -> None:
        asked = task(expect.text_is(see.text("a.txt"), ""))
        prepare(asked, computer)
        computer.fail_next("read_file")
        with pytest.raises(ComputerLost):
            judge(asked, computer, DONE)


class TestGivingUp:
    def test_feasible(self, computer: FakeComputer) -> None:
        asked = task(expect.text_is(see.text("a.txt"), "hello"))
        prepare(asked, computer)
        verdict = judge(asked, computer, Ending(Fail(reason="cannot")))
        assert (verdict.score, verdict.feedback) == (0.0, (GAVE_UP,))
        assert verdict.finding.parts[0].passed

    def test_infeasible(self, computer: FakeComputer) -> None:
        asked = task(expect.text_is(see.text("a.txt"), "hello"), feasible=False)
        prepare(asked, computer)
        assert judge(asked, computer, Ending(Fail())).passed
        for ending in (DONE, Ending(), Ending(Answer(text="cannot"))):
            assert judge(asked, computer, ending).feedback == (DID_NOT_OBJECT,)
        computer.write_file("a.txt", b"damaged")
        assert judge(asked, computer, Ending(Fail())).score == 0.0


class TestPreparing:
    def test_history_and_changes_begin_with_the_agent(self, computer: FakeComputer) -> None:
        computer.launch(["mousepad"])
        computer.perform(Type(text="x"))
        prepare(task(expect.text_is(see.text("a.txt"), "")), computer)
        assert computer.history == [] and computer.changes() == []

    def test_step_that_crashes(self, computer: FakeComputer, faulty: None) -> None:
        asked = task(expect.text_is(see.text("a.txt"), ""), setup=(make.folder("x"), Call("setup", "crashing_step")))
        with pytest.raises(SetupFailed, match=r"setup step 2, crashing_step\(\), did not take: KeyError"):
            prepare(asked, computer)

    def test_step_that_does_not_take(self, computer: FakeComputer) -> None:
        asked = task(expect.text_is(see.text("a.txt"), ""), setup=(make.launch(["gimp"]),))
        with pytest.raises(SetupFailed, match="setup step 1, launch"):
            prepare(asked, computer)

    def test_asset_without_a_folder(self, computer: FakeComputer) -> None:
        asked = task(expect.text_is(see.text("a.txt"), ""), setup=(make.asset_file("a", "b"),))
        with pytest.raises(SpecError, match="setup step 1"):
            prepare(asked, computer)

    def test_asset_that_was_exchanged(self, computer: FakeComputer, tmp_path: Any) -> None:
        (tmp_path / "b").write_bytes(b"new")
        setup = (make.asset_file("a", "b"),)
        check = expect.text_is(see.text("a"), "new")
        prepare(task(check, setup=setup), computer, assets=tmp_path)
        assert computer.read_file("a") == b"new"
        with pytest.raises(SpecError, match="not the one the task was made with"):
            prepare(task(check, setup=setup, assets={"b": "0" * 64}), computer, assets=tmp_path)

    def test_ready(self, computer: FakeComputer) -> None:
        check = expect.text_is(see.text("a.txt"), "")
        prepare(task(check, ready=expect.file_exists(see.file("a.txt"))), computer)
        with pytest.raises(SetupFailed, match=r"There is nothing at b\.txt"):
            prepare(task(check, ready=expect.file_exists(see.file("b.txt"))), computer)


class TestConcluding:
    def test_finish_is_not_the_agents_doing(self, computer: FakeComputer) -> None:
        asked = task(
            expect.text_is(see.text("a.txt"), "hello you"),
            setup=(make.text_file("a.txt", "hello"), make.launch(["mousepad", "a.txt"])),
            finish=(hand.press("ctrl+s"),),
        )
        prepare(asked, computer)
        ending = perform(asked, (hand.press("ctrl+End"), hand.type(" you")), computer)
        assert not judge(asked, computer, ending).passed
        before = list(computer.history)
        conclude(asked, computer)
        assert computer.history == before
        assert judge(asked, computer, ending).passed

    def test_finish_that_is_not_possible_is_left_out(self, computer: FakeComputer) -> None:
        asked = task(
            expect.text_is(see.text("b.txt"), "x"),
            finish=(hand.click(name="Nothing", timeout_sec=0.1), make.text_file("b.txt", "x")),
        )
        prepare(asked, computer)
        conclude(asked, computer)
        assert judge(asked, computer, DONE).passed

    def test_lost_computer_is_void(self, computer: FakeComputer) -> None:
        asked = task(expect.text_is(see.text("b.txt"), "x"), finish=(hand.press("ctrl+s"),))
        prepare(asked, computer)
        computer.fail_next("perform")
        with pytest.raises(ComputerLost):
            conclude(asked, computer)


class TestPerforming:
    def test_says_done_at_the_end(self, computer: FakeComputer) -> None:
        asked = task(expect.text_is(see.text("a.txt"), ""))
        assert perform(asked, (), computer).signal == Done()
        assert perform(asked, (hand.answer("42"),), computer).answer == "42"
        assert perform(asked, (hand.fail("no"),), computer).gave_up

    def test_asks_the_user(self, computer: FakeComputer) -> None:
        user = User(replies=(Reply(about=("colour",), reply="Blue."),))
        ending = perform(task(expect.text_is(see.text("a"), ""), user=user), (hand.ask("Which colour?"),), computer)
        assert [(each.question, each.reply) for each in ending.asked] == [("Which colour?", "Blue.")]

    def test_locator_that_finds_nothing(self, computer: FakeComputer) -> None:
        asked = task(expect.text_is(see.text("a"), ""))
        with pytest.raises(MoveFailed, match=r"move 2 of 2, click\(name='Nothing'"):
            perform(asked, (hand.press("Return"), hand.click(name="Nothing", timeout_sec=0.1)), computer)

    @pytest.mark.parametrize("last", [hand.press("a"), hand.done(), hand.ask("?"), hand.click(name="x")])
    def test_nothing_follows_the_last_word(self, computer: FakeComputer, last: Call) -> None:
        with pytest.raises(MoveFailed, match="follows after 'fail'"):
            perform(task(expect.text_is(see.text("a"), "")), (hand.fail("no"), last), computer)
