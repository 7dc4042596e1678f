"""Where Proctor keeps its data: images, recipes of the user's own, and downloads.

<data>/                       $PROCTOR_DATA, else $XDG_DATA_HOME/proctor, else ~/.local/share/proctor
├── images/
│   ├── <name>/
│   │   ├── rootfs/           the root filesystem; owned by subordinate ids when built without root
│   │   ├── in-use.lock       held shared by whoever uses the image
│   │   └── image.json        written last: without it the folder is not an image
│   ├── .<name>.lock          held by whoever builds, imports or removes that image
│   └── .building-<name>-*    work in progress, or what a killed build left; swept by the next one
├── vms/<name>/               the same recipe as a machine: disk.qcow2, vmlinuz, initrd.img, in-use.lock, image.json
├── recipes/<name>.toml       recipes of the user's own
└── cache/
    ├── archives/             downloaded packages, kept so that a repeated build resumes
    ├── apt/<key>/            package lists per set of sources
    ├── texts/                what was read off pictures, by their digests
    └── log/<name>.log        what the last build printed
"""

from __future__ import annotations

import os
from pathlib import Path

from proctor.errors import HostError


def data_folder() -> Path:
    """Return the folder all data lives in; it need not exist yet."""
    if own := os.environ.get("PROCTOR_DATA"):
        return Path(own).absolute()
    if base := os.environ.get("XDG_DATA_HOME"):
        return Path(base).absolute() / "proctor"
    return Path.home() / ".local" / "share" / "proctor"


def images_folder() -> Path:
    """Return the folder that holds one folder per image."""
    return data_folder() / "images"


def machines_folder() -> Path:
    """Return the folder that holds one folder per virtual machine that was built."""
    return data_folder() / "vms"


def recipes_folder() -> Path:
    """Return the folder that holds the user's own recipes."""
    return data_folder() / "recipes"


def cache_folder() -> Path:
    """Return the folder that holds downloads and logs."""
    return data_folder() / "cache"


def make(folder: Path) -> Path:
    """Create a folder with its parents and return it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise HostError(
            f"cannot create {folder}: {error.strerror}",
            remedy="set PROCTOR_DATA to a folder you may write to",
        ) from error
    return folder
