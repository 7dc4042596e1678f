"""The folder of one try at an episode: making room for it, and making it whole."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

from proctor.errors import RecordError
from proctor.records import Result
from proctor.store.completeness import fault_of, recorded_result
from proctor.store.files import Sum, disk_trouble, plain_json, sum_file, write_whole
from proctor.store.inner_folders import episode_room
from proctor.store.paths import FORMAT, LIVE, place_in_run


def conclude(folder: Path, result: Result) -> Result:
    """Complete the record of a try whose worker was lost, and return its result; a whole one is kept."""
    if fault_of(folder) == "":
        return recorded_result(folder)
    result = replace(result, folder=result.folder or place_in_run(folder))
    episode_room(folder)
    with disk_trouble(folder):
        folder.mkdir(exist_ok=True)
    write_sums(folder, {"result.json": write_whole(folder, "result.json", plain_json(result.to_json()))})
    return result


def write_sums(folder: Path, sums: dict[str, Sum]) -> None:
    """Write the sums, with those of files that others put into the folder, such as a video."""
    with disk_trouble(folder):
        for entry in list(os.scandir(folder)):
            if entry.name == LIVE or entry.name.endswith(".part"):
                Path(entry.path).unlink()
            elif entry.name not in sums and entry.name != "sums.json":
                sums[entry.name] = sum_file(entry.path)
    files = {name: found._asdict() for name, found in sums.items()}
    write_whole(folder, "sums.json", plain_json({"format": FORMAT, "files": files}))


def make_room(folder: Path) -> None:
    """Make the folder of a record, and move what lies in its place aside."""
    episode_room(folder)
    with disk_trouble(folder):
        try:
            folder.mkdir()
            return
        except FileExistsError:
            if fault_of(folder) == "":
                raise RecordError(
                    f"{folder} already contains the complete record of this attempt",
                    remedy="continue with `proctor runs resume`",
                ) from None
        number = 1
        while os.path.lexists(aside := folder.with_name(f"{folder.name}.broken-{number}")):
            number += 1
        folder.rename(aside)
        folder.mkdir()
