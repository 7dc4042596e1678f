"""Reviews of episodes: kept in the run without touching its record, and counted only for the record they are about."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from proctor.cli.main import cli
from proctor.errors import RecordError
from proctor.offline.make.make import make
from proctor.store.paths import place_in_run
from proctor.store.reviews import bind, read_reviews, review_log
from proctor.store.verify import verify
from tests.web.recorded import write_run


def say(run: Path, episode: Path, who: str, **said: object) -> None:
    log, key = review_log(run, who), place_in_run(episode)
    found = log.find(key)
    log.save(key, found.number if found else 0, bind(run, episode, said), by=who)


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return tmp_path / "run"


@pytest.fixture
def episode(run: Path) -> Path:
    return write_run(run)


def test_a_reviewed_run_still_verifies(run: Path, episode: Path) -> None:
    before = {path: path.read_bytes() for path in run.rglob("*") if path.is_file()}
    say(run, episode, "Ann <b>", success=False, first_wrong=3, failures=["wrong_element"], comment="there")
    assert verify(run) == []
    assert {path: path.read_bytes() for path in before} == before
    ((review,),) = read_reviews(run).values()
    assert (review.by, review.success, review.first_wrong, review.failures) == ("Ann <b>", False, 3, ("wrong_element",))


def test_the_last_word_of_each_reviewer_counts(run: Path, episode: Path) -> None:
    say(run, episode, "ann", success=False)
    say(run, episode, "ben", success=False)
    say(run, episode, "ann", success=True)
    (reviews,) = read_reviews(run).values()
    assert {review.by: review.success for review in reviews} == {"ann": True, "ben": False}


def test_a_review_goes_with_the_run_and_dies_with_the_record(run: Path, episode: Path, tmp_path: Path) -> None:
    say(run, episode, "ann", success=True)
    copy = tmp_path / "copy"
    shutil.copytree(run, copy)
    assert len(read_reviews(copy)) == 1
    sums = next(copy.rglob("sums.json"))
    sums.write_bytes(sums.read_bytes() + b" ")
    assert read_reviews(copy) == {}
    shutil.copytree(run / "reviews", tmp_path / "other/reviews")
    write_run(tmp_path / "other2")
    shutil.move(tmp_path / "other/reviews", tmp_path / "other2/reviews")
    changed = json.loads((tmp_path / "other2/run.json").read_text())
    (tmp_path / "other2/run.json").write_text(json.dumps({**changed, "more": 1}))
    assert read_reviews(tmp_path / "other2") == {}


def test_an_episode_that_goes_on_is_not_reviewed(run: Path, episode: Path) -> None:
    (episode / "sums.json").unlink()
    with pytest.raises(RecordError, match="not finished"):
        say(run, episode, "ann", success=True)


@pytest.mark.parametrize(
    "said", [{"success": "yes", "first_wrong": -1, "failures": "x", "comment": 5}, {"failures": ["made up", 7]}]
)
def test_what_is_nonsense_is_empty(run: Path, episode: Path, said: dict[str, object]) -> None:
    say(run, episode, "ann", **said)
    ((review,),) = read_reviews(run).values()
    assert (review.success, review.first_wrong, review.failures, review.comment) == (None, None, (), "")


def test_a_link_in_a_run_is_not_followed(run: Path, episode: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (run / "reviews").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(RecordError):
        say(run, episode, "ann", success=True)
    assert list((tmp_path / "elsewhere").iterdir()) == []
    assert any(damage.file == "reviews" for damage in verify(run))


def test_a_report_shows_people_beside_the_record(run: Path, episode: Path) -> None:
    say(run, episode, "ann", success=True, first_wrong=4, failures=["false_finish", "other"])
    say(run, episode, "ben", success=False)
    done = CliRunner().invoke(cli, ["report", str(run), "--json"])
    assert done.exit_code == 0, done.output
    tables = json.loads(done.stdout)["tables"]
    (row,) = tables["reviews"]["rows"]
    assert (row["reviewed"], row["reviews"], row["believed"], row["first wrong step"]) == (1, 2, 1, 5.0)
    modes = {
        each["mode"]: (each["record"], each["reviewers"], each["both"]) for each in tables["reviewed_modes"]["rows"]
    }
    assert modes == {"false_finish": (1, 1, 1), "other": (0, 1, 0)}
    shown = CliRunner().invoke(cli, ["report", str(run)])
    assert "Reviewers compared with the checks" in shown.output


def test_a_report_without_reviews_has_no_such_table(run: Path, episode: Path) -> None:
    tables = json.loads(CliRunner().invoke(cli, ["report", str(run), "--json"]).stdout)["tables"]
    assert "reviews" not in tables
    assert "reviewed_modes" not in tables


def test_critic_data_has_the_first_wrong_action(run: Path, episode: Path, tmp_path: Path) -> None:
    say(run, episode, "ann", success=False, first_wrong=3, failures=["wrong_element"], comment="here")
    make([run], tmp_path / "data", tasks=["critic"], as_is=True)
    (row,) = map(json.loads, (tmp_path / "data/critic.jsonl").read_text().splitlines())
    assert row["reviews"] == [
        {"by": "ann", "success": False, "first_wrong_action": 3, "failures": ["wrong_element"], "comment": "here"}
    ]
