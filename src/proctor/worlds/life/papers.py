"""What somebody writes and keeps: notes, reports, slides, tables, letters, recipes, code."""

from __future__ import annotations

import random
from datetime import date, timedelta

from proctor.worlds.chance import clock, in_words, months, working_day
from proctor.worlds.life.diary import Diary
from proctor.worlds.model import Circle
from proctor.worlds.prose.banks import keys

NOTE_ENDINGS = ("md", "md", "txt")
LETTERS_TO = ("Brightwick", "Packhof", "Fernline Internet", "Harbour Insurance", "The Town Hall", "Nordlicht Energy")


def write_papers(diary: Diary) -> None:
    """Tell all papers of all months."""
    for month in months(diary.first, diary.last):
        draw = diary.chance("papers", month)
        _notes(diary, month, draw)
        _letters(diary, month, draw)
        if diary.owner.code and draw.random() < 0.7:
            _code(diary, month, draw)
        if draw.random() < 0.6:
            _recipe(diary, month, draw)
        _household_table(diary, month)
    for circle in diary.owner.circles:
        _projects(diary, circle)


def _notes(diary: Diary, month: date, draw: random.Random) -> None:
    for _ in range(3):
        circle = draw.choice(diary.owner.circles)
        topic = draw.choice(circle.things).removeprefix("the ")
        day = month + timedelta(days=draw.randint(0, 26))
        diary.note(
            "note", clock(day, draw.randint(8, 22), draw.randint(0, 59)), topic=topic, circle=circle.name,
            points=draw.randint(5, 11), path=f"Notes/{day:%Y-%m-%d} {topic}.{draw.choice(NOTE_ENDINGS)}",
        )  # fmt: skip


def _letters(diary: Diary, month: date, draw: random.Random) -> None:
    for _ in range(draw.choice((0, 1, 1, 2))):
        kind = diary.speech.pick(keys("papers", "letter"), draw)
        kind = "reference" if kind == "landlord" and not diary.owner.landlord else kind
        day = working_day(month + timedelta(days=draw.randint(0, 24)))
        if kind in ("office", "thanks") and not any(trip.end < day for trip in diary.trips):
            kind = "reference"  # no journey yet that it could speak of
        to = {"landlord": diary.owner.landlord, "office": "The Town Hall"}.get(kind) or draw.choice(LETTERS_TO)
        if kind in ("thanks", "reference"):
            to = draw.choice(diary.owner.of_roles("friend", "brother", "sister", "neighbour", "club")).name
        ending = draw.choice(("odt", "odt", "docx", "pdf"))
        name = f"{day:%Y-%m-%d} {kind.title()} {to.removeprefix('The ')}"
        diary.note(
            "letter",
            clock(day, draw.randint(9, 20), draw.randint(0, 59)),
            letter=kind,
            to=to,
            path=f"Documents/Letters/{day:%Y}/{name}.{ending}",
        )


def _code(diary: Diary, month: date, draw: random.Random) -> None:
    name = draw.choice(diary.owner.code)
    at = clock(month + timedelta(days=draw.randint(1, 25)), draw.randint(9, 23), draw.randint(0, 59))
    code = diary.note("code", at, name=name, path=f"Code/{month:%Y-%m}/{name}.py", rows=draw.randint(30, 90))
    diary.note(
        "readings",
        at + timedelta(minutes=9),
        code,
        path=f"Code/{month:%Y-%m}/{name}_input.csv",
        rows=draw.randint(40, 160),
    )


def _recipe(diary: Diary, month: date, draw: random.Random) -> None:
    at = clock(month + timedelta(days=draw.randint(0, 26)), draw.randint(17, 22), draw.randint(0, 59))
    dish = draw.choice(
        (
            diary.owner.dish,
            "plum cake",
            "leek tart",
            "bean stew",
            "potato soup",
            "apple crumble",
            "rye bread",
            "tomato rice",
        )
    )
    diary.note("recipe", at, dish=dish, path=f"Recipes/{at:%Y-%m} {dish}.txt")


def _household_table(diary: Diary, month: date) -> None:
    """Four times a year the owner adds up what was spent."""
    if month.month % 3 == 1 and month > diary.first + timedelta(days=80):
        at = clock(month + timedelta(days=9), 20, 15)
        diary.note("budget", at, until=month, path=f"Documents/Money/{month - timedelta(days=1):%Y-%m} Household.ods")


def _projects(diary: Diary, circle: Circle) -> None:
    """Tell reports, slides and cost tables of what a circle works on."""
    for number, project in enumerate(circle.projects):
        draw = diary.chance("project", circle.name, project)
        span = (diary.last - diary.first).days
        folder = (
            f"Documents/{''.join(c for c in circle.name if c.isalnum() or c == ' ')}/{project.replace(chr(39), '')}"
        )
        for part in range(6 if circle.kind == "work" else 2):
            day = working_day(
                diary.first
                + timedelta(days=20 + (span - 50) * (number + part) // (len(circle.projects) + 6) + draw.randint(0, 25))
            )
            at = clock(day, draw.randint(9, 18), draw.randint(0, 59))
            common = {"circle": circle.name, "project": project, "client": draw.choice(circle.clients)}
            form = ("report", "costs", "slides", "report", "tasks", "manual")[part]
            ending = {
                "report": ("odt", "docx", "pdf"),
                "costs": ("ods", "xlsx"),
                "slides": ("odp", "pptx"),
                "tasks": ("csv",),
                "manual": ("odt", "pdf"),
            }[form]
            name = f"{day:%Y-%m-%d} {project} {form}"
            diary.note(
                form,
                at,
                **common,
                title=f"{project}: {form}",
                day=in_words(day),
                path=f"{folder}/{name}.{draw.choice(ending)}",
            )
