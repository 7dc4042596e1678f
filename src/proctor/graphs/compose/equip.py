"""Setup of composed tasks: puts what is there from the beginning onto the computer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from proctor.errors import SpecError
from proctor.graphs.compose.resource import Resource
from proctor.home import absolute
from proctor.tasks.call import Call
from proctor.tasks.shelves import make

COLOURS = {
    "red": "#c0392b", "green": "#27ae60", "blue": "#2c5f9e", "orange": "#e67e22", "purple": "#8e44ad",
    "teal": "#148f8b",
}  # fmt: skip
"""The colours that pictures have."""
FOLDERS = ("Documents", "Downloads", "Music", "Pictures", "Videos")
"""The folders that are always there."""
MARK = "#ffffff"
"""The colour of the square in the upper left corner of every picture, by which turned and mirrored ones are told."""

MAIL_OWNER, MAIL_ADDRESS, MAIL_PASSWORD = "Robin Hale", "robin.hale@harbourmail.example", "Lantern-417"
"""The user's account wherever a task has mail; letters that are there from the beginning arrive in it."""
CORRESPONDENT = "Dana Moss <dana.moss@lanternpost.example>"
"""Who has written the letters that are there from the beginning."""
WALLPAPER = "/backdrop/screen0/monitorVNC-0/workspace0/last-image"
"""The property of the channel `xfce4-desktop` that says which picture is the wallpaper."""
WALLPAPER_FILE = "Pictures/wallpaper.png"
"""Which picture that is from the beginning."""

Maker = Callable[[Resource], tuple[Call, ...]]


def equipment(initial: Sequence[Resource]) -> tuple[Call, ...]:
    """Return the setup steps for all that a task begins with."""
    steps = [make.folder(folder) for folder in FOLDERS]
    steps += [step for resource in initial if resource.kind in MAKERS for step in MAKERS[resource.kind](resource)]
    kept = {resource.kind for resource in initial} - set(MAKERS)
    for kind in sorted(kept):
        if kind not in STORES:
            raise SpecError(f"no task can begin with a {kind}", remedy="let another subtask give it")
        steps += STORES[kind]([resource for resource in initial if resource.kind == kind])
    return tuple(steps)


def mark(width: int, height: int) -> dict[str, Any]:
    """Return the square in the corner of a picture: a quarter of its shorter side."""
    side = min(width, height) // 4
    return {"kind": "rectangle", "box": [0, 0, side, side], "fill": MARK}


def text_of(lines: Sequence[str]) -> str:
    """Return lines as the text of a file."""
    return "".join(f"{line}\n" for line in lines)


def _slides(resource: Resource) -> tuple[Call, ...]:
    title, *points = resource.content
    return (make.slides(resource.value, [{"title": title}, {"title": "Overview", "bullets": points}]),)


def _image(resource: Resource) -> tuple[Call, ...]:
    width, height = resource.content["width"], resource.content["height"]
    colour = COLOURS[resource.content["colour"]]
    return (make.picture(resource.value, width, height, background=colour, shapes=[mark(width, height)]),)


def _audio(resource: Resource) -> tuple[Call, ...]:
    notes = [{"hertz": 440, "seconds": resource.content["seconds"]}]
    return (make.sound(resource.value, notes, tags={"title": resource.content["title"]}),)


def _video(resource: Resource) -> tuple[Call, ...]:
    seconds = resource.content["seconds"]
    scenes = [{"seconds": seconds, "background": COLOURS["blue"], "shapes": [mark(320, 240)]}]
    notes = [{"hertz": 440, "seconds": seconds}]
    return (make.film(resource.value, (320, 240), scenes, notes=notes, title=resource.content["title"]),)


def _folder(resource: Resource) -> tuple[Call, ...]:
    files = [make.text_file(f"{resource.value}/{name}", text_of(lines)) for name, lines in resource.content.items()]
    return (make.folder(resource.value), *files)


def _web_page(resource: Resource) -> tuple[Call, ...]:
    title, *lines = resource.content
    body = "".join(f"<p>{line}</p>\n" for line in lines)
    page = f"<!DOCTYPE html>\n<html><head><meta charset='utf-8'><title>{title}</title></head>\n<body>\n"
    return (make.text_file(resource.value, f"{page}<h1>{title}</h1>\n{body}</body></html>\n"),)


def _database(resource: Resource) -> tuple[Call, ...]:
    headings, *rows = resource.content
    columns = [f"{name} {kind}" for name, kind in zip(headings, ("TEXT", "INTEGER", "REAL"), strict=True)]
    return (make.database(resource.value, {"stock": {"columns": columns, "rows": rows}}),)


def _draw_picture(resource: Resource) -> tuple[Call, ...]:
    texts = [
        {"kind": "text", "box": [20, 20 + 40 * row, 0, 0], "text": line, "size": 24}
        for row, line in enumerate(resource.content)
    ]
    return (make.drawing(resource.value, 640, 480, texts),)


def _wallpaper(resource: Resource) -> tuple[Call, ...]:
    picture = Resource("image", WALLPAPER_FILE, resource.content)
    return (*_image(picture), make.xfconf("xfce4-desktop", WALLPAPER, absolute(picture.value)))


MAKERS: dict[str, Maker] = {
    "text_file": lambda it: (make.text_file(it.value, text_of(it.content)),),
    "code_file": lambda it: (make.text_file(it.value, text_of(it.content)), make.executable(it.value)),
    "table_file": lambda it: (make.csv_file(it.value, it.content),),
    "spreadsheet": lambda it: (make.spreadsheet(it.value, [{"name": "Sheet1", "rows": it.content}]),),
    "document": lambda it: (make.document(it.value, list(it.content)),),
    "slides": _slides,
    "pdf": lambda it: (make.pdf(it.value, [list(it.content)]),),
    "image": _image,
    "audio": _audio,
    "video": _video,
    "folder": _folder,
    "archive": lambda it: (make.archive(it.value, {name: text_of(lines) for name, lines in it.content.items()}),),
    "web_page": _web_page,
    "database": _database,
    "drawing": _draw_picture,
    "clipboard_text": lambda it: (make.clipboard(it.value),),
    "wallpaper": _wallpaper,
}
"""How one thing of a kind is made."""


def _entries(resources: Sequence[Resource]) -> list[dict[str, str]]:
    return [{"title": resource.value, "text": "\n".join(resource.content)} for resource in resources]


def mail_desk() -> tuple[Call, ...]:
    """Return the setup of the mail service with the user's account, and of Thunderbird for it."""
    account = {"address": MAIL_ADDRESS, "password": MAIL_PASSWORD, "name": MAIL_OWNER}
    return (make.mail_service([account]), make.thunderbird_account(MAIL_ADDRESS, MAIL_PASSWORD, MAIL_OWNER))


def _letters(resources: Sequence[Resource]) -> tuple[Call, ...]:
    letters = [
        {
            "from": CORRESPONDENT,
            "to": f"{MAIL_OWNER} <{MAIL_ADDRESS}>",
            "subject": resource.value,
            "date": f"2026-03-11T{8 + place % 12:02}:{place // 12:02}:00",
            "text": text_of(resource.content),
        }
        for place, resource in enumerate(resources)
    ]
    return (make.mail_delivered(MAIL_ADDRESS, letters),)


STORES: dict[str, Callable[[Sequence[Resource]], tuple[Call, ...]]] = {
    "note": lambda them: (make.gnote_notes(_entries(them)),),
    "reminder": lambda them: (make.todo(_entries(them)),),
    "letter": _letters,
}
"""How all things of a kind are made together, where an application keeps them in one place."""


def makeable(kind: str) -> bool:
    """Tell whether a task can begin with something of a kind; any file will do as a file."""
    return kind == "file" or kind in MAKERS or kind in STORES
