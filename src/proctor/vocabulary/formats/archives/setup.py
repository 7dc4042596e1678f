"""Setup steps that make archives, byte for byte the same each time."""

from __future__ import annotations

import gzip
import io
import tarfile
import zipfile

from proctor.errors import SpecError
from proctor.tasks.setup_context import SetupContext
from proctor.tasks.shelves import SETUP

PACKED = (2026, 3, 2, 8, 0, 0)
"""When the members were last changed: shortly before tasks begin."""
PACKED_SECONDS = 1_772_438_400


@SETUP.register
def archive(context: SetupContext, path: str, files: dict[str, str]) -> None:
    """Pack texts by name into a .zip, .tar or .tar.gz; a name ending in / is an empty folder."""
    context.computer.write_file(path, archive_of(path, files))


def archive_of(path: str, files: dict[str, str]) -> bytes:
    """Return an archive of the format that the ending of a path stands for."""
    if path.endswith(".zip"):
        return _zip(files)
    if path.endswith(".tar"):
        return _tar(files)
    if path.endswith((".tar.gz", ".tgz")):
        return gzip.compress(_tar(files), mtime=PACKED_SECONDS)
    raise SpecError(f"an archive named {path!r} cannot be made", remedy="end its name in .zip, .tar or .tar.gz")


def _zip(files: dict[str, str]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as target:
        for name, text in files.items():
            entry = zipfile.ZipInfo(name, PACKED)
            entry.create_system = 3
            entry.compress_type = zipfile.ZIP_DEFLATED
            # Without the kind of file in the mode some archive managers never finish reading the list.
            entry.external_attr = (0o040755 << 16 | 0x10) if name.endswith("/") else 0o100644 << 16
            target.writestr(entry, text.encode())
    return buffer.getvalue()


def _tar(files: dict[str, str]) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.GNU_FORMAT) as target:
        for name, text in files.items():
            data = text.encode()
            entry = tarfile.TarInfo(name.rstrip("/"))
            entry.type = tarfile.DIRTYPE if name.endswith("/") else tarfile.REGTYPE
            entry.mode = 0o755 if name.endswith("/") else 0o644
            entry.size, entry.mtime = len(data), PACKED_SECONDS
            entry.uname = entry.gname = "user"
            entry.uid = entry.gid = 1000
            target.addfile(entry, io.BytesIO(data))
    return buffer.getvalue()
