"""Files that lie about in tasks: each is of the kind that its name says."""

from __future__ import annotations

import hashlib
from pathlib import PurePosixPath

from proctor.tasks.call import Call
from proctor.tasks.shelves import make
from proctor.vocabulary.formats.pictures.setup import FORMATS


def plant(path: str, says: str) -> Call:
    """Return what makes a small file that says something, in the format of its name."""
    ending = PurePosixPath(path).suffix.lstrip(".").lower()
    if ending == "pdf":
        return make.pdf(path, [[says]])
    if ending in FORMATS:
        ground = hashlib.sha256(says.encode()).hexdigest()[:6]
        return make.picture(path, 320, 200, background=f"#{ground}")
    if ending in {"zip", "tar"}:
        return make.archive(path, {"README.txt": f"{says}\n"})
    return make.text_file(path, f"{says}\n")
