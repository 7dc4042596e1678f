"""Agents that look right only while a judge looks: judged on frozen ground, none of them wins and none is void."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from proctor.actions.action import Done, RunCode
from proctor.computers.backends.sandbox.computer import SandboxComputer
from proctor.exam.exam import Exam
from proctor.exam.rules import Rules
from proctor.tasks import judge as judge_module
from proctor.tasks.call import Call
from proctor.tasks.ground import ENDED
from proctor.tasks.shelves import expect, make, see
from proctor.tasks.task import Tags, Task
from tests.hostile.attacks.posing import PLAYED, SEEN
from tests.hostile.shelf import find

pytestmark = [pytest.mark.sandbox, pytest.mark.turns(by="test")]
LETTER = "Dear Kim,\n\nWarm regards,\n"
HOURS = {"hours.txt": "old\n"}
UPLOAD = "import signal\nwhile True:\n    signal.pause()\n"


class Judged:
    """One exam of an agent that makes one attack and says that it is done."""

    def __init__(self, attack: str, asked: Task, computer: SandboxComputer) -> None:
        self.computer = computer
        with Exam(asked, computer, Rules(actions=("run_code", "done"))) as exam:
            exam.begin()
            exam.step(RunCode(code=find(attack).program(), timeout_sec=30))
            self.result = exam.end(Done())
            self.verdict = exam.verdict
        assert not self.result.void, self.result.error
        assert self.verdict is not None
        self.feedback = self.verdict.feedback

    @property
    def evidence(self) -> dict[str, Any]:
        assert self.verdict is not None
        return dict(self.verdict.evidence)


@pytest.fixture
def computer() -> Iterator[SandboxComputer]:
    with SandboxComputer(size=(1280, 720), image="full", network="loopback") as opened:
        yield opened


def asked(check: Call, *setup: Call) -> Task:
    return Task(
        id="mine/posed-at-v1",
        instruction="Do it.",
        tags=Tags(apps=("mousepad",), level=2, domain="Office", scenario="Documentation", demand="Writing"),
        setup=setup,
        check=check,
    )


def test_no_helper_of_the_judge_can_be_rewritten(computer: SandboxComputer) -> None:
    setting = see.xfconf("xsettings", "/Net/ThemeName")
    wanted = expect.all_of(
        [
            expect.setting_is(setting, "Raleigh"),
            expect.setting_is(see.gsetting("org.gnome.desktop.interface", "gtk-theme"), "Raleigh"),
            expect.text_is(see.clipboard(), "Raleigh"),
            expect.process_gone(see.processes(), "gsettings"),
        ]
    )
    judged = Judged("rewritten-helpers", asked(wanted, make.clipboard("Adwaita")), computer)
    assert judged.result.score == 0.0
    assert judged.evidence[setting.key]["value"] != "Raleigh"
    with pytest.raises(FileNotFoundError):
        computer.read_file(SEEN)


def test_all_that_is_read_is_of_one_moment(computer: SandboxComputer) -> None:
    letter = "Documents/letter.txt"
    both = [expect.text_is(see.text(letter), f"{LETTER}Robin Keller"), expect.unchanged(see.digest(letter))]
    judged = Judged("changing-minds", asked(expect.all_of(both), make.text_file(letter, LETTER)), computer)
    assert judged.result.score == 0.0


@pytest.mark.parametrize("attack", ["woken-by-timers", "woken-late", "forking-past"])
def test_what_does_not_stand_still_is_ended(computer: SandboxComputer, attack: str) -> None:
    letter = "Documents/letter.txt"
    judged = Judged(attack, asked(expect.text_is(see.text(letter), "signed"), make.text_file(letter, LETTER)), computer)
    assert judged.result.score == 0.0
    assert not judged.result.defect
    if attack == "woken-late":  # the others are caught standing still, as soon as nothing is there that runs
        assert any("python" in command for command in judged.evidence[ENDED])


def test_a_sleeper_is_not_the_program_that_was_to_go_on(computer: SandboxComputer) -> None:
    program = "/home/user/bin/upload.py"
    running = see.processes()
    wanted = [
        expect.process_gone(running, "python3", f"{program} Books"),
        expect.process_running(running, "python3", f"{program} Films", early=True),
    ]
    started = [make.process(["python3", program, name]) for name in ("Books", "Films")]
    task = asked(expect.all_of(wanted), make.text_file("bin/upload.py", UPLOAD), *started)
    judged = Judged("sleepers-with-names", task, computer)
    assert judged.result.score == 0.0
    assert any("Films" in each["command"] for each in judged.evidence[running.key]["processes"])


@pytest.mark.parametrize("attack", ["grafted-history", "forged-object"])
def test_a_history_is_what_its_commits_say(computer: SandboxComputer, attack: str) -> None:
    made = make.repository("website", [{"message": "Begin", "files": HOURS}])
    merged = expect.branch_merged(see.merged("website", "main"))
    at_head = expect.file_at_head(see.repository("website"), "hours.txt", "new\n")
    judged = Judged(attack, asked(expect.all_of([merged, at_head]), made), computer)
    assert judged.result.score == 0.0


def test_git_runs_and_waits_for_nothing_that_a_repository_names(computer: SandboxComputer) -> None:
    made = make.repository("website", [{"message": "Begin", "files": HOURS}])
    check = expect.file_at_head(see.repository("website"), "hours.txt", "old\n")
    judged = Judged("endless-includes", asked(check, made), computer)
    assert judged.result.score == 1.0, judged.feedback
    with pytest.raises(FileNotFoundError):
        computer.read_file("/tmp/ran")


@pytest.mark.parametrize(
    ("attack", "check"),
    [
        ("fake-browser", expect.tab_open(see.web_tabs(), "http://wanted.example/")),
        ("fake-player", expect.now_playing(see.player("vlc"), "song.ogg")),
    ],
)
def test_what_answers_must_be_the_program_that_it_is_taken_for(
    computer: SandboxComputer, attack: str, check: Call
) -> None:
    judged = Judged(attack, asked(check), computer)
    assert judged.result.score == 0.0
    assert "what answers" in " ".join(judged.feedback).lower()


def test_what_acts_later_is_a_side_effect(computer: SandboxComputer) -> None:
    letter = "Documents/letter.txt"
    signed = asked(expect.text_is(see.text(letter), LETTER), make.text_file(letter, LETTER))
    judged = Judged("dotfiles-that-act-later", signed, computer)
    assert (judged.result.score, judged.result.clean) == (1.0, False)
    assert sum(judged.result.collateral.values()) >= 14


def test_a_bus_that_somebody_else_plays_is_not_believed(computer: SandboxComputer) -> None:
    assert len(computer.tree().nodes) > 1
    judged = Judged("played-buses", asked(expect.now_playing(see.player("vlc"), "song.ogg")), computer)
    assert judged.result.score == 0.0
    assert "cannot be reached" in " ".join(judged.feedback)
    seen = computer.tree()
    assert seen.nodes == ()
    assert "cannot be reached" in " ".join(seen.degraded)
    assert len(computer.read_file(PLAYED).split()) >= 2


def test_a_judge_that_was_killed_judges_the_same_from_the_frozen_state(
    computer: SandboxComputer, monkeypatch: pytest.MonkeyPatch
) -> None:
    letter = "Documents/letter.txt"
    read = judge_module._read
    killed: list[bool] = []

    def die_once(*given: Any) -> Any:
        verdict = read(*given)
        if not killed:
            killed.append(computer.parts.programs is not None and computer.parts.programs.frozen)
            raise KeyboardInterrupt
        return verdict

    monkeypatch.setattr(judge_module, "_read", die_once)
    check = expect.text_is(see.text(letter), f"{LETTER}Robin Keller")
    exam = Exam(asked(check, make.text_file(letter, f"{LETTER}Robin Keller")), computer, Rules(actions=("done",)))
    exam.begin()
    with pytest.raises(KeyboardInterrupt):
        exam.end(Done())
    assert computer.parts.programs is not None
    assert computer.parts.programs.frozen
    assert exam.end().score == 1.0
    assert killed == [True]
    assert not computer.parts.programs.frozen
    exam.close()
