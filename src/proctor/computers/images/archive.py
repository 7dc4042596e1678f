"""Images as files: exported to and imported from tar archives, the same whether root made them or not.

An archive holds `image.json` first and then `rootfs/`, with numeric owners as seen inside the image. Whoever imports
one trusts nothing in it: it is unpacked in a root of its own, where neither `..` nor a link leads anywhere, and what
could act on the host it lies on (setuid programs, devices, links that climb out) is taken from it before anybody else
can reach it.
"""

from __future__ import annotations

import fcntl
import os
import subprocess
import tarfile
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import IO

from proctor.computers import userns
from proctor.computers.images import compression, folders, rootfs, store
from proctor.computers.images.image import Image, covered_files, digest_of, read
from proctor.computers.images.progress import BuildStep, Progress, silent
from proctor.errors import ImageError

_CHUNK = 1 << 20

# $1 is the work folder. Only it and the host's programs exist in the root that tar gets to see.
_UNPACK = """\
set -e
cd "$1"
mount -t tmpfs -o mode=755,size=1m jail jail
for name in usr bin lib lib32 lib64 libx32; do
    if [ -L "/$name" ]; then cp -P "/$name" "jail/$name"
    elif [ -d "/$name" ]; then
        mkdir "jail/$name"
        mount --rbind "/$name" "jail/$name"
        mount -o remount,bind,ro "jail/$name" 2>/dev/null || :
    fi
done
mkdir jail/new
mount --bind . jail/new
exec chroot jail /usr/bin/env PATH=/usr/bin:/bin tar --extract --preserve-permissions --same-owner --numeric-owner \
    --delay-directory-restore --directory=/new
"""


def export(name: str, file: Path, *, progress: Progress = silent) -> Path:
    """Write an image to a `.tar`, `.tar.gz` or `.tar.zst`, which appears when it is complete."""
    image = store.find(name)
    compressor = compression.compressor(file)
    draft = file.with_name(f".{file.name}.{os.getpid()}")
    try:
        with store.hold(image), draft.open("xb") as output:
            _pack(image, output, compressor, progress)
        draft.rename(file)
    except OSError as error:
        raise ImageError(f"cannot write {file}: {error.strerror}", remedy="choose another place") from error
    finally:
        draft.unlink(missing_ok=True)
    return file


def import_(file: Path, *, force: bool = False, progress: Progress = silent) -> Image:
    """Add an image from a file that `export` wrote; it is verified and appears whole or not at all."""
    parent = folders.make(folders.images_folder())
    with (parent / ".import.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        # Under the lock, what other imports left is rubbish.
        for old in parent.glob(".importing-*"):
            rootfs.delete(old)
        work = parent / f".importing-{os.getpid()}"
        work.mkdir(mode=0o700)  # until it is disarmed, nobody else reaches into it
        try:
            _unpack(file, work, progress)
            progress(BuildStep("checking"))
            image = _accept(work, file)
            work.chmod(0o755)
            with store.lock_image(image.name, progress):
                if image.path.exists() and not force:
                    raise ImageError(
                        f"there already is an image {image.name!r}",
                        remedy=f"proctor images remove {image.name}, or import with --force",
                    )
                return store.publish(work, image)
        finally:
            rootfs.delete(work)


def _pack(image: Image, output: IO[bytes], compressor: Sequence[str], progress: Progress) -> None:
    content = image.to_json().encode()
    header = tarfile.TarInfo("image.json")
    header.size, header.mode = len(content), 0o644
    head = header.tobuf(tarfile.PAX_FORMAT) + content + bytes(-len(content) % tarfile.BLOCKSIZE)
    tar = [
        "tar",
        "--create",
        "--format=posix",
        "--pax-option=delete=atime,delete=ctime",
        "--numeric-owner",
        "--sort=name",
    ]
    with (
        tempfile.TemporaryFile() as said,
        subprocess.Popen(compressor, stdin=subprocess.PIPE, stdout=output) as packer,
        userns.popen(
            [*tar, f"--directory={image.path}", "rootfs"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=said
        ) as process,
    ):
        assert process.stdout and packer.stdin
        try:
            packer.stdin.write(head)
            done = 0
            while chunk := process.stdout.read(_CHUNK):
                packer.stdin.write(chunk)
                done += len(chunk)
                progress(BuildStep("packing", min(1.0, done / max(1, image.disk_bytes))))
            packer.stdin.close()
        except BaseException:
            process.kill()
            packer.kill()
            raise
        codes = (process.wait(), packer.wait())
        if any(codes):
            raise ImageError(
                f"image {image.name!r} could not be packed: {_last_words(said)}",
                remedy=f"check it with `proctor images show {image.name} --verify`, and the free space",
            )


def _unpack(file: Path, work: Path, progress: Progress) -> None:
    """Unpack an archive into a work folder, in a root of its own."""
    (work / "jail").mkdir()
    argv = ["setpriv", "--pdeathsig", "KILL", "unshare", "--mount", "sh", "-c", _UNPACK, "sh", str(work)]
    with _open(file) as source, tempfile.TemporaryFile() as said, compression.decompress(source, said) as stream:
        with userns.popen(argv, stdin=stream, stdout=subprocess.DEVNULL, stderr=said, env=userns.environment()) as tar:
            try:
                _follow(tar, source, progress)
            except BaseException:
                tar.kill()
                raise
        if tar.returncode != 0:
            raise _damage(file, _last_words(said))


def _follow(process: subprocess.Popen[bytes], source: IO[bytes], progress: Progress) -> None:
    """Wait for a process, telling how far the file is read: whoever inherits it shares its position."""
    size = max(1, os.fstat(source.fileno()).st_size)
    while True:
        try:
            process.wait(timeout=0.2)
            return
        except subprocess.TimeoutExpired:
            progress(BuildStep("unpacking", min(1.0, os.lseek(source.fileno(), 0, os.SEEK_CUR) / size)))


def _accept(work: Path, file: Path) -> Image:
    """Return the image an unpacked archive holds, once everything about it is checked."""
    try:
        (work / "jail").rmdir()
    except OSError as error:
        raise _damage(file, "it reaches for the place it is unpacked in") from error
    extra = {path.name for path in work.iterdir()} ^ {"image.json", "rootfs"}
    if extra or (work / "rootfs").is_symlink() or not (work / "rootfs").is_dir():
        raise _damage(file, f"it must hold image.json and rootfs/ and nothing else, not {sorted(extra)}")
    found = read(work, remedy="export the image again, and import only files you trust")
    rootfs.disarm(work / "rootfs")
    contents = rootfs.inspect(work / "rootfs", covered_files(found.recipe))
    if digest_of(found.recipe, contents.packages, contents.files) != found.digest:
        raise _damage(file, "its files do not match its digest")
    # The file belongs to the image's root; the new one is written by, and belongs to, the caller.
    (work / "image.json").unlink()
    return replace(
        found,
        path=store.folder_of(found.name),
        disk_bytes=contents.disk_bytes,
        entries=contents.entries,
    )


def _open(file: Path) -> IO[bytes]:
    try:
        return file.open("rb", buffering=0)
    except OSError as error:
        raise ImageError(f"cannot read {file}: {error.strerror}", remedy="check the path") from error


def _last_words(said: IO[bytes]) -> str:
    said.seek(0)
    return said.read(_CHUNK).decode(errors="replace").strip()[-500:] or "no message"


def _damage(file: Path, why: str) -> ImageError:
    return ImageError(
        f"{file} is damaged or not an image: {why}",
        remedy="export the image again, and import only files you trust",
    )
