"""What lies in a home folder, so that lists of files show something; others on each computer."""

from __future__ import annotations

import random

from proctor.computers.computer import Computer

FOLDERS = 6
_THINGS = (
    "bicycle", "budget", "choir", "garden", "guests", "holiday", "insurance", "inventory", "invoice", "kitchen",
    "letter", "minutes", "orders", "packing", "plants", "recipe", "rent", "repairs", "report", "roof", "route",
    "schedule", "speech", "survey", "tickets", "timetable", "translation", "workshop",
)  # fmt: skip
_KINDS = ("2024", "2025", "april", "autumn", "copy", "draft", "final", "ideas", "list", "old", "summer", "winter")
_ENDINGS = (".csv", ".html", ".log", ".md", ".txt")


def lay_out(computer: Computer, draw: random.Random) -> None:
    """Write a file or folder of each thing into the home folder of a computer."""
    for number, thing in enumerate(draw.sample(_THINGS, len(_THINGS))):
        if number < FOLDERS:
            computer.write_file(f"{thing.title()}/{draw.choice(_KINDS)}.txt", b"1\n")
        else:
            computer.write_file(f"{thing}-{draw.choice(_KINDS)}{draw.choice(_ENDINGS)}", f"{thing}\n".encode())
