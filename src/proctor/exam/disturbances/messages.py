"""What comes in front of somebody who is at work: notifications, dialogs, a locked screen."""

from __future__ import annotations

from random import Random

from proctor.exam.disturbances.disturbance import Disturbance, Staged, close_by
from proctor.tasks.shelves import hand, make
from proctor.tasks.task import Task

NOTES = (
    ("Backup finished", "248 files were copied. Nothing needs to be done."),
    ("New device", "A headset was connected."),
    ("Battery", "The mouse has 40 % of its charge left."),
    ("Weather", "Light rain in the afternoon, 11 degrees."),
)
DIALOGS = (
    ("Update available", "A new version of the system is ready. It can be installed at any time.", "Later"),
    ("Permission needed", "The printer service asks to be started with the system.", "Not Now"),
    ("Certificate", "The certificate of printer.local expires in nine days.", "Close"),
    ("Crash report", "A background service ended unexpectedly and was started again.", "Close"),
)
FULL = "Disk nearly full"
LOCKED = "Screen locked"


def _notification(draw: Random, _task: Task) -> Staged:
    (title, text), seconds = draw.choice(NOTES), draw.choice((6, 10, 20))
    gone = hand.await_element(name=title, gone=True, timeout_sec=seconds + 10)
    return Staged(do=(make.notification(title, text, seconds=seconds),), answer=(gone,))


def _dialog(draw: Random, _task: Task) -> Staged:
    title, text, button = draw.choice(DIALOGS)
    closing = close_by(button, title)
    return Staged(do=(make.dialog(title, text, [button]),), answer=closing)


def _full(draw: Random, _task: Task) -> Staged:
    said = f"Only {draw.choice((38, 61, 94))} MB are left. Documents can still be saved."
    closing = close_by("Ignore", FULL)
    return Staged(do=(make.dialog(FULL, said, ["Ignore"]),), answer=closing)


def _lock(draw: Random, _task: Task) -> Staged:
    opening = close_by("Unlock", LOCKED)
    return Staged(do=(make.screen_lock(seconds=draw.choice((30, 60))),), answer=opening)


MESSAGES = (
    Disturbance(
        "notification", "a notification shows and goes away", _notification, ("windows", "shell", "tree"), harmless=True
    ),
    Disturbance("dialog", "a dialog opens in front of everything", _dialog),
    Disturbance("disk_nearly_full", "a warning says that the disk is nearly full, and stays in front", _full),
    Disturbance("screen_locked", "the screen is locked until `Unlock` is clicked", _lock),
)
