"""A synthesis goes on where it stopped, keeps to its budget, and tells no writer what it must not know."""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from proctor.cli.synth import synth as command
from proctor.errors import ModelError, RecordError, SpecError
from proctor.models.model import Message, ModelAnswer
from proctor.models.retry import CallFailed
from proctor.synth.ledger import ANSWERS, FATES, OUTLINES
from proctor.synth.outline import AppOutline
from proctor.synth.plan import SynthesisPlan
from proctor.synth.synth import Synthesised, synthesise
from proctor.tasks.load import load_task
from tests.synth.cases import Case, good_cases
from tests.synth.corpus import OUTLINE, CorpusModel
from tests.synth.defects import defective_cases

GOOD = good_cases(sandbox=False)
REFUSED = [case for case in defective_cases(sandbox=False) if case.kind == "impossible resource"]


def run(folder: Path, model: Any, count: int, **how: Any) -> Synthesised:
    (folder / OUTLINES).mkdir(parents=True, exist_ok=True)
    (folder / OUTLINES / "mousepad.json").write_text(json.dumps(asdict(AppOutline(app="mousepad", views=(OUTLINE,)))))
    plan = {"repairs": 1, **{key: how.pop(key) for key in ("repairs", "rounds") if key in how}}
    made = SynthesisPlan(by="corpus", apps=("mousepad",), count=count, backend="fake", **{"rounds": 1, **plan})
    return synthesise(folder, made, model, **how)


class Spy(CorpusModel):
    """Keeps every word that it is asked, by step."""

    def __init__(self, cases: Sequence[Case], usd: float = 0.0, *, fails: Sequence[Exception] = ()) -> None:
        super().__init__("spy", cases=cases, usd=usd)
        self.prompts: list[tuple[str, str]] = []
        self.fails = list(fails)

    def ask(
        self, messages: Sequence[Message], *, max_tokens: int = 2048, temperature: float | None = None
    ) -> ModelAnswer:
        if self.fails:
            raise self.fails.pop(0)
        answer = super().ask(messages, max_tokens=max_tokens, temperature=temperature)
        self.prompts.append((self.asked[-1][1], "\n".join(str(part) for each in messages for part in each.parts)))
        return answer


def test_an_accepted_task_says_where_it_comes_from_and_what_it_cost(tmp_path: Path) -> None:
    made = run(tmp_path, CorpusModel(cases=GOOD, usd=0.01), 1)
    (fate,) = made.fates
    assert (fate.accepted, fate.calls, round(fate.cost_usd or 0, 6)) == (True, 5, 0.05)
    task = load_task(tmp_path / "tasks" / f"{fate.name}.json")
    assert task.provenance is not None
    assert (task.provenance.by, task.provenance.calls, task.provenance.cost_usd) == ("corpus", 5, fate.cost_usd)
    assert task.provenance.foreign >= 3
    assert [thing.kind for thing in task.provenance.gives] == ["text_file"]
    assert [way.name for way in task.other_ways] == ["by another route"]
    assert len(task.near_misses) >= 2
    page = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert task.instruction.split('"')[1] in page
    figures = json.loads((tmp_path / "figures.json").read_text(encoding="utf-8"))
    assert (figures["proposals"], figures["accepted"], figures["cost_usd_per_task"]) == (1, 1, 0.05)


def test_the_writer_of_the_verdict_sees_no_key_and_no_writer_of_a_key_sees_the_verdict(tmp_path: Path) -> None:
    case = next(each for each in GOOD if each.name.startswith("second-line"))
    weak = {"check": {"check": "text_has", "of": {"probe": "text", "path": "Documents/x.txt"}, "phrases": ["x"]}}
    model = Spy([case.but("weak", "weak", "form", verdict=weak)])
    run(tmp_path, model, 1)
    moves = [json.dumps(move) for move in (*case.said("moves")["moves"], *case.said("route")["moves"])]
    shown = {step: [text for asked, text in model.prompts if asked == step] for step, _ in model.prompts}
    assert len(shown["verdict"]) == 2  # it was told what is wrong
    assert "shift+End" in " ".join(moves)
    assert not any("shift+End" in text or '{"move"' in text for text in shown["verdict"])
    for step in ("moves", "route"):
        assert not any('"check"' in text or '"probe"' in text for text in shown[step])
    assert "shift+End" in shown["foreign"][0]  # near misses are those of a way that is known to be right


def test_what_was_answered_and_decided_is_not_asked_for_again(tmp_path: Path) -> None:
    cases = REFUSED[:6]
    first = Spy(cases)
    assert run(tmp_path, first, 4).left == 0
    again = Spy(cases)
    made = run(tmp_path, again, 6)
    assert [fate.number for fate in made.fates] == [1, 2, 3, 4, 5, 6]
    assert {name for name, _ in again.asked} == {case.name for case in cases[4:]}


def test_a_synthesis_that_was_killed_pays_for_nothing_twice(tmp_path: Path) -> None:
    model = Spy(GOOD[:1])
    (fate,) = run(tmp_path, model, 1).fates
    # As a kill leaves it: what became of the proposal was not written any more, and a line only in part.
    (tmp_path / FATES).unlink()
    (tmp_path / "tasks" / f"{fate.name}.json").unlink()
    with (tmp_path / ANSWERS).open("ab") as file:
        file.write(b'{"request": "half a li')
    again = Spy(GOOD[:1])
    (same,) = run(tmp_path, again, 1).fates
    assert again.asked == []
    assert (same.accepted, same.name, same.calls, same.input_tokens) == (True, fate.name, 5, fate.input_tokens)


def test_a_budget_that_is_spent_ends_it_and_more_money_goes_on(tmp_path: Path) -> None:
    cases = [GOOD[0], *REFUSED[:2]]
    model = Spy(cases, usd=0.1)
    made = run(tmp_path, model, 3, max_cost=0.7)
    assert [fate.accepted for fate in made.fates] == [True]
    assert made.left == 2
    assert "0.7000 of 0.7000 US dollars are spent" in made.spent
    made = run(tmp_path, Spy(cases, usd=0.1), 3, max_cost=0.7)
    assert (len(made.fates), made.left) == (1, 2)  # what was spent before counts
    more = Spy(cases, usd=0.1)
    made = run(tmp_path, more, 3, max_cost=5.0)
    assert ([fate.step for fate in made.fates], made.left, made.spent) == (["", "form", "form"], 0, "")
    assert len(model.asked) + len(more.asked) == 5 + 3 + 3  # two answers of the second proposal were paid for before


def test_a_price_that_is_not_known_cannot_be_capped(tmp_path: Path) -> None:
    model = CorpusModel(cases=GOOD)
    model.price = None
    with pytest.raises(SpecError, match="no price is known"):
        run(tmp_path, model, 1, max_cost=1.0)


def test_several_at_a_time_come_to_the_same(tmp_path: Path) -> None:
    cases = [GOOD[0], *REFUSED[:6]]
    one = run(tmp_path / "one", CorpusModel(cases=cases), len(cases))
    many = run(tmp_path / "many", CorpusModel(cases=cases), len(cases), workers=3)
    told = [(fate.number, fate.accepted, fate.name, fate.step, fate.reasons) for fate in one.fates]
    assert [(fate.number, fate.accepted, fate.name, fate.step, fate.reasons) for fate in many.fates] == told


def test_a_budget_that_is_spent_stops_the_others_too(tmp_path: Path) -> None:
    made = run(tmp_path, CorpusModel(cases=REFUSED, usd=0.1), 10, max_cost=0.5, workers=2)
    assert made.left >= 8
    assert made.spent


def test_a_model_that_cannot_be_asked_is_an_error_and_one_prompt_too_long_is_not(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="away"):
        run(tmp_path / "a", Spy(GOOD, fails=[CallFailed("connection", "away")]), 2)
    made = run(tmp_path / "b", Spy(REFUSED, fails=[CallFailed("bad_request", "more than I can read")]), 2)
    assert [fate.step for fate in made.fates] == ["asking", "form"]


def test_a_folder_with_another_plan_or_damage_is_refused(tmp_path: Path) -> None:
    run(tmp_path, CorpusModel(cases=REFUSED), 1)
    with pytest.raises(SpecError, match="another repairs"):
        run(tmp_path, CorpusModel(cases=REFUSED), 1, repairs=0)
    (tmp_path / FATES).write_text('{"number": "x"}\n')
    with pytest.raises(RecordError, match="damaged"):
        run(tmp_path, CorpusModel(cases=REFUSED), 1)


def test_two_do_not_work_in_one_folder(tmp_path: Path) -> None:
    inside, said = threading.Event(), []

    class Slow(CorpusModel):
        def ask(self, *given: Any, **how: Any) -> ModelAnswer:
            inside.set()
            try:
                run(tmp_path, CorpusModel(cases=REFUSED), 1)
            except RecordError as error:
                said.append(error.message)
            return super().ask(*given, **how)

    run(tmp_path, Slow(cases=REFUSED), 1)
    assert inside.is_set()
    assert all("is being written" in each for each in said)
    assert said


# -- the command --------------------------------------------------------------------------------------------------


def call(*arguments: object) -> Any:
    return CliRunner().invoke(command, [str(each) for each in arguments])


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--app", "mousepad"), "nobody proposes"),
        (("--app", "mousepad", "--search", "--model", "scripted/x"), "nobody proposes"),
        (("--app", "mousepda", "--search"), "unknown application 'mousepda'"),
        (("--app", "mousepad", "--search", "--max-cost", "1"), "a search asks no model"),
    ],
)
def test_what_cannot_work_is_said_at_once(tmp_path: Path, arguments: tuple[str, ...], said: str) -> None:
    result = call(*arguments, "--out", tmp_path / "out")
    assert isinstance(result.exception, SpecError)
    assert said in str(result.exception)
    assert not (tmp_path / "out").exists()


def test_the_command_says_what_was_accepted_and_why_not(tmp_path: Path) -> None:
    case = next(case for case in GOOD if case.name == "append-to-guests")
    steps = ("propose", "verdict", "moves", "route", "foreign")
    replies = [case.answers[step][-1] for step in steps] + ["no idea"] * 3
    script = tmp_path / "replies.jsonl"
    script.write_text("".join(json.dumps(reply) + "\n" for reply in replies))
    out = tmp_path / "out"
    given = ("--model", f"scripted/{script}", "--app", "mousepad", "--out", out, "--computer", "fake")
    result = call(*given, "--count", 2, "--rounds", 1)
    assert result.exit_code == 0, result.output
    assert "accepted     1  append-to-guests" in result.output
    assert "not what was asked for: propose: the answer holds no JSON object" in result.output
    assert "1 of 2 proposals accepted; $0.0000" in result.output
    again = call(*given, "--count", 2, "--rounds", 1, "--json")
    found = json.loads(again.output)
    assert (found["accepted"], found["dropped"], found["left"]) == (1, {"form": 1}, 0)
    assert json.loads((out / OUTLINES / "mousepad.json").read_text())["views"]
