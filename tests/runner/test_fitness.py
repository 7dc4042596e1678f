"""Before a run starts it says who cannot meet whom; told to skip, it goes on without them and says how many."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from proctor.cli.main import cli
from proctor.computers import open_for
from proctor.errors import RecordError, SpecError
from proctor.report.read_runs import read_runs
from proctor.report.summary import summarise
from proctor.report.words import about_runs
from proctor.runner.computer_spec import ComputerSpec
from proctor.runner.fitness import find_unfit
from proctor.runner.plan import Plan, plan_tasks
from proctor.runner.plan_record import begin, recall
from proctor.runner.preflight import check_agents
from proctor.runner.run_episode import run_episode
from proctor.store.read import open_episode
from proctor.store.run import RunRecord
from proctor.tasks.machine import Machine
from proctor.tasks.task import Task
from tests.prove.machines import shopping
from tests.runner.jobs import FAKE, job, plan
from tests.tasks.test_day import day_task

ON_FAKE = replace(FAKE, backend="fake")
FITS, TALL = shopping(), shopping(id="test/tall-v1", machine=Machine(applications=("thunar",), capabilities=("code",)))
KEYLESS = shopping(id="test/keyless-v1", solution=(), near_misses=())


def of(*tasks: Task, agents: tuple[str, ...] = ("idle",)) -> Plan:
    return replace(plan(*agents, rules=ON_FAKE), tasks=plan_tasks(tasks))


def unfit(chosen: Plan) -> list[tuple[str, str]]:
    return [(one.task, one.agent) for one in find_unfit(chosen, check_agents(chosen.agents, chosen.rules))]


def test_everything_that_fits_is_left_alone() -> None:
    assert unfit(of(FITS, agents=("idle", "oracle", "random"))) == []


def test_who_acts_on_all_that_a_day_brings_needs_a_day() -> None:
    assert unfit(of(FITS, day_task(), agents=("busy", "silent"))) == [("test/shopping-v1", "busy")]


def test_a_task_that_the_computer_cannot_hold_is_named_with_every_reason() -> None:
    chosen = of(FITS, TALL)
    found = find_unfit(chosen, {})
    assert [one.task for one in found] == ["test/tall-v1"]
    with pytest.raises(SpecError) as caught:
        chosen.refuse_unfit(found, skip=False)
    assert "computer 'fake' cannot run the task: it has no application thunar (test/tall-v1)" in str(caught.value)
    assert "code" in str(caught.value)
    assert "--skip-unfit" in caught.value.remedy


def test_an_agent_that_the_computer_cannot_serve_is_named() -> None:
    coder = "coder,model=scripted/x"
    needs = {"idle": frozenset[str](), coder: frozenset({"code"})}
    chosen = of(FITS, agents=("idle", coder))
    assert [(one.agent, "cannot use this computer" in one.why) for one in find_unfit(chosen, needs)] == [(coder, True)]


def test_what_an_agent_is_made_to_do_is_known_before_it_does_it(tmp_path: Path) -> None:
    (tmp_path / "said").write_text("")
    (needed,) = check_agents(of(FITS, agents=(f"coder,model=scripted/{tmp_path / 'said'}",)).agents, FAKE).values()
    assert "code" in needed
    (needed,) = check_agents(of(FITS).agents, replace(FAKE, actions=("run_code", "press"))).values()
    assert needed >= {"code", "keys"}


def test_an_oracle_needs_an_answer_key() -> None:
    assert unfit(of(FITS, KEYLESS, agents=("idle", "oracle"))) == [("test/keyless-v1", "oracle")]


def test_what_is_left_out_is_counted_recorded_and_resumed(tmp_path: Path) -> None:
    chosen = of(FITS, TALL, KEYLESS, agents=("idle", "oracle"))
    chosen = chosen.refuse_unfit(find_unfit(chosen, {}), skip=True)
    held = [(key.task, key.agent) for _, _, key in chosen.episodes()]
    assert held == [("test/shopping-v1", "idle"), ("test/shopping-v1", "oracle"), ("test/keyless-v1", "idle")]
    assert (len(chosen), [chosen.share(agent) for agent in chosen.agents]) == (3, [2, 1])
    with begin(chosen, tmp_path / "run", images={}) as record:
        assert recall(record) == chosen
        assert record.config["episodes"] == 3


def test_a_run_of_nothing_is_refused() -> None:
    chosen = of(TALL)
    with pytest.raises(SpecError, match="no application thunar"):
        chosen.refuse_unfit(find_unfit(chosen, {}), skip=True)


def test_what_was_left_out_before_stays_out(tmp_path: Path) -> None:
    chosen = of(FITS, TALL)
    again = replace(chosen, unfit=find_unfit(chosen, {}))
    assert again.refuse_unfit(find_unfit(again, {}), skip=False) == again


def test_a_computer_that_cannot_hold_a_task_is_not_opened_for_it() -> None:
    with pytest.raises(SpecError, match="computer 'fake' cannot run the task: it has no application thunar; "):
        open_for("fake", TALL.needs)


def test_a_record_that_lies_about_it_is_refused(tmp_path: Path) -> None:
    with begin(of(FITS), tmp_path / "run", images={}) as record:
        config = {**record.config, "unfit": [{"task": "x"}]}
    (tmp_path / "run" / "run.json").write_text(json.dumps(config))
    with pytest.raises(RecordError):
        recall(RunRecord.open(tmp_path / "run"))


def run(*args: str) -> Result:
    return CliRunner().invoke(cli, ["run", *args, "-n", "1"])


def test_the_tour_on_the_fake_computer_is_refused_before_it_starts(tmp_path: Path) -> None:
    done = run("--computer", "fake", "--suite", "tour", "--agent", "idle", "--out", str(tmp_path / "run"))
    assert isinstance(done.exception, SpecError)
    assert "it has no application galculator (core/work-out-the-tip-v1)" in str(done.exception)
    assert not (tmp_path / "run").exists()


def test_what_fits_is_held_and_the_report_says_what_was_left_out(tmp_path: Path) -> None:
    (tmp_path / "keyless.json").write_text(json.dumps(KEYLESS.to_json()))
    (tmp_path / "tall.json").write_text(json.dumps(TALL.to_json()))
    out = tmp_path / "run"
    done = run(str(tmp_path / "keyless.json"), str(tmp_path / "tall.json"), "--computer", "fake", "--agent", "idle",
               "--skip-unfit", "--out", str(out))  # fmt: skip
    assert done.exit_code == 0, done.output
    about = about_runs(summarise(*read_runs([out])))
    assert "1 task is unproven" in about and "test/keyless-v1" in about
    assert "1 task of an agent was left out" in about
    assert "unproven" in done.output
    (result,) = RunRecord.open(out).results()
    assert result.unproven
    assert open_episode(out / result.folder).header.task.unproven


def test_options_of_the_computer_are_recorded_and_used(tmp_path: Path) -> None:
    one = job(tmp_path / "run", "idle", rules=replace(FAKE, backend="fake,size=800x600"))
    run_episode(one)
    header = open_episode(one.folder).header
    assert header.brief is not None and header.brief.size == (800, 600)
    assert header.rules["backend"] == "fake,size=800x600"


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("fake,size=big", "size='big'"),
        ("fake,sise=800x600", "did you mean 'size'|no option 'sise'"),
        ("fake,size", "'size' is not an option"),
        ("fake,look=a,look=b", "given twice"),
        ("sandbox,memory_mb=much", "memory_mb='much' must be a whole number"),
        ("sandbox,vnc_password=abc", "would be written into the record"),
        ("snadbox", "did you mean 'sandbox'"),
        (",size=800x600", "it has no name"),
    ],
)
def test_a_computer_that_is_named_wrongly_is_refused(text: str, fault: str) -> None:
    with pytest.raises(SpecError, match=fault):
        ComputerSpec.parse(text).constructor_options()


def test_options_are_read_as_the_backend_takes_them() -> None:
    spec = ComputerSpec.parse(" sandbox , size=1280x720, memory_mb=8192,cpus=1.5 ,theme=dark")
    assert spec.label == "sandbox,cpus=1.5,memory_mb=8192,size=1280x720,theme=dark"
    assert spec.constructor_options() == {"size": (1280, 720), "memory_mb": 8192, "cpus": 1.5, "theme": "dark"}
