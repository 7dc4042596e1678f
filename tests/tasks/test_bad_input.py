"""What goes wrong goes wrong plainly: faults of authors are named, broken results score 0, broken evaluators void."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from proctor.actions.action import Done
from proctor.computers.backends.sandbox.computer import SandboxComputer
from proctor.errors import CheckError, SetupFailed, SpecError
from proctor.tasks.call import Call
from proctor.tasks.findings import CannotSee, Finding
from proctor.tasks.judge import judge
from proctor.tasks.load import load_task, task_from_json
from proctor.tasks.perform import MoveFailed, perform
from proctor.tasks.probe_context import Ending, ProbeContext
from proctor.tasks.shelf import Seen
from proctor.tasks.shelves import CHECKS, expect, hand, make, see
from proctor.tasks.task import Tags, Task
from proctor.vocabulary.desktop.probes.files import folder
from proctor.vocabulary.formats.guard import open_zip
from tests.tasks.prepare import prepare
from tests.unhurried import now

TAGS = Tags(apps=("mousepad",), level=2, domain="Office", scenario="Documentation", demand="Writing")
OUTPUT = "Documents/result.txt"


def task(check: Call | None = None, **changes: Any) -> Task:
    fields: dict[str, Any] = {"setup": (make.text_file(OUTPUT, "before"),), "solution": (hand.done(),), **changes}
    wanted = check or expect.text_is(see.text(OUTPUT), "after")
    return Task(id="mine/bad-input-v1", instruction="Do it.", tags=TAGS, check=wanted, **fields)


@pytest.fixture(scope="module")
def computer() -> Iterator[SandboxComputer]:
    with SandboxComputer(look="light", size=(800, 600)) as opened:
        yield opened


def left_by(computer: SandboxComputer, script: str, check: Call | None = None) -> tuple[float, str]:
    """Return the score and feedback after an agent did something at the output's path, judged twice."""
    computer.run(["rm", "-rf", OUTPUT])
    asked = task(check)
    prepare(asked, computer)
    done = computer.run(["sh", "-ec", f"cd Documents; rm -f result.txt; {script}"])
    assert done.code == 0, done.stderr
    started = now()
    one, other = (judge(asked, computer, Ending(Done())) for _ in range(2))
    assert now() - started < 10
    assert (one.score, one.feedback) == (other.score, other.feedback)
    return one.score, " ".join(one.feedback)


class TestAuthors:
    def test_unknown_check(self) -> None:
        data = {**task().to_json(), "check": {"check": "text_iz", "of": {"probe": "text", "path": "a"}, "text": ""}}
        with pytest.raises(SpecError, match=r"unknown check 'text_iz'; did you mean 'text_is'"):
            task_from_json(data)

    def test_wrong_type(self) -> None:
        with pytest.raises(SpecError, match="42 is wrong"):
            expect.text_is(see.text("a"), 42)

    def test_missing_asset(self, tmp_path: Path) -> None:
        data = task(setup=(make.asset_file("a.png", "a.png"),)).to_json()
        (tmp_path / "t.json").write_text(str(data).replace("'", '"'))
        with pytest.raises(SpecError, match=r"t\.json:1: there is no asset 'a\.png'"):
            load_task(tmp_path / "t.json")

    @pytest.mark.sandbox
    def test_locator_that_finds_nothing(self, computer: SandboxComputer) -> None:
        asked = task(solution=(hand.click(name="No such button", role="push button", timeout_sec=0.5),))
        prepare(asked, computer)
        with pytest.raises(MoveFailed, match=r"move 1 of 1, click\(.*no push button with name 'No such button'"):
            perform(asked, asked.solution, computer)

    @pytest.mark.sandbox
    @pytest.mark.parametrize(
        ("step", "words"),
        [
            (make.command(["false"]), "'false' ended with status 1"),
            (make.command(["no-such-program"]), "no program 'no-such-program'"),
            (make.command(["chown", "user", "/etc/shadow"]), "ended with status 1"),
            (make.text_file("/proc/nope", "x"), "did not take"),
            (make.launch(["true"], window="x", timeout_sec=2), "did not take"),
        ],
    )
    def test_setup_command_that_fails(self, computer: SandboxComputer, step: Call, words: str) -> None:
        with pytest.raises(SetupFailed, match=words):
            prepare(task(setup=(step,)), computer)

    @pytest.mark.sandbox
    def test_check_that_crashes(self, computer: SandboxComputer) -> None:
        def clumsy_check(of: Seen) -> Finding:
            """Divide by zero."""
            return Finding(1 / 0)

        CHECKS.register(clumsy_check)
        try:
            asked = task(expect.none_of([CHECKS.clumsy_check(see.text(OUTPUT))], "Wrong."))
            prepare(asked, computer)
            with pytest.raises(CheckError, match="'clumsy_check' failed with ZeroDivisionError"):
                judge(asked, computer, Ending(Done()))
        finally:
            del CHECKS._tools["clumsy_check"]


@pytest.mark.sandbox
class TestAgents:
    """Whatever stands where the result should be: a plain 0 with the reason, quickly, twice the same."""

    @pytest.mark.parametrize(
        ("script", "words"),
        [
            ("printf 'after\\377\\376' > result.txt", "is not a text in UTF-8"),
            ("head -c 100000 /dev/urandom > result.txt", "is not a text in UTF-8"),
            ("truncate -s 2G result.txt", "has more than the"),
            ("mkfifo result.txt", "is a pipe or device"),
            ("ln -s /etc/passwd result.txt", "is a link to somewhere else"),
            ("ln -s ../../../../../../etc/hostname result.txt", "is a link to somewhere else"),
            ("ln -s nowhere result.txt", "is a link to somewhere else"),
            ("ln -s result.txt result.txt", "is a link to somewhere else"),
            ("mkdir result.txt; echo after > result.txt/result.txt", "is a folder"),
            ("python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind(\"result.txt\")'", "a pipe or device"),
            ("true", "There is no file"),
            (": > result.txt", "'after' is missing"),
            ("echo after > result.txt; chmod 000 result.txt", ""),
        ],
        ids=lambda value: value.split(";")[0][:30] if " " in value or value == "true" else "-",
    )
    def test_result_is_no_text_file(self, computer: SandboxComputer, script: str, words: str) -> None:
        score, feedback = left_by(computer, script)
        assert score == (0.0 if words else 1.0) and words in feedback
        against = expect.none_of([expect.text_is(see.text(OUTPUT), "something else")], "No.")
        opposite, _ = left_by(computer, script, against)
        assert opposite == (1.0 if not words or "missing" in words else 0.0), "what cannot be seen is not proven absent"

    def test_folders_that_are_links(self, computer: SandboxComputer) -> None:
        computer.run(["sh", "-c", "rm -rf loop far; ln -s loop loop; ln -s /etc far"])
        context = ProbeContext(computer)
        assert context.info("loop/a") is None
        assert context.info("far/passwd") is not None  # inside the computer, not on the host
        with pytest.raises(CannotSee):
            context.read("loop/a")
        with pytest.raises(CannotSee, match="is not a folder"):
            folder(context, "far")

    def test_pipe_does_not_hold_up_the_host(self, computer: SandboxComputer) -> None:
        computer.run(["sh", "-c", "rm -f pipe; mkfifo pipe"])
        started = now()
        assert ProbeContext(computer).info("pipe") is not None
        with pytest.raises(OSError, match="Invalid argument"):
            computer.read_file("pipe")
        assert now() - started < 2

    def test_archive_bomb(self, computer: SandboxComputer) -> None:
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("content.xml", bytes(40 * 2**20))
        computer.write_file("Documents/bomb.odt", buffer.getvalue())
        with pytest.raises(CannotSee) as caught:
            open_zip(ProbeContext(computer).read("Documents/bomb.odt"), "Documents/bomb.odt")
        assert caught.value.fault.kind == "refused"

    def test_names_that_are_no_text(self, computer: SandboxComputer) -> None:
        script = "touch result.txt; printf x > \"$(printf 'odd\\377name')\""
        score, feedback = left_by(
            computer, script, expect.folder_holds(see.folder("Documents"), exactly=["result.txt"])
        )
        assert score == 0.0 and "odd\ufffdname" in feedback
        computer.run(["sh", "-c", "rm Documents/odd*"])
