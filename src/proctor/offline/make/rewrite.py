"""Records with a new wording, in the form of GroundUI, with their pictures beside them."""

from __future__ import annotations

from pathlib import Path

from proctor.errors import RecordError
from proctor.observations.encode import png
from proctor.offline.loaders.form import derive_id
from proctor.offline.sample import GroundSample

_GROUPS: tuple[str, ...] = ("platform", "source", "role", "application")


def rewritten(sample: GroundSample, new: str, folder: Path, model: str) -> dict[str, object]:
    """Return a record in the form of GroundUI, its picture written; polygons have no place there."""
    if sample.target.kind == "polygon":
        return {}
    name = f"images/{derive_id(sample.shot.name)}.png"
    if not (folder / name).exists():
        try:
            (folder / name).write_bytes(png(sample.shot.load()))
        except RecordError:
            return {}
    groups: dict[str, str] = {name: sample.groups[name] for name in _GROUPS if name in sample.groups}
    return {
        "id": sample.id,
        "image": name,
        "instruction": new or sample.instruction,
        "raw_instruction": sample.instruction,
        "captioned_by": model if new else "",
        "bbox": list(sample.target.corners) or [0, 0, 0, 0],
        "refusal": sample.target.kind == "refusal",
        "resolution": list(sample.size),
        **groups,
    }
