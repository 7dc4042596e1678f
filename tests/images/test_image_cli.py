"""`proctor images` as typed: what it prints, and how it fails."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from proctor.computers.images import store
from tests.images.conftest import MakeImage


@pytest.fixture(autouse=True)
def _own_data(data: Path) -> None:
    """No test here may touch the images of whoever runs it."""


def proctor(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "proctor", "images", *arguments],
        capture_output=True,
        text=True,
        env={**os.environ, "COLUMNS": "200"},
    )


def test_the_list_shows_recipes_images_and_damage(make_image: MakeImage) -> None:
    make_image("good")
    (make_image("bad").path / "image.json").write_text("{")
    done = proctor("list", "--json")
    rows = {row["name"]: row for row in json.loads(done.stdout)}
    assert {name: row["state"] for name, row in rows.items()} == {
        "good": "ready",
        "bad": "damaged",
        "starter": "not built",
        "full": "not built",
    }
    assert rows["good"]["disk_bytes"] > 0
    assert "image.json is damaged" in rows["bad"]["problem"]
    shown = proctor("list").stdout
    assert all(name in shown for name in rows)


def test_show_tells_what_an_image_is_made_of(make_image: MakeImage) -> None:
    made = make_image()
    facts = json.loads(proctor("show", "tiny", "--json").stdout)
    assert facts["digest"] == made.digest
    assert facts["rootfs"] == str(made.rootfs)
    assert {"name": "adduser", "version": "3.134", "architecture": "all"} in facts["packages"]
    shown = proctor("show", "tiny", "--verify", "--packages").stdout
    assert f"{made.digest} (verified)" in shown
    assert "base-files 12.4 amd64" in shown


def test_errors_are_a_message_and_a_remedy() -> None:
    done = proctor("show", "startr")
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr == "error: unknown image 'startr'\nremedy: did you mean 'starter'?\n"
    done = proctor("show", "starter")
    assert "remedy: proctor images build starter\n" in done.stderr


def test_a_faulty_recipe_is_refused_before_anything_is_done(data: Path) -> None:
    data.mkdir(parents=True)
    (data / "faulty.toml").write_text('name = "faulty"\nsiute = "bookworm"\n')
    done = proctor("build", str(data / "faulty.toml"))
    assert done.returncode == 1
    assert "unknown key 'siute'; did you mean 'suite'?" in done.stderr
    assert [path.name for path in data.iterdir()] == ["faulty.toml"]


def test_build_if_missing_leaves_an_image_alone(data: Path, make_image: MakeImage) -> None:
    made = make_image()
    (data / "tiny.toml").write_text('name = "tiny"\npackages = ["vim"]\n')
    done = proctor("build", str(data / "tiny.toml"), "--if-missing", "--json")
    assert json.loads(done.stdout)["digest"] == made.digest


def test_build_update_leaves_an_image_of_the_same_recipe_alone(data: Path, make_image: MakeImage) -> None:
    made = make_image()
    (data / "tiny.toml").write_text('name = "tiny"\n[files]\n"/etc/motd" = "welcome\\n"\n')
    done = proctor("build", str(data / "tiny.toml"), "--update", "--json")
    assert json.loads(done.stdout)["digest"] == made.digest


def test_build_update_builds_anew_when_the_recipe_changed(data: Path, make_image: MakeImage) -> None:
    made = make_image()
    (data / "tiny.toml").write_text('name = "tiny"\npackages = ["vim"]\n')
    nobody = "http://127.0.0.1:9/debian"
    done = proctor("build", str(data / "tiny.toml"), "--update", "--source", nobody, "--timeout", "1")
    assert "the recipe of image tiny has changed" in done.stdout
    # The source does not answer, so the image that was there stays.
    assert done.returncode == 1
    assert nobody in done.stderr
    assert store.find("tiny").digest == made.digest


def test_export_remove_and_import(make_image: MakeImage, tmp_path: Path) -> None:
    made = make_image()
    file = tmp_path / "tiny.tar.gz"
    assert "tiny.tar.gz" in proctor("export", "tiny", str(file)).stdout
    assert proctor("remove", "tiny").stdout == "image tiny removed\n"
    assert store.images() == []
    done = proctor("import", str(file))
    assert done.returncode == 0, done.stderr
    assert store.find("tiny").digest == made.digest


def test_remove_refuses_while_the_image_is_in_use(make_image: MakeImage) -> None:
    with store.hold(make_image()):
        done = proctor("remove", "tiny")
    assert done.returncode == 1
    assert "in use" in done.stderr
    assert store.find("tiny")


def test_help_teaches_with_examples() -> None:
    assert "proctor images build starter" in proctor("--help").stdout
    assert 'extends = "starter"' in proctor("build", "--help").stdout
