"""The store: what is whole is found, what is not is named, and nothing in use goes away."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from proctor.computers import userns
from proctor.computers.images import rootfs, store
from proctor.computers.images.rootfs import Package
from proctor.errors import ImageError, SpecError
from tests.images.conftest import MakeImage, describe, fill


def test_a_published_image_is_found_with_its_manifest(make_image: MakeImage) -> None:
    made = make_image()
    found = store.find("tiny")
    assert found == made
    assert store.images() == [made]
    assert found.packages == (Package("adduser", "3.134", "all"), Package("base-files", "12.4", "amd64"))
    assert [item.path for item in found.files] == ["/etc/motd", "/etc/passwd"]
    assert found.rootfs == found.path / "rootfs"
    assert found.disk_bytes > 0
    store.verify(found)


def test_the_digest_is_that_of_the_content_not_of_time_or_place(make_image: MakeImage) -> None:
    assert make_image("one").digest == make_image("two").digest


def test_a_missing_image_names_the_command_that_makes_it(data: Path) -> None:
    with pytest.raises(ImageError) as caught:
        store.find("starter")
    assert caught.value.remedy == "proctor images build starter"
    assert store.images() == []


def test_a_folder_without_its_description_is_incomplete_and_never_listed(make_image: MakeImage) -> None:
    (make_image().path / "image.json").unlink()
    with pytest.raises(ImageError, match="incomplete"):
        store.find("tiny")
    assert store.images() == []


def test_a_missing_root_filesystem_is_noticed(make_image: MakeImage) -> None:
    rootfs.delete(make_image().rootfs)
    with pytest.raises(ImageError, match="rootfs is missing"):
        store.find("tiny")


def test_an_image_under_another_name_is_noticed(make_image: MakeImage) -> None:
    made = make_image()
    made.path.rename(made.path.with_name("other"))
    with pytest.raises(ImageError, match="that of 'tiny'"):
        store.find("other")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_an_image_of_another_user_is_refused_with_the_way_out(make_image: MakeImage) -> None:
    os.chown(make_image().rootfs, 100000, 100000)
    with pytest.raises(ImageError, match="built by another user") as caught:
        store.find("tiny")
    assert "proctor images export" in caught.value.remedy


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(cut=st.floats(0, 1), garbage=st.binary(max_size=20))
def test_a_damaged_description_never_gives_an_image(make_image: MakeImage, cut: float, garbage: bytes) -> None:
    path = store.folder_of("tiny") / "image.json"
    whole = path.read_bytes() if path.exists() else (make_image().path / "image.json").read_bytes()
    place = int(cut * (len(whole) - 2))
    try:
        path.write_bytes(whole[:place] + garbage)
        with pytest.raises(ImageError) as caught:
            store.find("tiny")
        assert caught.value.remedy == "proctor images build tiny --force"
    finally:
        path.write_bytes(whole)


@pytest.mark.parametrize(
    "changes",
    [
        {"digest": "sha256:0"},
        {"packages": []},
        {"packages": [{"name": "evil", "version": "1", "architecture": "all"}]},
        {"format": 99},
        {"recipe": {"name": "tiny", "packages": ["evil"]}},
        {"disk_bytes": "many"},
        {"sources": [1]},
        {"name": "../escape"},
    ],
    ids=lambda changes: next(iter(changes)),
)
def test_a_description_that_contradicts_itself_is_damaged(make_image: MakeImage, changes: dict[str, object]) -> None:
    path = make_image().path / "image.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))
    with pytest.raises(ImageError, match="damaged"):
        store.find("tiny")


def test_a_description_that_is_a_link_is_not_followed(make_image: MakeImage, tmp_path: Path) -> None:
    path = make_image().path / "image.json"
    path.rename(tmp_path / "elsewhere.json")
    path.symlink_to(tmp_path / "elsewhere.json")
    with pytest.raises(ImageError, match="damaged"):
        store.find("tiny")


def test_verify_names_what_differs(make_image: MakeImage) -> None:
    made = make_image()
    status = made.rootfs / "var/lib/dpkg/status"
    script = f"echo changed > {made.rootfs}/etc/motd && sed -i s/3.134/3.135/ {status}"
    assert userns.run(["sh", "-c", script]).returncode == 0
    with pytest.raises(ImageError, match="package adduser, file /etc/motd"):
        store.verify(made)


def test_a_tree_that_is_no_system_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ImageError, match="not a usable root filesystem"):
        rootfs.inspect(tmp_path, [])


def test_links_in_a_tree_lead_nowhere_outside_it(data: Path, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("host")
    tree = tmp_path / "tree"
    fill(tree)
    script = f"ln -sf {secret} {tree}/etc/motd; ln -sfn / {tree}/etc/host; mkfifo {tree}/etc/pipe"
    assert userns.run(["sh", "-c", script]).returncode == 0
    found = rootfs.inspect(tree, ["/etc/motd", "/etc/pipe", "/etc/passwd", f"/etc/host{secret}"])
    assert [item.path for item in found.files] == ["/etc/passwd"]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can make device nodes")
def test_device_nodes_are_refused(tmp_path: Path) -> None:
    fill(tmp_path / "tree")
    os.mknod(tmp_path / "tree/etc/disk", 0o60666, os.makedev(8, 0))
    with pytest.raises(ImageError, match="device nodes: /etc/disk"):
        rootfs.inspect(tmp_path / "tree", [])


def test_an_image_in_use_is_neither_removed_nor_replaced(make_image: MakeImage) -> None:
    made = make_image()
    with store.hold(made), store.hold(made):
        assert store.in_use("tiny")
        with pytest.raises(ImageError, match="in use"):
            store.remove("tiny")
        with pytest.raises(ImageError, match="in use"):
            make_image()
        assert store.find("tiny") == made
    assert not store.in_use("tiny")
    store.remove("tiny")
    assert not made.path.exists()
    assert leftovers(made.path.parent) == []


def test_a_hold_lasts_as_long_as_any_copy_of_its_descriptor(make_image: MakeImage) -> None:
    held = store.hold(make_image())
    with subprocess.Popen(["cat"], stdin=subprocess.PIPE, pass_fds=[held.fd]) as other:
        held.close()
        held.close()
        assert store.in_use("tiny")
        other.communicate()
    assert not store.in_use("tiny")


def test_an_image_that_goes_away_cannot_be_held(make_image: MakeImage) -> None:
    made = make_image()
    store.remove("tiny")
    with pytest.raises(ImageError):
        store.hold(made)


def test_replacing_swaps_in_one_step_and_leaves_nothing_behind(make_image: MakeImage) -> None:
    first = make_image()
    marker = first.path / "old"
    marker.touch()
    second = make_image()
    assert not marker.exists()
    assert store.find("tiny") == second
    assert leftovers(second.path.parent) == []


def test_a_damaged_image_can_be_removed(make_image: MakeImage) -> None:
    made = make_image()
    (made.path / "image.json").write_text("{")
    store.remove("tiny")
    assert not made.path.exists()


def test_removing_what_is_not_there_says_so(data: Path) -> None:
    with pytest.raises(ImageError, match="no image 'tiny'"):
        store.remove("tiny")


@pytest.mark.parametrize("name", ["", "..", "a/b", ".hidden", "UPPER", "x" * 64])
def test_names_that_lead_elsewhere_are_refused(data: Path, name: str) -> None:
    for call in (store.find, store.remove, store.in_use):
        with pytest.raises(SpecError):
            call(name)


def test_what_a_killed_builder_left_is_swept_and_the_neighbours_work_is_not(data: Path) -> None:
    parent = data / "images"
    fill(parent / ".building-tiny-4711" / "rootfs")
    fill(parent / ".building-tiny-two-4711" / "rootfs")
    with store.lock_image("tiny"):
        assert leftovers(parent) == [".building-tiny-two-4711"]


def test_the_second_builder_waits_for_the_first_and_says_for_whom(data: Path) -> None:
    holder = "import sys; from proctor.computers.images import store\n"
    holder += "with store.lock_image('tiny'): print('held', flush=True); sys.stdin.read()"
    said: list[str] = []
    with subprocess.Popen(
        [sys.executable, "-c", holder], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as first:
        assert first.stdin and first.stdout
        assert first.stdout.readline() == "held\n"

        def let_go(step: object) -> None:
            said.append(str(step))
            assert first.stdin
            first.stdin.close()

        with store.lock_image("tiny", let_go):
            assert first.wait() == 0
    assert len(said) == 1
    assert f"process {first.pid} " in said[0]


def test_an_unwritable_data_folder_is_a_clear_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("PROCTOR_DATA", str(tmp_path / "file" / "data"))
    with pytest.raises(Exception, match="cannot create") as caught, store.lock_image("tiny"):
        raise AssertionError("the lock was taken")
    assert "PROCTOR_DATA" in str(caught.value)


def leftovers(parent: Path) -> list[str]:
    return sorted(path.name for path in parent.iterdir() if re.match(r"\.(building|removing|importing)-", path.name))


def test_describe_of_the_fixture_agrees_with_the_store(make_image: MakeImage) -> None:
    made = make_image()
    assert describe(made.recipe, made.rootfs) == made
