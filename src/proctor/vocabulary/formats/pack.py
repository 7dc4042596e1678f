"""Packing files into the zip archives that office documents are, always the same way."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping

MOMENT = (2026, 3, 2, 8, 0, 0)
"""When everything was packed: a fixed time, so that the same content gives the same bytes."""


def pack(files: Mapping[str, bytes | str]) -> bytes:
    """Return an archive of these files in order; `mimetype` is not packed, as OpenDocument wants."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in files.items():
            info = zipfile.ZipInfo(name, MOMENT)
            info.compress_type = zipfile.ZIP_STORED if name == "mimetype" else zipfile.ZIP_DEFLATED
            archive.writestr(info, content)
    return buffer.getvalue()


def repack(data: bytes) -> bytes:
    """Return the same archive without the times at which a library wrote it."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return pack({name: archive.read(name) for name in archive.namelist()})
