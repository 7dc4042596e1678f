"""The pictures that records name, found wherever their set keeps them."""

from __future__ import annotations

import os
from pathlib import Path

from proctor.offline.sample import PictureFile, Shot

MOST_LOOKED_AT = 200_000
"""Files among which a picture is looked for that is in none of the usual places."""
IMAGE_FOLDERS = ("", "images", "image", "imgs", "screenshots", "screenspotv2_image", "screenspot_imgs", "observations")
"""Where sets keep their pictures, beside the records or one folder up."""
_ENDINGS = frozenset({".png", ".jpg", ".jpeg", ".webp", ".bmp", ".gif", ".tif", ".tiff"})
_MOST_NAME, _MOST_PATH = 255, 2_000
"""Bytes of a name and of a path; a longer text is no name of a file, but often the picture itself, as letters."""


class PictureFinder:
    """Finds the pictures that records name, wherever their set keeps them."""

    def __init__(self, given: Path | None = None) -> None:
        self._given = given
        self._shots: dict[tuple[Path, str], Shot | None] = {}
        self._below: dict[Path, dict[str, Path | None]] = {}

    def find(self, named: object, folder: Path) -> Shot | None:
        """Return the picture that a record names; None where it is nowhere."""
        if isinstance(named, Shot):
            return named
        if isinstance(named, dict):
            named = named.get("path")
        if not isinstance(named, str) or not named or "\0" in named or len(named) > _MOST_PATH:
            return None
        if (folder, named) not in self._shots:
            # Records that were written on Windows have its separators.
            self._shots[folder, named] = self._look(named.removeprefix("file://").replace("\\", "/"), folder)
        return self._shots[folder, named]

    def _look(self, name: str, folder: Path) -> Shot | None:
        if any(len(os.fsencode(part)) > _MOST_NAME for part in Path(name).parts):
            return None
        if Path(name).is_absolute() or ".." in Path(name).parts:
            # A record may come from anywhere; it names pictures of its own set only.
            name = Path(name).name
        for base in self._bases(folder):
            for inside in dict.fromkeys((name, Path(name).name)):
                if (path := base / inside).is_file():
                    return Shot(PictureFile(path))
        root = self._given or folder
        if root not in self._below:
            self._below[root] = _files_below(root)
        below = self._below[root]
        found = next((below[key] for key in (Path(name).name, _fold_case(name)) if key in below), None)
        return Shot(PictureFile(found)) if found else None

    def _bases(self, folder: Path) -> list[Path]:
        roots = [self._given] if self._given else [folder, folder.parent]
        return [root / name for root in roots for name in IMAGE_FOLDERS]


def _files_below(root: Path) -> dict[str, Path | None]:
    """Return the files below a folder by names, exact and folded; None for what several have."""
    exact: dict[str, Path | None] = {}
    folded: dict[str, Path | None] = {}
    count = 0
    for place, _, names in os.walk(root):
        for name in names:
            count += 1
            path = Path(place) / name
            exact[name] = None if name in exact else path
            if Path(name).suffix.lower() in _ENDINGS:
                for key in (_fold_case(name), _fold_case(path.stem)):
                    folded[key] = None if key in folded else path
        if count > MOST_LOOKED_AT:
            break
    return {**folded, **exact}


def _fold_case(name: str) -> str:
    """Return the key of a name in whatever case; without an ending it is any picture's."""
    # No file can have this name, so that it is never taken for an exact one.
    return f"/{Path(name).name.casefold()}"
