"""Carrying out plans: every episode once, void ones again, workers replaced, what was held left alone."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from proctor.errors import SpecError
from proctor.records import Result
from proctor.runner.admission import EpisodeAdmission
from proctor.runner.plan import Plan
from proctor.runner.plan_record import begin, recall
from proctor.runner.schedule import RunEvent, Tally, carry_out
from proctor.runner.workers.local import HereWorkers, LocalWorkers
from proctor.store.run import RunRecord
from proctor.store.verify import verify
from tests.runner.fragile import FRAGILE, Breaking, Fragile, failing, losing
from tests.runner.jobs import FAKE, plan


def carried(chosen: Plan, folder: Path, size: int = 0, **others: float) -> tuple[Tally, list[Result], list[RunEvent]]:
    events: list[RunEvent] = []
    workers = LocalWorkers(EpisodeAdmission.of(size), longest_sec=60) if size else HereWorkers()
    with begin(chosen, folder, images={}) as record:
        tally = carry_out(chosen, record, workers, heard=events.append, **others)
        return tally, list(record.results()), events


def test_every_episode_is_held_once(tmp_path: Path) -> None:
    chosen = plan("oracle", "idle", tasks=3, samples=2)
    tally, results, events = carried(chosen, tmp_path / "run")
    assert len(chosen) == len(results) == len({result.key for result in results}) == 12
    assert (tally.complete, tally.passed, tally.void) == (True, 6, 0)
    assert {result.key.agent: result.score for result in results} == {"oracle": 1.0, "idle": 0.0}
    assert Counter(event.kind for event in events) == {"begun": 12, "ended": 12}
    assert verify(tmp_path / "run") == []
    assert (tmp_path / "run" / "seal.json").exists()


def test_every_wording_where_asked(tmp_path: Path) -> None:
    chosen = plan("idle", tasks=1, paraphrases=True)
    _, results, _ = carried(chosen, tmp_path / "run")
    assert sorted(result.key.paraphrase for result in results) == [0, 1]


def test_tasks_come_once_before_any_is_repeated() -> None:
    order = [(key.task, key.sample) for _, _, key in plan("idle", tasks=2, samples=2).episodes()]
    assert order == [
        ("test/shopping-0-v1", 0), ("test/shopping-1-v1", 0), ("test/shopping-0-v1", 1), ("test/shopping-1-v1", 1)
    ]  # fmt: skip


def test_a_plan_comes_back_from_its_record(tmp_path: Path) -> None:
    chosen = plan("oracle", "prompted,model=scripted/x,history=2", samples=2, rules=replace(FAKE, steps=7, feedback=1))
    with begin(chosen, tmp_path / "run", images={"starter": "abc"}) as record:
        assert recall(record) == chosen
        assert record.config["images"] == {"starter": "abc"}


@pytest.mark.parametrize("agents", [(), ("idle", "idle")])
def test_plans_that_make_no_sense(agents: tuple[str, ...]) -> None:
    with pytest.raises(SpecError):
        plan(*agents)


def test_a_void_episode_is_tried_again_and_every_try_kept(tmp_path: Path) -> None:
    chosen = plan("tests.runner.jobs:Penniless", tasks=1, rules=replace(FAKE, retries=2))
    tally, results, events = carried(chosen, tmp_path / "run")
    assert [(result.retry, result.cause) for result in results] == [(0, "model"), (1, "model"), (2, "model")]
    assert (tally.void, tally.ended, tally.complete) == (1, 1, True)
    assert [event.kind for event in events] == ["begun", "retried", "begun", "retried", "begun", "ended"]
    assert len(list((tmp_path / "run" / "episodes").glob("*/*/*/*/result.json"))) == 3


def test_an_agent_whose_model_is_away_is_asked_no_more(tmp_path: Path) -> None:
    chosen = plan("tests.runner.jobs:Penniless", "idle", tasks=10, rules=replace(FAKE, retries=0))
    tally, results, _ = carried(chosen, tmp_path / "run")
    assert Counter(result.key.agent for result in results) == {"tests.runner.jobs:Penniless": 5, "idle": 10}
    assert "401" in tally.stopped["tests.runner.jobs:Penniless"]
    assert not tally.complete
    assert not (tmp_path / "run" / "seal.json").exists()


def test_money_runs_out(tmp_path: Path) -> None:
    chosen = plan("tests.runner.jobs:Costly", tasks=6)
    tally, results, _ = carried(chosen, tmp_path / "run", most_usd=0.6)
    assert len(results) == 3
    assert tally.out_of_money
    assert not tally.complete


def test_a_worker_that_dies_is_replaced_and_its_episode_retried(tmp_path: Path) -> None:
    mark = tmp_path / "died"
    chosen = plan(f"tests.runner.jobs:DeadlyOnce,mark={mark}", "idle", tasks=1)
    tally, results, _ = carried(chosen, tmp_path / "run", size=1)
    deadly = [(result.retry, result.cause, result.stop) for result in results if "Deadly" in result.key.agent]
    assert deadly == [(0, "worker", "void"), (1, None, "done")]
    assert tally.complete
    assert verify(tmp_path / "run") == []


def test_an_agent_that_always_kills_its_worker_does_not_stop_the_others(tmp_path: Path) -> None:
    chosen = plan("tests.runner.jobs:Deadly", "idle", tasks=2, rules=replace(FAKE, retries=1))
    tally, results, _ = carried(chosen, tmp_path / "run", size=2)
    assert (tally.complete, tally.void) == (True, 2)
    assert sum(result.key.agent == "idle" and result.score == 0.0 for result in results) == 2


@pytest.mark.parametrize(
    ("how", "came"),
    [
        ("exit", [(None, "agent_error", 0.0)]),
        ("kill", [("worker", "void", None)]),
    ],
)
def test_a_worker_that_is_lost_while_the_agent_is_at_work_is_no_second_try(
    tmp_path: Path, how: str, came: list[tuple[str | None, str, float | None]]
) -> None:
    chosen = plan(f"tests.runner.jobs:DeadlyAtWork,how={how}", tasks=1, rules=replace(FAKE, retries=3))
    tally, results, _ = carried(chosen, tmp_path / "run", size=1)
    assert [(result.cause, result.stop, result.score) for result in results] == came
    assert all(result.acted for result in results)
    assert tally.complete
    assert verify(tmp_path / "run") == []
    # Nor does it begin again when the run is resumed.
    with RunRecord.resume(tmp_path / "run") as record:
        assert carry_out(recall(record), record, HereWorkers()).complete
        assert len(list(record.results())) == len(came)


@pytest.mark.parametrize("how", ["exit", "kill"])
def test_a_worker_that_is_lost_while_it_judges_is_void_and_no_second_try(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    came = [("defect", "void", None)]
    monkeypatch.setenv("LOST_BY", how)
    rules = replace(FAKE, retries=3, backend="tests.runner.jobs:LosingItsJudge")
    chosen = plan("tests.runner.jobs:Pressing", tasks=1, rules=rules)
    _, results, _ = carried(chosen, tmp_path / "run", size=1)
    assert [(result.cause, result.stop, result.score) for result in results] == came
    assert all(result.acted for result in results)
    assert all("the worker was lost while it judged: it" in result.error for result in results)
    assert verify(tmp_path / "run") == []
    with RunRecord.resume(tmp_path / "run") as record:
        assert carry_out(recall(record), record, HereWorkers()).complete
        assert len(list(record.results())) == len(came)


@pytest.mark.parametrize(("policy", "acted"), [("leave", False), ("leave_at_the_end", True)])
def test_a_watcher_that_takes_its_worker_along_makes_the_episode_void_by_its_name(
    tmp_path: Path, policy: str, acted: bool
) -> None:
    rules = replace(FAKE, retries=0, policy=f"tests.runner.jobs:{policy}")
    _, (result,), _ = carried(plan("tests.runner.jobs:Pressing", tasks=1, rules=rules), tmp_path / "run", size=1)
    assert (result.stop, result.cause, result.score, result.acted) == ("void", "defect", None, acted)
    assert "lost while the watcher VetoWatcher was asked: its process ended" in result.error
    assert verify(tmp_path / "run") == []


@pytest.mark.parametrize(
    ("plan_of", "causes"),
    [
        (failing("key", RecursionError("deep")), ["defect"]),
        (losing("key", outside="killed by an operator"), ["host"] * 3),
        (losing("key"), [None]),
    ],
)
def test_nothing_an_agent_does_earns_a_second_try(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, plan_of: Breaking, causes: list[str | None]
) -> None:
    monkeypatch.setattr(Fragile, "plan", staticmethod(plan_of))
    chosen = plan("tests.runner.jobs:Pressing", tasks=1, rules=replace(FRAGILE, retries=2))
    tally, results, _ = carried(chosen, tmp_path / "run")
    assert [result.cause for result in results] == causes
    assert tally.complete
    with RunRecord.resume(tmp_path / "run") as record:
        assert carry_out(recall(record), record, HereWorkers()).complete
        assert len(list(record.results())) == len(causes)


def test_going_on_does_nothing_twice(tmp_path: Path) -> None:
    chosen = plan("oracle", "idle", tasks=4)
    folder = tmp_path / "run"
    seen = 0

    def interrupt(event: RunEvent) -> None:
        nonlocal seen
        seen += event.kind == "ended"
        if seen == 3:
            raise KeyboardInterrupt

    with begin(chosen, folder, images={}) as record, pytest.raises(KeyboardInterrupt):
        carry_out(chosen, record, HereWorkers(), heard=interrupt)
    events: list[RunEvent] = []
    with RunRecord.resume(folder) as record:
        record.adopt()
        tally = carry_out(recall(record), record, HereWorkers(), heard=events.append)
        keys = [result.key for result in record.results()]
    assert len(keys) == len(set(keys)) == 8
    assert tally.complete
    assert Counter(event.kind for event in events) == {"held": 3, "begun": 5, "ended": 5}
    assert verify(folder) == []


def test_a_task_that_differs_from_its_digest_is_refused(tmp_path: Path) -> None:
    chosen = plan("idle", tasks=1)
    forged = replace(chosen.tasks[0], text=chosen.tasks[0].text.replace("Add eggs", "Add beer"))
    with (
        begin(chosen, tmp_path / "run", images={}) as record,
        pytest.raises(SpecError, match="not the one that was planned"),
    ):
        carry_out(replace(chosen, tasks=(forged,)), record, HereWorkers())
