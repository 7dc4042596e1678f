"""What a run asks for wrongly is refused before it, or said to be whose it is, and never tried again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from proctor.agents.spec import AgentSpec
from proctor.errors import SpecError
from proctor.exam.rules import Rules
from proctor.records import Result
from proctor.runner.plan_record import begin
from proctor.runner.preflight import check_agents
from proctor.runner.run_episode import run_episode
from proctor.runner.schedule import Tally, carry_out
from proctor.runner.workers.local import HereWorkers
from proctor.store.read import open_episode
from proctor.tasks.shelves import make
from tests.prove.machines import shopping
from tests.runner.jobs import FAKE, job, plan

FAULTY = "tests.runner.faulty"


def agents(*texts: str) -> list[AgentSpec]:
    return [AgentSpec.parse(text) for text in texts]


def carried(folder: Path, agent: str, rules: Rules = FAKE, **others: float) -> tuple[Tally, list[Result]]:
    chosen = plan(agent, tasks=3, rules=rules)
    with begin(chosen, folder, images={}) as record:
        return carry_out(chosen, record, HereWorkers(), **others), list(record.results())


@pytest.fixture(autouse=True)
def keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-no-use-at-all")


@pytest.mark.parametrize("limits", [{"most_usd": 0.01}, {"cost_usd": 0.01}])
def test_a_cap_is_refused_where_no_price_is_known(limits: dict[str, float]) -> None:
    rules = replace(FAKE, cost_usd=limits.get("cost_usd"))
    with pytest.raises(SpecError, match="no price is known for openai/nobody-knows"):
        check_agents(agents("prompted,model=openai/nobody-knows"), rules, most_usd=limits.get("most_usd"))


def test_a_price_in_a_file_makes_the_cap_countable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "prices.toml").write_text('["openai/nobody-knows"]\ninput = 1\noutput = 2\n')
    monkeypatch.setenv("PROCTOR_PRICES", str(tmp_path / "prices.toml"))
    check_agents(agents("prompted,model=openai/nobody-knows"), FAKE, most_usd=0.01)


def test_without_a_cap_no_price_is_needed() -> None:
    check_agents(agents("prompted,model=openai/nobody-knows", "cmd:true"), FAKE)


@pytest.mark.parametrize("agent", ["cmd:./mine", "http://127.0.0.1:9/agent", "osworld,agent=x:Y"])
def test_a_cap_is_refused_for_agents_that_never_say_what_they_cost(agent: str) -> None:
    with pytest.raises(SpecError, match="does not say what its models cost"):
        check_agents(agents("idle", agent), FAKE, most_usd=1.0)


def test_agents_without_a_model_need_no_price() -> None:
    check_agents(agents("idle", "random", "oracle"), FAKE, most_usd=0.5)


def test_a_run_with_a_cap_stops_at_the_first_cost_that_cannot_be_counted(tmp_path: Path) -> None:
    tally, results = carried(tmp_path / "run", f"{FAULTY}:Unpriced", most_usd=100.0)
    assert (len(results), tally.complete) == (1, False)
    assert "without a known price" in tally.uncounted


def test_without_a_cap_unpriced_calls_are_no_trouble(tmp_path: Path) -> None:
    tally, results = carried(tmp_path / "run", f"{FAULTY}:Unpriced")
    assert (len(results), tally.complete) == (3, True)


def test_an_episode_with_a_cap_that_cannot_be_counted_is_void_and_not_repeated(tmp_path: Path) -> None:
    _, results = carried(tmp_path / "run", f"{FAULTY}:Unpriced", replace(FAKE, cost_usd=1.0))
    assert [(result.cause, result.retry) for result in results] == [("spec", 0)] * 3
    assert "x/unknown, whose price is not known" in results[0].error


@pytest.mark.parametrize("rule", ["seconds", "cost_usd", "tokens", "steps"])
@pytest.mark.parametrize("value", [0, -1, float("nan")])
def test_a_limit_of_nothing_is_refused(rule: str, value: float) -> None:
    with pytest.raises(SpecError, match=rule):
        Rules(**{rule: value})


def test_seconds_mean_the_same_wherever_they_are_read(tmp_path: Path) -> None:
    for rules, seconds in [(FAKE, 900.0), (replace(FAKE, seconds=7), 7.0)]:
        chosen = plan("idle", tasks=1, rules=rules)
        one = job(tmp_path / str(seconds), "idle", rules=rules)
        run_episode(one)
        assert chosen.longest_sec == seconds
        assert one.rules.seconds_for(one.task.limits.seconds) == seconds
        assert open_episode(one.folder).header.brief.seconds == seconds


def test_a_record_with_a_limit_of_nothing_is_read_as_its_workers_read_it() -> None:
    assert Rules.from_json({"seconds": 0}) == Rules()
    assert Rules.from_json({"seconds": 0.0, "steps": 3}) == Rules(steps=3)


def test_words_to_the_examiner_are_always_allowed(tmp_path: Path) -> None:
    one = job(tmp_path / "run", "tests.runner.jobs:Pressing", rules=replace(FAKE, actions=("press",)))
    result = run_episode(one)
    assert (result.stop, result.refused) == ("done", 0)
    assert open_episode(one.folder).header.brief.actions == ("press", "done", "fail", "answer", "ask_user")


def test_a_policy_that_crashes_is_its_users_and_not_our_defect(tmp_path: Path) -> None:
    result = run_episode(job(tmp_path / "run", "oracle", rules=replace(FAKE, policy=f"{FAULTY}:crashing")))
    assert (result.stop, result.cause, result.defect) == ("void", "spec", "")
    assert "policy 'tests.runner.faulty:crashing' crashed on" in result.error
    assert "KeyError: 'nothing'" in result.error
    assert "faulty.py:" in result.error
    assert not result.may_be_repeated(2)


def test_a_policy_that_answers_nonsense_is_told_so(tmp_path: Path) -> None:
    result = run_episode(job(tmp_path / "run", "oracle", rules=replace(FAKE, policy=f"{FAULTY}:talkative")))
    assert (result.cause, "returned bool, not a reason or None" in result.error) == ("spec", True)


@pytest.mark.parametrize(("name", "said"), [("Unmade", "no rules today"), ("nobody", "cannot be loaded")])
def test_a_policy_that_cannot_be_loaded_is_refused_before_the_run(name: str, said: str) -> None:
    with pytest.raises(SpecError, match=said):
        check_agents(agents("idle"), replace(FAKE, policy=f"{FAULTY}:{name}"))


def test_an_agent_that_cannot_be_made_is_refused_before_the_run() -> None:
    with pytest.raises(SpecError, match=r"ZeroDivisionError: no such luck \(.*faulty\.py:\d+\)"):
        check_agents(agents(f"{FAULTY}:Broken"), FAKE)
    with pytest.raises(SpecError, match="SystemExit: 2"):
        check_agents(agents(f"{FAULTY}:Leaving"), FAKE)


def test_an_agent_that_cannot_be_made_again_has_failed_with_its_own_words(tmp_path: Path) -> None:
    one = job(tmp_path / "run", f"{FAULTY}:OnlyOnce,mark={tmp_path / 'mark'}")
    check_agents([one.agent], FAKE)
    result = run_episode(one)
    assert (result.stop, result.score, result.modes) == ("agent_error", 0.0, ("agent_crash",))
    assert result.error.startswith("OSError:")
    assert "faulty.py" in (one.folder / "agent.txt").read_text()
    assert not result.void


def test_an_agent_that_ends_the_process_when_it_is_made_has_failed(tmp_path: Path) -> None:
    result = run_episode(job(tmp_path / "run", f"{FAULTY}:Leaving"))
    assert (result.stop, result.score) == ("agent_error", 0.0)
    assert "SystemExit: 2" in result.error


def test_what_is_asked_for_wrongly_is_never_tried_again(tmp_path: Path) -> None:
    without_its_file = shopping(setup=(make.asset_file("list.txt", "list.txt"),))
    result = run_episode(job(tmp_path / "run", "idle", task=without_its_file))
    assert (result.stop, result.cause) == ("void", "spec")
    assert not result.may_be_repeated(2)
