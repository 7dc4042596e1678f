"""Readers of grounding sets: GroundUI and our own, ScreenSpot, OSWorld-G, AgentNetBench."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from proctor.errors import RecordError
from proctor.offline.loaders.form import (
    PublicForm,
    ReadingContext,
    UnfitRecord,
    below,
    defect,
    derive_id,
    ground,
    groups,
    numbers,
    records_in,
    size_of,
    target_of_box,
    text,
)
from proctor.offline.rows import Row
from proctor.offline.sample import Defect, GroundSample
from proctor.offline.target import AnswerTarget, fault

_SOURCES = {
    "mobile": ("ios", "android"),
    "desktop": ("windows", "macos"),
    "web": ("gitlab", "shop", "forum", "tool"),
}
"""Where the pictures of ScreenSpot come from, by the platforms of its tables."""
_BUCKETS = {
    "text matching": ("Label",),
    "element recognition": ("Icon", "Image", "Button"),
    "layout understanding": (
        "Tab", "Banner/Notification", "Accordion/Collapsible Panel", "Pagination Control", "Toolbar", "Menu Bar",
        "Dropdown Menu", "List", "Grid", "Tree View", "Dialog/Modal", "Panel/Container", "Sidebar", "Drawer",
        "Window Hierarchy",
    ),
    "fine-grained manipulation": (
        "Slider", "Stepper", "Divider", "Toggle/Switch", "Accordion/Collapsible Panel", "Checkbox", "Radio Button",
        "Color Picker", "Date Picker", "Table", "Text Field/Input Box", "Search Bar", "Text Field", "Input Box",
        "Window Border",
    ),
}  # fmt: skip
"""The abilities of OSWorld-G's tables, by the kinds of elements that stand for each."""
_CLICKS = ("click", "doubleclick", "rightclick", "tripleclick", "middleclick", "moveto", "dragto")


def _groundui(row: Row, reading: ReadingContext) -> Iterator[GroundSample]:
    shot = reading.shot(row.data["image"], row)
    size = size_of(row, shot, "resolution")
    instruction = text(row, "instruction", needed=True)
    bbox = row.data["bbox"]
    refused = row.data.get("refusal") is True
    yield ground(
        row,
        reading,
        id=text(row, "id") or derive_id(shot.name.rpartition("/")[2], instruction, bbox),
        shot=shot,
        size=size,
        target=AnswerTarget("refusal") if refused else target_of_box(bbox, reading, size),
        instruction=instruction,
        raw_instruction=text(row, "raw_instruction"),
        elements=below(row, row.data.get("elements")),
        groups=groups(row, platform="platform", source="source", role="role", application="application", split="split"),
    )


def _screenspot(row: Row, reading: ReadingContext) -> Iterator[GroundSample]:
    named = row.data.get("img_filename") or row.data.get("file_name")
    shot = reading.shot(row.data.get("image") or named, row)
    size = size_of(row, shot, "img_size")
    instruction = text(row, "instruction", needed=True)
    found = {"type": "ui_type" if "ui_type" in row.data else "data_type"}
    found |= {"source": "data_source", "platform": "platform", "application": "application", "group": "group"}
    found |= {"split": "split"}
    named_groups = groups(row, **found)
    if where := _platform(row):
        named_groups["platform"] = where
    # What the sets' own tables are made of.
    for outer in ("platform", "group"):
        if outer in named_groups and "type" in named_groups:
            named_groups[f"{outer} and type"] = f"{named_groups[outer]} {named_groups['type']}"
    yield ground(
        row,
        reading,
        # ScreenSpot-Pro numbers its records; the others have no ids.
        id=text(row, "id") or derive_id(named, instruction, row.data["bbox"]),
        shot=shot,
        size=size,
        target=target_of_box(row.data["bbox"], reading, size),
        instruction=instruction,
        groups={**named_groups},
    )


def _platform(row: Row) -> str:
    """Return the platform of a record of ScreenSpot: its source tells, or the file that it stands in."""
    if row.data.get("platform"):
        return ""
    source = text(row, "data_source").lower()
    named = [platform for platform, sources in _SOURCES.items() if source in sources]
    named += [platform for platform in _SOURCES if platform in row.where.lower()]
    return named[0] if named else ""


def _osworld_g(row: Row, reading: ReadingContext) -> Iterator[GroundSample]:
    # In tables the picture is in a column of its own, and the path is what it once was.
    shot = reading.shot(row.data.get("image") or row.data.get("image_path"), row)
    size = size_of(row, shot, "image_size")
    kind = text(row, "box_type").lower()
    given = row.data["box_coordinates"]
    if kind == "refusal":
        target = AnswerTarget("refusal")
    elif kind == "polygon":
        corners = numbers(given)
        if len(corners) < 6 or len(corners) % 2:
            raise UnfitRecord("the polygon has fewer than three corners")
        target = AnswerTarget("polygon", tuple(corners))
    elif kind == "bbox":
        target = target_of_box(given, reading, size)
    else:
        raise UnfitRecord("its box_type is none of bbox, polygon, refusal")
    kinds = row.data.get("GUI_types")
    role = {"role": str(kinds[0])} if isinstance(kinds, list) and kinds else {}
    yield ground(
        row,
        reading,
        id=text(row, "id", needed=True),
        shot=shot,
        size=size,
        target=target,
        instruction=text(row, "instruction", needed=True),
        groups={"target": kind, "bucket": _buckets(kind, kinds), **role, **groups(row, split="split")},
    )


def _buckets(kind: str, types: object) -> list[str]:
    """Return the abilities that OSWorld-G counts a record to, by its kinds of elements."""
    if kind == "refusal":
        return ["refusal"]
    found: list[str] = []
    for named in types if isinstance(types, list) else ():
        # Of two abilities that one kind stands for, the second counts where the first is known already.
        bucket = next((name for name, held in _BUCKETS.items() if named in held and name not in found), "")
        found += [bucket] if bucket else []
    return found


def _agentnetbench(row: Row, reading: ReadingContext) -> Iterator[GroundSample | Defect]:
    """Yield a sample for each step whose first action points at boxes, each of which counts."""
    if (steps := records_in(row.data["steps"])) is None:
        raise UnfitRecord("its steps are not a list of records")
    task = text(row, "task_id", needed=True)
    for number, step in enumerate(steps):
        if not (boxes := _target_boxes(step)):
            continue
        inner = step.get("inner_monologue")
        said = inner.get("low_level_instruction") if isinstance(inner, dict) else None
        said = said or step.get("low_level_instruction") or step.get("action")
        if not isinstance(said, str) or not said.strip():
            continue
        id = f"{task}/{step.get('step_num', number)}"
        try:
            shot = reading.shot(step.get("image"), row)
            yield ground(
                row,
                reading,
                id=id,
                shot=shot,
                size=shot.size,
                target=_any_of(boxes, reading, shot.size),
                instruction=said.strip(),
                raw_instruction=text(row, "high_level_task_description"),
            )
        except (UnfitRecord, RecordError) as error:
            # The other steps have their own pictures and boxes.
            yield defect(id, error)


def _any_of(boxes: list[object], reading: ReadingContext, size: tuple[int, int]) -> AnswerTarget:
    targets = [target_of_box(box, reading, size) for box in boxes]
    first, *others = [target for target in targets if not fault(target, size)] or targets[:1]
    return replace(first, others=tuple(others))


def _target_boxes(step: dict[str, object]) -> list[object]:
    for action in records_in(step.get("ground_truth_actions")) or ():
        if str(action.get("type", "")).lower() not in _CLICKS:
            continue
        metadata = action.get("metadata")
        boxes = records_in(metadata.get("bboxes")) if isinstance(metadata, dict) else None
        listed = [each.get("rel_bbox") for each in boxes or ()]
        if found := [box for box in listed if box]:
            return found
    return []


GROUNDING = tuple(
    PublicForm(name, about, "ground", columns, read, boxes)
    for name, about, columns, read, boxes in (
        ("osworld-g", "OSWorld-G, plain and refined wording", ("id", "instruction", "box_type", "box_coordinates"),
         _osworld_g, "xywh"),
        ("screenspot-pro", "ScreenSpot-Pro", ("img_filename", "bbox", "instruction", "img_size"), _screenspot, "xyxy"),
        ("screenspot-v2", "ScreenSpot-v2, and ScreenSpot as it was first published",
         ("img_filename", "bbox", "instruction"), _screenspot, "xywh"),
        ("screenspot", "ScreenSpot on Hugging Face", ("file_name", "bbox", "instruction"), _screenspot, "xyxy-unit"),
        ("groundui", "GroundUI-1K and -18K, and what `proctor offline make` writes", ("image", "bbox", "instruction"),
         _groundui, "xyxy"),
        ("agentnetbench", "AgentNetBench, its steps that point at something", ("task_id", "steps"),
         _agentnetbench, "xywh-unit"),
    )
)  # fmt: skip
