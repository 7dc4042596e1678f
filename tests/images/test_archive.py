"""Images as files: the round trip, and archives that are damaged or hostile."""

from __future__ import annotations

import io
import json
import shutil
import stat
import subprocess
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest

from proctor.computers import userns
from proctor.computers.images import archive, rootfs, store
from proctor.computers.images.progress import BuildStep
from proctor.errors import ImageError, SpecError
from tests.images.conftest import AsUser, MakeImage
from tests.images.test_store import leftovers

Tamper = Callable[[tarfile.TarFile], None]


@pytest.mark.parametrize("ending", ["tar", "tar.gz", "tar.zst"])
def test_an_image_survives_the_trip_through_a_file(make_image: MakeImage, tmp_path: Path, ending: str) -> None:
    if ending == "tar.zst" and shutil.which("zstd") is None:
        pytest.skip("zstd is not installed")
    made = make_image()
    file = archive.export("tiny", tmp_path / f"tiny.{ending}")
    store.remove("tiny")
    steps: list[BuildStep] = []
    again = archive.import_(file, progress=steps.append)
    assert again == store.find("tiny")
    assert (again.digest, again.packages, again.built_at) == (made.digest, made.packages, made.built_at)
    assert "checking" in {step.phase for step in steps}
    about = userns.run(["stat", "-c", "%u %g %a", f"{again.rootfs}/etc/secret", f"{again.rootfs}/lib"])
    assert about.stdout.decode().splitlines() == ["0 0 600", "0 0 777"]
    assert leftovers(again.path.parent) == []


def test_an_archive_holds_the_description_first_and_owners_as_seen_inside(
    make_image: MakeImage, tmp_path: Path
) -> None:
    make_image()
    with tarfile.open(archive.export("tiny", tmp_path / "tiny.tar")) as tar:
        members = tar.getmembers()
    assert members[0].name == "image.json"
    assert {(member.uid, member.gid) for member in members} == {(0, 0)}


def test_a_name_that_tells_no_format_is_refused(make_image: MakeImage, tmp_path: Path) -> None:
    make_image()
    with pytest.raises(SpecError, match="end the name in"):
        archive.export("tiny", tmp_path / "tiny.zip")


def test_an_export_that_fails_leaves_no_file(make_image: MakeImage, tmp_path: Path) -> None:
    make_image()
    with pytest.raises(ImageError, match="cannot write"):
        archive.export("tiny", tmp_path / "absent" / "tiny.tar")
    with pytest.raises(ImageError, match="cannot write"):
        (tmp_path / "folder.tar").mkdir()
        archive.export("tiny", tmp_path / "folder.tar")
    assert [path.name for path in tmp_path.iterdir() if path.name != "data"] == ["folder.tar"]


def test_an_image_that_is_there_is_replaced_only_by_force(make_image: MakeImage, tmp_path: Path) -> None:
    made = make_image()
    file = archive.export("tiny", tmp_path / "tiny.tar")
    with pytest.raises(ImageError, match="already is an image 'tiny'"):
        archive.import_(file)
    assert archive.import_(file, force=True).digest == made.digest


@pytest.mark.parametrize("ending", ["tar", "tar.gz"])
@pytest.mark.parametrize("share", [0.0, 0.3, 0.7])
def test_a_truncated_archive_leaves_nothing(make_image: MakeImage, tmp_path: Path, ending: str, share: float) -> None:
    make_image()
    file = archive.export("tiny", tmp_path / f"tiny.{ending}")
    store.remove("tiny")
    whole = file.read_bytes()
    file.write_bytes(whole[: int(len(whole) * share)])
    refused(file)


def test_a_file_that_is_no_archive_and_one_that_is_absent(data: Path, tmp_path: Path) -> None:
    file = tmp_path / "noise.tar.gz"
    file.write_bytes(b"\x1f\x8b" + b"noise" * 999)
    refused(file)
    with pytest.raises(ImageError, match="cannot read"):
        archive.import_(tmp_path / "absent.tar")


def entry(name: str, kind: bytes = tarfile.REGTYPE, target: str = "") -> tarfile.TarInfo:
    member = tarfile.TarInfo(name)
    member.type, member.linkname, member.mode = kind, target, 0o777
    return member


def evil(name: str) -> Tamper:
    def add(tar: tarfile.TarFile) -> None:
        member = entry(name)
        member.size = 4
        tar.addfile(member, io.BytesIO(b"evil"))

    return add


def through(link: tarfile.TarInfo, name: str) -> Tamper:
    def add(tar: tarfile.TarFile) -> None:
        tar.addfile(link)
        evil(name)(tar)

    return add


HOSTILE: dict[str, Callable[[Path], Tamper]] = {
    "a path with ..": lambda outside: evil(f"../../../../../../../../../../..{outside}/owned"),
    "a path with .. below the root": lambda outside: evil(f"rootfs/../../..{outside}/owned"),
    "an absolute path": lambda outside: evil(f"{outside}/owned"),
    "through an absolute link": lambda outside: through(
        entry("rootfs/out", tarfile.SYMTYPE, str(outside)), "rootfs/out/owned"
    ),
    "through a relative link": lambda outside: through(
        entry("rootfs/out", tarfile.SYMTYPE, f"../../../../../../../../../..{outside}"), "rootfs/out/owned"
    ),
    "through a hard link": lambda outside: through(
        entry("rootfs/hard", tarfile.LNKTYPE, f"{outside}/precious"), "rootfs/hard"
    ),
    "a root that is a link": lambda outside: through(entry("rootfs", tarfile.SYMTYPE, str(outside)), "rootfs/owned"),
    "the jail itself": lambda outside: evil("jail/owned"),
    "something beside the root": lambda outside: evil("extra"),
}


@pytest.mark.parametrize("attack", HOSTILE)
def test_a_hostile_archive_writes_nothing_outside_and_is_refused(
    make_image: MakeImage, tmp_path: Path, attack: str
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "precious").write_text("mine")
    make_image()
    file = archive.export("tiny", tmp_path / "tiny.tar")
    store.remove("tiny")
    with tarfile.open(file, "a") as tar:
        HOSTILE[attack](outside)(tar)
    refused(file)
    assert [path.name for path in outside.iterdir()] == ["precious"]
    assert (outside / "precious").read_text() == "mine"


def test_links_that_point_outside_are_harmless_and_kept(make_image: MakeImage, tmp_path: Path) -> None:
    make_image()
    file = archive.export("tiny", tmp_path / "tiny.tar")
    store.remove("tiny")
    with tarfile.open(file, "a") as tar:
        tar.addfile(entry("rootfs/etc/mtab", tarfile.SYMTYPE, "/proc/mounts"))
    assert (archive.import_(file).rootfs / "etc/mtab").readlink() == Path("/proc/mounts")


def test_what_could_act_on_this_host_is_taken_away(make_image: MakeImage, tmp_path: Path) -> None:
    make_image()
    file = archive.export("tiny", tmp_path / "tiny.tar")
    store.remove("tiny")
    with tarfile.open(file, "a") as tar:
        for name, mode in (("rootfs/usr/bin/become-root", 0o6755), ("rootfs/usr/bin/plain", 0o755)):
            member = entry(name)
            member.mode = mode
            tar.addfile(member)
        tar.addfile(entry("rootfs/etc/deep/climbs", tarfile.SYMTYPE, "../../../../../../../etc/shadow"))
        tar.addfile(entry("rootfs/etc/deep/stays", tarfile.SYMTYPE, "../../usr/bin/plain"))
        tar.addfile(entry("rootfs/etc/pipe", tarfile.FIFOTYPE))
        if userns.is_root():
            tar.addfile(entry("rootfs/etc/memory", tarfile.CHRTYPE))
    rootfs = archive.import_(file).rootfs
    about = userns.run(["find", str(rootfs), "-perm", "/6000", "-o", "!", "-type", "f", "!", "-type", "d"])
    assert sorted(about.stdout.decode().split()) == [f"{rootfs}/etc/deep/stays", f"{rootfs}/lib"]
    assert userns.run(["stat", "-c", "%a", f"{rootfs}/usr/bin/become-root"]).stdout == b"755\n"


def test_nobody_else_reaches_into_what_is_being_imported(
    make_image: MakeImage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_image()
    file = archive.export("tiny", tmp_path / "tiny.tar")
    store.remove("tiny")
    modes: list[int] = []
    disarm = rootfs.disarm

    def look(tree: Path) -> None:
        modes.append(stat.S_IMODE(tree.parent.stat().st_mode))
        disarm(tree)

    monkeypatch.setattr(rootfs, "disarm", look)
    archive.import_(file)
    assert modes == [0o700]


def test_content_that_is_not_what_the_digest_says_is_refused(make_image: MakeImage, tmp_path: Path) -> None:
    make_image()
    file = archive.export("tiny", tmp_path / "tiny.tar")
    store.remove("tiny")
    with tarfile.open(file, "a") as tar:
        evil("rootfs/etc/motd")(tar)
    refused(file, "do not match its digest")


@pytest.mark.parametrize("content", [b"{", b"[]", json.dumps({"format": 1}).encode(), b"[" * 100_000])
def test_a_description_that_is_malformed_is_refused(data: Path, tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "bad.tar"
    with tarfile.open(file, "w") as tar:
        member = entry("image.json")
        member.size = len(content)
        tar.addfile(member, io.BytesIO(content))
        tar.addfile(entry("rootfs", tarfile.DIRTYPE))
    refused(file)


def test_a_description_that_is_a_link_is_refused(data: Path, tmp_path: Path) -> None:
    file = tmp_path / "bad.tar"
    with tarfile.open(file, "w") as tar:
        tar.addfile(entry("image.json", tarfile.SYMTYPE, "/etc/shadow"))
        tar.addfile(entry("rootfs", tarfile.DIRTYPE))
    refused(file)


def refused(file: Path, reason: str = ".") -> None:
    with pytest.raises(ImageError, match=reason):
        archive.import_(file)
    assert store.images() == []
    assert [path.name for path in store.folder_of("tiny").parent.iterdir() if path.is_dir()] == []


@pytest.mark.rootless
def test_an_image_travels_between_root_and_ordinary_users(
    make_image: MakeImage, as_user: AsUser, tmp_path: Path
) -> None:
    made = make_image()
    with_user = subprocess.run(["mktemp", "-d"], capture_output=True, text=True, check=True).stdout.strip()
    try:
        shutil.copy(archive.export("tiny", tmp_path / "tiny.tar"), with_user)
        Path(with_user).chmod(0o777)
        script = (
            "import os; from pathlib import Path; from proctor.computers import userns;"
            f"os.environ['PROCTOR_DATA'] = {with_user!r} + '/data';"
            "from proctor.computers.images import archive, rootfs, store;"
            f"image = archive.import_(Path({with_user!r}, 'tiny.tar')); store.verify(image);"
            f"archive.export('tiny', Path({with_user!r}, 'back.tar'));"
            "print(image.digest, os.geteuid() != 0, image.rootfs.stat().st_uid == userns.id_mapping().first_uid);"
            "store.remove('tiny')"
        )
        done = as_user(["-c", script])
        assert done.stdout.split() == [made.digest, "True", "True"], done.stderr
        assert Path(with_user, "back.tar").read_bytes() == (tmp_path / "tiny.tar").read_bytes()
    finally:
        shutil.rmtree(with_user)
