"""Whatever an agent leaves or answers, it is judged: in time, to a verdict, and again to the same from the record."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from benchmarks.judging import GRACE_SEC, judge_answer, judge_end
from proctor.actions.action import Answer, Done
from proctor.computers.backends.fake.computer import FakeComputer
from proctor.errors import AgentError, CheckError, ComputerError, HostError, Overrun
from proctor.exam.flags import find_flags
from proctor.plain_text import compose
from proctor.tasks import ask_checks, deadline
from proctor.tasks.call import Call
from proctor.tasks.deadline import JUDGEMENT_SEC, Deadline
from proctor.tasks.examine import examine, look_back, looker
from proctor.tasks.findings import Finding, right
from proctor.tasks.judge import judge, regrade
from proctor.tasks.probe_context import Ending, ProbeContext
from proctor.tasks.reader.process import Reader
from proctor.tasks.shelves import CHECKS, expect, see
from proctor.tasks.topics import is_about
from tests.prove.machines import shopping

MARKS = "a" + "\u0315\u0300\u05b0\u0316" * 40_000
"""312 KB that took a minute to be put in order."""
ENDLESS = r"^(\w+\s?)*$"
"""A pattern that tries for ever on a text that nearly fits."""


def found(check: Call, text: str) -> Finding:
    return examine(check, look_back({see.answer().key: {"path": "The answer", "text": text}}))


@settings(deadline=None, max_examples=25, suppress_health_check=list(HealthCheck))
@given(some.integers(0, 10**6))
def test_any_end_comes_to_a_verdict_in_time(number: int) -> None:
    began = time.monotonic()
    verdict = judge_end(number)
    assert time.monotonic() - began <= JUDGEMENT_SEC + GRACE_SEC
    assert 0.0 <= verdict.score <= 1.0 and (verdict.passed or verdict.feedback)


@settings(deadline=None, max_examples=25, suppress_health_check=list(HealthCheck))
@given(some.integers(0, 10**6))
def test_any_answer_comes_to_a_finding_in_time(number: int) -> None:
    began = time.monotonic()
    assert 0.0 <= judge_answer(number).score <= 1.0
    assert time.monotonic() - began <= JUDGEMENT_SEC + GRACE_SEC


class TestEnds:
    @pytest.mark.parametrize(
        "left",
        [
            MARKS.encode(),
            b"1" * 8_000,
            b"1," * 4_000,
            b"1-" * 4_000,
            b"any day but " * 350_000,
            b"[" * 100_000,
            "\u0f73\u0315".encode() * 50_000,
            b"<b>" * 1_000_000,
        ],
        ids=["accents", "digits", "commas", "sums", "4 MB", "brackets", "vowels", "markup"],
    )
    @pytest.mark.parametrize(
        "check",
        [
            lambda seen: expect.text_has(seen, ["done"], case=False),
            lambda seen: expect.text_number(seen, 12),
            lambda seen: expect.lines_are(seen, ["done", "and dusted"]),
            lambda seen: expect.answer_has(seen, ["12:30", "5 March"]),
        ],
        ids=["words", "number", "lines", "meaning"],
    )
    def test_what_took_minutes_is_judged_and_judged_again_the_same(
        self, check: Callable[[Call], Call], left: bytes, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(ask_checks, "CHECKS_SEC", 2.0)
        task = shopping(check=check(see.text("a.txt")))
        with FakeComputer() as computer:
            computer.write_file("a.txt", left)
            verdict = judge(task, computer, Ending(Done()))
        assert verdict.score == 0.0 and verdict.feedback
        assert regrade(task, verdict.evidence).score == 0.0

    def test_a_pattern_that_explodes_is_the_fault_of_what_was_left(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(ask_checks, "CHECKS_SEC", 0.5)
        finding = found(expect.text_matches(see.answer(), ENDLESS), "a" * 60 + "!")
        assert (finding.score, finding.known) == (0.0, False)
        assert finding.feedback == ("What was left takes more time to read than there is.",)

    def test_what_cannot_be_judged_in_time_is_not_the_opposite_of_anything(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(ask_checks, "CHECKS_SEC", 0.5)
        check = expect.none_of([expect.text_matches(see.answer(), ENDLESS)], feedback="It is there.")
        assert found(check, "a" * 60 + "!").score == 0.0

    def test_memory_is_bounded(self) -> None:
        many = {"path": "a", "entries": [{"name": str(number)} for number in range(700_000)]}
        probes = [see.folder(f"folder-{number}") for number in range(2)]
        check = expect.all_of([expect.folder_holds(probe, exactly=["a"]) for probe in probes])
        finding = examine(check, look_back({probe.key: many for probe in probes}))
        assert (finding.score, finding.known) == (0.0, False)


class TestWhoseFaultItIs:
    def test_a_check_that_crashes_is_ours(self) -> None:
        with pytest.raises(CheckError, match="'text_is' failed with"):
            examine(expect.text_is(see.text("a"), "x"), look_back({see.text("a").key: {"path": "a"}}))

    def test_a_cage_that_dies_with_nothing_in_it_is_the_hosts(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(ask_checks, "READER", Reader("pass  # {} {}"))
        with pytest.raises(HostError, match="is not running"):
            found(expect.answer_is(see.answer(), "x"), "x")

    @pytest.mark.parametrize(
        "told",
        [
            None, [], {}, {"finding": None}, {"finding": {}}, {"finding": {"score": 2, "check": "a"}},
            {"finding": {"score": True, "check": "a"}}, {"finding": {"score": "1", "check": "a"}},
            {"finding": {"score": 1.0}}, {"finding": {"score": 1.0, "check": "a", "feedback": [1]}},
            {"finding": {"score": 1.0, "check": "a", "feedback": 1}},
            {"finding": {"score": 1.0, "check": "a", "parts": [1]}}, {"error": 1},
        ],
    )  # fmt: skip
    def test_what_is_no_finding_satisfies_nothing(self, told: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(ask_checks, "ask", lambda *_given, **_named: told)
        finding = found(expect.answer_is(see.answer(), "x"), "x")
        assert (finding.score, finding.known) == (0.0, False)

    def test_a_check_of_this_very_process_is_asked_here(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def homemade(of: Any) -> Finding:
            return right()

        monkeypatch.setattr(CHECKS, "_tools", dict(CHECKS._tools))
        CHECKS.register(homemade)
        assert found(Call("check", "homemade", {"of": see.answer()}), "x").passed


class TestDeadline:
    def test_looking_leaves_time_for_the_checks(self) -> None:
        now = 0.0
        one = Deadline(20.0, clock=lambda: now)
        assert (one.left_to_look(), one.left()) == (15.0, 20.0)
        now = 16.0
        with pytest.raises(Overrun, match="more than 20 s to judge"):
            one.left_to_look()
        assert one.left() == 4.0
        one.put_off(3.0)
        assert (one.left_to_look(), one.left()) == (2.0, 7.0)

    def test_a_probe_is_not_asked_when_there_is_no_time_left(self) -> None:
        with FakeComputer() as computer:
            computer.write_file("a.txt", b"x")
            over = ProbeContext(computer, deadline=Deadline(-1.0))
            for ask in (
                lambda: over.read("a.txt"),
                lambda: over.info("a.txt"),
                lambda: over.entries("."),
                lambda: over.run(["true"]),
            ):
                with pytest.raises(Overrun):
                    ask()
            with pytest.raises(ComputerError):
                looker(over, {})(see.text("a.txt"))

    def test_probes_without_time_are_faults_in_the_evidence(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(deadline, "CHECKS_SHARE", 1.0)
        task = shopping(check=expect.text_is(see.text("a.txt"), "x"))
        heard: list[Exception] = []
        with FakeComputer() as computer:
            computer.write_file("a.txt", b"x")
            verdict = judge(task, computer, Ending(Done()), trouble=heard.append)
        assert verdict.score == 0.0 and "more than 19 s to judge" in verdict.feedback[0]
        assert isinstance(heard[0], Overrun)
        assert regrade(task, verdict.evidence).feedback == verdict.feedback


class TestWords:
    @pytest.mark.parametrize("text", ["9" * 100_000, "x" * 10 * 2**20, "<a>" * 200_000])
    def test_an_answer_without_end_is_refused_before_it_is_read(self, text: str) -> None:
        with pytest.raises(AgentError, match="must not be longer than 20000") as caught:
            Answer(text=text)
        assert len(str(caught.value)) < 1_000

    def test_an_answer_of_digits_is_judged(self) -> None:
        assert found(expect.answer_number(see.answer(), 12), "9" * 20_000).score == 0.0
        assert found(expect.answer_number(see.answer(), 12), "12").passed
        assert not found(expect.answer_number(see.answer(), 12), "12" + "0" * 20_000).passed

    def test_a_question_of_accents_is_heard(self) -> None:
        assert not is_about(MARKS, ["price"])
        assert is_about(f"what does it cost? {MARKS}", ["price"])

    @pytest.mark.parametrize("code", ["find " * 200_000, "exec(" * 200_000, "base64 -d " * 100_000])
    def test_code_is_looked_through_for_signs(self, code: str) -> None:
        assert list(find_flags(code)) == []
        assert [flag.rule for flag in find_flags(f"{code}\nfind / -name answer_key")] == ["answer_key"]

    def test_accents_in_order_stay(self) -> None:
        assert compose("e\u0301a\u0323\u0302") == "é\u1ead"
        assert compose("\ufb01", "NFKC") == "fi"
        assert len(compose(MARKS)) <= 31
        assert compose("\N{EM DASH}" * 100 + "\U0001f600" * 100) == "\N{EM DASH}" * 100 + "\U0001f600" * 100
