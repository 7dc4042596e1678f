"""Files of an image are read as programs inside would find them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from proctor.computers.images.inside import MAX_BYTES, exists_inside, read_inside
from proctor.computers.sandbox_machine.options import _locale, _zone
from proctor.errors import UnknownName


@pytest.fixture
def rootfs(tmp_path: Path) -> Path:
    """An image beside a file of the host."""
    (tmp_path / "secret").write_text("secret_US.UTF-8 UTF-8\n")
    tree = tmp_path / "rootfs"
    for folder in ("etc", "usr/share/zoneinfo/Europe", "usr/lib"):
        (tree / folder).mkdir(parents=True)
    (tree / "etc/plain").write_text("plain")
    (tree / "lib").symlink_to("usr/lib")
    return tree


@pytest.mark.parametrize("target", ["{tmp}/secret", "../../secret", "../../../../../../{tmp}/secret", "up/secret"])
def test_no_link_leads_to_a_file_of_the_host(rootfs: Path, target: str) -> None:
    (rootfs / "etc/up").symlink_to("../..")
    (rootfs / "etc/locale.gen").symlink_to(target.format(tmp=rootfs.parent))
    with pytest.raises(OSError, match="."):
        read_inside(rootfs, "etc/locale.gen")
    assert not exists_inside(rootfs, "etc/locale.gen")
    with pytest.raises(UnknownName) as error:
        _locale(rootfs, "de_DE.UTF-8")
    assert "secret" not in str(error.value)


def test_links_lead_where_they_do_inside(rootfs: Path) -> None:
    (rootfs / "usr/lib/absolute").symlink_to("/etc/plain")
    (rootfs / "etc/relative").symlink_to("../lib/./absolute")
    assert read_inside(rootfs, "/etc/relative") == b"plain"
    assert read_inside(rootfs, "../../etc/plain") == b"plain"
    assert exists_inside(rootfs, "lib")
    assert exists_inside(rootfs, "/")


@pytest.mark.parametrize("path", ["etc/loop", "etc/pipe", "etc", "etc/absent", "etc/plain/more"])
def test_what_is_no_plain_file_is_refused_at_once(rootfs: Path, path: str) -> None:
    (rootfs / "etc/loop").symlink_to("loop")
    os.mkfifo(rootfs / "etc/pipe")
    with pytest.raises(OSError, match="."):
        read_inside(rootfs, path)


def test_no_more_is_read_than_any_such_file_holds(rootfs: Path) -> None:
    with (rootfs / "etc/large").open("wb") as file:
        file.truncate(1 << 30)
    assert len(read_inside(rootfs, "etc/large")) == MAX_BYTES


def test_zones_that_are_a_link_are_those_of_the_image(rootfs: Path) -> None:
    (rootfs / "usr/share/zoneinfo/Europe").rmdir()
    (rootfs / "usr/share/zoneinfo").rmdir()
    (rootfs / "usr/share/zoneinfo").symlink_to("/usr/share/zoneinfo.of.the.host")
    with pytest.raises(UnknownName, match="time zone"):
        _zone(rootfs, "Europe/Berlin")
