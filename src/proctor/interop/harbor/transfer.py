"""Files of Harbor's, put into a computer and fetched from it as its root."""

from __future__ import annotations

import base64
import io
import shlex
import tarfile
from collections.abc import Sequence
from pathlib import Path

from proctor.computers.computer import Computer
from proctor.interop import guest_commands
from proctor.interop.guest_commands import Ran


def run_as_root(computer: Computer, argv: Sequence[str], input: bytes = b"") -> Ran:
    """Run a command of the harness."""
    return guest_commands.run(computer, argv, input=input, user="root", cwd="/")


def put_file(computer: Computer, source: Path, target: Path) -> None:
    """Put a file of the host there."""
    _unpack(computer, [(source, target.name)], str(target.parent))


def put_folder(computer: Computer, source: Path, target: str) -> None:
    """Put what is in a folder of the host there."""
    _unpack(computer, [(path, str(path.relative_to(source))) for path in sorted(source.rglob("*"))], target)


def fetch_file(computer: Computer, source: str, target: Path) -> None:
    """Fetch a file; raises FileNotFoundError where there is none."""
    packed = _fetch(computer, str(Path(source).parent), Path(source).name)
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        member = next((each for each in archive.getmembers() if each.isfile()), None)
        inner = archive.extractfile(member) if member else None
        if inner is None:
            raise FileNotFoundError(source)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(inner.read())


def fetch_folder(computer: Computer, source: str, target: Path) -> None:
    """Fetch what is in a folder; raises FileNotFoundError where there is none."""
    packed = _fetch(computer, source, ".")
    target.mkdir(parents=True, exist_ok=True)
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        archive.extractall(target, filter="data")


def _unpack(computer: Computer, files: list[tuple[Path, str]], target: str) -> None:
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w") as archive:
        for path, name in files:
            archive.add(path, name, recursive=False, filter=_give_to_nobody)
    words = f"mkdir -p {shlex.quote(target)} && tar -xf - -C {shlex.quote(target)}"
    done = run_as_root(computer, ["sh", "-c", words], data.getvalue())
    if done.code:
        raise RuntimeError(f"nothing could be put into {target}: {done.stderr.strip()}")


def _fetch(computer: Computer, folder: str, name: str) -> bytes:
    words = f"tar -cf - -C {shlex.quote(folder)} -- {shlex.quote(name)} | base64 -w0"
    done = run_as_root(computer, ["sh", "-c", f"test -e {shlex.quote(f'{folder}/{name}')} && {words}"])
    if done.code:
        raise FileNotFoundError(f"{folder}/{name}: {done.stderr.strip()}")
    return base64.b64decode(done.stdout)


def _give_to_nobody(entry: tarfile.TarInfo) -> tarfile.TarInfo:
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = ""
    return entry
