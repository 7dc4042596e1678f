"""How image files are packed: by the ending of their name when written, by their first bytes when read."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from proctor.errors import HostError, SpecError

_ZSTD, _GZIP = b"\x28\xb5\x2f\xfd", b"\x1f\x8b"


def compressor(file: Path) -> list[str]:
    """Return the command that packs standard input for a file of this name."""
    name = file.name
    if name.endswith(".tar"):
        return ["cat"]
    if name.endswith((".tar.gz", ".tgz")):
        return [shutil.which("pigz") or _tool("gzip"), "-1"]
    if name.endswith(".tar.zst"):
        return [_tool("zstd"), "-3", "-T0", "--quiet"]
    raise SpecError(f"cannot tell the format of {name!r}", remedy="end the name in .tar, .tar.gz or .tar.zst")


@contextmanager
def decompress(source: IO[bytes], said: IO[bytes]) -> Iterator[IO[bytes]]:
    """Give the archive's plain content, whatever it is packed with."""
    magic = source.read(4)
    source.seek(0)
    if magic == _ZSTD:
        argv = [_tool("zstd"), "--decompress", "--stdout", "--quiet"]
    elif magic[:2] == _GZIP:
        argv = [_tool("gzip"), "--decompress", "--stdout"]
    else:
        yield source
        return
    with subprocess.Popen(argv, stdin=source, stdout=subprocess.PIPE, stderr=said) as process:
        assert process.stdout
        try:
            yield process.stdout
        finally:
            process.kill()


def _tool(name: str) -> str:
    path = shutil.which(name)
    if path is None:
        raise HostError(
            f"{name} is not installed", remedy=f"as an administrator: apt-get install {name}; or use another format"
        )
    return path
