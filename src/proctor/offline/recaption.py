"""Instructions written anew by a model that is shown the target."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from PIL import ImageDraw

from proctor.agents.send_pictures import Sending
from proctor.errors import ModelError, RecordError
from proctor.models.model import Message
from proctor.models.usage import BudgetSpent, Metered
from proctor.observations.encode import png
from proctor.offline.answers.captions import PROMPT, caption_in
from proctor.offline.ask import fit_image
from proctor.offline.loaders.form import derive_id
from proctor.offline.sample import Data, GroundSample
from proctor.store.bounds import load_json
from proctor.store.files import disk_trouble, plain_json, write_whole

_GROUPS: tuple[str, ...] = ("platform", "source", "role", "application")
CAPTIONS, RECORDS = "captions.jsonl", "ground.jsonl"


@dataclass(frozen=True, kw_only=True, slots=True)
class Recaptioned:
    """What came of it."""

    written: int
    kept: int
    """Those that stayed as they were, because the reply could not be used, or there is nothing to mark."""
    failed: int
    """Those that have no reply; the same command asks again."""
    why: str = ""


def recaption(data: Data, folder: Path, model: Metered, sending: Sending) -> Recaptioned:
    """Write a set anew, or go on with it, with instructions by a model, in the form of GroundUI."""
    samples = [sample for sample in data.samples if isinstance(sample, GroundSample)]
    with disk_trouble(folder):
        (folder / "images").mkdir(parents=True, exist_ok=True)
    known, failed, why = _read_captions(folder / CAPTIONS), 0, ""
    with (folder / CAPTIONS).open("ab") as file:
        for sample in samples:
            if sample.id not in known and sample.target.kind != "refusal" and not why:
                try:
                    known[sample.id] = _recaption(sample, model, sending)
                    file.write(plain_json({"id": sample.id, **known[sample.id]}) + b"\n")
                    file.flush()
                except BudgetSpent as error:
                    why = error.message
                except (ModelError, RecordError):
                    failed += 1
    rows = [_rewrite(sample, known.get(sample.id, {}).get("instruction", ""), folder, model.name) for sample in samples]
    write_whole(folder, RECORDS, b"".join(plain_json(row) + b"\n" for row in rows if row))
    written = sum(bool(known.get(sample.id, {}).get("instruction")) for sample in samples)
    return Recaptioned(written=written, kept=len(samples) - written - failed, failed=failed, why=why)


def _recaption(sample: GroundSample, model: Metered, sending: Sending) -> dict[str, str]:
    image = sample.shot.load()
    left, top, right, bottom = sample.target.box
    across, down = image.width / sample.size[0], image.height / sample.size[1]
    place = (left * across - 3, top * down - 3, right * across + 3, bottom * down + 3)
    ImageDraw.Draw(image).rectangle(place, outline=(255, 0, 0), width=max(2, image.width // 500))
    prompt = PROMPT.format(instruction=sample.instruction)
    reply = model.ask([Message("user", (fit_image(image, sending)[0], prompt))], max_tokens=1024)
    model.take_calls()
    return {"instruction": caption_in(reply.text), "reply": reply.text[:4_000]}


def _read_captions(path: Path) -> dict[str, dict[str, str]]:
    """Return what was written before; a line that a crash cut off is written again."""
    found: dict[str, dict[str, str]] = {}
    lines: Sequence[bytes] = path.read_bytes().split(b"\n") if path.is_file() else ()
    for line in lines:
        try:
            data = load_json(line)
        except ValueError:
            continue
        if isinstance(data, dict) and isinstance(data.get("id"), str):
            found[data["id"]] = {name: str(data.get(name, "")) for name in ("instruction", "reply")}
    if lines and lines[-1]:
        path.write_bytes(b"\n".join(lines[:-1]) + b"\n")
    return found


def _rewrite(sample: GroundSample, new: str, folder: Path, model: str) -> dict[str, object]:
    """Return a record in the form of GroundUI, its picture written; polygons have no place there."""
    if sample.target.kind == "polygon":
        return {}
    name = f"images/{derive_id(sample.shot.name)}.png"
    if not (folder / name).exists():
        try:
            (folder / name).write_bytes(png(sample.shot.load()))
        except RecordError:
            return {}
    groups = {name: sample.groups[name] for name in _GROUPS if name in sample.groups}
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
