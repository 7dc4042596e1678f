"""Suite `miniwob`: its tasks, and how its pages are begun, asked and judged; a scripted page stands for the browser."""

from __future__ import annotations

import io
import tarfile
from dataclasses import replace
from typing import Any

import pytest

from proctor.computers import meet
from proctor.computers.backends.fake.computer import FakeComputer
from proctor.errors import ComputerError, ComputerLost, MissingExtra, SetupFailed, SpecError, UnknownName
from proctor.runner.computer_spec import ComputerSpec
from proctor.suites import load_suite
from proctor.suites.miniwob import INSTRUCTION
from proctor.suites.miniwob.names import NAMES
from proctor.tasks.findings import CannotSee, Finding
from proctor.tasks.judge import regrade
from proctor.tasks.load import task_from_json
from proctor.tasks.prepare import words_of
from proctor.tasks.probe_context import ProbeContext
from proctor.tasks.setup_context import SetupContext
from proctor.tasks.shelves import expect, see, tool
from proctor.vocabulary.apps.miniwob import pages, probes
from proctor.vocabulary.apps.miniwob.setup import miniwob_page
from tests.prove.machines import shopping

needs_package = pytest.mark.skipif(not pages.importlib.util.find_spec("miniwob"), reason="miniwob is not installed")


class ScriptedPage:
    """The page in front, which answers as it is told."""

    def __init__(self, answer: Any, *, missing: int = 0) -> None:
        self.answer, self.missing = answer, missing
        self.url = "about:blank"
        self.scripts: list[str] = []
        self.told: str | None = None

    def open(self, url: str, *, timeout_sec: float = 1.0) -> None:
        if self.missing:
            self.missing -= 1
            raise ComputerError("cannot be opened: net::ERR_FILE_NOT_FOUND")
        self.url = url

    def address(self) -> str:
        return self.url

    def note(self, name: str) -> None:
        self.told = None

    def first_note(self, name: str) -> str | None:
        return self.told

    def evaluate(self, script: str, *, timeout_sec: float = 1.0) -> Any:
        self.scripts.append(script)
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


def computer_with(page: ScriptedPage) -> FakeComputer:
    computer = FakeComputer()
    computer.parts = replace(computer.parts, pages=page)
    return computer


@needs_package
def test_every_page_is_a_task_of_every_seed() -> None:
    suite = load_suite("miniwob")
    assert len(suite.templates) >= 125
    assert set(NAMES) == set(pages.names())
    one, other = suite.task("click-button", 1), suite.task("click-button", 2)
    assert one.unproven and one.instruction == INSTRUCTION
    assert one.digest != other.digest
    assert suite.task("click-button", 1).digest == one.digest
    assert task_from_json(one.to_json()) == one
    assert one.source and one.source.format == "miniwob" and len(one.source.digest) == 64


@needs_package
def test_a_computer_without_pages_is_refused_before_a_run() -> None:
    needs = load_suite("miniwob").task("click-button", 0).needs
    assert "this computer has no web pages" in meet("fake", needs).lacks


def test_the_suite_names_a_computer_that_there_is() -> None:
    spec = ComputerSpec.parse(load_suite("miniwob").computer)
    assert spec.name == "browser"
    assert spec.constructor_options() == {"reuse": True, "scale": 2.0, "size": (1000, 640)}


def test_without_the_package_the_remedy_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages.importlib.util, "find_spec", lambda name: None)
    for cached in (pages.names, pages.digest, pages.pages_as_tar):
        cached.cache_clear()
    with pytest.raises(MissingExtra, match=r"proctor\[miniwob\]"):
        load_suite("miniwob").task("click-button", 0)


@needs_package
def test_pages_are_carried_in_where_they_are_missing() -> None:
    page = ScriptedPage(True, missing=1)
    computer = computer_with(page)
    carried: list[bytes] = []
    context = SetupContext(computer)
    object.__setattr__(context, "command", lambda argv, root, input: carried.append(input))
    miniwob_page(context, "click-button", 7)
    assert page.url == pages.address("click-button")
    assert "7, 2147483000)" in page.scripts[0]
    with tarfile.open(fileobj=io.BytesIO(carried[0])) as tar:
        held = tar.getnames()
    assert {"core/core.js", "miniwob/click-button.html"} <= set(held)
    assert not any(name.startswith(("/", "..")) for name in held)
    miniwob_page(context, "click-button", 8, seconds=10)
    assert len(carried) == 1 and "8, 10000)" in page.scripts[1]


@needs_package
def test_setup_that_does_not_take_says_so() -> None:
    with pytest.raises(SetupFailed, match="did not become ready"):
        miniwob_page(SetupContext(computer_with(ScriptedPage(False))), "click-button", 0)
    with pytest.raises(UnknownName, match="click-buton"):
        miniwob_page(SetupContext(computer_with(ScriptedPage(True))), "click-buton", 0)
    with pytest.raises(SpecError, match="web pages"):
        miniwob_page(SetupContext(FakeComputer()), "click-button", 0)


@needs_package
def test_the_agent_is_told_the_words_of_the_page() -> None:
    task = load_suite("miniwob").task("click-button", 0)
    assert task.goal == see.miniwob_goal("click-button")
    page = ScriptedPage('Click on\n the "okay"  button.')
    page.url = pages.address("click-button")
    assert words_of(task, computer_with(page)) == 'Click on the "okay" button.'
    page.answer = ""
    with pytest.raises(SetupFailed, match="what is asked cannot be read"):
        words_of(task, computer_with(page))
    assert words_of(task.model_copy(update={"goal": None}), computer_with(page)) == ""


def reward(answer: Any, url: str = pages.address("click-button")) -> dict[str, Any]:
    page = ScriptedPage(answer)
    page.url = url
    return probes.miniwob_reward(ProbeContext(computer_with(page)), "click-button")


def verdict(done: bool, raw: float, reason: str = "") -> tuple[float, tuple[str, ...]]:
    of = {"done": done, "raw": raw, "reward": raw, "reason": reason}
    call = expect.miniwob_solved(see.miniwob_reward("click-button"))
    finding = tool(call).function(of)
    return finding.score, finding.feedback


def test_the_raw_reward_above_nothing_is_a_success() -> None:
    assert verdict(True, 1) == (1.0, ())
    assert verdict(True, 0.05) == (1.0, ())
    assert verdict(True, 0)[0] == 0.0
    assert verdict(True, -1, "timed out") == (0.0, ("The page gave a reward of -1: timed out.",))
    assert verdict(False, 0) == (0.0, ("The page still waits: what it asks for was not finished.",))


@pytest.mark.parametrize("whole", [expect.miniwob_solved, lambda of: expect.all_of([expect.miniwob_solved(of)])])
def test_a_part_of_the_raw_reward_stays_in_the_verdict_and_its_record(whole: Any) -> None:
    probe = see.miniwob_reward("click-button")
    of = {"done": True, "raw": 1 / 3, "reward": 0.2, "reason": "partly"}
    task = shopping(check=whole(probe), solution=(), near_misses=(), expected=())
    verdict = regrade(task, {"ending": {"gave_up": False}, probe.key: of})
    assert (verdict.score, verdict.metrics) == (1.0, {"raw_reward": 1 / 3, "reward": 0.2})
    finding = verdict.to_json()["finding"]
    assert Finding.from_json(finding) == verdict.finding


def test_what_the_page_says_is_read_strictly() -> None:
    said = {"done": True, "raw": 1, "reward": 0.4, "reason": "x" * 1000, "more": 1}
    assert reward(said) == {"done": True, "raw": 1, "reward": 0.4, "reason": "x" * 500}
    for broken in (
        None,
        5,
        {"done": True},
        {"raw": "1", "reward": 1},
        {"raw": float("nan"), "reward": 1},
        ComputerError("it hangs"),
    ):
        with pytest.raises(CannotSee):
            reward(broken)
    with pytest.raises(CannotSee, match="not open any more"):
        reward(said, url="https://elsewhere.example/")
    assert reward(said, url=pages.address("click-button") + "#top")["done"] is True
    with pytest.raises(ComputerLost):
        reward(ComputerLost("it is gone"))
    with pytest.raises(CannotSee, match="loaded anew"):
        reward("anew")


@needs_package
@pytest.mark.parametrize(
    ("told", "raw"), [('{"done": true, "raw": -1, "reward": -1, "reason": null}', -1), ("{", None)]
)
def test_the_first_end_counts_wherever_the_page_has_gone(told: str, raw: float | None) -> None:
    page = ScriptedPage({"done": True, "raw": 1, "reward": 1, "reason": ""})
    page.url, page.told = "https://elsewhere.example/", told
    context = ProbeContext(computer_with(page))
    if raw is None:
        with pytest.raises(CannotSee):
            probes.miniwob_reward(context, "click-button")
    else:
        assert probes.miniwob_reward(context, "click-button")["raw"] == raw
