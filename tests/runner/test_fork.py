"""Going on from a recorded episode: its actions are repeated on the recorded screens, then another agent is asked."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from proctor.cli.fork import WENT_APART
from proctor.cli.main import cli
from proctor.computers import open_computer
from proctor.errors import RecordError, SpecError
from proctor.records import Step
from proctor.runner.origin import RecordedActions
from proctor.runner.run_episode import run_episode
from proctor.runner.watchers.repeat import difference
from proctor.store.completeness import fault_of
from proctor.store.own_runs import begun_in
from proctor.store.read import RecordedEpisode, open_episode
from proctor.store.run import RunRecord
from proctor.tasks.shelves import hand, make
from tests.hostile.records.foreign import episode_of, rewrite
from tests.prove.machines import BACKEND, PATH, shopping
from tests.runner.jobs import FAKE, job

MINE = "tests.runner.jobs:Pressing"


@pytest.fixture
def recorded(tmp_path: Path) -> Path:
    """The record of an oracle: a key, a word, and the key that saves."""
    one = job(tmp_path / "first")
    assert run_episode(one).score == 1.0
    return one.folder


def forked(folder: Path, origin: Path, actions: int, agent: str = "oracle", **more: object) -> RecordedEpisode:
    """Go on from an episode, and return the new record."""
    rules = replace(FAKE, origin=str(origin), origin_actions=actions)
    one = job(folder, agent, rules=rules, **more)  # type: ignore[arg-type]
    run_episode(one)
    assert fault_of(one.folder) == ""
    return open_episode(one.folder)


def done(episode: RecordedEpisode) -> list[tuple[str, bool]]:
    """What was done, and whether it was repeated."""
    return [(step.kind, step.repeated) for step in episode.steps() if step.action]


def test_the_answer_key_goes_on_in_the_middle(tmp_path: Path, recorded: Path) -> None:
    episode = forked(tmp_path / "second", recorded, 2)
    assert done(episode) == [("press", True), ("type", True), ("press", False), ("done", False)]
    assert episode.result is not None
    assert episode.result.score == 1.0
    origin = episode.header.origin
    assert origin is not None
    assert (origin.episode, origin.agent, origin.actions, origin.repeated) == (str(recorded), "oracle", 2, 2)
    assert origin.apart == ()


def test_another_agent_is_asked_only_when_all_is_repeated(tmp_path: Path, recorded: Path) -> None:
    episode = forked(tmp_path / "second", recorded, 3, MINE)
    assert done(episode) == [("press", True), ("type", True), ("press", True)] + [("press", False)] * 3 + [
        ("done", False)
    ]
    assert episode.result is not None
    assert episode.result.score == 1.0  # what was repeated had saved already


def test_nothing_is_repeated_with_step_0(tmp_path: Path, recorded: Path) -> None:
    episode = forked(tmp_path / "second", recorded, 0)
    assert not any(repeated for _, repeated in done(episode))
    assert episode.header.origin is not None
    assert episode.header.origin.repeated == 0


def test_the_answer_key_begins_anew_after_the_actions_of_another_agent(tmp_path: Path) -> None:
    first = job(tmp_path / "first", MINE)
    run_episode(first)
    episode = forked(tmp_path / "second", first.folder, 2)
    assert done(episode)[:4] == [("press", True), ("press", True), ("press", False), ("type", False)]


def test_a_screen_that_is_not_the_recorded_one_is_noted(tmp_path: Path, recorded: Path) -> None:
    other = shopping(
        setup=(make.text_file(PATH, "bread, honey and a lot of cheese\n"), make.launch(["mousepad", PATH]))
    )
    episode = forked(tmp_path / "second", recorded, 2, MINE, task=other)
    origin = episode.header.origin
    assert origin is not None
    assert [one.action for one in origin.apart] == [1, 2]
    assert all(0 < one.share < 1 for one in origin.apart)


def test_another_screen_is_noted_also_where_the_next_action_has_no_picture(tmp_path: Path, recorded: Path) -> None:
    lines = [json.loads(line) for line in (recorded / "steps.jsonl").read_text().splitlines()]
    del lines[1]["saw"]["screenshot"]
    (recorded / "steps.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    other = shopping(setup=(make.text_file(PATH, "honey\n"), make.launch(["mousepad", PATH])))
    episode = forked(tmp_path / "second", recorded, 2, MINE, task=other)
    assert episode.header.origin is not None
    assert [one.action for one in episode.header.origin.apart] == [1]


def test_what_the_next_recorded_screen_shows_is_early_and_not_apart() -> None:
    with open_computer("fake", size=(1280, 1024)) as computer:
        now = computer.screenshot().convert("RGB")
        early = now.copy()
        early.paste("red", (40, 200, 200, 230))
        assert difference(now, computer) == 0.0
        assert difference(early, computer) > 0.0
        # The next picture of the record has the bar as it is now, and a dialog elsewhere.
        after = now.copy()
        after.paste("green", (250, 20, 350, 120))
        assert difference(early, computer, after) == 0.0
        assert difference(early, computer, early) > 0.0


def test_an_answer_key_that_goes_another_way_is_let_go_on(tmp_path: Path, recorded: Path) -> None:
    another = shopping(solution=(hand.type("eggs\n"), hand.press("ctrl+s")))
    episode = forked(tmp_path / "second", recorded, 3, task=another)
    assert done(episode) == [("type", False), ("press", False), ("done", False)]
    assert episode.header.origin is not None
    assert episode.header.origin.repeated == 0


def test_more_actions_than_there_are_is_said(recorded: Path) -> None:
    with pytest.raises(SpecError, match="has 3 actions to repeat, not 4") as error:
        RecordedActions(recorded, 4).read()
    assert error.value.remedy == "give --step 3 or less"


def test_an_action_that_nobody_knows_is_named(recorded: Path) -> None:
    lines = (recorded / "steps.jsonl").read_text().splitlines()
    lines[1] = lines[1].replace('"type":"type"', '"type":"teleport"').replace('"type": "type"', '"type": "teleport"')
    (recorded / "steps.jsonl").write_text("\n".join(lines) + "\n")
    with pytest.raises(RecordError, match="step 1 has no action that this version knows"):
        RecordedActions(recorded, 3).read()


def proctor(*arguments: str) -> Result:
    return CliRunner().invoke(cli, arguments, catch_exceptions=False)


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A run of one episode, held by the command."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "shopping.json").write_text(json.dumps(shopping().to_json()))
    out = tmp_path / "one"
    given = ("--computer", BACKEND, "--agent", "oracle", "--settle", "careful", "--out", str(out), "-n", "1")
    result = proctor("run", "shopping.json", *given)
    assert result.exit_code == 0, result.output
    return out


def steps(folder: Path) -> list[Step]:
    record = RunRecord.open(folder)
    (result,) = record.final()
    return list(open_episode(record.paths.at(result.folder)).steps())


def test_the_command_takes_a_run_or_an_episode_and_keeps_its_rules(run: Path, tmp_path: Path) -> None:
    (result,) = RunRecord.open(run).final()
    for number, named in enumerate((run, run / result.folder)):
        out = tmp_path / f"again-{number}"
        said = proctor(
            "runs", "fork", str(named), "--step", "2", "--agent", "oracle", "--out", str(out), "--exact", "--json"
        )
        assert said.exit_code == 0, said.output
        assert "2 of 2 actions repeated, every screen as recorded" in said.stderr
        assert json.loads(said.stdout)
        assert [step.repeated for step in steps(out) if step.action] == [True, True, False, False]
        assert RunRecord.open(out).config["rules"]["settle"] == "careful"


def test_a_screen_that_went_apart_fails_only_with_exact(run: Path, tmp_path: Path) -> None:
    (result,) = RunRecord.open(run).final()
    # Another picture in the record: as if the computer had shown something else then.
    picture = steps(run)[0].saw
    last = steps(run)[-1].saw
    assert picture is not None
    assert last is not None
    folder = run / result.folder
    rewrite(run, picture.screenshot, (folder / last.screenshot).read_bytes())
    given = ("runs", "fork", str(run), "--step", "1", "--agent", "oracle")
    plain = proctor(*given, "--out", str(tmp_path / "plain"))
    assert plain.exit_code == 0
    assert "the screen differed before action 1" in plain.output
    assert proctor(*given, "--out", str(tmp_path / "exact"), "--exact").exit_code == WENT_APART


def with_rules(run: Path, **rules: object) -> bytes:
    """The header of a run's only episode, with other rules."""
    header = json.loads((episode_of(run) / "episode.json").read_text())
    return json.dumps({**header, "rules": {**header["rules"], **rules}}).encode()


TRAPS = {
    "policy tests_trap:veto": {"policy": "tests_trap:veto"},
    "computers tests_trap:Computer": {"backend": "tests_trap:Computer"},
    "tool server": {"tool_servers": [{"name": "trap", "command": ["touch", "sprung"]}]},
    "tool server trap: sh -c": {"tool_servers": [{"name": "trap", "command": ["sh", "-c", "touch sprung"]}]},
    "computers qemu,": {"backend": "qemu,image=/tmp/disk.qcow2"},
    "computers existing,": {"backend": "existing,display=:0"},
    "computers sandbox,image": {"backend": "sandbox,image=elsewhere"},
    "model openai/gpt-4o, which plays the user": {"user_model": "openai/gpt-4o"},
    "model openai/gpt-4o, which judges": {"critic": "openai/gpt-4o", "critic_feedback": 1},
    "policy os:system": {"policy": "os:system", "backend": BACKEND},
    "policy tests_trap:veto; computers": {"policy": "tests_trap:veto", "backend": "tests_trap:Computer"},
}


@pytest.mark.parametrize("named", TRAPS)
def test_what_only_an_episode_names_is_not_started_unasked(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, named: str
) -> None:
    trap = f"open({str(tmp_path / 'sprung')!r}, 'w')\nraise SystemExit('trapped')\n"
    (tmp_path / "tests_trap.py").write_text(trap)
    given = ("runs", "fork", str(run), "--step", "1", "--agent", "oracle", "--out", str(tmp_path / "out"))
    (episode_of(run) / "episode.json").write_bytes(with_rules(run, **TRAPS[named]))
    with pytest.raises(RecordError, match="was changed after it was written"):
        proctor(*given)
    rewrite(run, "episode.json", with_rules(run, **TRAPS[named]))
    with pytest.raises(SpecError, match="names what run.json does not") as error:
        proctor(*given)
    assert named in str(error.value)
    assert not (tmp_path / "sprung").exists()
    assert not (tmp_path / "out").exists()


def test_a_computer_named_here_and_now_is_not_asked_about(run: Path, tmp_path: Path) -> None:
    given = ("runs", "fork", str(run), "--step", "1", "--agent", "oracle", "--computer", f"{BACKEND},size=1280x720")
    assert proctor(*given, "--out", str(tmp_path / "out")).exit_code == 0


@pytest.mark.parametrize(
    ("named", "said"),
    [
        ("nowhere", "contains no episode"),
        ("folder", "is not the folder of an episode"),
    ],
)
def test_what_is_not_an_episode_is_refused(tmp_path: Path, named: str, said: str) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(RecordError, match=said):
        proctor("runs", "fork", str(tmp_path / named), "--step", "1", "--agent", "idle")


def test_a_run_of_several_episodes_names_them(tmp_path: Path, run: Path) -> None:
    out = tmp_path / "two"
    given = ("--computer", BACKEND, "--agent", "oracle", "--agent", "idle", "--out", str(out), "-n", "1")
    assert proctor("run", "shopping.json", *given).exit_code == 0
    with pytest.raises(SpecError, match="contains 2 episodes") as error:
        proctor("runs", "fork", str(out), "--step", "1", "--agent", "idle")
    assert "episodes/oracle" in str(error.value)


AGENT = """
from proctor.actions.action import Done


class Mine:
    def start(self, brief):
        pass

    def act(self, observation):
        return Done()
"""


def test_an_agent_of_the_current_folder_is_found_as_a_run_finds_it(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "brought_to_a_fork.py").write_text(AGENT)
    monkeypatch.chdir(elsewhere)
    given = ("--step", "2", "--agent", "brought_to_a_fork:Mine", "-n", "1")
    command = [sys.executable, "-m", "proctor", "runs", "fork", str(run), *given, "--out", "forked"]
    # The computer of the run is one of these tests.
    root = Path(__file__).parents[2]
    environment = {**os.environ, "PYTHONPATH": f"{root}{os.pathsep}{root / 'src'}"}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stderr
    assert [step.repeated for step in steps(elsewhere / "forked") if step.action] == [True, True, False]
    # Whoever goes on with it finds the agent again, from wherever.
    assert begun_in(RunRecord.open(elsewhere / "forked").root) == (elsewhere, tmp_path)
