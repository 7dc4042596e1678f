"""Finding runs and their episodes: by ids, inside the given folders only, as they appear."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from proctor.errors import SpecError
from proctor.store.addresses import run_id
from proctor.store.paths import RunPaths
from proctor.web.episodes import ListedEpisodes
from proctor.web.run_page import figures
from proctor.web.runs import Runs
from proctor.web.summary import Filter, Standing, last_tries, outcome, percent, row, standings
from tests.web.recorded import KEY, STEPS, add_steps, begin_episode, begin_run, end_episode, write_run


def test_a_run_or_a_folder_of_runs(tmp_path: Path) -> None:
    write_run(tmp_path / "runs" / "one")
    write_run(tmp_path / "runs" / "two")
    (tmp_path / "runs" / "no-run").mkdir()
    both = Runs([tmp_path / "runs", tmp_path / "runs" / "one"])
    assert sorted(run.name for run in both.list_runs()) == ["one", "two"]
    assert [run.name for run in Runs([tmp_path / "runs" / "two"]).list_runs()] == ["two"]
    found = both.find(run_id(tmp_path / "runs" / "one"))
    assert found
    assert found.state == "finished"
    assert both.find("one") is None


def test_runs_of_one_name_differ(tmp_path: Path) -> None:
    for place in ("a", "b"):
        write_run(tmp_path / place / "tour")
    assert len({run.id for run in Runs([tmp_path / "a", tmp_path / "b"]).list_runs()}) == 2


def test_no_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="absent is not a folder"):
        Runs([tmp_path / "absent"])


def test_episodes_appear_run_and_end(tmp_path: Path) -> None:
    root = tmp_path / "run"
    record = begin_run(root)
    (run,) = Runs([root]).list_runs()
    assert run.state == "running"
    assert not run.episodes.refresh()
    writer = begin_episode(root)
    assert run.episodes.refresh()
    (entry,) = run.episodes.under_way()
    assert outcome(entry) == "running"
    assert run.episodes.find(entry.id) == entry
    add_steps(writer, STEPS[:1])
    record.add(end_episode(writer))
    record.commit()
    assert run.episodes.refresh()
    assert run.episodes.under_way() == []
    (ended,) = run.episodes.ended_episodes()
    assert (ended.id, outcome(ended)) == (entry.id, "failed")
    assert not run.episodes.refresh()
    begin_episode(root, replace(KEY, seed=4)).close()
    record.close()
    assert run.state == "interrupted"
    run.episodes.refresh()
    assert [outcome(entry) for entry in run.episodes.under_way()] == ["interrupted"]


def test_an_index_cannot_lead_elsewhere(tmp_path: Path) -> None:
    """Folders follow from the key of an episode, and one that was replaced by a link is not followed."""
    elsewhere = write_run(tmp_path / "elsewhere")
    root = tmp_path / "run"
    folder = write_run(root, seal=False)
    index = RunPaths(root).index
    index.write_text(index.read_text().replace('"folder":"episodes', '"folder":"../elsewhere/episodes'))
    episodes = ListedEpisodes(RunPaths(root))
    episodes.refresh()
    (entry,) = episodes.ended_episodes()
    assert entry.folder == folder
    assert episodes.find(entry.id)
    folder.rename(tmp_path / "aside")
    folder.symlink_to(elsewhere)
    assert episodes.find(entry.id) is None


def test_a_damaged_index_is_named_and_the_rest_is_shown(tmp_path: Path) -> None:
    root = tmp_path / "run"
    write_run(root, seal=False)
    with RunPaths(root).index.open("a") as index:
        index.write('{"broken\n{"score": 1.0}\n')
    episodes = ListedEpisodes(RunPaths(root))
    episodes.refresh()
    assert len(episodes.ended_episodes()) == 1
    assert [problem.split()[1] for problem in episodes.problems] == ["2", "3"]


def test_figures_and_filters(tmp_path: Path) -> None:
    root = tmp_path / "run"
    with begin_run(root) as record:
        for seed, score in enumerate((1.0, 0.0, None)):
            key = replace(KEY, seed=seed)
            writer = begin_episode(root, key)
            stop, cause = ("done", None) if score is not None else ("void", "model")
            modes = ("false_finish",) if score == 0.0 else ()
            record.add(end_episode(writer, key, score=score, stop=stop, cause=cause, modes=modes))
        record.commit()
        episodes = ListedEpisodes(record.paths)
        episodes.refresh()
    entries = episodes.ended_episodes()
    (standing,) = standings(entries)
    # Its one success left a side effect.
    assert standing.rate.beside is not None and standing.rate.beside.passed == 1
    assert (standing.rate.passed, standing.rate.episodes, standing.void) == (0, 2, 1)
    assert percent(standing).startswith("clean 0 % (") and percent(standing).endswith("success 50 %")
    rows = [row(entry, "r") for entry in entries]
    assert [each["outcome"] for each in rows] == ["passed", "failed", "void"]
    assert rows[2]["stop"] == "void: model"
    assert rows[0]["case"] == "seed 0"

    def kept(**wanted: str) -> list[int]:
        return [entry.key.seed for entry in entries if Filter(**wanted).takes(entry)]

    assert kept() == [0, 1, 2]
    assert kept(outcome="failed") == kept(mode="false_finish") == [1]
    assert kept(stop="void") == [2]
    assert kept(task="SAVE-a") == kept(agent=KEY.agent) == [0, 1, 2]
    assert kept(task="other") == kept(agent="other") == []


def test_a_void_try_without_a_record_has_nothing_to_replay(tmp_path: Path) -> None:
    from proctor.records import Result

    with begin_run(tmp_path / "run") as record:
        record.add(Result(key=KEY, stop="void", cause="worker"))
        record.commit()
        episodes = ListedEpisodes(record.paths)
        episodes.refresh()
    (entry,) = episodes.ended_episodes()
    assert row(entry, "r")["url"] == ""
    assert episodes.find(entry.id) is None


def test_nothing_is_called_clean_where_nobody_could_look(tmp_path: Path) -> None:
    root = tmp_path / "run"
    with begin_run(root) as record:
        for seed, blind in enumerate((True, True, False)):
            key = replace(KEY, seed=seed)
            reason = {"collateral_unknown": "the computer cannot tell"} if blind else {}
            writer = begin_episode(root, key)
            record.add(end_episode(writer, key, score=1.0, collateral={}, **reason))
            if seed == 1:
                record.commit()
                assert percent(_standing(record.paths)) == "success 100 % (21 to 100)"
        record.commit()
        standing = _standing(record.paths)
    assert percent(standing) == "clean 100 % (21 to 100), success 100 %"
    assert figures(standing)[:2] == ["3 of 3 passed", "side effects of 2 unknown"]
    episodes = ListedEpisodes(RunPaths(root))
    episodes.refresh()
    rows = [row(entry, "r") for entry in episodes.ended_episodes()]
    assert [each["clean"] for each in rows] == ["side effects unknown", "side effects unknown", "clean"]
    assert [each["collateral"] for each in rows] == [None, None, 0]


def test_tries_are_one_episode_and_a_run_of_voids_says_so(tmp_path: Path) -> None:
    from proctor.records import Result

    with begin_run(tmp_path / "run") as record:
        for retry in range(3):
            record.add(Result(key=KEY, retry=retry, stop="void", cause="setup", calls=1))
        record.commit()
        standing = _standing(record.paths)
        episodes = ListedEpisodes(record.paths)
        episodes.refresh()
    assert (standing.void, standing.earlier, percent(standing)) == (1, 2, "no score: all void")
    assert figures(standing) == ["0 of 0 passed", "1 void", "2 earlier void tries", "price unknown"]
    (last,) = last_tries(episodes.ended_episodes())
    assert last.retry == 2


def _standing(paths: RunPaths) -> Standing:
    episodes = ListedEpisodes(paths)
    episodes.refresh()
    (standing,) = standings(episodes.ended_episodes())
    return standing
