"""The pages over HTTP: what they answer, what they refuse, and what a damaged record looks like."""

from __future__ import annotations

import gzip
import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from proctor.store.addresses import run_id
from proctor.store.paths import RunPaths
from tests.store.test_older_records import OLD
from tests.web.recorded import KEY, SIZE, STEPS, VERDICT, add_steps, begin_episode, begin_run, end_episode, write_run
from tests.web.site import Site


def test_lists_answer(site: Site, place: Path) -> None:
    episode = write_run(place)
    assert site.get("/").status == 200
    answer = site.get(f"/run/{site.names(episode).split('/')[0]}")
    assert answer.status == 200
    assert b"save-a-note" in answer.body


def test_an_episode_in_short_and_step_by_step(site: Site, place: Path) -> None:
    episode = write_run(place)
    about = site.record(episode).data
    assert about["header"]["brief"]["size"] == list(SIZE)
    assert about["result"]["score"] == 0.5
    assert (about["live"], about["over"], about["problems"]) == (False, True, [])
    assert len(about["steps"]) == len(STEPS) + 1
    assert "reply" not in about["steps"][0]
    whole = site.record(episode, "/steps/0").data
    assert whole["reply"] == STEPS[0]["reply"]
    assert whole["action"]["given"]["space"] == "unit"
    assert site.record(episode, "/steps?after=10").data["steps"] == about["steps"][10:]
    assert site.record(episode, "/verdict").data == VERDICT
    assert [change.get("collateral") for change in site.record(episode, "/changes").data] == [None, "high"]


def test_pictures_are_kept_by_the_browser(site: Site, place: Path) -> None:
    episode = write_run(place)
    answer = site.record(episode, "/0000.png?v=1")
    assert answer.body == (episode / "0000.png").read_bytes()
    assert answer.headers["Content-Type"] == "image/png"
    assert "immutable" in answer.headers["Cache-Control"]
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    tree = site.record(episode, "/0000.tree.json.gz")
    assert tree.headers["Content-Encoding"] == "gzip"
    assert len(json.loads(gzip.decompress(tree.body))["nodes"]) == 40


def test_a_video_is_sent_in_parts(site: Site, place: Path) -> None:
    episode = write_run(place)
    (episode / "video.mp4").write_bytes(bytes(range(200)))
    assert site.record(episode).data["video"] == "video.mp4"
    part = site.record(episode, "/video.mp4", Range="bytes=10-19")
    assert (part.status, part.body) == (206, bytes(range(10, 20)))


def test_what_the_agent_printed_is_shown_where_it_printed(site: Site, place: Path, tmp_path: Path) -> None:
    episode = write_run(place)
    assert site.record(episode).data["said"] is False
    assert site.record(episode, "/said").status == 404
    (episode / "agent.txt").write_bytes(b"Traceback <b>\xff\n")
    assert site.record(episode).data["said"] is True
    assert site.record(episode, "/said").data == {"text": "Traceback <b>\ufffd\n"}
    (episode / "agent.txt").unlink()
    (episode / "agent.txt").symlink_to(tmp_path / "secret")
    assert site.record(episode, "/said").status == 404


@pytest.mark.parametrize(
    "name",
    [
        "../episode.json", "..%2fepisode.json", "%2e%2e/%2e%2e/run.json", "episode.json", "sums.json", "live.json",
        "steps.jsonl", "0000.png/../episode.json", "/etc/passwd", "%2fetc%2fpasswd", "0000.png%00", "x.png", "0.png",
        "9999.png", "%EF%BC%90%EF%BC%90%EF%BC%900.png", "..%5c..%5crun.json", "....//run.json",
    ],
)  # fmt: skip
def test_only_files_that_steps_name_are_handed_out(site: Site, name: str) -> None:
    place = site.folder / "names"
    episode = next(place.glob("episodes/*/*/*/0"), None) or write_run(place)
    answer = site.record(episode, f"/{name}")
    assert answer.status == 404
    assert b"format" not in answer.body


def test_links_are_not_followed(site: Site, place: Path, tmp_path: Path) -> None:
    episode = write_run(place)
    secret = tmp_path / "secret.png"
    secret.write_bytes(b"secret")
    (episode / "0000.png").unlink()
    (episode / "0000.png").symlink_to(secret)
    (episode / "verdict.json").unlink()
    (episode / "verdict.json").symlink_to(RunPaths(place).run)
    assert site.record(episode, "/0000.png").status == 404
    assert site.record(episode, "/verdict").status == 404


@pytest.mark.parametrize("path", ["/replay/x/y", "/data/x/y", "/data/x/y/0000.png", "/replay/../../etc/passwd", "/x"])
def test_what_is_not_there(site: Site, path: str) -> None:
    answer = site.get(path)
    assert answer.status == 404
    assert b"Traceback" not in answer.body


def test_an_unknown_run_has_a_page_that_says_so(site: Site) -> None:
    assert b"no such run" in site.get("/run/unknown").body


@pytest.mark.parametrize(
    ("file", "content", "word"),
    [
        ("episode.json", b"{broken", "episode.json"),
        ("result.json", None, "result.json"),
        ("steps.jsonl", b'{"step": 0}\n{broken\n{"step": 1}\n', "line 2 of steps.jsonl"),
        ("steps.jsonl", b"\xff\n", "line 1 of steps.jsonl"),
    ],
)
def test_damage_is_named_and_the_rest_is_shown(
    site: Site, place: Path, file: str, content: bytes | None, word: str
) -> None:
    episode = write_run(place)
    (episode / file).unlink()
    if content is not None:
        (episode / file).write_bytes(content)
    assert site.get(f"/replay/{site.names(episode)}").status == 200
    answer = site.record(episode)
    assert answer.status == 200
    assert word in " ".join(answer.data["problems"])


def test_a_record_without_steps(site: Site, place: Path) -> None:
    episode = write_run(place)
    for name in ("steps.jsonl", "verdict.json", "changes.json"):
        (episode / name).unlink()
    about = site.record(episode).data
    assert about["steps"] == []
    for part in ("/verdict", "/changes", "/steps/0"):
        assert site.record(episode, part).status == 404


def test_half_a_character_and_no_number_can_be_shown(site: Site, place: Path) -> None:
    episode = write_run(place)
    (episode / "steps.jsonl").write_text('{"step": 0, "at": NaN, "reply": "\\ud800", "action": {"x": Infinity}}\n')
    assert site.record(episode).data["steps"][0]["action"] == {"x": None}
    assert site.record(episode, "/steps/0").data["reply"] == "\ud800"


def test_a_record_of_an_earlier_version_is_replayed(site: Site, place: Path) -> None:
    shutil.copytree(OLD, place)
    (episode,) = place.glob("episodes/prompted*/*/*/0")
    about = site.record(episode).data
    assert (len(about["steps"]), about["problems"]) == (12, [])
    assert about["header"]["agent"]["options"]["observe"] == "marks"
    assert site.record(episode, "/steps/6").data["output"] == {"text": "4\n"}
    assert site.record(episode, "/verdict").data == VERDICT
    # It says when the screen was last seen, which is before the one step that was taken.
    (oracle,) = place.glob("episodes/oracle/*/*/0")
    assert all(str(step["at"])[0] != "-" for step in site.record(oracle).data["steps"])


def test_a_live_episode_grows(site: Site, place: Path) -> None:
    record = begin_run(place)
    writer = begin_episode(place)
    add_steps(writer, STEPS[:2])
    about = site.record(writer.folder).data
    assert (about["live"], len(about["steps"])) == (True, 2)
    add_steps(writer, STEPS[2:4], first=2)
    more = site.record(writer.folder, "/steps?after=2").data
    assert more["live"]
    assert [step["n"] for step in more["steps"]] == [2, 3]
    writer.close()
    record.close()
    assert not site.record(writer.folder, "/steps?after=4").data["live"]


# -- who may ask ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1:1", "[::1]:80", "LOCALHOST:9"])
def test_a_name_of_this_machine_is_served(site: Site, host: str) -> None:
    assert site.get("/", Host=host).status == 200


@pytest.mark.parametrize("host", ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "", "[", "a@b:1"])
def test_another_name_is_refused(site: Site, host: str) -> None:
    """A foreign page whose name was turned to this machine asks with its own name."""
    for path in ("/", "/data/x/y", "/_nicegui_ws/socket.io/", "/replay-files/replay.js"):
        answer = site.get(path, Host=host)
        assert answer.status == 403
        assert b"<" not in answer.body


def test_other_sites_are_refused(site: Site) -> None:
    host = f"localhost:{site.port}"
    assert site.get("/", Host=host, Origin=f"http://{host}").status == 200
    for origin in ("http://evil.example", "null", f"http://127.0.0.1:{site.port}", "http://localhost:1", "file://"):
        assert site.get("/", Host=host, Origin=origin).status == 403
    assert site.get("/", Sec_Fetch_Site="cross-site", Sec_Fetch_Mode="no-cors").status == 403
    assert site.get("/", Sec_Fetch_Site="cross-site", Sec_Fetch_Mode="navigate").status == 200


def test_nothing_but_files_of_this_server_runs_where_agents_words_are_shown(site: Site, place: Path) -> None:
    episode = write_run(place)
    answer = site.get(f"/replay/{site.names(episode)}")
    policy = answer.headers["Content-Security-Policy"]
    assert "script-src 'self';" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert b"save-a-note" not in answer.body


def test_a_replay_says_why_and_names_its_neighbours(site: Site, place: Path) -> None:
    with begin_run(place) as record:
        folders = []
        for seed in range(3):
            key = replace(KEY, seed=seed)
            writer = begin_episode(place, key)
            record.add(end_episode(writer, key, score=float(seed == 1)))
            folders.append(writer.folder)
        record.commit()
    first, second, third = (site.record(folder).data for folder in folders)
    assert first["why"] == "The file notes.txt has 3 lines, not 4."
    assert second["why"] == ""
    ids = [site.names(folder).partition("/")[2] for folder in folders]
    assert (first.get("previous"), second["previous"]["id"], third["previous"]["id"]) == (None, *ids[:2])
    assert (second["following"]["id"], second["following"]["outcome"], third.get("following")) == (
        ids[2],
        "failed",
        None,
    )
    assert [each["place"] for each in (first, second, third)] == [1, 2, 3]


def test_the_report_is_served_with_links_to_replays(site: Site, place: Path) -> None:
    episode = write_run(place)
    run, _, _ = site.names(episode).partition("/")
    answer = site.get(f"/report/{run}")
    assert answer.status == 200
    assert f"href='/replay/{site.names(episode)}'" in answer.body.decode()
    assert "script-src 'sha256-" in answer.headers["Content-Security-Policy"]
    assert site.get("/report/absent-000000").status == 404


def test_a_run_without_results_has_no_report_yet(site: Site, place: Path) -> None:
    with begin_run(place) as record:
        assert site.get(f"/report/{run_id(record.folder)}").status == 409


def test_a_desktop_for_showing_things_is_replayed_with_its_goal_and_is_not_void(site: Site, place: Path) -> None:
    with begin_run(place) as record:
        writer = begin_episode(place)
        told = {"person": "Ann", "goal": "Open the menu", "description": "by its button"}
        (writer.folder / "human.json").write_text(json.dumps(told))
        record.add(end_episode(writer, score=None, unjudged=True, stop="done"))
        record.commit()
    about = site.record(writer.folder).data
    assert (about["outcome"], about["why"], about["assisted"]) == ("unjudged", "", "")
    assert about["people"] == told


def test_a_replay_says_that_a_person_acted(site: Site, place: Path) -> None:
    with begin_run(place) as record:
        writer = begin_episode(place)
        record.add(end_episode(writer, score=1.0, metrics={"human_acted": 1.0, "human_seconds": 12.4}))
        record.commit()
    assert site.record(writer.folder).data["assisted"] == "A person took 12 s"
