"""Small data sets in the public forms, drawn and written for the tests."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from PIL import Image, ImageDraw, ImageFont

SIZE = (400, 300)
BUTTONS = {"Save": (20, 20, 120, 60), "Open": (200, 20, 300, 60), "Quit": (200, 200, 300, 240)}
"""Left, top, right, bottom of what is on every picture."""


def picture(path: Path, *, buttons: Sequence[str] = tuple(BUTTONS)) -> Path:
    """Draw a screen with buttons."""
    image = Image.new("RGB", SIZE, "white")
    draw = ImageDraw.Draw(image)
    for name in buttons:
        box = BUTTONS[name]
        draw.rectangle(box, fill=(225, 228, 235), outline="black")
        draw.text((box[0] + 18, box[1] + 8), name, fill="black", font=ImageFont.load_default(size=22))
    path.parent.mkdir(parents=True, exist_ok=True)
    image.save(path)
    return path


def lines(path: Path, rows: Sequence[dict[str, Any]]) -> Path:
    """Write records as lines of JSON."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def groundui(folder: Path, count: int = 3) -> Path:
    """Write a set in the form of GroundUI, with samples that ask for the buttons in turn."""
    rows = []
    for number in range(count):
        name = list(BUTTONS)[number % len(BUTTONS)]
        image = f"images/{number // len(BUTTONS)}.png"
        if number % len(BUTTONS) == 0:
            picture(folder / image)
        rows.append(
            {
                "image": image,
                "instruction": f"Click the {name} button ({number})",
                "bbox": list(BUTTONS[name]),
                "source": "drawn",
                "platform": "desktop" if number % 2 else "web",
                "resolution": list(SIZE),
                "raw_instruction": name.lower(),
            }
        )
    return lines(folder / "metadata.jsonl", rows)


def wide(name: str) -> list[int]:
    """Return a button as left, top, width, height."""
    left, top, right, bottom = BUTTONS[name]
    return [left, top, right - left, bottom - top]


OPTIONS = ["click", "type", "scroll"]


def single(folder: Path, operations: Sequence[str] = ("click", "click", "type")) -> Path:
    """Write transitions in the form of IDM-Single."""
    picture(folder / "a.png")
    picture(folder / "b.png", buttons=["Save"])
    rows = [
        {
            "action_id": f"step-{number}",
            "obs_before": "a.png",
            "obs_after": "b.png",
            "operation": operation,
            "bbox": None,
            "metadata": {"repr": operation},
            "instruction": "do it",
            "source": "drawn",
            "platform": "web" if number % 2 else "desktop",
            "action_space": OPTIONS,
        }
        for number, operation in enumerate(operations)
    ]
    return lines(folder / "metadata_idm.jsonl", rows)


def episode(number: int, operations: Sequence[str], *, success: bool, last: bool = True) -> dict[str, Any]:
    """Return a record in the form of IDM-Multiple and CriticBench."""
    actions = [
        {
            "action_id": f"{number}-{place}",
            "obs_before": "a.png",
            "obs_after": "b.png" if last or place < len(operations) - 1 else None,
            "operation": operation,
            "bbox": None,
            "metadata": {"repr": f"[button] Save -> {operation}"},
        }
        for place, operation in enumerate(operations)
    ]
    return {
        "instruction": "Save the file",
        "annotation_id": f"episode-{number}",
        "actions": actions,
        "source": "drawn",
        "platform": "desktop",
        "metadata": {},
        "action_space": OPTIONS,
        "is_success": success,
    }


def several(folder: Path, rows: Sequence[dict[str, Any]], name: str = "metadata_idmn2n.jsonl") -> Path:
    """Write sequences, with their pictures."""
    picture(folder / "a.png")
    picture(folder / "b.png", buttons=["Save"])
    return lines(folder / name, rows)
