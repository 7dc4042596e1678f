"""A world is built whole or not at all, the same byte for byte, and shown by the command line and on a page."""

from __future__ import annotations

import fcntl
import json
import re
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from proctor.cli.worlds import worlds as command
from proctor.computers.images.folders import data_folder
from proctor.errors import HostError, SpecError
from proctor.vocabulary.apps.thunderbird.setup import PROFILE
from proctor.web.world_page import POLICY, world_page
from proctor.worlds import layers
from proctor.worlds.author import LEAST_EVIDENCE
from proctor.worlds.check.written import WrittenWorld
from tests.worlds.conftest import DAYS

BUILD = (
    "import sys; from pathlib import Path; from proctor.worlds.layers import write_world as w; w('nora', "
    "3, Path(sys.argv[1]), days=75)"
)


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("PROCTOR_DATA", str(tmp_path / "data"))
    yield tmp_path / "data"


def test_two_builds_are_the_same_byte_for_byte(small_world: Path, tmp_path: Path) -> None:
    # In another process, where everything that has no order has another one.
    subprocess.run(
        [sys.executable, "-c", BUILD, str(tmp_path / "again")],
        check=True,
        env={"PYTHONHASHSEED": "7", "PYTHONPATH": ":".join(sys.path)},
    )
    first, second = (
        {path.relative_to(top): path for path in top.rglob("*") if path.is_file()}
        for top in (small_world, tmp_path / "again")
    )
    assert first.keys() == second.keys()
    assert [name for name in first if first[name].read_bytes() != second[name].read_bytes()] == []
    assert layers.digest(small_world) == layers.digest(tmp_path / "again")


def test_a_world_that_was_begun_is_built_anew_and_never_used(data: Path) -> None:
    left = layers.worlds_folder() / ".building-nora-1234"
    (left / "home").mkdir(parents=True)
    (layers.worlds_folder() / "nora").mkdir()
    assert layers.worlds() == []
    with pytest.raises(SpecError, match="not built"):
        layers.find("nora")
    built = layers.build("nora", days=DAYS)
    assert not left.exists()
    assert built.current
    assert [world.name for world in layers.worlds()] == ["nora"]
    assert not list(layers.worlds_folder().glob(".building-*"))
    before = (built.folder / "world.json").stat().st_ino
    assert layers.build("nora", days=DAYS) == built
    assert (built.folder / "world.json").stat().st_ino == before
    layers.remove("nora")
    assert layers.worlds() == []


def test_an_error_on_the_way_leaves_nothing_and_keeps_what_was_there(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OSError("no space left")

    (layers.worlds_folder() / "nora").mkdir(parents=True)
    monkeypatch.setattr(layers, "write_calendars", fail)
    with pytest.raises(OSError, match="no space"):
        layers.build("nora", days=DAYS)
    assert [path.name for path in sorted(layers.worlds_folder().iterdir())] == [".nora.lock", "nora"]


def test_one_builds_at_a_time(data: Path) -> None:
    layers.worlds_folder().mkdir(parents=True)
    with (layers.worlds_folder() / ".nora.lock").open("a+") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        with pytest.raises(HostError, match="another process"):
            layers.build("nora", days=DAYS)


@pytest.mark.parametrize("name", ["nora-x", "nora-0", "nora-07", "nobody", "../nora", ""])
def test_names_are_a_person_and_perhaps_a_seed(name: str) -> None:
    with pytest.raises(SpecError):
        layers.parse_name(name)


def test_preferences_show_often_and_plants_have_two_sides(small_world: Path) -> None:
    author = WrittenWorld(small_world).author
    assert len(author["plants"]) >= 20
    assert all(plant["old"]["where"] != plant["new"]["where"] for plant in author["plants"])
    assert all(plant["right"] in ("old", "new") and plant["why"] for plant in author["plants"])
    assert any(plant["right"] == "old" for plant in author["plants"])
    assert max(len(each["evidence"]) for each in author["preferences"]) >= LEAST_EVIDENCE


def test_nothing_of_the_author_lies_in_what_an_agent_sees(small_world: Path) -> None:
    assert sorted(path.name for path in small_world.iterdir()) == [
        "author.json",
        "calendar",
        "home",
        "mail",
        "world.json",
    ]
    seen = b"".join(
        path.read_bytes()
        for path in (small_world / "home").rglob("*")
        if path.is_file() and path.suffix in (".txt", ".json", ".js")
    )
    assert b"plant" not in seen.replace(b"plants", b"")


def test_databases_are_those_of_their_programs(small_world: Path) -> None:
    with closing(sqlite3.connect(small_world / "home" / PROFILE / "abook.sqlite")) as book:
        assert book.execute("PRAGMA user_version").fetchone() == (4,)
        assert ("Lena Krey",) in book.execute("SELECT value FROM properties WHERE name = 'DisplayName'").fetchall()
    with closing(sqlite3.connect(small_world / "home/.config/chromium/Default/History")) as history:
        urls, visits = (history.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in ("urls", "visits"))
        assert 0 < urls <= visits
        assert history.execute("SELECT count(*) FROM visits WHERE url NOT IN (SELECT id FROM urls)").fetchone() == (0,)
        hosts = {re.findall(r"//([^/]+)", url)[0] for (url,) in history.execute("SELECT url FROM urls")}
    assert all(host.endswith(".example") for host in hosts)


def test_the_page_runs_its_own_script_only_and_holds_everything(small_world: Path) -> None:
    page = world_page(small_world)
    data = json.loads(re.findall(r"id='world'>(.*?)</script>", page, re.DOTALL)[0])
    assert list(data) == [
        "Mail",
        "Calendar",
        "Files",
        "Pictures",
        "Account",
        "People",
        "Contradictions",
        "Likes",
        "Events",
    ]
    assert len(data["Mail"]) == len(WrittenWorld(small_world).mails)
    assert POLICY in page
    assert page.count("<script") == 2
    known = {item.get("ref") for items in data.values() for item in items}
    sides = [side[2] for item in data["Contradictions"] for side in item["sides"]]
    assert {where for where in sides if where.partition(":")[0] in ("mail", "file", "calendar", "contact")} <= known


def test_the_command_line_builds_shows_checks_and_views(small_world: Path, data: Path) -> None:
    target = layers.worlds_folder() / "nora-3"
    target.parent.mkdir(parents=True)
    target.symlink_to(small_world)
    run = CliRunner().invoke

    listed = run(command, ["list"])
    assert "nora-3" in listed.output and "ready" in listed.output and "not built" in listed.output
    shown = json.loads(run(command, ["show", "nora-3", "--json"]).output)
    assert shown["counts"]["mails"] == len(WrittenWorld(small_world).mails)
    assert len(shown["plants"]) == shown["counts"]["plants"]
    assert "contradictions:" in run(command, ["show", "nora-3", "--plants"]).output
    assert run(command, ["check", "nora-3"]).exit_code == 0
    viewed = run(command, ["view", "nora-3", "--no-open", "--out", str(data / "page.html")])
    assert viewed.exit_code == 0
    assert (data / "page.html").read_text().startswith("<!doctype html>")
    assert isinstance(run(command, ["build"]).exception, SpecError)
    assert data_folder() == data
